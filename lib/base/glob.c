/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * glob.c - patterns with the rules of the kernel's glob_match()
 *
 * The kernel matches a pattern when that is fast, and the library does when there are many
 * patterns; both must find the same functions. As in the kernel, a bracket that is never
 * closed stands for itself.
 */
#include <string.h>

#include <kcatch_text.h>

bool kcatch_glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/*
 * Match @c against the first element of a pattern that does not begin with '*'. Sets @next to
 * the rest of the pattern.
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
			/* A longer match of the last '*' would leave even less of the name. */
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
