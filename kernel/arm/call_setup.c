// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates the memory of calls, before a group goes live. Process context, may sleep;
 * session->lock.
 *
 * Memory: 4 KB a CPU for each context that can be inside a hook at once, and the slots of each
 * group for calls under way, ACTIVE_DEFAULT or ACTIVE_COUNTED unless the ADD says otherwise.
 */
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include "arm/call_setup.h"
#include "arm/pending.h"
#include "arm/probe.h"
#include "arm/session.h"
#include "core/site.h"
#include "hit/call.h"
#include "hit/call_parts.h"
#include "hit/off_cpu.h"
#include "hit/waiting.h"
#include "program/fetch_maps.h"
#include "returns/returns.h"
#include "returns/returns_public.h"

/* Number of slots when the ADD requests none; of groups whose calls are counted, as there may be a
 * group for each metric. */
#define ACTIVE_DEFAULT	4096
#define ACTIVE_COUNTED	1024
#define CALL_CPU_SHIFT	48

/* The bytes of a slot that a probe needs. */
static u32 slot_size(const struct kcatch_probe *probe)
{
	const struct kcatch_program_code *program = probe->program;

	if (!kcatch_call_is_whole(probe) && !kcatch_call_defers(probe))
		return sizeof(struct kcatch_inflight) + program->at_return.saved;
	return sizeof(struct kcatch_inflight) + kcatch_call_input_size(program) +
	       program->entry.size_max;
}

/* The needs of all probes of a group, which share its slots. */
struct slot_needs {
	struct kcatch_group *group;
	u32 size;
	bool whole;
	bool counts;
	bool counts_entries;	/* a program counts at the entry: no return is hooked there */
};

static void need_slot(struct slot_needs *needs, const struct kcatch_probe *probe)
{
	if (!probe->returns)
		return;
	needs->counts_entries |= probe->program->needs & KCATCH_NEEDS_COUNT;
	needs->counts |= probe->program->counting != NULL;
	needs->whole |= kcatch_call_is_whole(probe) || kcatch_call_defers(probe);
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

/* The next of those whose probes are the group's: itself first, then its arrivals, which stand
 * behind it. NULL: there is none */
static struct kcatch_group *next_part(struct kcatch_group *group, struct kcatch_group *each)
{
	/* Without this each of tens of thousands of groups would search the whole list. */
	if (!group->pending)
		return NULL;
	list_for_each_entry_continue(each, &group->session->groups, list)
		if (each->parent == group)
			return each;
	return NULL;
}

#define for_each_part(each, group) \
	for (each = group; each; each = next_part(group, each))

/* Are calls of another group to be under calls of this one? */
static bool is_root(const struct kcatch_group *group)
{
	const struct kcatch_group *each;

	list_for_each_entry(each, &group->session->groups, list)
		if (each->root == group)
			return true;
	return false;
}

/* In the public way each function has slots of its own: many functions have fewer. */
#define PUBLIC_SLOTS	16384
#define SLOTS_LEAST	64

static u32 public_slots(struct kcatch_group *group, u32 slots)
{
	struct kcatch_group *each;
	u32 nr = 0;

	if (group->max_active)
		return slots;
	for_each_part(each, group)
		nr += each->nr;
	return min(slots, max_t(u32, PUBLIC_SLOTS / max(nr, 1U), SLOTS_LEAST));
}

/* The group and its arrivals get @returns in the place of what they had. */
static int place_returns(struct kcatch_group *group, struct kcatch_returns *returns)
{
	struct kcatch_returns *before = group->returns;
	struct kcatch_group *each;
	int error = 0;

	mutex_lock(&kcatch_sites_lock);
	if (before != returns)
		for_each_part(each, group)
			kcatch_group_forget_returns(each);
	group->returns = returns;
	for_each_part(each, group)
		error = error ?: kcatch_group_place_returns(each);
	mutex_unlock(&kcatch_sites_lock);
	/* A hit that did not come by the new kretprobes is handled before the group is LIVE. */
	if (static_key_enabled(&kcatch_returns_public))
		synchronize_rcu();
	if (before && before != returns) {
		before->replaced = group->session->replaced;
		WRITE_ONCE(group->session->replaced, before);
	}
	return error;
}

int kcatch_call_prepare(struct kcatch_group *group)
{
	const struct kcatch_returned returned = {
		.shared = kcatch_call_returned, .alone = kcatch_call_returned_alone,
	};
	bool public = static_key_enabled(&kcatch_returns_public);
	struct slot_needs needs = { .group = group };
	struct kcatch_returns *returns;
	struct kcatch_group *each;
	u32 size, slots, i;
	int error;

	lockdep_assert_held(&group->session->lock);
	if (group->flags & KCATCH_ADD_IN_CALL) {
		kcatch_off_cpu_hold(&group->session->off_cpu);
		return kcatch_waiting_hold(&group->session->counts_waiting);
	}
	if (!(group->flags & KCATCH_ADD_RETURN))
		return 0;
	for_each_part(each, group)
		for (i = 0; i < each->nr; i++)
			need_slot(&needs, &each->probes[i]);
	kcatch_pending_each_program(group->pending, need_slot_later, &needs);
	/* Nothing would ever be under these. */
	if (needs.counts_entries && is_root(group))
		return -EINVAL;
	size = ALIGN(max_t(u32, needs.size, sizeof(struct kcatch_inflight)), 8);
	slots = group->max_active ?: needs.counts ? ACTIVE_COUNTED : ACTIVE_DEFAULT;
	/* Not many more calls are under way than the budget has: those of before a STOP, those
	 * whose entry found no room and, in the public way, those whose condition is not asked
	 * yet. */
	if (!group->max_active && !needs.whole && (group->mode & KCATCH_GROUP_LIMITED))
		slots = clamp_t(u64, atomic64_read(&group->left), SLOTS_LEAST, slots);
	if (public)
		slots = public_slots(group, slots);
	if (group->returns && group->returns->data_size >= size && group->returns->slots >= slots &&
	    (!public || group->returns->open || !is_root(group)))
		return place_returns(group, group->returns);
	error = kcatch_returns_create(slots, size, &returned, &returns);
	if (error)
		return error;
	kcatch_off_cpu_hold(&group->session->off_cpu);
	if (public && (is_root(group) || (group->flags & KCATCH_ADD_UNDER)))
		error = kcatch_returns_public_track(returns);
	if (error) {
		kcatch_returns_destroy(&returns, 1);
		return error;
	}
	return place_returns(group, returns);
}

void kcatch_call_leave(struct kcatch_session *session)
{
	kcatch_waiting_release(&session->counts_waiting);
	kcatch_off_cpu_release(&session->off_cpu);
}

int kcatch_call_init(void)
{
	int cpu;

	if (kcatch_cycles_khz())	/* whether it is the clock may change */
		kcatch_call_ns_multiplier = div_u64(1000000ULL << KCATCH_CALL_NS_SHIFT,
						    kcatch_cycles_khz());
	kcatch_workspaces = alloc_percpu(struct kcatch_workspaces);
	kcatch_call_numbers = alloc_percpu(u64);
	if (kcatch_workspaces && kcatch_call_numbers) {
		for_each_possible_cpu(cpu)
			*per_cpu_ptr(kcatch_call_numbers, cpu) = (u64)(cpu + 1) << CALL_CPU_SHIFT;
		kcatch_fetch_init();
		kcatch_fetch_maps_init();
		return 0;
	}
	kcatch_call_exit();
	return -ENOMEM;
}

void kcatch_call_exit(void)
{
	free_percpu(kcatch_workspaces);
	free_percpu(kcatch_call_numbers);
	kcatch_off_cpu_exit();
	kcatch_fetch_maps_exit();
}
