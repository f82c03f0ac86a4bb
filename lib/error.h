/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* error.h - the text of the last failure, one for each thread */
#ifndef LIB_ERROR_H
#define LIB_ERROR_H

/**
 * kcatch_error_set - say what went wrong
 * @error: errno, positive or negative
 * @format: the text; names in it went through kcatch_text_show()
 *
 * Return: -errno, so that "return kcatch_error_set(...)" reads well.
 */
int kcatch_error_set(int error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kcatch_error_append - add to the text
 * @format: what follows
 */
void kcatch_error_append(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/**
 * kcatch_error_system - say what failed, with the meaning of errno behind it
 * @error: errno, positive or negative
 * @what: "open /dev/x"
 *
 * Return: -errno.
 */
int kcatch_error_system(int error, const char *what);

/**
 * kcatch_error_memory - there is none
 *
 * Return: -ENOMEM.
 */
int kcatch_error_memory(void);

#endif
