/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * error.c - the text of the last error, one per thread
 *
 * Memory: a fixed buffer per thread, so that "out of memory" can be reported without an
 * allocation. A longer text is cut and ends in "...".
 *
 * Texts have names out of recordings, memory dumps and type information in them, and are printed
 * on terminals: whatever was not escaped has no effect there.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>

static __thread char last[8192];

/* Lines stay lines. C1 control characters are two bytes in UTF-8. */
static void tame(unsigned char *text)
{
	for (; *text; text++) {
		if ((*text < 0x20 && *text != '\n' && *text != '\t') || *text == 0x7f ||
		    (*text == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0))
			*text = '?';
	}
}

static void put(size_t at, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void put(size_t at, const char *format, va_list args)
{
	int length = vsnprintf(last + at, sizeof(last) - at, format, args);

	if (length < 0)
		last[at] = '\0';
	else if ((size_t)length >= sizeof(last) - at)
		memcpy(last + sizeof(last) - 4, "...", 4);
	tame((unsigned char *)last + at);
}

int kcatch_error_set(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(0, format, args);
	va_end(args);
	return -abs(error);
}

void kcatch_error_append(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(strlen(last), format, args);
	va_end(args);
}

int kcatch_error_system(int error, const char *what)
{
	return kcatch_error_set(error, "%s: %s", what, strerror(abs(error)));
}

int kcatch_error_memory(void)
{
	return kcatch_error_set(ENOMEM, "out of memory");
}

const char *kcatch_error_text(void)
{
	return last;
}
