// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of probes: their memory, and their sums. Process context. Hits add to them on their
 * own CPU; a reader adds up what it finds.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include "arm/counters.h"
#include "arm/probe.h"
#include "arm/session.h"
#include "core/group.h"
#include "core/hook.h"
#include "core/site.h"
#include "hit/site_choice.h"
#include "program/program.h"

static_assert(sizeof(struct kcatch_cpu_counters) == 88);	/* kcatch(4), MEMORY */

int kcatch_counters_alloc(struct kcatch_group *group)
{
	u32 i, nr = DIV_ROUND_UP(group->nr, KCATCH_COUNTERS_CHUNK);

	group->chunks = kvcalloc(nr, sizeof(*group->chunks), GFP_KERNEL);
	if (!group->chunks)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		u32 probes = min_t(u32, group->nr - i * KCATCH_COUNTERS_CHUNK,
				   KCATCH_COUNTERS_CHUNK);

		group->chunks[i] = __alloc_percpu(probes * sizeof(struct kcatch_cpu_counters),
						  __alignof__(struct kcatch_cpu_counters));
		if (!group->chunks[i])
			return -ENOMEM;
	}
	for (i = 0; i < group->nr; i++)
		group->probes[i].counters = group->chunks[i / KCATCH_COUNTERS_CHUNK] +
					    i % KCATCH_COUNTERS_CHUNK;
	return 0;
}

void kcatch_counters_free(struct kcatch_group *group)
{
	u32 i, nr = DIV_ROUND_UP(group->nr, KCATCH_COUNTERS_CHUNK);

	for (i = 0; group->chunks && i < nr; i++)
		free_percpu(group->chunks[i]);
	kvfree(group->chunks);
}

void kcatch_counters_add(struct kcatch_counters *sum, const struct kcatch_counters *more)
{
	sum->hits += more->hits;
#define ADD(name, words, help) sum->name += more->name;
	KCATCH_COUNTERS(ADD)
#undef ADD
}

static u64 missed_by(const struct kcatch_site *site)
{
	return site->ops->missed ? site->ops->missed(site) : 0;
}

/* Nobody can count the calls that were made while the hook was out of place. */
static void look_at_hook(struct kcatch_probe *probe)
{
	const struct kcatch_hook_ops *ops = probe->site->ops;

	if (!ops->armed || (probe->flags & KCATCH_PROBE_DISARMED) || ops->armed(probe->site))
		return;
	probe->flags |= KCATCH_PROBE_DISARMED;
	probe->group->session->nr_disarmed++;
}

void kcatch_session_look_at_hooks(struct kcatch_session *session)
{
	struct kcatch_group *group;
	u32 i;

	lockdep_assert_held(&session->lock);
	/* There may be tens of thousands of ftrace's, which STOP looks at. */
	if (!session->running || session->nr_ftrace == session->nr_probes ||
	    !mutex_trylock(&kcatch_sites_lock))
		return;
	list_for_each_entry(group, &session->groups, list)
		for (i = 0; i < group->nr; i++) {
			struct kcatch_probe *probe = &group->probes[i];

			if (probe->site && probe->counts_missed &&
			    probe->mechanism != KCATCH_MECHANISM_FTRACE)
				look_at_hook(probe);
		}
	mutex_unlock(&kcatch_sites_lock);
}

void kcatch_probe_settle_missed(struct kcatch_probe *probe)
{
	u64 missed;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!probe->site || !probe->counts_missed)
		return;
	look_at_hook(probe);
	missed = missed_by(probe->site);
	probe->missed += missed - probe->missed_before;
	probe->missed_before = missed;
}

void kcatch_group_count_missed(struct kcatch_group *group, bool count)
{
	struct kcatch_probe *probe;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++) {
		probe = &group->probes[i];
		kcatch_probe_settle_missed(probe);
		if (count && !probe->counts_missed && probe->site)
			probe->missed_before = missed_by(probe->site);
		probe->counts_missed = count;
		if (count && probe->site)
			look_at_hook(probe);
	}
}

/* Returns the calls that are @deferred. */
static s64 count_cpu(const struct kcatch_probe *probe, u32 cpu, struct kcatch_counters *sum)
{
	const struct kcatch_cpu_counters *counters = per_cpu_ptr(probe->counters, cpu);

#define ADD(name, words, help) sum->name += READ_ONCE(counters->name);
	KCATCH_COUNTERS(ADD)
#undef ADD
	if (probe->mechanism == KCATCH_MECHANISM_TRACEPOINT)
		sum->filtered += kcatch_choice_filtered(probe, cpu);
	return READ_ONCE(counters->deferred);
}

/* Adds the counters that exist once for all CPUs. */
static void count_once(struct kcatch_probe *probe, struct kcatch_counters *sum)
{
	lockdep_assert_held(&kcatch_sites_lock);
	kcatch_probe_settle_missed(probe);
	sum->in_flight += probe->unreturned;
	sum->over_budget += probe->unwanted;
	sum->undecided += probe->unseen;
	sum->missed += probe->missed;
}

void kcatch_probe_count(struct kcatch_probe *probe, u32 cpu,
			struct kcatch_counters *sum)
{
	s64 deferred = 0;
	u32 each;

	lockdep_assert_held(&kcatch_sites_lock);
	*sum = (struct kcatch_counters) { .hits = 0 };
	if (cpu != KCATCH_CPU_ALL)
		deferred = count_cpu(probe, cpu, sum);
	else
		for_each_possible_cpu(each)
			deferred += count_cpu(probe, each, sum);
	/* A call that began on a CPU read before and returned on one read after was seen to return
	 * only. It and @deferred are the counters that go down. */
	if (cpu == KCATCH_CPU_ALL && (s64)sum->in_flight < 0)
		sum->in_flight = 0;
	if (cpu == KCATCH_CPU_ALL && deferred < 0)
		deferred = 0;
	/* Hits that are none of these yet: what comes of them is known at the return. */
	if (probe->returns && probe->program->return_condition)
		sum->hits = sum->in_flight;
	else
		sum->hits = deferred;
	if (cpu == KCATCH_CPU_ALL || !cpu)
		count_once(probe, sum);
#define ADD(name, words, help) sum->hits += sum->name;
	KCATCH_COUNTERS_TERMS(ADD)
#undef ADD
}
