// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pace rate CALLS_PER_SECOND SECONDS: calls getppid() so often, a batch each millisecond, and
 * prints how many calls it made and in how many milliseconds. A batch that comes late is made all
 * the same, so the number of calls is the same for each tracer.
 *
 * TRACER | pace screen TIMES: how long after a call of getppid() its line comes through the
 * pipe. Makes a call every 0.1 s until TRACER shows the first; then TIMES times waits until it is
 * quiet, calls, and waits for the line. Prints the least, the median and the greatest time in
 * milliseconds. Status 1: a line did not come within 10 s, or the first within two minutes.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND 1000000	/* nanoseconds */
#define LONGEST_MS 10000
#define FIRST_TRIES 1200	/* two minutes: a tracer may take one to begin */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_until(uint64_t when)
{
	struct timespec t = { when / 1000000000, when % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static int rate(uint64_t per_second, uint64_t milliseconds)
{
	uint64_t started = now(), made = 0, i;

	for (i = 1; i <= milliseconds; i++) {
		for (; made < per_second * i / 1000; made++)
			syscall(SYS_getppid);
		sleep_until(started + i * MILLISECOND);
	}
	printf("%lu calls in %lu ms\n", made, (now() - started) / MILLISECOND);
	return 0;
}

/* Reads what comes within @ms. Return: a line that names getppid was among it. */
static bool shown_within(int ms)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	static char text[1 << 16];
	ssize_t got;

	if (poll(&input, 1, ms) <= 0)
		return false;
	got = read(STDIN_FILENO, text, sizeof(text) - 1);
	if (got <= 0)
		exit(1);
	text[got] = 0;
	return strstr(text, "getppid");
}

static int in_order(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

static int screen(int times)
{
	double *ms = calloc(times, sizeof(*ms));
	uint64_t called;
	int tries = 0, i;

	do {
		if (tries++ == FIRST_TRIES)
			return 1;
		syscall(SYS_getppid);
	} while (!shown_within(100));
	for (i = 0; i < times; i++) {
		while (shown_within(400))
			;
		/* Not in step with whoever looks at regular times. */
		usleep(7000 * (i % 17));
		called = now();
		syscall(SYS_getppid);
		while (!shown_within(LONGEST_MS))
			if (now() - called > (uint64_t)LONGEST_MS * MILLISECOND)
				return 1;
		ms[i] = (now() - called) / 1e6;
	}
	qsort(ms, times, sizeof(*ms), in_order);
	printf("%.2f %.2f %.2f\n", ms[0], ms[times / 2], ms[times - 1]);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "rate") && atol(argv[2]) > 0)
		return rate(atol(argv[2]), atof(argv[3]) * 1000);
	if (argc == 3 && !strcmp(argv[1], "screen") && atoi(argv[2]) > 0)
		return screen(atoi(argv[2]));
	fprintf(stderr, "usage: pace rate CALLS_PER_SECOND SECONDS | pace screen TIMES\n");
	return 1;
}
