/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_printable.h - libkcatch: the error text, and names that are safe to print
 *
 * Part of kcatch.h, which includes it. No function here needs a session; any number of threads
 * may call them. The error text belongs to the calling thread.
 */
#ifndef KCATCH_PRINTABLE_H
#define KCATCH_PRINTABLE_H

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the error text -------------------------------------------------------------- */

/**
 * kcatch_error_text - text of the last failure in the calling thread, and what to try
 *
 * One or more lines without a newline at the end. Control characters in names
 * that came from outside are escaped. Valid until the next failure.
 *
 * Return: the text, "" when nothing has failed yet.
 */
KCATCH_API const char *kcatch_error_text(void);

/* ---- text that can be printed ---------------------------------------------------- */

/**
 * kcatch_text_escape - make untrusted bytes safe for a terminal
 * @in: bytes
 * @length: length of @in, bytes
 * @out: the text: control characters, backslashes and invalid UTF-8
 *	become \n, \x1b and the like
 * @room: bytes at @out; four times @length and one always suffice
 *
 * Return: bytes written without the end mark. The text is cut at @room, but never
 * within an escape.
 */
KCATCH_API size_t kcatch_text_escape(const char *in, size_t length, char *out, size_t room);

/**
 * kcatch_text_utf8 - make untrusted bytes valid UTF-8
 * @in: bytes
 * @length: length of @in, bytes
 * @out: the text: invalid UTF-8 becomes U+FFFD, other bytes stay
 * @room: bytes at @out; three times @length and one always suffice
 *
 * Return: bytes written without the end mark.
 */
KCATCH_API size_t kcatch_text_utf8(const char *in, size_t length, char *out, size_t room);

/* Room for a name in a message: long ones are shortened, visibly. */
struct kcatch_shown {
	char text[320];
};

/**
 * kcatch_text_show_n - quote and escape a name, and shorten a long one
 * @shown: memory for the text
 * @name: bytes of the name
 * @length: length of @name, bytes
 *
 * Return: the text in @shown.
 */
KCATCH_API const char *kcatch_text_show_n(struct kcatch_shown *shown, const char *name,
					  size_t length);

/**
 * kcatch_text_show - quote and escape a string, and shorten a long one
 * @shown: memory for the text
 * @name: the string
 *
 * Return: the text in @shown.
 */
KCATCH_API const char *kcatch_text_show(struct kcatch_shown *shown, const char *name);

#define KCATCH_ERRNO_MAX 4095	/* largest errno in an error pointer */

/**
 * kcatch_number_may_be_address - whether a number of 64 bits may be an address of the kernel
 * @number: the number
 * @is_signed: its type is signed. The kernel keeps pointers in signed numbers as well
 *	(atomic_long_t); but a negative number above the addresses of modules is none, nor is one
 *	below the kernel's half with five levels of page tables (x86, mm.rst)
 *
 * Return: whether it may be one.
 */
static inline bool kcatch_number_may_be_address(uint64_t number, bool is_signed)
{
	if (is_signed)
		return number >= 0xff00000000000000ULL && number < 0xffffffffff000000ULL;
	return number >> 63 && number < (uint64_t)-KCATCH_ERRNO_MAX;
}

/**
 * kcatch_errno_name - name of an errno: "ENOENT"
 * @error: errno, positive
 *
 * Return: the name; NULL: no such errno.
 */
KCATCH_API const char *kcatch_errno_name(int error);

#ifdef __cplusplus
}
#endif

#endif
