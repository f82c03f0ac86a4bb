/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* timing.h - the current time, in nanoseconds */
#ifndef LIB_BASE_TIMING_H
#define LIB_BASE_TIMING_H

#include <stdint.h>

/**
 * kcatch_timing_now_ns - read CLOCK_MONOTONIC
 *
 * Return: the time in nanoseconds.
 */
uint64_t kcatch_timing_now_ns(void);

/**
 * kcatch_timing_now_coarse_ns - read CLOCK_MONOTONIC_COARSE, which is cheaper
 *
 * For callers that read the time at every event.
 *
 * Return: CLOCK_MONOTONIC at the kernel's last tick, up to 10 ms ago (HZ=100), in nanoseconds.
 */
uint64_t kcatch_timing_now_coarse_ns(void);

#endif
