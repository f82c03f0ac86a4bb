/* SPDX-License-Identifier: GPL-2.0-or-later */
/* two.h - an lttng-ust tracepoint with two integers */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER kcatch_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./two.h"

#if !defined(BENCH_NATIVE_TWO_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_NATIVE_TWO_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(kcatch_bench, two,
	LTTNG_UST_TP_ARGS(int, a, int, b),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, a, a)
		lttng_ust_field_integer(int, b, b)
	)
)

#endif

#include <lttng/tracepoint-event.h>
