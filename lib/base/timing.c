/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* timing.c - the current time, in nanoseconds */
#include <time.h>

#include "base/timing.h"

static uint64_t read_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t kcatch_timing_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t kcatch_timing_now_coarse_ns(void)
{
	return read_ns(CLOCK_MONOTONIC_COARSE);
}
