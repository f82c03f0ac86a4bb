// SPDX-License-Identifier: GPL-2.0-only
/*
 * What hooks read of a probe and its group to know what a hit is to become: the program of a probe,
 * the mode of a group, and whether the place chooses among its probes. Process context.
 */
#include "arm/probe.h"
#include "arm/session.h"
#include "core/hook.h"
#include "core/site.h"
#include "hit/hit.h"
#include "hit/site_choice.h"
#include "program/program.h"

/* Does its largest record fit into a packet? A payload takes the place of what a program
 * fetches. */
static bool record_fits(const struct kcatch_probe *probe, u32 packet_size)
{
	u32 frames = probe->group->mode & KCATCH_GROUP_NO_STACK ? 0 : probe->group->depth;

	/* Without a program always: the deepest stack and the largest payload. */
	BUILD_BUG_ON(sizeof(struct kcatch_hit) + sizeof(struct kcatch_call_part) +
		     KCATCH_DATA_MAX + 8 * KCATCH_DEPTH_MAX >
		     KCATCH_RING_RECORD_MAX(KCATCH_PACKET_SIZE_MIN));
	return !probe->program ||
	       kcatch_program_record_max(probe->program,
					 kcatch_hooks[probe->mechanism]->payload_max) +
	       frames * sizeof(u64) <= KCATCH_RING_RECORD_MAX(packet_size);
}

/* How the hook of a tracepoint refuses most hits of a group with KCATCH_ADD_IN_CALL itself. */
static u8 shape_in_call(const struct kcatch_probe *probe)
{
	const struct kcatch_program_code *code = probe->program;
	const struct kcatch_group *group = probe->group;

	/* Others count such a hit before they ask the gate, or do not count it. */
	if (!(group->flags & KCATCH_ADD_IN_CALL) || code->flags & KCATCH_PROGRAM_KEYED ||
	    (group->mode & (KCATCH_GROUP_LIVE | KCATCH_GROUP_LIMITED | KCATCH_GROUP_FROZEN)) !=
	    KCATCH_GROUP_LIVE)
		return KCATCH_SHAPE_NONE;
	if (!(code->tasks & ~0x1U))
		return KCATCH_SHAPE_IN_CALL;
	return code->tasks & ~0x6U ? KCATCH_SHAPE_NONE : KCATCH_SHAPE_IN_CALL_SWITCH;
}

/* Lets the hook of a tracepoint record a probe's hits itself, if its program and group allow it. */
static void set_event_shape(struct kcatch_probe *probe)
{
	const struct kcatch_program_code *code = probe->program;
	u8 shape = KCATCH_SHAPE_NONE;

	if (code && !(probe->group->mode & KCATCH_GROUP_SLOW_EVENT))
		shape = code->event_shape;
	else if (code)
		shape = shape_in_call(probe);
	/* A hook that finds it finds the program. */
	smp_store_release(&probe->event_shape, shape);
}

/* A record without a stack that is not of a function has no room for a user's stack. */
static bool has_no_user_part(const struct kcatch_probe *probe)
{
	return (probe->group->flags & KCATCH_ADD_NO_STACK) &&
	       (probe->mechanism == KCATCH_MECHANISM_TRACEPOINT ||
		probe->mechanism == KCATCH_MECHANISM_EVENT ||
		probe->mechanism == KCATCH_MECHANISM_WATCH);
}

int kcatch_probe_bind(struct kcatch_probe *probe, const struct kcatch_program_code *code)
{
	const struct kcatch_program_code *before = probe->program;
	bool returns = probe->returnable;

	if (code) {
		returns &= !(code->flags & KCATCH_PROGRAM_ENTRY_ONLY);
		/* Inside a function the registers hold no arguments, but they
		 * can be looked at all the same; there is no return to hook. */
		if (!returns && code->return_condition && !code->pair)
			return -EINVAL;
		if (returns && code->pair)
			return -EINVAL;
		if (code->entry.paired && !code->pair)
			return -EINVAL;
		if (code->user_stack && has_no_user_part(probe))
			return -EINVAL;
		if ((code->flags & KCATCH_PROGRAM_KEYED || code->tasks) &&
		    probe->mechanism != KCATCH_MECHANISM_TRACEPOINT)
			return -EINVAL;
	} else if (returns) {
		code = &kcatch_no_program;
	}
	probe->program = code;
	if (!record_fits(probe, probe->group->session->setup.packet_size)) {
		probe->program = before;
		return -E2BIG;
	}
	set_event_shape(probe);
	probe->returns = returns;
	return 0;
}

/* The modes, beside LIVE, that a hit on the fast path looks at. */
#define FAST		(KCATCH_GROUP_NO_STACK | KCATCH_GROUP_GATED | KCATCH_GROUP_OTHERS)

void kcatch_group_mode_set(struct kcatch_group *group, u32 set, u32 clear)
{
	u32 mode = (group->mode & ~clear) | set, i;

	mode &= ~(KCATCH_GROUP_SLOW | KCATCH_GROUP_SLOW_RETURN | KCATCH_GROUP_SLOW_EVENT |
		  KCATCH_GROUP_REFUSES);
	if ((mode & ~FAST) != KCATCH_GROUP_LIVE ||
	    (group->flags & (KCATCH_ADD_UNDER | KCATCH_ADD_IN_CALL)))
		mode |= KCATCH_GROUP_SLOW;
	if ((mode & (KCATCH_GROUP_LIVE | KCATCH_GROUP_FROZEN | KCATCH_GROUP_WAKE_EACH)) !=
	    KCATCH_GROUP_LIVE)
		mode |= KCATCH_GROUP_SLOW_RETURN;
	if ((mode & ~KCATCH_GROUP_OTHERS) !=
	    (KCATCH_GROUP_LIVE | KCATCH_GROUP_NO_STACK))
		mode |= KCATCH_GROUP_SLOW_EVENT;
	/* Counts touch no ring: a freeze is seen at once where the session is looked at. */
	if (group->session->freezes && group->session->nr_tables)
		mode |= KCATCH_GROUP_SLOW | KCATCH_GROUP_SLOW_RETURN | KCATCH_GROUP_SLOW_EVENT;
	if (group->session->freezes || (mode & KCATCH_GROUP_LIMITED))
		mode |= KCATCH_GROUP_REFUSES;
	WRITE_ONCE(group->mode, mode);
	for (i = 0; i < group->nr; i++)
		set_event_shape(&group->probes[i]);
}

void kcatch_group_begin_run(struct kcatch_group *group)
{
	kcatch_group_count_missed(group, true);
	group->run++;
}

bool kcatch_group_drop_choices(struct kcatch_group *group)
{
	bool any = false;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++) {
		struct kcatch_site *site = group->probes[i].site;

		if (!site)
			continue;
		any |= kcatch_choice_drop(site);
		site->to_choose = true;
	}
	return any;
}

void kcatch_group_choose(struct kcatch_group *group)
{
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++) {
		struct kcatch_site *site = group->probes[i].site;

		/* Once for all probes of a site, also where it has nothing to choose by. */
		if (!site || !site->to_choose)
			continue;
		site->to_choose = false;
		kcatch_choice_make(site);
	}
}

void kcatch_group_silence(struct kcatch_group *group)
{
	WRITE_ONCE(group->mode,
		   KCATCH_GROUP_SLOW | KCATCH_GROUP_SLOW_RETURN | KCATCH_GROUP_SLOW_EVENT);
}
