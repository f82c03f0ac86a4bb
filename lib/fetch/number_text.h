/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* number_text.h - what a number means, in words: an enumerator, a mode, a device */
#ifndef LIB_FETCH_NUMBER_TEXT_H
#define LIB_FETCH_NUMBER_TEXT_H

#include "constants/constant_names.h"
#include "types/types.h"

#define KCATCH_NUMBER_TEXT KCATCH_CONSTANTS_TEXT /* bytes */

enum kcatch_number_kind {
	KCATCH_NUMBER_PLAIN,
	KCATCH_NUMBER_ENUM,
	KCATCH_NUMBER_MODE,    /* of a file: octal digits */
	KCATCH_NUMBER_DEVICE,  /* MAJOR:MINOR, as the kernel packs them: 12 and 20 bits */
	KCATCH_NUMBER_NETWORK, /* 32 bits of network order: an IPv4 address, if the name says so */
	/* Shown with all its digits, and in the buckets of a histogram with a unit: */
	KCATCH_NUMBER_TIME, /* nanoseconds */
	KCATCH_NUMBER_SIZE, /* bytes, or the number of things in memory */
	/* No type says so: of fields of events, and words about packets. */
	KCATCH_NUMBER_IPV4,
	KCATCH_NUMBER_IPV6, /* two numbers: kcatch_ip_text() */
	KCATCH_NUMBER_IP,   /* the same, where an address of IPv4 is shown as one */
	KCATCH_NUMBER_HEX,
	KCATCH_NUMBER_SYMBOL,     /* an address of code, which symbols name and this does not */
	KCATCH_NUMBER_TASK_STATE, /* what a thread that is switched from waits for: S, D, R+ */
	KCATCH_NUMBER_BLOCK_OP,   /* a block operation and its flags: WS, R, FF */
};

/** kcatch_number_kind - what the type says of its numbers. Return: KCATCH_NUMBER_* */
enum kcatch_number_kind kcatch_number_kind(struct kcatch_type type);

/**
 * struct kcatch_number_form - what is known of a number
 * @kind: KCATCH_NUMBER_*
 * @type: the type; needed of KCATCH_NUMBER_ENUM
 * @name: of the argument or member that it is; NULL or "": it has none
 * @constants: the names that it may have; NULL: none
 */
struct kcatch_number_form {
	enum kcatch_number_kind kind;
	struct kcatch_type type;
	const char *name;
	const struct kcatch_constants *constants;
};

/**
 * kcatch_number_text - write what a number means
 * @form: what is known of it
 * @number: the number, sign- or zero-extended, in the order of this machine
 * @text: receives the words, null-terminated
 * @room: size of @text, bytes; KCATCH_NUMBER_TEXT suffices
 *
 * Return: length of the text; 0: the number means no more than its digits.
 */
size_t kcatch_number_text(const struct kcatch_number_form *form, uint64_t number, char *text,
			  size_t room);

/**
 * kcatch_ip_text - write an address of IPv6
 * @kind: KCATCH_NUMBER_IPV6 or KCATCH_NUMBER_IP
 * @high: its first 8 bytes
 * @low: the others
 * @text: receives the address, null-terminated; KCATCH_NUMBER_TEXT bytes suffice
 * @room: size of @text, bytes
 *
 * Return: length of the text.
 */
size_t kcatch_ip_text(enum kcatch_number_kind kind, uint64_t high, uint64_t low, char *text,
		      size_t room);

/**
 * kcatch_number_of_text - the number that is shown so
 * @form: what is known of the number; not KCATCH_NUMBER_ENUM
 * @text: the text, null-terminated
 * @number: receives the number
 *
 * Return: whether there is one.
 */
bool kcatch_number_of_text(const struct kcatch_number_form *form, const char *text,
			   uint64_t *number);

/** kcatch_number_has_form - whether anything is known of a number but its digits */
static inline bool kcatch_number_has_form(const struct kcatch_number_form *form)
{
	return form->kind != KCATCH_NUMBER_PLAIN || form->constants;
}

#endif
