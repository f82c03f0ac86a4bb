/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* glob.h - the kernel's patterns: * ? [abc] [a-z] [!abc] \x */
#ifndef LIB_GLOB_H
#define LIB_GLOB_H

#include <stdbool.h>

/**
 * kcatch_glob_is_pattern - has it characters that make it more than a name
 * @text: a name or pattern
 *
 * Return: whether it has * ? or [.
 */
bool kcatch_glob_is_pattern(const char *text);

/**
 * kcatch_glob_match - does a name match, by the rules of the kernel's glob_match()
 * @pattern: the pattern
 * @name: the whole name
 *
 * Takes at most length of @pattern times length of @name steps.
 *
 * Return: whether it does.
 */
bool kcatch_glob_match(const char *pattern, const char *name);

#endif
