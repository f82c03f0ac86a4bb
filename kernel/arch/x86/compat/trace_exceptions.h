/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of page faults. They moved out of x86 when they became those of all
 * architectures; 7.2 and 7.3 have them so.
 */
#ifndef _KCATCH_COMPAT_TRACE_EXCEPTIONS_H
#define _KCATCH_COMPAT_TRACE_EXCEPTIONS_H

#if __has_include(<asm/trace/exceptions.h>)
#include <asm/trace/exceptions.h>
#else
#include <trace/events/exceptions.h>
#endif

#endif
