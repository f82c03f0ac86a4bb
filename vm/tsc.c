// SPDX-License-Identifier: GPL-2.0-only
/*
 * tsc - prints how fast this machine's time stamp counter counts, in kHz
 *
 * Measured against the clock for a twentieth of a second. The two are read together as often as it
 * takes to have them close to each other, so a machine with other work gives the same number. On
 * other processors than x86 it prints nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>

#define TRIES	1000
#define SPAN	50000000ULL	/* ns */

struct moment {
	uint64_t ticks;
	uint64_t ns;
};

static struct moment now(void)
{
	struct moment best = { 0 };
	uint64_t least = UINT64_MAX;
	struct timespec time;
	int i;

	for (i = 0; i < TRIES; i++) {
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC, &time);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = before + least / 2;
		best.ns = time.tv_sec * 1000000000ULL + time.tv_nsec;
	}
	return best;
}

int main(void)
{
	const struct timespec span = { .tv_nsec = SPAN };
	struct moment begin = now(), end;

	nanosleep(&span, NULL);
	end = now();
	printf("%.0f\n", (end.ticks - begin.ticks) * 1e6 / (end.ns - begin.ns));
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
