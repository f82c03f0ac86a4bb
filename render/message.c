/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.c - messages for the user, on standard error */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>

#include "message.h"

#define HELD_MAX (64U << 10)	/* bytes of messages that are kept */

static bool hold;
static char *held;		/* lines */
static size_t held_size;

void messages_hold(void)
{
	hold = isatty(STDERR_FILENO);
}

void messages_release(void)
{
	hold = false;
	if (held)
		dprintf(STDERR_FILENO, "%s", held);
	free(held);
	held = NULL;
	held_size = 0;
}

/* Return: whether the message is kept. */
static bool keep(const char *text)
{
	size_t size = strlen("kcatch: ") + strlen(text) + strlen("\n");
	char *more;

	if (!hold || held_size + size > HELD_MAX)
		return false;
	more = realloc(held, held_size + size + 1);
	if (!more)
		return false;
	held = more;
	held_size += (size_t)sprintf(held + held_size, "kcatch: %s\n", text);
	return true;
}

void say(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	/* Events come first. The message is one write(), not mixed with other processes' output. */
	fflush(stdout);
	if (length < 0)
		dprintf(STDERR_FILENO, "kcatch: out of memory\n");
	else if (!keep(text))
		dprintf(STDERR_FILENO, "kcatch: %s\n", text);
	if (length >= 0)
		free(text);
}

const char *quoted(const char *word)
{
	static char room[4][400];
	static unsigned int turn;
	char *text = room[turn++ % 4];
	size_t length = strlen(word), take = length > 80 ? 80 : length, at;

	text[0] = '\'';
	at = 1 + kcatch_text_escape(word, take, text + 1, 4 * 80 + 1);
	if (take < length)
		snprintf(text + at, sizeof(room[0]) - at, "...' (%zu characters)", length);
	else
		snprintf(text + at, sizeof(room[0]) - at, "'");
	return text;
}
