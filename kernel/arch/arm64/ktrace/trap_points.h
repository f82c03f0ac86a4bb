/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of traps and of interrupts with a vector of their own, which each machine has in its
 * own way. 64-bit Arm has no vectors.
 */
#ifndef _KCATCH_KTRACE_TRAP_POINTS_H
#define _KCATCH_KTRACE_TRAP_POINTS_H

#include <asm/esr.h>
#include <asm/syscall.h>
#if __has_include(<trace/events/exceptions.h>)
#include <trace/events/exceptions.h>
#endif

/* Its class of exceptions: a data abort of user mode. */
#define KCATCH_TRAP_PAGE_FAULT	ESR_ELx_EC_DABT_LOW

#define KCATCH_VECTORS(vector)

/* Tracepoints of page faults: their address, the registers, an error code. Kernels have them on
 * all machines, or not on this one. */
#if __has_include(<trace/events/exceptions.h>)
#define KCATCH_PAGE_FAULTS(point, number, probe)					\
	point(number, probe, page_fault_user, unsigned long, struct pt_regs *,		\
	      unsigned long),								\
	point(number, probe, page_fault_kernel, unsigned long, struct pt_regs *,	\
	      unsigned long),
#else
#define KCATCH_PAGE_FAULTS(point, number, probe)
#endif

#endif
