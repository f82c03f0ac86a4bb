/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts shared by all files that make records with arguments (call.c, emit.c) and by
 * call_setup.c, which allocates their memory.
 */
#ifndef _KCATCH_CALL_PARTS_H
#define _KCATCH_CALL_PARTS_H

#include "hit.h"

/* What one hook works with. */
struct kcatch_workspace {
	struct kcatch_condition_input input;
	u8 entry[KCATCH_DATA_MAX];
	u8 at_return[KCATCH_DATA_MAX];
};

struct kcatch_workspaces {
	struct kcatch_workspace level[KCATCH_LEVELS];
};

extern struct kcatch_workspaces __percpu *kcatch_workspaces;

static __always_inline struct kcatch_workspace *kcatch_workspace_of(int level)
{
	return &this_cpu_ptr(kcatch_workspaces)->level[level];
}

/* Numbers of calls: the CPU + 1 above, a count below. */
extern u64 __percpu *kcatch_call_numbers;

/* Nanoseconds of the clock: (ticks * multiplier) >> KCATCH_CALL_NS_SHIFT */
#define KCATCH_CALL_NS_SHIFT	22
extern u32 kcatch_call_ns_multiplier;

/* A call under way: what a slot holds. */
struct kcatch_inflight {
	const struct kcatch_probe *probe;
	u64 time;
	u64 call;
	u64 faults;
	u64 cut;
	u32 run;
	u16 context;
	u16 entry_size;
	u8 data[];	/* the condition input, as far as it goes; then the entry's data */
};

/* Is the record of a call made at its return? */
static __always_inline bool kcatch_call_is_whole(const struct kcatch_probe *probe)
{
	return probe->returns && probe->program->return_condition;
}

/* Bytes of the condition input that its conditions may look at. */
static inline u32 kcatch_call_input_size(const struct kcatch_program_code *program)
{
	return offsetof(struct kcatch_condition_input, fields) + program->fields.size_max;
}

static __always_inline u32 kcatch_user_size(const struct kcatch_program_code *program)
{
	return program->user_stack ? sizeof(struct kcatch_user) + program->user_stack : 0;
}

/* The part of an ENTRY, but for its call. */
static __always_inline void kcatch_entry_part_fill(struct kcatch_call_part *part, u64 faults,
						   u64 cut, u32 size, u32 user)
{
	part->latency = 0;
	part->ret = 0;
	part->faults[0] = faults;
	part->faults[1] = 0;
	part->cut[0] = cut;
	part->cut[1] = 0;
	/* size[] and user_size */
	BUILD_BUG_ON(offsetof(struct kcatch_call_part, data) -
		     offsetof(struct kcatch_call_part, size) != sizeof(u64));
	*(u64 *)part->size = size | (u64)user << 32;
}

/* What kcatch_record_begin() left to be done; the part's data is filled in here. */
static __always_inline enum kcatch_record_result
kcatch_record_end(struct kcatch_ring *ring, struct kcatch_call_part *part, const u8 *entry,
		  const u8 *at_return)
{
	if (part->size[0])
		kcatch_copy_words(part->data, entry, part->size[0]);
	if (part->size[1])
		kcatch_copy_words(part->data + part->size[0], at_return, part->size[1]);
	if (unlikely(part->user_size))
		kcatch_fetch_user((void *)(part->data + part->size[0] + part->size[1]),
				 part->user_size - sizeof(struct kcatch_user));
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}

#endif
