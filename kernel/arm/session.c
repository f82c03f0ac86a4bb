// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates, runs and destroys sessions. Process context, may sleep.
 *
 * Locks: session->replaced_lock, session->lock, then kcatch_sites_lock. output.ring_lock is taken
 * last; no lock is taken inside it. No user memory is accessed while session->lock is held, because
 * loading a module may wait for that lock (pending.h).
 *
 * A CPU that spins must not block others: before it waits for all CPUs, a caller asks without
 * a lock whether they answer (kcatch_cpus_answer()) and, before a grace period of RCU, whether they
 * schedule (kcatch_cpus_schedule()). If one does not, SETUP, ADD, START and STOP fail, and close()
 * leaves the rest to a worker. The frontends ask before they take locks of their own.
 *
 * Lifetime: hooks reach a session through attached probes. It is freed when all probes are
 * detached and kcatch_quiesce() has returned.
 */
#include <linux/cpuhotplug.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/uuid.h>
#include <linux/workqueue.h>
#include "arm/call_setup.h"
#include "arm/freed_symbols.h"
#include "arm/pending.h"
#include "arm/session.h"
#include "core/guard.h"
#include "core/robust.h"
#include "find/resolve.h"
#include "freeze/freeze.h"
#include "hit/hit_count.h"
#include "hit/site_choice.h"
#include "program/program.h"
#include "returns/returns.h"
#include "ring/memory.h"
#include "ring/ring_memory.h"

LIST_HEAD(kcatch_sessions);

static u32 nr_dated;			/* sessions whose records are read with their times */
static DEFINE_MUTEX(nr_dated_lock);	/* no other is taken inside */

static enum cpuhp_state cpus_state;

/* How long close(), and whoever removes the hooks of a spent budget, waits for CPUs, in jiffies. */
#define CLOSE_LIMIT	HZ
static struct workqueue_struct *closings;	/* what has to wait longer */

/* Waits, without a lock, until what the session armed can be taken out. */
static int wait_to_end(const struct kcatch_session *session, long limit)
{
	/* Their periods are not expedited: each takes a tenth of a second on a busy machine. */
	if (READ_ONCE(session->ends_by_tracepoints))
		return kcatch_tracepoints_leave(limit == CLOSE_LIMIT ? 3 * limit : limit,
						TASK_IDLE);
	return READ_ONCE(session->ends_by_rcu) ? kcatch_cpus_schedule(limit, TASK_IDLE) :
						 kcatch_cpus_answer(limit, TASK_IDLE);
}

static bool may_be_spent(const struct kcatch_group *group)
{
	return !group->parent && (group->mode & KCATCH_GROUP_LIMITED) &&
	       atomic64_read(&group->left) <= 0 && kcatch_group_has_more(group);
}

static bool is_spent(const struct kcatch_group *group, const void *unused)
{
	return group->is_spent;
}

/*
 * Finds the groups that made their last record. A record that found no room gives its share of
 * the budget back. So a group is spent only if its budget is still empty after kcatch_quiesce(),
 * when no hook is under way, and no share was given back meanwhile.
 */
static void find_spent(struct kcatch_session *session)
{
	struct kcatch_group *group;
	bool any = false;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(group, &session->groups, list) {
		group->refunds_seen = atomic64_read(&group->refunds);
		group->is_spent = may_be_spent(group);
		any |= group->is_spent;
	}
	if (!any)
		return;
	kcatch_quiesce();
	list_for_each_entry(group, &session->groups, list)
		group->is_spent &= atomic64_read(&group->left) <= 0 &&
				   atomic64_read(&group->refunds) == group->refunds_seen;
}

static void detach_spent(struct kcatch_session *session)
{
	mutex_lock(&kcatch_sites_lock);
	find_spent(session);
	kcatch_groups_count_ended_locked(session, is_spent);
	kcatch_groups_withdraw_locked(session, is_spent, NULL);
	mutex_unlock(&kcatch_sites_lock);
}

/* While a CPU does not schedule: readers are told at once that the groups are spent, and the hooks
 * are removed when it does again. */
static void detach_spent_later(struct work_struct *work)
{
	struct kcatch_session *session = container_of(work, struct kcatch_session, detaching);

	kcatch_cpus_answer(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	mutex_lock(&kcatch_sites_lock);
	find_spent(session);
	kcatch_groups_count_ended_locked(session, is_spent);
	mutex_unlock(&kcatch_sites_lock);
	wake_up_interruptible_all(&session->output.wait);
	wait_to_end(session, MAX_SCHEDULE_TIMEOUT);
	detach_spent(session);
	wake_up_interruptible_all(&session->output.wait);
}

/* Hits of a frozen session are refused by its rings; so marked, they cost little. */
static void mark_frozen(struct kcatch_session *session)
{
	struct kcatch_group *group;
	bool frozen;

	mutex_lock(&kcatch_sites_lock);
	frozen = kcatch_output_frozen(&session->output);
	list_for_each_entry(group, &session->groups, list)
		kcatch_group_mode_set(group, frozen ? KCATCH_GROUP_FROZEN : 0,
				      KCATCH_GROUP_FROZEN);
	mutex_unlock(&kcatch_sites_lock);
}

static void work_of_hits(struct work_struct *work)
{
	struct kcatch_session *session = container_of(work, struct kcatch_session, output.work);

	/* Before the wait for a CPU that may never answer: the records are there to be read. */
	if (session->notify)
		session->notify(session);
	if (kcatch_output_frozen(&session->output))
		mark_frozen(session);
	if (atomic_xchg(&session->output.spent, 0)) {
		if (!wait_to_end(session, CLOSE_LIMIT))
			detach_spent(session);
		else
			queue_work(closings, &session->detaching);
	}
	wake_up_interruptible_all(&session->output.wait);
}

/* The text frontends, which are there as long as the module, show no times. */
static bool is_dated(const struct kcatch_session *session)
{
	return !session->notify;
}

/* A change of the clock patches code, which waits for all CPUs. If one does not answer, the clock
 * stays; START warns. */
static void choose_clock(void)
{
	if (kcatch_clock_is_sound() || !kcatch_cpus_answer(CLOSE_LIMIT, TASK_IDLE))
		kcatch_clock_choose();
}

/* With the kernel's own of an open file. */
#define SESSION_BYTES	(roundup_pow_of_two(sizeof(struct kcatch_session)) + sizeof(struct file))

int kcatch_session_create(void (*notify)(struct kcatch_session *session),
			  struct kcatch_session **result)
{
	struct kcatch_session *session;

	if (!kcatch_memory_charge(SESSION_BYTES))
		return -ENOMEM;
	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session) {
		kcatch_memory_uncharge(SESSION_BYTES);
		return -ENOMEM;
	}
	kcatch_output_init(&session->output, work_of_hits, notify);
	session->notify = notify;
	session->wake_each = notify;
	INIT_WORK(&session->detaching, detach_spent_later);
	mutex_init(&session->lock);
	mutex_init(&session->replaced_lock);
	INIT_LIST_HEAD(&session->groups);
	INIT_LIST_HEAD(&session->waiting);
	INIT_LIST_HEAD(&session->names);
	generate_random_uuid(session->uuid);
	mutex_lock(&nr_dated_lock);
	if (is_dated(session) && !nr_dated++)
		choose_clock();
	mutex_unlock(&nr_dated_lock);
	*result = session;
	return 0;
}

/* Its probes are live: whichever of them share a place are chosen among. */
static void session_choose(struct kcatch_session *session)
{
	struct kcatch_group *group;
	bool any = false;

	list_for_each_entry(group, &session->groups, list)
		any |= kcatch_group_drop_choices(group);
	if (any) {
		kcatch_quiesce();
		kcatch_choices_settle();
	}
	list_for_each_entry(group, &session->groups, list)
		kcatch_group_choose(group);
}

static void set_running(struct kcatch_session *session, bool running)
{
	struct kcatch_group *group;

	lockdep_assert_held(&session->lock);
	session->running |= running;
	mutex_lock(&kcatch_sites_lock);
	if (running) {
		list_for_each_entry(group, &session->groups, list)
			kcatch_group_begin_run(group);
		kcatch_quiesce();
	}
	/* While probes stop each is asked, until the last hit that chose among them is over. */
	if (!running)
		list_for_each_entry(group, &session->groups, list)
			kcatch_group_drop_choices(group);
	list_for_each_entry(group, &session->groups, list)
		kcatch_group_mode_set(group, running ? KCATCH_GROUP_LIVE : 0, KCATCH_GROUP_LIVE);
	if (running) {
		session_choose(session);
	} else {
		kcatch_quiesce();
		session->running = false;	/* the wait may find a thread that died in a hook */
		kcatch_choices_settle();
		list_for_each_entry(group, &session->groups, list) {
			kcatch_group_count_missed(group, false);
			kcatch_group_settle_returns(group);
		}
	}
	mutex_unlock(&kcatch_sites_lock);
}

static void session_stop(struct kcatch_session *session)
{
	mutex_lock(&session->lock);
	if (session->running)
		set_running(session, false);
	mutex_unlock(&session->lock);
}

/* Nothing hooks for it any more, and nobody else looks at it. */
static void take_out(struct kcatch_session *session)
{
	kcatch_pending_unwatch(session);
	session_stop(session);
	mutex_lock(&kcatch_sites_lock);
	list_del_rcu(&session->all);
	kcatch_groups_withdraw_locked(session, NULL, NULL);
	kcatch_quiesce();	/* freeze.c may look at it */
	mutex_unlock(&kcatch_sites_lock);
}

/* Their slots, which take a grace period each time. */
static void destroy_returns(struct kcatch_session *session)
{
	struct kcatch_returns *returns[KCATCH_RETURNS_BATCH];
	struct kcatch_group *group;
	u32 nr = 0;

	list_for_each_entry(group, &session->groups, list) {
		if (!group->returns)
			continue;
		returns[nr++] = group->returns;
		group->returns = NULL;
		if (nr < ARRAY_SIZE(returns))
			continue;
		kcatch_returns_destroy(returns, nr);
		nr = 0;
	}
	kcatch_returns_destroy(returns, nr);
}

/* Frees the slots that a START replaced, before any probe is freed: calls that have one may be
 * under way. */
static void destroy_replaced(struct kcatch_session *session)
{
	struct kcatch_returns *batch[KCATCH_RETURNS_BATCH];
	struct kcatch_returns *next;
	u32 nr;

	mutex_lock(&session->replaced_lock);
	mutex_lock(&session->lock);
	next = session->replaced;
	session->replaced = NULL;
	mutex_unlock(&session->lock);
	while (next) {
		for (nr = 0; next && nr < ARRAY_SIZE(batch); next = next->replaced)
			batch[nr++] = next;
		kcatch_returns_destroy(batch, nr);
	}
	mutex_unlock(&session->replaced_lock);
}

static void free_rings(struct kcatch_session *session)
{
	int cpu;

	if (!session->output.ring)
		return;
	for_each_possible_cpu(cpu)
		kcatch_ring_free(per_cpu_ptr(session->output.ring, cpu), &session->setup);
	kcatch_output_free_heads(&session->output);
}

void kcatch_session_destroy(struct kcatch_session *session)
{
	struct kcatch_group *group, *next;

	if (!session)
		return;
	/*
	 * One that was never set up waits for nothing that another may hold or hooks. Nothing was
	 * asked of its output: on a kernel for real time, finishing that waits for all CPUs.
	 */
	if (session->ready) {
		take_out(session);
		kcatch_output_finish(&session->output);
		cancel_work_sync(&session->detaching);
	}
	kcatch_assert(!session->nr_attached && !session->nr_waiting);
	destroy_returns(session);
	destroy_replaced(session);
	kcatch_call_leave(session);
	list_for_each_entry_safe(group, next, &session->groups, list)
		kcatch_group_destroy(group);
	if (session->ready) {
		kcatch_freeze_leave(session->setup.flags);
		cpuhp_state_remove_instance_nocalls(cpus_state, &session->cpus);
	}
	free_rings(session);
	kcatch_counts_destroy(session);
	while (session->nr_programs)
		kcatch_program_destroy(session->programs[--session->nr_programs]);
	kvfree(session->programs);
	kcatch_memory_uncharge(session->programs_room * sizeof(*session->programs));
	kcatch_names_forget(session);
	kcatch_symbol_reader_deinit(&session->reader);
	mutex_lock(&nr_dated_lock);
	nr_dated -= is_dated(session);
	mutex_unlock(&nr_dated_lock);
	kfree(session);
	kcatch_memory_uncharge(SESSION_BYTES);
}

static void close_later(struct work_struct *work)
{
	struct kcatch_session *session = container_of(work, struct kcatch_session, closing);

	wait_to_end(session, MAX_SCHEDULE_TIMEOUT);
	kcatch_session_destroy(session);
	module_put(THIS_MODULE);	/* kcatch_session_exit() waits for the return from here */
}

void kcatch_session_close(struct kcatch_session *session)
{
	struct kcatch_group *group;

	if (kcatch_robust_is_hurt()) {
		list_for_each_entry(group, &session->groups, list)
			kcatch_group_silence(group);
		return;
	}
	if (!session->ready || !wait_to_end(session, CLOSE_LIMIT)) {
		kcatch_session_destroy(session);
		return;
	}
	pr_warn_ratelimited("kcatch: a CPU does not schedule, or code at a tracepoint waits: a session is taken down when that is over\n");
	__module_get(THIS_MODULE);	/* the file's own reference ends with the call */
	INIT_WORK(&session->closing, close_later);
	queue_work(closings, &session->closing);
}

static int make_ring(struct kcatch_session *session, const struct kcatch_setup *setup,
		     unsigned int cpu)
{
	struct kcatch_ring *ring = per_cpu_ptr(session->output.ring, cpu);
	int error = 0;

	mutex_lock(&session->output.ring_lock);
	if (!ring->data) {
		error = kcatch_ring_alloc(ring, setup, cpu, session->uuid);
		if (!error)
			WRITE_ONCE(session->nr_rings, session->nr_rings + 1);
		smp_mb();	/* who freezes the session sees the ring, or we see it frozen */
		if (READ_ONCE(session->output.frozen) != KCATCH_FROZEN_NOT)
			kcatch_ring_freeze(ring);
	}
	mutex_unlock(&session->output.ring_lock);
	return error;
}

/* A CPU comes: its ring must be there before it can be hit. Without memory the
 * CPU comes all the same, and its hits are counted as lost or missed. */
static int session_cpu_up(unsigned int cpu, struct hlist_node *node)
{
	struct kcatch_session *session = hlist_entry_safe(node, struct kcatch_session, cpus);

	if (make_ring(session, &session->setup, cpu))
		pr_warn_ratelimited("kcatch: no memory for a ring of CPU %u\n", cpu);
	if (kcatch_count_cpu_comes(session, cpu))
		pr_warn_ratelimited("kcatch: no memory for the counts of CPU %u\n", cpu);
	return 0;
}

static int check_setup(const struct kcatch_setup *setup)
{
	if (setup->mode > KCATCH_RING_OVERWRITE)
		return -EINVAL;
	if (setup->ring_size < KCATCH_RING_SIZE_MIN || setup->ring_size > KCATCH_RING_SIZE_MAX ||
	    setup->packet_size < KCATCH_PACKET_SIZE_MIN ||
	    setup->packet_size > KCATCH_PACKET_SIZE_MAX ||
	    !is_power_of_2(setup->ring_size) || !is_power_of_2(setup->packet_size) ||
	    setup->packet_size > setup->ring_size / 2)
		return -EINVAL;
	return kcatch_freeze_check(setup->flags);
}

int kcatch_session_setup(struct kcatch_session *session, const struct kcatch_setup *setup)
{
	int cpu, error = check_setup(setup);

	/* Hooking the watchdog's report changes the kernel's text. */
	if (!error && (setup->flags & KCATCH_SETUP_FREEZE_LOCKUP))
		error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	if (error)
		return error;
	mutex_lock(&session->lock);
	error = -EBUSY;
	if (session->setup.ring_size)
		goto out;
	error = kcatch_freeze_enter(setup->flags);
	if (error)
		goto out;
	error = kcatch_output_make_heads(&session->output);
	if (error)
		goto no_heads;
	session->setup = *setup;
	session->freezes = setup->flags;	/* one event of them, at least */
	error = cpuhp_state_add_instance_nocalls(cpus_state, &session->cpus);
	if (error)
		goto none;
	/* One that comes between is made by the notice, under ring_lock. */
	for_each_online_cpu(cpu) {
		error = make_ring(session, setup, cpu);
		if (error)
			break;
	}
	if (!error) {
		mutex_lock(&kcatch_sites_lock);
		list_add_rcu(&session->all, &kcatch_sessions);
		mutex_unlock(&kcatch_sites_lock);
		smp_store_release(&session->ready, true);
		goto out;
	}
	cpuhp_state_remove_instance_nocalls(cpus_state, &session->cpus);
	session->nr_rings = 0;
none:
	free_rings(session);
no_heads:
	kcatch_freeze_leave(setup->flags);
	session->setup = (struct kcatch_setup){ .ring_size = 0 };
out:
	mutex_unlock(&session->lock);
	return error;
}

struct kcatch_group *kcatch_session_group(struct kcatch_session *session, u32 number)
{
	struct kcatch_group *group;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(group, &session->groups, list)
		if (group->number == number && !group->parent)
			return group;
	return NULL;
}

/* Notes the grace periods that the removal of an ADD's hooks needs. Arrivals may be of any kind. */
static void note_ends(struct kcatch_session *session, const struct kcatch_add *add,
		      const struct kcatch_resolution *resolution,
		      const struct kcatch_pending *pending)
{
	bool rcu = pending || (add->flags & (KCATCH_ADD_RETURN | KCATCH_ADD_CHILDREN));
	u32 i;

	for (i = 0; !rcu && i < resolution->nr; i++)
		rcu = resolution->found[i].ops != &kcatch_hook_ftrace;
	if (rcu)
		WRITE_ONCE(session->ends_by_rcu, true);
	/* ktrace's built-in events are made of tracepoints, and so is the look for children. */
	if (add->flags & KCATCH_ADD_CHILDREN ||
	    kcatch_resolution_has(resolution, &kcatch_hook_tracepoint) ||
	    kcatch_resolution_has(resolution, &kcatch_hook_event))
		WRITE_ONCE(session->ends_by_tracepoints, true);
	if (add->flags & KCATCH_ADD_RETURN)
		WRITE_ONCE(session->hooks_returns, true);
}

/* The kernel places a watchpoint under a lock that takes a grace period to get. */
static int ask_for_hooks(const struct kcatch_resolution *resolution)
{
	return kcatch_resolution_has(resolution, &kcatch_hook_watch) ?
		       kcatch_cpus_schedule(KCATCH_ANSWER_LIMIT, TASK_KILLABLE) : 0;
}

static int session_resolve(struct kcatch_add *add, struct kcatch_want *targets,
			   struct kcatch_resolution *resolution)
{
	int error = 0;
	u32 i;

	for (i = 0; !error && i < add->nr_targets; i++) {
		targets[i].nr_probes = 0;
		targets[i].nr_skipped = 0;
		resolution->target = i;
		if (kcatch_want_is_event(&targets[i]) && (add->flags & KCATCH_ADD_RETURN))
			error = -EINVAL;	/* there is none */
		else
			error = kcatch_resolve(&targets[i], resolution);
		if (error) {
			targets[i].error = error;
			add->bad_target = i;
		} else if (signal_pending(current)) {
			error = -EINTR;
		}
		cond_resched();
	}
	return error;
}

int kcatch_session_add(struct kcatch_session *session, struct kcatch_add *add,
		       struct kcatch_want *targets)
{
	struct kcatch_resolution resolution = { .returns = add->flags & KCATCH_ADD_RETURN };
	struct kcatch_group *group, *root = NULL;
	struct kcatch_pending *pending = NULL;
	u32 arrivals;
	int error;

	add->bad_target = ~0U;
	if (!add->nr_targets || add->depth > KCATCH_DEPTH_MAX ||
	    add->flags & ~(KCATCH_ADD_NO_STACK | KCATCH_ADD_PID | KCATCH_ADD_COMM |
			   KCATCH_ADD_OTHERS | KCATCH_ADD_RETURN | KCATCH_ADD_UNDER |
			   KCATCH_ADD_FREEZE | KCATCH_ADD_CHILDREN | KCATCH_ADD_CGROUP |
			   KCATCH_ADD_IN_CALL) ||
	    add->budget > S64_MAX || add->max_active > KCATCH_ACTIVE_MAX)
		return -EINVAL;
	/* 0 is the id of no cgroup, and of an ancestor that there is not. */
	if (add->flags & KCATCH_ADD_CGROUP ? !add->cgroup || add->cgroup_level > S32_MAX :
					     (add->cgroup || add->cgroup_level))
		return -EINVAL;
	if ((add->flags & KCATCH_ADD_CHILDREN && !(add->flags & KCATCH_ADD_PID)) ||
	    (add->max_active && !(add->flags & KCATCH_ADD_RETURN)) ||
	    (add->flags & KCATCH_ADD_IN_CALL && add->flags & KCATCH_ADD_RETURN) ||
	    (!(add->flags & KCATCH_ADD_COMM) && memchr_inv(add->comm, 0, sizeof(add->comm))))
		return -EINVAL;
	if (add->flags & KCATCH_ADD_UNDER ? !(add->flags & KCATCH_ADD_RETURN) :
					    (add->root || add->levels))
		return -EINVAL;
	if (!smp_load_acquire(&session->ready))
		return -EINVAL;
	if (add->flags & KCATCH_ADD_IN_CALL && !kcatch_returns_listed())
		return -EOPNOTSUPP;
	error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE) ?:
		kcatch_pending_create(targets, add->nr_targets, &pending);
	if (error)
		return error;
	/* A module that comes meanwhile may find what waits for it here, or not yet. */
again:
	arrivals = pending ? kcatch_pending_watch(session) : 0;
	error = session_resolve(add, targets, &resolution) ?:
		kcatch_resolution_hook_returns(&resolution) ?: ask_for_hooks(&resolution);
	mutex_lock(&session->lock);
	if (!error && pending && arrivals != kcatch_pending_arrivals()) {
		mutex_unlock(&session->lock);
		kcatch_resolution_deinit(&resolution);
		goto again;
	}
	/* Groups that are added while it runs would have to be made ready. */
	if (!error && session->running && (add->flags & KCATCH_ADD_RETURN))
		error = -EBUSY;
	if (!error && (add->flags & KCATCH_ADD_UNDER)) {
		root = kcatch_session_group(session, add->root);
		if (!root || !(root->flags & KCATCH_ADD_RETURN))
			error = -EINVAL;
	}
	if (!error && !resolution.nr && !pending)
		error = -EADDRNOTAVAIL;
	if (!error && resolution.nr > KCATCH_PROBES_MAX - session->nr_probes)
		error = -E2BIG;
	if (!error) {
		note_ends(session, add, &resolution, pending);
		error = kcatch_group_create(session, add, resolution.found, resolution.nr,
					    root, pending, &group);
	}
	if (!error) {
		kcatch_pending_remember(session, pending);
		add->first_probe = group->first;
		add->nr_probes = group->nr;
		add->group = group->number;
	}
	mutex_unlock(&session->lock);
	kcatch_resolution_deinit(&resolution);
	if (error == -EAGAIN && !signal_pending(current))
		goto again;
	if (error)
		kcatch_pending_destroy(pending);
	return error == -EAGAIN ? -EINTR : error;
}

int kcatch_session_remove(struct kcatch_session *session, u32 number)
{
	struct kcatch_group *group, *next, *found, *removed = NULL;

	mutex_lock(&session->lock);
	mutex_lock(&kcatch_sites_lock);
	found = kcatch_session_group(session, number);
	if (found) {
		/* Somebody may have armed another under it meanwhile. */
		list_for_each_entry(group, &session->groups, list)
			if (group->root == found)
				WRITE_ONCE(group->root, NULL);
		kcatch_group_withdraw_locked(found);
		list_for_each_entry_safe(group, next, &session->groups, list) {
			if (group != found && group->parent != found)
				continue;
			/* Freezing walks the list at any time. */
			list_del_rcu(&group->list);
			group->removed = removed;
			removed = group;
		}
		kcatch_quiesce();
	}
	mutex_unlock(&kcatch_sites_lock);
	mutex_unlock(&session->lock);
	/* First: until then a call that returns uses its probe, which may be an arrival's. */
	if (found) {
		kcatch_returns_destroy(&found->returns, 1);
		destroy_replaced(session);
	}
	for (group = removed; group; group = next) {
		next = group->removed;
		kcatch_group_destroy(group);
	}
	return found ? 0 : -ENOENT;
}

static int keep_program(struct kcatch_session *session, struct kcatch_program_code *code)
{
	lockdep_assert_held(&session->lock);
	if (session->running)
		return -EBUSY;
	if (session->nr_programs == KCATCH_PROGRAMS_MAX)
		return -E2BIG;
	if (session->nr_programs == session->programs_room) {
		u32 room = session->programs_room * 2 ?: 16;
		u64 bytes = (room - session->programs_room) * sizeof(*session->programs);
		struct kcatch_program_code **more;

		if (!kcatch_memory_charge(bytes))
			return -ENOMEM;
		more = kvcalloc(room, sizeof(*more), GFP_KERNEL);
		if (!more) {
			kcatch_memory_uncharge(bytes);
			return -ENOMEM;
		}
		if (session->nr_programs)
			memcpy(more, session->programs, session->nr_programs * sizeof(*more));
		kvfree(session->programs);
		session->programs = more;
		session->programs_room = room;
	}
	session->programs[session->nr_programs++] = code;
	code->number = session->nr_programs;
	return 0;
}

int kcatch_session_program(struct kcatch_session *session, struct kcatch_program *program)
{
	struct kcatch_program_code *code;
	int error = kcatch_program_create(program, &code);

	if (error)
		return error;
	mutex_lock(&session->lock);
	error = keep_program(session, code);
	program->number = code->number;
	mutex_unlock(&session->lock);
	if (error)
		kcatch_program_destroy(code);
	return error;
}

static int session_bind(struct kcatch_session *session, const struct kcatch_binding *binding,
			const char *name)
{
	struct kcatch_program_code *code = NULL;
	struct kcatch_group *group;
	struct kcatch_probe *probe;
	int error = -EINVAL;

	lockdep_assert_held(&session->lock);
	if (session->running)
		return -EBUSY;
	if (binding->program > session->nr_programs)
		return -EINVAL;
	if (binding->program)
		code = session->programs[binding->program - 1];
	if (name) {
		group = kcatch_session_group(session, binding->group);
		if (group)
			error = kcatch_pending_bind(group, name, code);
	} else {
		probe = kcatch_session_probe(session, binding->probe);
		if (probe)
			error = kcatch_probe_bind(probe, code);
	}
	if (!error && code)
		code->bound = true;
	return error;
}

int kcatch_session_bind(struct kcatch_session *session, const struct kcatch_binding *binding,
			const char *name)
{
	int error;

	mutex_lock(&session->lock);
	error = session_bind(session, binding, name);
	mutex_unlock(&session->lock);
	return error;
}

int kcatch_session_start(struct kcatch_session *session)
{
	bool thaws = READ_ONCE(session->running);
	struct kcatch_group *group;
	int error = 0;

	/* To thaw a session waits for no CPU: a recorder goes on beside one that spins. New
	 * kretprobes take a grace period. */
	if (!thaws)
		error = static_key_enabled(&kcatch_returns_public) &&
			READ_ONCE(session->hooks_returns) ?
			kcatch_cpus_schedule(KCATCH_ANSWER_LIMIT, TASK_KILLABLE) :
			kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);
	if (error)
		return error;
	mutex_lock(&session->lock);
	if (!session->ready || list_empty(&session->groups))
		error = -EINVAL;
	if (!kcatch_clock_is_sound())
		pr_warn_once("kcatch: the kernel no longer trusts the processors' counter, which dates records: times may be wrong until all sessions are closed\n");
	if (!error && !session->running) {
		error = kcatch_pending_start(session);
		list_for_each_entry(group, &session->groups, list) {
			if (!error && !group->parent)
				error = kcatch_call_prepare(group);
			if (group->returns)
				WRITE_ONCE(session->ends_by_rcu, true);
			/* There may be very many of them. */
			cond_resched();
			if (!error && fatal_signal_pending(current))
				error = -EINTR;
			if (error)
				break;
		}
	}
	if (!error && kcatch_output_thaw(&session->output))
		mark_frozen(session);
	if (!error && !session->running)
		set_running(session, true);
	mutex_unlock(&session->lock);
	/* If a CPU does not schedule they stay until a later START, or the end. */
	if (!thaws && READ_ONCE(session->replaced) &&
	    !kcatch_cpus_schedule(CLOSE_LIMIT, TASK_KILLABLE))
		destroy_replaced(session);
	return error;
}

int kcatch_session_stop(struct kcatch_session *session)
{
	int error = kcatch_cpus_answer(KCATCH_ANSWER_LIMIT, TASK_KILLABLE);

	if (!error)
		session_stop(session);
	return error;
}

struct kcatch_ring *kcatch_session_ring(struct kcatch_session *session, int cpu)
{
	struct kcatch_ring *ring;

	if (!smp_load_acquire(&session->ready))
		return NULL;
	ring = per_cpu_ptr(session->output.ring, cpu);
	return smp_load_acquire(&ring->data) ? ring : NULL;
}

/* A full packet, or the end of a group's budget with something to read. */
__poll_t kcatch_session_readable(struct kcatch_session *session)
{
	bool unread = false, full = false;
	u32 spent = atomic_read_acquire(&session->output.budgets_spent);
	__poll_t events = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct kcatch_ring *ring = kcatch_session_ring(session, cpu);
		u64 produced, consumed;

		if (!ring)
			continue;
		produced = smp_load_acquire(&ring->page->produced);
		consumed = READ_ONCE(ring->consumer->consumed);
		unread |= produced != consumed;
		full |= (produced & ~ring->packet_mask) != (consumed & ~ring->packet_mask);
	}
	/* The records of a spent budget wake the reader once. */
	if (!unread)
		WRITE_ONCE(session->output.budgets_seen, spent);
	if (full || (unread && spent != READ_ONCE(session->output.budgets_seen)))
		events |= EPOLLIN | EPOLLRDNORM;
	if (kcatch_output_frozen(&session->output))
		events |= EPOLLPRI;
	/* Not while the first ADD hooks them. */
	if (READ_ONCE(session->was_armed) &&
	    READ_ONCE(session->nr_attached) <= READ_ONCE(session->nr_ended) &&
	    !READ_ONCE(session->nr_waiting))
		events |= EPOLLHUP;
	return events;
}

/* The group, or arrival, whose probes have the number among them. */
static struct kcatch_group *session_holder(struct kcatch_session *session, u32 number)
{
	struct kcatch_group *group;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(group, &session->groups, list)
		if (number - group->first < group->nr)
			return group;
	return NULL;
}

struct kcatch_probe *kcatch_session_probe(struct kcatch_session *session, u32 number)
{
	struct kcatch_group *group = session_holder(session, number);

	return group ? &group->probes[number - group->first] : NULL;
}

u64 kcatch_session_probe_since(struct kcatch_session *session, u32 number)
{
	struct kcatch_group *group = session_holder(session, number);

	return group ? group->since : 0;
}

int kcatch_session_init(void)
{
	int state;

	kcatch_robust_add(&kcatch_sites_lock);
	kcatch_robust_add(&nr_dated_lock);
	closings = alloc_workqueue("kcatch_closings", WQ_UNBOUND, 0);
	if (!closings)
		return -ENOMEM;
	state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "kcatch:rings", session_cpu_up, NULL);
	if (state < 0) {
		destroy_workqueue(closings);
		return state;
	}
	cpus_state = state;
	return 0;
}

void kcatch_session_exit(void)
{
	destroy_workqueue(closings);
	cpuhp_remove_multi_state(cpus_state);
}
