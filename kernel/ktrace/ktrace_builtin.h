/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of ktrace that need no module: system calls, interrupts, traps, scheduling and
 * the life of processes. They are emitted by probes on the kernel's tracepoints, which stand
 * there only while an event is recorded.
 *
 * Memory while trap_exit is recorded: about 100 bytes for each of KCATCH_TRAPS_MAX faults.
 */
#ifndef _KCATCH_KTRACE_BUILTIN_H
#define _KCATCH_KTRACE_BUILTIN_H

#include <linux/types.h>

/* Page faults in progress whose end can be reported; more are counted as missed. */
#define KCATCH_TRAPS_MAX	4096

struct kcatch_site;

/**
 * struct kcatch_ktrace_builtin - one of them
 * @name: its name
 * @format: as of a DO_TRACE event
 * @size: bytes of its payload
 * @of_readers: whoever reads the events causes this one by reading
 */
struct kcatch_ktrace_builtin {
	const char *name;
	const char *format;
	u32 size;
	bool of_readers;
};

/** kcatch_ktrace_builtin_init() - find the tracepoints that this kernel has */
void kcatch_ktrace_builtin_init(void);

/**
 * kcatch_ktrace_builtin_of() - the built-in event with a number
 * @number: from 0 on, without gaps
 *
 * Context: any. Return: the event; NULL: no such number
 */
const struct kcatch_ktrace_builtin *kcatch_ktrace_builtin_of(u32 number);

/** kcatch_ktrace_builtin_count() - places in this kernel that emit the event; 0: none.
 * Context: any */
u32 kcatch_ktrace_builtin_count(const struct kcatch_ktrace_builtin *builtin);

/**
 * kcatch_ktrace_builtin_attach() - begin to emit an event
 * @builtin: the event
 * @site: site of its probes
 *
 * Context: kcatch_sites_lock held, may sleep. Return: 0; -errno, then nothing is attached
 */
int kcatch_ktrace_builtin_attach(const struct kcatch_ktrace_builtin *builtin,
				 struct kcatch_site *site);

/**
 * kcatch_ktrace_builtin_detach() - end it
 * @builtin: the event, which is attached
 * @site: as it was attached
 *
 * The event may be emitted until kcatch_ktrace_builtin_synchronize() has returned, and hooks
 * may run until kcatch_quiesce() has.
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_ktrace_builtin_detach(const struct kcatch_ktrace_builtin *builtin,
				  struct kcatch_site *site);

/** kcatch_ktrace_builtin_synchronize() - wait until no CPU is about to enter a detached
 * event. Context: may sleep */
void kcatch_ktrace_builtin_synchronize(void);

/** kcatch_ktrace_builtin_missed() - events that the kernel dropped, which only grows.
 * Context: any */
u64 kcatch_ktrace_builtin_missed(const struct kcatch_ktrace_builtin *builtin);

#endif
