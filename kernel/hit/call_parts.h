/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that make records with arguments share (call.c, emit.c), and call_setup.c, which
 * allocates the memory. Inside a hook: any context, no lock, no memory is allocated.
 */
#ifndef _KCATCH_CALL_PARTS_H
#define _KCATCH_CALL_PARTS_H

#include <linux/percpu.h>
#include "hit/hit.h"
#include "hit/scale.h"

/* Scratch space of one hook: the condition's input, and the data of the entry and the return, or
 * what is a key of counts: the words that code puts, and the user's stack. */
struct kcatch_workspace {
	struct kcatch_condition_input input;
	u8 entry[KCATCH_DATA_MAX + KCATCH_FETCH_SPILL];
	union {
		u8 at_return[KCATCH_DATA_MAX + KCATCH_FETCH_SPILL];
		struct {
			u64 words[KCATCH_OUTS_MAX];
			u64 user_frames[KCATCH_DEPTH_MAX];
		};
	};
};

struct kcatch_workspaces {
	struct kcatch_workspace level[KCATCH_LEVELS];
};

extern struct kcatch_workspaces __percpu *kcatch_workspaces;

static __always_inline struct kcatch_workspace *kcatch_workspace_of(int level)
{
	return &this_cpu_ptr(kcatch_workspaces)->level[level];
}

/** kcatch_pair_latency() - the latency that kcatch_pair_answer() has found for the hit that runs at
 * @level; 0: @program has no part in pairs. Context: any, inside a hook */
static __always_inline u64 kcatch_pair_latency(const struct kcatch_program_code *program, int level)
{
	return unlikely(program->pair) ? kcatch_workspace_of(level)->input.latency : 0;
}

/* The number of the last call of each CPU: CPU + 1 in bits 63..48, a count below. */
extern u64 __percpu *kcatch_call_numbers;

/* Nanoseconds are (ticks of the clock * multiplier) >> KCATCH_CALL_NS_SHIFT. */
#define KCATCH_CALL_NS_SHIFT	22
extern u32 kcatch_call_ns_multiplier;

/* Nanoseconds of ticks of the records' clock. The kernel's clock for every context may go back by a
 * little, between CPUs and when it is updated, and a suspension may set the counter of cycles to 0:
 * then nothing has passed. */
static __always_inline u64 kcatch_call_ns(u64 ticks)
{
	if (unlikely((s64)ticks < 0))
		return 0;
	if (unlikely(!kcatch_clock_is_cycles))
		return ticks;
	return kcatch_scale(ticks, kcatch_call_ns_multiplier, KCATCH_CALL_NS_SHIFT);
}

/**
 * struct kcatch_inflight - a call under way: our data of its slot
 * @probe: its probe; NULL: its entry was not recorded, so its return is not either
 * @time: clock at the entry
 * @call: number of the call; 0: it has no record yet, and is decided at the return
 * @faults: faulty items of the entry, one bit each
 * @cut: truncated items of the entry, one bit each
 * @run: struct kcatch_group.run at the entry; 0: the slot is not filled in yet, or done with
 * @context: KCATCH_CONTEXT_* at the entry
 * @entry_size: bytes of the entry's data
 * @switches: as in struct kcatch_off_cpu; the next are filled in at the first switch
 * @slept: it was switched out to sleep, not only for another task
 * @out: clock when it was switched out last
 * @off: ticks of the clock that it was off the CPU; while it is, @out less. One store says both
 *	that it has come back and for how long it was away: others look meanwhile
 * @run_delay: of the task, at the first switch
 * @waits: its thread is ready to run and has no CPU, which kcatch_calls_waiting counts: the number
 *	of the count that does so (waiting.c). 0, or another number: it is not counted
 * @data: of a call that is decided at the return: the condition's input, then the entry's data;
 *	otherwise the data that the list of the return reads
 */
struct kcatch_inflight {
	const struct kcatch_probe *probe;
	u64 time;
	u64 call;
	u64 faults;
	u64 cut;
	u32 run;
	u16 context;
	u16 entry_size;
	u32 switches;
	bool slept;
	u64 out;
	u64 off;
	u64 run_delay;
	u32 waits;
	u8 data[] __aligned(8);
};

/* Is a call recorded as one record at its return, because a condition is on the return? */
static __always_inline bool kcatch_call_is_whole(const struct kcatch_probe *probe)
{
	return probe->returns && probe->program->return_condition;
}

/* Are there calls whose condition on the entry is decided at their return? Memory of the user that
 * nobody had touched before is there then. */
static __always_inline bool kcatch_call_defers(const struct kcatch_probe *probe)
{
	return probe->returns && probe->program->entry_condition && probe->program->fields.nr;
}

/* kcatch_call_defers(), of this call, whose condition is undecided for what is in the workspace. */
static __always_inline bool kcatch_call_may_defer(const struct kcatch_probe *probe, int level)
{
	return kcatch_call_defers(probe) && kcatch_workspace_of(level)->input.faults;
}

/* Bytes of struct kcatch_condition_input that the program's conditions may read. */
static inline u32 kcatch_call_input_size(const struct kcatch_program_code *program)
{
	return offsetof(struct kcatch_condition_input, fields) + program->fields.size_max;
}

/* The part behind the frames of a record. */
static __always_inline struct kcatch_call_part *kcatch_part_of(struct kcatch_hit *hit)
{
	return (void *)(hit->frames + hit->nr_frames);
}

/* Fills in the part of an ENTRY, except the number of the call. */
static __always_inline void kcatch_entry_part_fill(struct kcatch_call_part *part, u64 faults,
						   u64 cut, u32 size)
{
	part->latency = 0;
	part->runnable = 0;
	part->blocked = 0;
	part->ret = 0;
	part->faults[0] = faults;
	part->faults[1] = 0;
	part->cut[0] = cut;
	part->cut[1] = 0;
	/* size[] and user_size; switches and reserved */
	BUILD_BUG_ON(offsetof(struct kcatch_call_part, data) -
		     offsetof(struct kcatch_call_part, size) != 2 * sizeof(u64));
	*(u64 *)part->size = size;
	*(u64 *)&part->switches = 0;
}

/**
 * kcatch_call_write() - write an ENTRY or CALL on the slow path
 * @kind: KCATCH_RECORD_*
 * @stack: as walked
 * @context: KCATCH_CONTEXT_*
 * @part: what goes behind the frames, but for its data
 * @entry: its data, @part->size[] bytes of each
 * @at_return: likewise
 * @time: out: the record's
 *
 * Context: any, inside a hook. Return: enum kcatch_record_result
 */
enum kcatch_record_result kcatch_call_write(const struct kcatch_probe *probe, u32 kind,
					    const struct kcatch_stack *stack, u32 context,
					    const struct kcatch_call_part *part, const u8 *entry,
					    const u8 *at_return, u64 *time);

#endif
