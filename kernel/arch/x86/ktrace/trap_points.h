/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of traps and of interrupts with a vector of their own, which each machine has in its
 * own way.
 */
#ifndef _KCATCH_KTRACE_TRAP_POINTS_H
#define _KCATCH_KTRACE_TRAP_POINTS_H

#include <asm/syscall.h>
#include <asm/trapnr.h>
#include <asm/trace/irq_vectors.h>
#include "compat/trace_exceptions.h"

#define KCATCH_TRAP_PAGE_FAULT	X86_TRAP_PF

/* Vectors, each with one whose tracepoints have the same type. */
#define KCATCH_VECTORS(vector)								\
	vector(local_timer, local_timer) vector(reschedule, local_timer)		\
	vector(call_function, local_timer) vector(call_function_single, local_timer)	\
	vector(irq_work, local_timer) vector(x86_platform_ipi, local_timer)		\
	vector(error_apic, local_timer) vector(spurious_apic, local_timer)		\
	vector(threshold_apic, local_timer) vector(deferred_error_apic, local_timer)	\
	vector(thermal_apic, local_timer)

/* Tracepoints of page faults: their address, the registers, an error code. */
#define KCATCH_PAGE_FAULTS(point, number, probe)					\
	point(number, probe, page_fault_user, unsigned long, struct pt_regs *,		\
	      unsigned long),								\
	point(number, probe, page_fault_kernel, unsigned long, struct pt_regs *,	\
	      unsigned long),

#endif
