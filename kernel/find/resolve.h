/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves the names, patterns and addresses of targets to addresses that can be hooked.
 */
#ifndef _KCATCH_RESOLVE_H
#define _KCATCH_RESOLVE_H

#include <linux/types.h>
#include <uapi/kcatch.h>
#include "core/hook.h"

struct kcatch_program_code;

/**
 * struct kcatch_want - one target, names in kernel memory
 * @kind: KCATCH_TARGET_*
 * @name: with an end mark; NULL for an address
 * @address: the address, for a target without a name
 * @offset: offset in the function, in bytes
 * @error: out: -errno of the failure
 * @nr_probes: out: number of probes
 * @nr_skipped: out: number of functions skipped
 * @pending: KCATCH_TARGET_PENDING, or an event: modules that come are asked for it
 */
struct kcatch_want {
	u32 kind;
	bool pending;
	char *name;
	unsigned long address;
	u32 offset;
	int error;
	u32 nr_probes;
	u32 nr_skipped;
};

/** kcatch_want_is_event() - a tracepoint, a DO_TRACE event or a watchpoint: no function */
static inline bool kcatch_want_is_event(const struct kcatch_want *want)
{
	u32 kind = want->kind & ~KCATCH_TARGET_OPTIONAL;

	return kind == KCATCH_TARGET_TRACEPOINT || kind == KCATCH_TARGET_EVENT ||
	       kind == KCATCH_TARGET_WATCH;
}

/**
 * struct kcatch_resolved - an address that can be hooked
 * @ip: as the mechanism reports it
 * @ops: the mechanism
 * @offset: offset in the function, in bytes
 * @target: number of the target that named it first
 * @entry_only: its return must not be hooked, see deny.h
 * @own_tool: hits call it themselves, see deny.h
 * @text_tool: the kernel calls it for each place that it hooks, see deny.h
 * @generation: kcatch_modules_generation() before it was looked up
 * @module_percpu: a per-CPU variable of a module is watched
 * @program: what to do with its calls; NULL: a plain record
 */
struct kcatch_resolved {
	unsigned long ip;
	const struct kcatch_program_code *program;
	const struct kcatch_hook_ops *ops;
	u32 offset;
	u32 target;
	u32 generation;
	bool module_percpu;
	bool entry_only;
	bool own_tool;
	bool text_tool;
};

/**
 * struct kcatch_resolution - what a list of targets resolved to, no address twice
 */
struct kcatch_resolution {
	u32 target;		/* number of the one that is being resolved */
	u32 generation;		/* kcatch_modules_generation() when that began */
	bool asked;		/* do the CPUs schedule? */
	int answer;		/* of kcatch_cpus_schedule(), if that was asked before */
	bool returns;		/* those of functions are to be hooked */
	bool entry_only;	/* the return of what is noted must not be hooked */
	struct kcatch_resolved *found;
	u32 nr;
	u32 room;
	u32 *index;		/* open addressing over found, to tell duplicates */
	u32 index_room;
};

/**
 * kcatch_resolve() - add the addresses of one target
 * @want: the target; its results are set
 * @resolution: zeroed before the first target
 *
 * Context: may sleep.
 * Return: 0 or -errno as for KCATCH_IOC_ADD
 */
int kcatch_resolve(struct kcatch_want *want, struct kcatch_resolution *resolution);

/** kcatch_resolution_has() - is any of what was found hooked in this way? */
bool kcatch_resolution_has(const struct kcatch_resolution *resolution,
			   const struct kcatch_hook_ops *ops);

/**
 * kcatch_resolution_hook_returns() - decide how what was found is hooked, after the last target
 *
 * In the public way a function whose return is hooked has a kprobe at its entry; where there can be
 * none, the entry alone is hooked. The other way nothing changes.
 *
 * Context: may sleep. Return: 0, -ENOMEM, -EINTR
 */
int kcatch_resolution_hook_returns(struct kcatch_resolution *resolution);

/** kcatch_resolution_deinit() - free its memory */
void kcatch_resolution_deinit(struct kcatch_resolution *resolution);

#endif
