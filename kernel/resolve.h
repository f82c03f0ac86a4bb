/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what a user names to addresses that can be hooked.
 */
#ifndef _KCATCH_RESOLVE_H
#define _KCATCH_RESOLVE_H

#include <linux/types.h>
#include <uapi/kcatch.h>
#include "hook.h"

struct kcatch_program_code;

/**
 * struct kcatch_want - one target, names in kernel memory
 * @kind: KCATCH_TARGET_*
 * @name: with an end mark; NULL for an address
 * @address: for an address
 * @offset: into the function
 * @error: out: -errno that made it fail
 * @nr_probes: out
 * @nr_skipped: out
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
 * @offset: into the function
 * @target: number of the target that named it first
 * @entry_only: its return must not be hooked, see deny.h
 * @own_tool: hits call it themselves, see deny.h
 * @program: what to do with its calls; NULL: a plain record
 */
struct kcatch_resolved {
	unsigned long ip;
	const struct kcatch_program_code *program;
	const struct kcatch_hook_ops *ops;
	u32 offset;
	u32 target;
	bool entry_only;
	bool own_tool;
};

/**
 * struct kcatch_resolution - what a list of targets resolved to, no address twice
 */
struct kcatch_resolution {
	u32 target;		/* number of the one that is being resolved */
	bool entry_only;	/* the return of what is noted must not be hooked */
	struct kcatch_resolved *found;
	u32 nr;
	u32 room;
	u32 *index;		/* open addressing over found, to tell duplicates */
	u32 index_room;
};

/**
 * kcatch_resolve_init() - find out whether names can be matched in the kernel
 *
 * The list of what ftrace would trace is read out of a private structure;
 * this tries it on a known function first.
 */
void kcatch_resolve_init(void);

/** kcatch_resolve_can_match() - did that try succeed */
bool kcatch_resolve_can_match(void);

/**
 * kcatch_resolve() - add the addresses of one target
 * @want: which; its results are set
 * @resolution: zeroed before the first
 *
 * Context: may sleep.
 * Return: 0 or -errno as for KCATCH_IOC_ADD
 */
int kcatch_resolve(struct kcatch_want *want, struct kcatch_resolution *resolution);

/** kcatch_resolution_deinit() - free its memory */
void kcatch_resolution_deinit(struct kcatch_resolution *resolution);

/**
 * kcatch_resolve_ftrace_place() - where ftrace hooks a function
 * @address: its first byte
 *
 * Context: may sleep. Return: what ftrace will report as ip, or 0: nowhere
 */
unsigned long kcatch_resolve_ftrace_place(unsigned long address);

/**
 * kcatch_resolve_symbol() - address of a symbol of any kind, data too
 * @name: its name; the first of several
 *
 * Context: may sleep. Return: the address, or 0
 */
unsigned long kcatch_resolve_symbol(const char *name);

/**
 * kcatch_resolve_name() - name of an address, as KCATCH_IOC_SYMBOL
 *
 * Context: may sleep (it uses much stack).
 */
struct kcatch_symbol;
void kcatch_resolve_name(struct kcatch_symbol *symbol);

#endif
