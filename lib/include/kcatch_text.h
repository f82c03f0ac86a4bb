/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_text.h - libkcatch: error texts, names that are safe to print, patterns, and the
 * names nearest to one that does not exist
 *
 * Part of kcatch.h, which includes it. No function here needs a session; any number of threads
 * may call them. The error text belongs to the calling thread.
 */
#ifndef KCATCH_TEXT_H
#define KCATCH_TEXT_H

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

/**
 * kcatch_error_set - set the error text
 * @error: errno, positive or negative
 * @format: printf format of the text; escape names in it with kcatch_text_show()
 *
 * Return: -errno, so that "return kcatch_error_set(...)" reads well.
 */
KCATCH_API int kcatch_error_set(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kcatch_error_append - append to the error text
 * @format: printf format of the appended text
 */
KCATCH_API void kcatch_error_append(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/**
 * kcatch_error_system - set the error text to a failed action and the meaning of its errno
 * @error: errno, positive or negative
 * @what: the failed action: "open /dev/x"
 *
 * Return: -errno.
 */
KCATCH_API int kcatch_error_system(int error, const char *what);

/**
 * kcatch_error_memory - set the error text for lack of memory
 *
 * Return: -ENOMEM.
 */
KCATCH_API int kcatch_error_memory(void);

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

/* ---- patterns -------------------------------------------------------------------- */

/**
 * kcatch_glob_is_pattern - whether a text is a pattern, not a plain name
 * @text: a name or pattern
 *
 * Return: whether @text contains * ? or [.
 */
KCATCH_API bool kcatch_glob_is_pattern(const char *text);

/**
 * kcatch_glob_match - match a name by the rules of the kernel's glob_match()
 * @pattern: the pattern
 * @name: the whole name
 *
 * Takes at most length of @pattern times length of @name steps.
 *
 * Return: whether @name matches.
 */
KCATCH_API bool kcatch_glob_match(const char *pattern, const char *name);

/* ---- the nearest names ----------------------------------------------------------- */

#define KCATCH_SUGGEST_MAX	5	/* names */
#define KCATCH_SUGGEST_LENGTH	96	/* bytes of a name worth comparing */

/**
 * struct kcatch_suggest - the names nearest to @wanted so far
 * @wanted: the name that was not found
 * @length: length of @wanted, bytes
 * @count: number of entries in @names, 0..KCATCH_SUGGEST_MAX
 * @names: nearest names, best first
 * @scores: distance of each name from @wanted
 */
struct kcatch_suggest {
	const char *wanted;
	size_t length;
	size_t count;
	char names[KCATCH_SUGGEST_MAX][KCATCH_SUGGEST_LENGTH + 1];
	unsigned int scores[KCATCH_SUGGEST_MAX];
};

/**
 * kcatch_suggest_init - start a search for the nearest names
 * @suggest: in the caller's memory
 * @wanted: the name that was not found; must stay as long as @suggest
 */
KCATCH_API void kcatch_suggest_init(struct kcatch_suggest *suggest, const char *wanted);

/**
 * kcatch_suggest_offer - keep an existing name if it is among the nearest
 * @suggest: the nearest names so far
 * @name: an existing name
 * @length: length of @name, bytes
 *
 * Names of more than KCATCH_SUGGEST_LENGTH bytes are skipped, which bounds the work.
 */
KCATCH_API void kcatch_suggest_offer(struct kcatch_suggest *suggest, const char *name,
				     size_t length);

/**
 * kcatch_suggest_format - list the nearest names: "a, b or c"
 * @suggest: the nearest names
 * @text: receives the list, NUL-terminated, with names escaped as kcatch_text_escape() does; "": no
 *	name is near
 * @room: bytes at @text
 */
KCATCH_API void kcatch_suggest_format(const struct kcatch_suggest *suggest, char *text,
				      size_t room);

#ifdef __cplusplus
}
#endif

#endif
