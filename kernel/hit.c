// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens at a hit, probe by probe. Each term of the counters' equation
 * is counted in this file, where it happens.
 */
#include <linux/rculist.h>
#include <linux/sched.h>
#include "hit.h"
#include "probe.h"
#include "record.h"
#include "ring.h"
#include "session.h"

/* One hit, as far as it is the same for all probes of a site. */
struct hit {
	const struct kcatch_origin *origin;
	const struct kcatch_guard *guard;
	u16 context;
	u32 walked;		/* depth the stack below was walked to; 0: not yet */
	struct kcatch_stack stack;
};

static __always_inline bool gate_refuses(const struct kcatch_group *group)
{
	if (likely(!(group->flags & (KCATCH_ADD_PID | KCATCH_ADD_COMM))))
		return false;
	if ((group->flags & KCATCH_ADD_PID) && current->tgid != group->tgid)
		return true;
	return (group->flags & KCATCH_ADD_COMM) &&
	       strncmp(current->comm, group->comm, sizeof(group->comm));
}

static const struct kcatch_stack no_stack = { .flags = KCATCH_STACK_NONE };

static __always_inline void capture(struct hit *hit, const struct kcatch_probe *probe,
				    struct kcatch_call *call)
{
	const struct kcatch_group *group = probe->group;

	if (group->flags & KCATCH_ADD_NO_STACK) {
		call->stack = &no_stack;
	} else {
		if (hit->walked != group->depth) {
			kcatch_stack_walk(&hit->stack, hit->origin, group->depth,
					  hit->guard->level);
			hit->walked = group->depth;
		}
		call->stack = &hit->stack;
	}
	call->probe = probe->number;
	call->context = hit->context;
	call->pid = current->tgid;
	call->tid = current->pid;
	call->comm = current->comm;
}

static __always_inline void hit_probe(struct hit *hit, const struct kcatch_probe *probe)
{
	struct kcatch_group *group = probe->group;
	struct kcatch_session *session = group->session;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	struct kcatch_ring *ring;
	struct kcatch_call call;
	s64 left = 1;

	if (unlikely(!READ_ONCE(group->live)))
		return;
	this_cpu_inc(probe->counters->hits);
	if (unlikely(hit->guard->level == KCATCH_LEVEL_REFUSED)) {
		this_cpu_inc(probe->counters->missed);
		return;
	}
	if (group->limited && atomic64_read(&group->left) <= 0)
		goto over_budget;
	if (gate_refuses(group)) {
		this_cpu_inc(probe->counters->filtered);
		return;
	}
	if (group->limited) {
		left = atomic64_dec_if_positive(&group->left);
		if (left < 0)
			goto over_budget;
	}

	ring = this_cpu_ptr(session->ring);
	if (likely(ring->data)) {
		capture(hit, probe, &call);
		result = kcatch_record_call(ring, &call);
	}
	if (unlikely(result == KCATCH_RECORD_LOST)) {
		this_cpu_inc(probe->counters->lost);
		if (group->limited) {
			atomic64_inc(&group->refunds);
			atomic64_inc(&group->left);
		}
		return;
	}
	this_cpu_inc(probe->counters->recorded);
	if (unlikely(result == KCATCH_RECORD_WAKE || !left || session->wake_each))
		kcatch_session_wake(session, !left);
	return;

over_budget:
	this_cpu_inc(probe->counters->over_budget);
}

void kcatch_hit(const struct kcatch_site *site, const struct kcatch_origin *origin,
		const struct kcatch_guard *guard, bool irqs_off)
{
	const struct kcatch_probe *probe;
	struct hit hit;

	hit.origin = origin;
	hit.guard = guard;
	hit.context = guard->context | (irqs_off ? KCATCH_CONTEXT_IRQS_OFF : 0);
	hit.walked = 0;
	hlist_for_each_entry_rcu(probe, &site->probes, at_site)
		hit_probe(&hit, probe);
}
