/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* summaries.h - structs with a readable form: a file by its path, a task by its name */
#ifndef LIB_FETCH_SUMMARIES_H
#define LIB_FETCH_SUMMARIES_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "types/types.h"

#define KCATCH_SUMMARY_PARTS 2
#define KCATCH_SUMMARY_STEPS 8

enum kcatch_summary_how {
	KCATCH_SUMMARY_END,
	KCATCH_SUMMARY_NUMBER,	/* an integer */
	KCATCH_SUMMARY_STRING,	/* a char pointer or array */
	KCATCH_SUMMARY_COUNTED,	/* a char pointer, and the member "len" beside it */
	KCATCH_SUMMARY_PATH,	/* a struct path; "" is the struct itself */
	KCATCH_SUMMARY_DENTRY,	/* a struct dentry: the struct itself */
	KCATCH_SUMMARY_ADDRESS,	/* a struct sockaddr: the struct itself */
	KCATCH_SUMMARY_SOCK,	/* the beginning of a struct sock */
};

/**
 * struct kcatch_summary - how one struct is said
 * @type: its name
 * @format: %1 and %2 are the parts
 * @parts: where they are, as in C: "dev->name"; and what
 */
struct kcatch_summary {
	const char *type;
	const char *format;
	struct {
		const char *member;
		enum kcatch_summary_how how;
	} parts[KCATCH_SUMMARY_PARTS];
};

/**
 * struct kcatch_summary_part - how a part is fetched
 * @nr: steps before the one that puts it, which begin at the struct's address
 * @steps: those
 * @length: before them: load the length at this offset, of 4 bytes, when it is not -1
 * @put: the step that puts it
 * @fixed: most bytes it has; 0: as long as texts may be
 */
struct kcatch_summary_part {
	uint32_t nr;
	struct kcatch_step steps[KCATCH_SUMMARY_STEPS];
	int64_t length;
	struct kcatch_step put;
	uint32_t fixed;
};

/**
 * kcatch_summary_find - the shape of a type
 * @type: a struct
 *
 * Return: the shape; NULL: it has none.
 */
const struct kcatch_summary *kcatch_summary_find(struct kcatch_type type);

/**
 * kcatch_summary_plan - how a part is fetched from this kernel's struct
 * @shape: the shape
 * @index: the part
 * @type: the struct
 * @part: how
 *
 * Return: 0; -ENOENT there is no such part, or this kernel's struct has no such member.
 */
int kcatch_summary_plan(const struct kcatch_summary *shape, uint32_t index, struct kcatch_type type,
		      struct kcatch_summary_part *part);

/**
 * kcatch_summary_address - a socket address in words
 * kcatch_summary_sock - the ends of a socket in words
 * @bytes: struct sockaddr, or struct sock
 * @size: how many of it
 * @text: the text, with an end mark
 * @room: bytes there
 *
 * Return: bytes written without the end mark; 0: of no kind that is known.
 */
size_t kcatch_summary_address(const uint8_t *bytes, size_t size, char *text, size_t room);
size_t kcatch_summary_sock(const uint8_t *bytes, size_t size, char *text, size_t room);

#endif
