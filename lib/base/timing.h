/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* timing.h - the current time, in nanoseconds */
#ifndef LIB_BASE_TIMING_H
#define LIB_BASE_TIMING_H

#include <stdint.h>

/**
 * kcatch_timing_now_ns - CLOCK_MONOTONIC
 * kcatch_timing_now_coarse_ns - the same as of the kernel's last tick (up to 10 ms ago): for who
 *	asks at each event
 *
 * Return: nanoseconds.
 */
uint64_t kcatch_timing_now_ns(void);
uint64_t kcatch_timing_now_coarse_ns(void);

#endif
