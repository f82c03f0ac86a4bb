// SPDX-License-Identifier: GPL-2.0-only
/*
 * second.c - the same events from another file, and one that does not agree
 */
#include <linux/module.h>

#include <kcatch/ktrace.h>
#include "kcatch_trace.h"

noinline void kt_second_pair(int a, int b)
{
	DO_TRACE(kt_pair, "a=%d b=%d", a, b);
}

noinline void kt_second_count(unsigned int who, unsigned long number)
{
	DO_TRACE(kt_count, "who=%u number=%lu", who, number);
}
