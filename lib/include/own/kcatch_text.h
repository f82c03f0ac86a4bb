/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_text.h - libkcatch: setting the error text, patterns, and the names nearest to one that
 * does not exist
 *
 * For kcatch's own programs: not installed. No function here needs a session; any number of
 * threads may call them.
 */
#ifndef KCATCH_TEXT_H
#define KCATCH_TEXT_H

#include <kcatch.h>

/* ---- setting the error text ------------------------------------------------------- */

/**
 * kcatch_error_set - set the error text
 * @error: errno, positive or negative
 * @format: printf format of the text; escape names in it with kcatch_text_show()
 *
 * Return: -errno, so that "return kcatch_error_set(...)" reads well.
 */
int kcatch_error_set(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kcatch_error_append - append to the error text
 * @format: printf format of the appended text
 */
void kcatch_error_append(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/**
 * kcatch_error_system - set the error text to a failed action and the meaning of its errno
 * @error: errno, positive or negative
 * @what: the failed action: "open /dev/x"
 *
 * Return: -errno.
 */
int kcatch_error_system(int error, const char *what);

/**
 * kcatch_error_memory - set the error text for lack of memory
 *
 * Return: -ENOMEM.
 */
int kcatch_error_memory(void);

/* ---- patterns -------------------------------------------------------------------- */

/**
 * kcatch_glob_is_pattern - whether a text is a pattern, not a plain name
 * @text: a name or pattern
 *
 * Return: whether @text contains * ? or [.
 */
bool kcatch_glob_is_pattern(const char *text);

/**
 * kcatch_glob_match - match a name by the rules of the kernel's glob_match()
 * @pattern: the pattern
 * @name: the whole name
 *
 * Takes at most length of @pattern times length of @name steps.
 *
 * Return: whether @name matches.
 */
bool kcatch_glob_match(const char *pattern, const char *name);

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
void kcatch_suggest_init(struct kcatch_suggest *suggest, const char *wanted);

/**
 * kcatch_suggest_offer - keep an existing name if it is among the nearest
 * @suggest: the nearest names so far
 * @name: an existing name
 * @length: length of @name, bytes
 *
 * Names of more than KCATCH_SUGGEST_LENGTH bytes are skipped, which bounds the work.
 */
void kcatch_suggest_offer(struct kcatch_suggest *suggest, const char *name,
				     size_t length);

/**
 * kcatch_suggest_format - list the nearest names: "a, b or c"
 * @suggest: the nearest names
 * @text: receives the list, NUL-terminated, with names escaped as kcatch_text_escape() does; "": no
 *	name is near
 * @room: bytes at @text
 */
void kcatch_suggest_format(const struct kcatch_suggest *suggest, char *text,
				      size_t room);

/**
 * kcatch_plain_syscall - the name of a system call's function without what its machine adds
 * @function: any name
 *
 * Return: "sys_read" of "__x64_sys_read" and the like; other names as they are.
 */
const char *kcatch_plain_syscall(const char *function);

#endif
