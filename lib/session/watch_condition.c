/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* watch_condition.c - turns a condition about a watchpoint's values into one about arguments */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/watch_condition.h"

/* Bytes of the text or character in quotes at @text, with its quotes; 0: there is none. */
static size_t quoted_length(const char *text)
{
	size_t length = 1;

	if (*text != '"' && *text != '\'')
		return 0;
	while (text[length] && text[length] != *text)
		length += text[length] == '\\' && text[length + 1] ? 2 : 1;
	return length + (text[length] != '\0');
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

char *kcatch_watch_condition(const char *condition)
{
	size_t room = strlen(condition) * 2 + 1, used = 0, length;
	char *text = malloc(room);

	while (text && *condition) {
		length = word_length(condition);
		if (length == 3 && !strncmp(condition, "old", 3)) {
			used += (size_t)sprintf(text + used, "arg0");
		} else if (length == 3 && !strncmp(condition, "new", 3)) {
			used += (size_t)sprintf(text + used, "arg1");
		} else {
			length = length ? length : quoted_length(condition);
			length = length ? length : 1;
			memcpy(text + used, condition, length);
			used += length;
		}
		condition += length;
	}
	if (text)
		text[used] = '\0';
	return text;
}
