/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * glob.c - the kernel's patterns
 *
 * Patterns are matched in the kernel when that is quick and here when many are
 * asked for at once; both must find the same functions. An opening bracket
 * that is never closed stands for itself, as there.
 */
#include <string.h>

#include <kcatch_text.h>

bool kcatch_glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/*
 * One step without '*': does @c match the pattern's first character? Sets
 * @next behind what was used of the pattern.
 */
static bool match_one(const char *pattern, unsigned char c, const char **next)
{
	const unsigned char *at = (const unsigned char *)pattern;
	bool inverted, found = false;

	*next = pattern + 1;
	switch (*at) {
	case '?':
		return true;
	case '\\':
		if (at[1]) {
			*next = pattern + 2;
			return at[1] == c;
		}
		return c == '\\';
	case '[':
		at++;
		inverted = *at == '!';
		if (inverted)
			at++;
		/* The first character may be ']' itself. */
		do {
			unsigned char low = *at++, high = low;

			if (!low)
				return c == '[';
			if (at[0] == '-' && at[1] && at[1] != ']') {
				high = at[1];
				at += 2;
			}
			found |= low <= c && c <= high;
		} while (*at != ']');
		*next = (const char *)at + 1;
		return found != inverted;
	default:
		return *at == c;
	}
}

bool kcatch_glob_match(const char *pattern, const char *name)
{
	const char *retry_pattern = NULL, *retry_name = NULL, *next;

	for (;;) {
		if (*pattern == '*') {
			if (!*++pattern)
				return true;
			retry_pattern = pattern;
			retry_name = name;
			continue;
		}
		if (!*name) {
			if (!*pattern)
				return true;
			/* A later start of the last '*' leaves even less of the name. */
			return false;
		}
		if (*pattern && match_one(pattern, (unsigned char)*name, &next)) {
			pattern = next;
			name++;
			continue;
		}
		if (!retry_pattern)
			return false;
		pattern = retry_pattern;
		name = ++retry_name;
	}
}
