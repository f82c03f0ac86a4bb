/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * summaries.h - summaries: short texts for well-known structs
 *
 * A file is shown by its path, a task by its command and thread ID. Members are found by name in
 * the kernel's types, so a summary works on any kernel whose struct has them.
 */
#ifndef LIB_FETCH_SUMMARIES_H
#define LIB_FETCH_SUMMARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "types/types.h"

#define KCATCH_SUMMARY_PARTS     9   /* most parts of a summary */
#define KCATCH_SUMMARY_HOPS 4	/* most pointers that lead to a part */
#define KCATCH_SUMMARY_SOCK_SIZE 88  /* bytes of a struct sock_common, with its IPv6 addresses */

enum kcatch_summary_kind {
	KCATCH_SUMMARY_END,     /* there is no such part */
	KCATCH_SUMMARY_NUMBER,  /* an integer */
	KCATCH_SUMMARY_HEX,     /* an integer, in hexadecimal */
	KCATCH_SUMMARY_SYMBOL,  /* a pointer to a function */
	KCATCH_SUMMARY_MAPPED,  /* vm_flags, as /proc/PID/maps shows them */
	KCATCH_SUMMARY_MESSAGE, /* flags of a message; 0 is nothing */
	KCATCH_SUMMARY_ITER,    /* an enum iter_type */
	KCATCH_SUMMARY_IF,      /* a number, which is not shown; 0 is nothing */
	KCATCH_SUMMARY_SAME,    /* a pointer, which is not shown; nothing unless the part behind it
				 * is the same */
	KCATCH_SUMMARY_BIT,     /* the lowest bit of a byte, which is not shown; 0 is nothing */
	KCATCH_SUMMARY_VLAN,    /* the vlan_proto of a packet, and the vlan_tci behind it; 0 is
				 * nothing */
	KCATCH_SUMMARY_STRING,  /* a char pointer or array */
	KCATCH_SUMMARY_COUNTED, /* a char pointer; the struct's member "len" is its length */
	KCATCH_SUMMARY_PATH,    /* a struct path */
	KCATCH_SUMMARY_DENTRY,  /* a struct dentry */
	KCATCH_SUMMARY_ADDRESS, /* a struct sockaddr of any family */
	KCATCH_SUMMARY_NAME, /* a pointer to one; the struct's member "msg_namelen" is its length */
	KCATCH_SUMMARY_PACKET, /* the "head" of a packet; the parts behind it are its members
				* "network_header", where its headers begin, "mac_header",
				* "protocol", "tail", its VLAN and where there is one the bit
				* that tells whether it has one */
	KCATCH_SUMMARY_SOCK,   /* a struct sock_common, the beginning of a struct sock */
};

/**
 * struct kcatch_summary - how one struct is shown
 * @type: name of the struct
 * @format: text of the summary; %1 to %9 are replaced by the parts; what is in braces is left out
 *	if a part in it is not known, or is nothing
 * @parts: for each part its member, as in C ("dev->name"; "" is the struct itself), and what
 *	the member is
 */
struct kcatch_summary {
	const char *type;
	const char *format;
	struct {
		const char *member;
		enum kcatch_summary_kind kind;
	} parts[KCATCH_SUMMARY_PARTS];
};

/**
 * struct kcatch_summary_part - how a part is fetched from a struct
 * @item: what is put, and from which offset behind the last hop. The caller sets its source and,
 *	but of a WORD, its size
 * @hops: pointers from the struct to the part: @item.nr_hops of them
 * @length: offset in the struct of the length (4 bytes) of it, bytes; -1: none
 * @skip: offset in the struct of the bytes (2 bytes) that are left out at its beginning; -1: none
 * @fixed: most bytes of the part; 0: any text, as long as texts may be
 */
struct kcatch_summary_part {
	struct kcatch_item item;
	int32_t hops[KCATCH_SUMMARY_HOPS];
	int64_t length;
	int64_t skip;
	uint32_t fixed;
};

/**
 * kcatch_summary_find - find the summary of a type
 * @type: any type
 *
 * Return: the summary, which is static; NULL: the type has none.
 */
const struct kcatch_summary *kcatch_summary_find(struct kcatch_type type);

/** kcatch_summary_is_word - whether a part of that kind is decoded from a word of 64 bits */
bool kcatch_summary_is_word(enum kcatch_summary_kind kind);

/**
 * kcatch_summary_plan - make the item that fetches a part of a summary
 * @summary: the summary
 * @index: index of the part, from 0
 * @type: the struct, from the kernel's types
 * @part: receives the item
 *
 * Return: 0; -ENOENT (no error text) the summary has no such part, this kernel's struct lacks
 * the member, or the part is the beginning of a struct sock, which is fetched with the struct.
 */
int kcatch_summary_plan(const struct kcatch_summary *summary, uint32_t index,
			struct kcatch_type type, struct kcatch_summary_part *part);

/**
 * kcatch_summary_address - write a socket address: "127.0.0.1:80", "unix:/run/x"
 * kcatch_summary_sock - write both ends of a socket: "10.0.0.1:4711 -> 10.0.0.2:80"
 * @bytes: a struct sockaddr; a struct sock_common
 * @size: size of @bytes, bytes; of a struct sock_common 88 are used
 * @text: receives the text, null-terminated
 * @room: size of @text, bytes; the text is cut there
 *
 * Other families are written as "family=N". If @bytes end before the name of a local socket does,
 * the text ends with "...".
 *
 * Return: length of @text, bytes; 0: too few bytes.
 */
size_t kcatch_summary_address(const uint8_t *bytes, size_t size, char *text, size_t room);
size_t kcatch_summary_sock(const uint8_t *bytes, size_t size, char *text, size_t room);

#endif
