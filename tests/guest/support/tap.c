// SPDX-License-Identifier: GPL-2.0-or-later
/* tap.c - test results, see guest.h */
#include "guest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int count, failed;

static void result(bool passed, const char *format, va_list args)
{
	count++;
	failed += !passed;
	printf("%s %d - ", passed ? "ok" : "not ok", count);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
}

bool check(bool condition, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result(condition, format, args);
	va_end(args);
	return condition;
}

bool check_equal(uint64_t got, uint64_t expected, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	result(got == expected, format, args);
	va_end(args);
	if (got != expected)
		note("got %" PRIu64 ", expected %" PRIu64, got, expected);
	return got == expected;
}

bool check_errno(long got, int expected, const char *format, ...)
{
	int error = errno;
	bool passed = got == -1 && error == expected;
	va_list args;

	va_start(args, format);
	result(passed, format, args);
	va_end(args);
	if (!passed && got != -1)
		note("returned %ld, expected to fail with %s", got, strerror(expected));
	else if (!passed)
		note("failed with %s, expected %s", strerror(error), strerror(expected));
	return passed;
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
}

void skip_all(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("1..0 # SKIP ");
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	exit(0);
}

void bail(const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	result(false, format, args);
	va_end(args);
	note("errno: %s", strerror(error));
	exit(finish());
}

int finish(void)
{
	printf("1..%d\n", count);
	fflush(stdout);
	return failed ? 1 : 0;
}
