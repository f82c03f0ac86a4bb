/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tracepoint passes to its probes differs between kernels: sched_process_exit passes on 7.3
 * also whether it was the last thread of its process. So a probe is attached only where it has the
 * type that the kernel's headers tell. 6.1, 6.12 and 7.3 check that type with a function each.
 */
#ifndef _KCATCH_COMPAT_TRACEPOINT_TYPES_H
#define _KCATCH_COMPAT_TRACEPOINT_TYPES_H

#include <linux/tracepoint.h>

/* @probe, if it is one for tracepoint @name, which passes arguments of these types; else NULL. */
#define kcatch_probe_if_fits(probe, name, ...)						\
	(__builtin_types_compatible_p(typeof(&check_trace_callback_type_##name),		\
				      void (*)(void (*)(void *, __VA_ARGS__))) ? probe : NULL)

#endif
