// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates the memory of calls, before a group goes live. Process context, may sleep;
 * session->lock.
 *
 * Memory: 3 KB a CPU for each context that can be inside a hook at once, and the slots of each
 * group for calls under way, 1024 unless the ADD says otherwise.
 */
#include <linux/math64.h>
#include <linux/percpu.h>
#include "call.h"
#include "call_parts.h"
#include "call_setup.h"
#include "pending.h"
#include "returns.h"
#include "session.h"

/* Number of slots when the ADD requests none. */
#define ACTIVE_DEFAULT	1024
#define CALL_CPU_SHIFT	48

/* What a slot must hold for a probe. */
static u32 slot_size(const struct kcatch_probe *probe)
{
	const struct kcatch_program_code *program = probe->program;

	if (!kcatch_call_is_whole(probe))
		return sizeof(struct kcatch_inflight) + program->at_return.saved;
	return sizeof(struct kcatch_inflight) + kcatch_call_input_size(program) +
	       program->entry.size_max;
}

/* What the slots of a group must be fit for. */
struct slot_needs {
	struct kcatch_group *group;
	u32 size;
	bool any;
	bool whole;
	bool counts_entries;	/* a program counts at the entry: no return is hooked there */
};

static void need_slot(struct slot_needs *needs, const struct kcatch_probe *probe)
{
	if (!probe->returns)
		return;
	needs->any = true;
	needs->counts_entries |= probe->program->needs & KCATCH_NEEDS_COUNT;
	needs->whole |= kcatch_call_is_whole(probe);
	needs->size = max(needs->size, slot_size(probe));
}

/* A program that is given to probes that come while the session runs. */
static void need_slot_later(const struct kcatch_program_code *program, void *data)
{
	struct slot_needs *needs = data;
	const struct kcatch_probe probe = {
		.group = needs->group, .program = program,
		.returns = (needs->group->flags & KCATCH_ADD_RETURN) &&
			   !(program->flags & KCATCH_PROGRAM_ENTRY_ONLY),
	};

	need_slot(needs, &probe);
}

/* Are calls of another group to be under calls of this one? */
static bool is_root(const struct kcatch_group *group)
{
	const struct kcatch_group *each;

	list_for_each_entry(each, &group->session->groups, list)
		if (each->root == group)
			return true;
	return false;
}

int kcatch_call_prepare(struct kcatch_group *group)
{
	struct slot_needs needs = { .group = group };
	const struct kcatch_group *each;
	struct kcatch_returns *returns;
	u32 size, slots, i;
	int error;

	lockdep_assert_held(&group->session->lock);
	list_for_each_entry(each, &group->session->groups, list)
		for (i = 0; (each == group || each->parent == group) && i < each->nr; i++)
			need_slot(&needs, &each->probes[i]);
	kcatch_pending_each_program(group->pending, need_slot_later, &needs);
	if (!needs.any && !(group->flags & KCATCH_ADD_RETURN))
		return 0;
	/* Nothing would ever be under these. */
	if (needs.counts_entries && is_root(group))
		return -EINVAL;
	size = ALIGN(max_t(u32, needs.size, sizeof(struct kcatch_inflight)), 8);
	if (group->returns && group->returns->data_size >= size)
		return 0;
	slots = group->max_active ?: ACTIVE_DEFAULT;
	/* No more calls than the budget has are ever under way. */
	if (!group->max_active && !needs.whole && (group->mode & KCATCH_GROUP_LIMITED))
		slots = clamp_t(u64, atomic64_read(&group->left), 1, slots);
	error = kcatch_returns_create(slots, size, kcatch_call_returned, &returns);
	if (error)
		return error;
	kcatch_returns_destroy(&group->returns, 1);
	group->returns = returns;
	return 0;
}

int kcatch_call_init(void)
{
	int cpu;

	if (tsc_khz)	/* whether it is the clock may change */
		kcatch_call_ns_multiplier = div_u64(1000000ULL << KCATCH_CALL_NS_SHIFT, tsc_khz);
	kcatch_workspaces = alloc_percpu(struct kcatch_workspaces);
	kcatch_call_numbers = alloc_percpu(u64);
	if (kcatch_workspaces && kcatch_call_numbers) {
		for_each_possible_cpu(cpu)
			*per_cpu_ptr(kcatch_call_numbers, cpu) = (u64)(cpu + 1) << CALL_CPU_SHIFT;
		kcatch_fetch_init();
		return 0;
	}
	kcatch_call_exit();
	return -ENOMEM;
}

void kcatch_call_exit(void)
{
	free_percpu(kcatch_workspaces);
	free_percpu(kcatch_call_numbers);
}
