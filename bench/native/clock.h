/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - included before kernel/ring.*: the clock as on a machine with a sound counter */
#ifndef BENCH_NATIVE_CLOCK_H
#define BENCH_NATIVE_CLOCK_H

#include <x86intrin.h>

#define ring_clock_may_go_back()	0
#define kcatch_clock_read()		__rdtsc()

#endif
