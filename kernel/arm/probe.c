// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates and destroys groups of probes. Process context; stores that hooks may see are ordered
 * here, and kcatch_quiesce() waits for the hooks.
 */
#include <linux/hashtable.h>
#include <linux/kprobes.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "arm/counters.h"
#include "arm/pending.h"
#include "arm/probe.h"
#include "arm/session.h"
#include "compat/compat.h"
#include "core/descendants.h"
#include "core/guard.h"
#include "core/modules.h"
#include "core/site.h"
#include "find/resolve.h"
#include "hit/call.h"
#include "hit/site_choice.h"
#include "program/program.h"
#include "returns/returns.h"
#include "returns/returns_public.h"
#include "ring/memory.h"

/* All sites but those of ftrace, which are in a table of their own (site.h). */
static DEFINE_HASHTABLE(other_sites, 8);

/* Kprobes are refused more often than functions for ftrace, so they come first. */
const struct kcatch_hook_ops *const kcatch_hooks[KCATCH_NR_MECHANISMS] = {
	[KCATCH_MECHANISM_FTRACE] = &kcatch_hook_ftrace,
	[KCATCH_MECHANISM_KPROBE] = &kcatch_hook_kprobe,
	[KCATCH_MECHANISM_TRACEPOINT] = &kcatch_hook_tracepoint,
	[KCATCH_MECHANISM_EVENT] = &kcatch_hook_event,
	[KCATCH_MECHANISM_WATCH] = &kcatch_hook_watch,
};

/* Sites that come or go together, by mechanism. */
struct batches {
	struct list_head of[KCATCH_NR_MECHANISMS];
};

static void batches_init(struct batches *batches)
{
	u32 i;

	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		INIT_LIST_HEAD(&batches->of[i]);
}

static void batches_add(struct batches *batches, struct kcatch_site *site)
{
	list_add_tail(&site->batch, &batches->of[site->ops->mechanism]);
}

static struct kcatch_site *existing_site(const struct kcatch_resolved *resolved)
{
	struct kcatch_site *site;

	if (resolved->ops == &kcatch_hook_ftrace)
		return kcatch_site_find(resolved->ip);
	/* Each has a register of its own: two may differ in size and kind. */
	if (resolved->ops == &kcatch_hook_watch)
		return NULL;
	hash_for_each_possible(other_sites, site, all, resolved->ip)
		if (site->ip == resolved->ip && site->ops == resolved->ops)
			return site;
	return NULL;
}

static struct kcatch_site *new_site(const struct kcatch_resolved *resolved,
				    struct kcatch_site_block **block, u32 nr)
{
	struct kcatch_site *site;

	if (resolved->ops == &kcatch_hook_ftrace)
		site = kcatch_site_new(block, nr);
	else if (resolved->ops->site)
		site = resolved->ops->site(resolved->ip);
	else
		site = kzalloc(resolved->ops->site_size ?: sizeof(*site), GFP_KERNEL);
	if (site) {
		site->leaving = false;
		site->ip = resolved->ip;
		site->ops = resolved->ops;
		site->own_tool = resolved->own_tool;
		site->text_tool = resolved->text_tool;
		site->watched = resolved->offset;
		INIT_HLIST_HEAD(&site->probes);
		INIT_HLIST_NODE(&site->all);
		INIT_LIST_HEAD(&site->batch);
	}
	return site;
}

static void free_site(struct kcatch_site *site)
{
	kcatch_assert(hlist_empty(&site->probes) && !site->attached && !site->choice);
	if (!site->ops->site)
		kcatch_site_free(site);
}

/* Sites that have lost their last probe: unhook, forget, free. The quiesce in
 * between also covers the probes that were taken off sites that stay. */
static void release_sites(struct batches *batches)
{
	struct kcatch_site *site, *next;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	/* First: while ftrace changes thousands of functions it calls many of them, and a hit is
	 * over sooner when nothing is found. */
	if (!list_empty(&batches->of[KCATCH_MECHANISM_FTRACE]))
		kcatch_sites_remove();
	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		if (!list_empty(&batches->of[i]))
			kcatch_hooks[i]->detach(&batches->of[i]);
	kcatch_quiesce();
	kcatch_choices_settle();
	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		list_for_each_entry_safe(site, next, &batches->of[i], batch) {
			hash_del(&site->all);
			free_site(site);
		}
}

/* Take the probes of @group that @which wants off their sites; release_probes() ends it. */
static void leave_sites(struct kcatch_group *group, struct batches *batches,
			bool (*which)(const struct kcatch_probe *probe, const void *data),
			const void *data)
{
	struct kcatch_probe *probe;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; group->nr_attached > group->nr_leaving && i < group->nr; i++) {
		struct kcatch_site *site = group->probes[i].site;

		probe = &group->probes[i];
		if (!site || (which && !which(probe, data)))
			continue;
		group->nr_leaving++;
		if (probe->group->mode & KCATCH_GROUP_LIVE)
			kcatch_choice_drop(site);
		hlist_del_rcu(&probe->at_site);
		kcatch_probe_settle_missed(probe);
		if (probe->place)
			kcatch_returns_place_disable(probe->place);
		WRITE_ONCE(probe->site, NULL);
		probe->flags |= KCATCH_PROBE_DETACHED;
		if (hlist_empty(&site->probes)) {
			site->leaving = true;
			batches_add(batches, site);
		}
	}
}

/* The probes of @group that left are in no hook any more. */
static void count_left(struct kcatch_group *group)
{
	group->nr_attached -= group->nr_leaving;
	group->session->nr_attached -= group->nr_leaving;
	if (group->is_ended)
		group->session->nr_ended -= group->nr_leaving;
	if (group->parent)
		group->parent->nr_below -= group->nr_leaving;
	group->nr_leaving = 0;
}

/* Take the probes of @group that @which wants out. */
static void detach_probes(struct kcatch_group *group,
			  bool (*which)(const struct kcatch_probe *probe, const void *data),
			  const void *data)
{
	struct batches batches;

	batches_init(&batches);
	leave_sites(group, &batches, which, data);
	if (!group->nr_leaving)
		return;
	release_sites(&batches);
	count_left(group);
}

/* Hook the new sites, or none. */
static int attach_sites(struct batches *batches)
{
	int error = 0, i;

	for (i = KCATCH_NR_MECHANISMS - 1; !error && i >= 0; i--)
		if (!list_empty(&batches->of[i]))
			error = kcatch_hooks[i]->attach(&batches->of[i]);
	return error;
}

/* Is an address in a module still what it was found as? A module that began to go since
 * lets go of its probes under the lock that is held now, so this looks under it. */
static int check_module(const struct kcatch_resolved *resolved)
{
	lockdep_assert_held(&kcatch_sites_lock);
	/* Its place may be no module's by now, and memory all the same. */
	if (resolved->module_percpu && !kcatch_modules_have_percpu(resolved->ip))
		return -ENOENT;
	if (resolved->module_percpu)
		return resolved->generation == kcatch_modules_generation() ? 0 : -EAGAIN;
	if (!kcatch_module_range(resolved->ip))
		return 0;
	/* It goes, has gone, or another has taken its place: what is to wait for it finds out, and
	 * all else is found again without it. */
	return resolved->generation == kcatch_modules_generation() &&
	       kcatch_module_has(resolved->ip, NULL) ? 0 : -EAGAIN;
}

static void mark_leaving(struct batches *batches)
{
	struct kcatch_site *site;
	u32 i;

	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		list_for_each_entry(site, &batches->of[i], batch)
			site->leaving = true;
}

/* From now on they are hit; new ones of ftrace when they are in the table. */
static void join_sites(struct kcatch_group *group)
{
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++)
		hlist_add_head_rcu(&group->probes[i].at_site, &group->probes[i].site->probes);
	group->nr_attached = group->nr;
	group->session->nr_attached += group->nr;
	WRITE_ONCE(group->session->was_armed, true);
	if (group->parent)
		group->parent->nr_below += group->nr;
}

static void forget_sites(struct kcatch_group *group)
{
	u32 i;

	for (i = 0; i < group->nr; i++)
		group->probes[i].site = NULL;
}

/*
 * Probes join their sites when all of these are hooked. If one cannot be hooked, no probe has been
 * hit, and its number, which goes to another one then, is in no record.
 */
static int place_probes(struct kcatch_group *group, const struct kcatch_resolved *resolved)
{
	struct kcatch_site_place *table = NULL;
	struct kcatch_site_block *block = NULL;
	struct kcatch_site *site, *next;
	struct list_head *by_ftrace;
	struct batches batches;
	int error = 0;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	batches_init(&batches);
	by_ftrace = &batches.of[KCATCH_MECHANISM_FTRACE];
	for (i = 0; i < group->nr; i++) {
		struct kcatch_probe *probe = &group->probes[i];

		error = check_module(&resolved[i]);
		if (error)
			break;
		site = existing_site(&resolved[i]);
		if (!site) {
			site = new_site(&resolved[i], &block, group->nr - i);
			if (!site) {
				error = -ENOMEM;
				break;
			}
			batches_add(&batches, site);
		}
		probe->site = site;
	}
	if (!error && !list_empty(by_ftrace)) {
		table = kcatch_sites_prepare(by_ftrace);
		error = table ? 0 : -ENOMEM;
	}
	if (error)
		goto free;
	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		if (i != KCATCH_MECHANISM_FTRACE)
			list_for_each_entry(site, &batches.of[i], batch)
				hash_add(other_sites, &site->all, site->ip);
	error = attach_sites(&batches);
	if (error) {
		kvfree(table);
		mark_leaving(&batches);
		release_sites(&batches);
		forget_sites(group);
		return error;
	}
	join_sites(group);
	if (table)
		kcatch_sites_replace(table, by_ftrace);
	/* The batch links are used again when a site leaves. */
	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		list_for_each_entry_safe(site, next, &batches.of[i], batch)
			list_del_init(&site->batch);
	return 0;
free:
	for (i = 0; i < KCATCH_NR_MECHANISMS; i++)
		list_for_each_entry_safe(site, next, &batches.of[i], batch)
			free_site(site);
	forget_sites(group);
	return error;
}

/* The most memory that a group of @nr probes holds: each at a site of its own. */
static u64 group_bytes(u32 nr)
{
	/* Two threads that may be gone but for us. */
	return sizeof(struct kcatch_group) +
	       2 * (sizeof(struct task_struct) + sizeof(struct signal_struct)) + (u64)nr *
	       (sizeof(struct kcatch_probe) + sizeof(struct kcatch_site) + sizeof(struct kprobe) +
		4 * sizeof(struct kcatch_site_place) +
		(u64)num_possible_cpus() * sizeof(struct kcatch_cpu_counters));
}

/* Memory for @nr probes, numbered on from the session's last. */
static struct kcatch_group *new_group(struct kcatch_session *session, u32 nr)
{
	struct kcatch_group *group;

	lockdep_assert_held(&session->lock);
	if (!kcatch_memory_charge(group_bytes(nr)))
		return NULL;
	group = kvzalloc(struct_size(group, probes, nr), GFP_KERNEL);
	if (!group) {
		kcatch_memory_uncharge(group_bytes(nr));
		return NULL;
	}
	group->session = session;
	group->output = &session->output;
	group->ring = session->output.ring;
	group->first = session->nr_probes;
	group->nr = nr;
	INIT_LIST_HEAD(&group->list);
	return group;
}

/* The probes of @group, under the gate of @owner. */
static int make_probes(struct kcatch_group *group, struct kcatch_group *owner,
		       const struct kcatch_resolved *resolved)
{
	int error = kcatch_counters_alloc(group);
	u32 i;

	for (i = 0; !error && i < group->nr; i++) {
		struct kcatch_probe *probe = &group->probes[i];

		probe->group = owner;
		probe->number = group->first + i;
		probe->id = KCATCH_RECORD_ID(0, probe->number);
		probe->address = resolved[i].ip;
		probe->offset = resolved[i].offset;
		probe->mechanism = resolved[i].ops->mechanism;
		probe->target = resolved[i].target;
		/* Not from a place inside a function. */
		probe->returnable = (owner->flags & KCATCH_ADD_RETURN) && !resolved[i].offset &&
				    !resolved[i].entry_only;
		error = kcatch_probe_bind(probe, resolved[i].program);
	}
	return error;
}

int kcatch_group_place_returns(struct kcatch_group *group)
{
	struct kcatch_returns *returns = (group->parent ?: group)->returns;
	int error = 0;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!returns || !static_key_enabled(&kcatch_returns_public))
		return 0;
	for (i = 0; !error && i < group->nr; i++) {
		struct kcatch_probe *probe = &group->probes[i];

		/* Each place is a change of the kernel's text, and there may be thousands. The
		 * first 64 are not interrupted: the thread may be loading the module that the
		 * group waits for. */
		if (i >= 64 && fatal_signal_pending(current))
			error = -EINTR;
		else if (probe->site && probe->returns && !probe->place)
			error = kcatch_returns_place_add(returns, probe->address,
							 kcatch_call_wanted, probe, &probe->place);
		/* Its module goes, or its init has run: the probe goes too, in a moment. */
		if (error == -EOPNOTSUPP && kcatch_module_range(probe->address))
			error = 0;
	}
	return error;
}

void kcatch_group_forget_returns(struct kcatch_group *group)
{
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++) {
		if (group->probes[i].place)
			kcatch_returns_place_leave(group->probes[i].place);
		group->probes[i].place = NULL;
	}
}

static u32 probe_nr_by_ftrace(const struct kcatch_resolved *resolved, u32 nr)
{
	u32 i, by_ftrace = 0;

	for (i = 0; i < nr; i++)
		by_ftrace += resolved[i].ops == &kcatch_hook_ftrace;
	return by_ftrace;
}

/* Hook the probes of a new group and add it to its session. Their numbers are the
 * session's before the first record has one. Return: 0; -ECANCELED: it is an arrival of a group
 * whose budget has been spent meanwhile; or another -errno */
static int probe_publish(struct kcatch_group *group, const struct kcatch_resolved *resolved)
{
	struct kcatch_session *session = group->session;
	struct kcatch_group *other;
	bool chosen = false;
	int error;

	lockdep_assert_held(&session->lock);
	session->nr_probes += group->nr;
	mutex_lock(&kcatch_sites_lock);
	error = group->parent && !group->parent->waits ? -ECANCELED :
							 place_probes(group, resolved);
	if (!error) {
		if (group->flags & KCATCH_ADD_FREEZE) {
			/* Counts take another path, and choices other probes. */
			session->freezes = true;
			list_for_each_entry(other, &session->groups, list) {
				kcatch_group_mode_set(other, 0, 0);
				chosen |= kcatch_group_drop_choices(other);
			}
		}
		if (session->running)
			kcatch_group_place_returns(group);	/* else: no_slot */
		list_add_tail_rcu(&group->list, &session->groups);
		kcatch_group_count_missed(group, session->running);
		if (session->running) {
			/* If mark_frozen() ran before this group was in the list, it missed it. */
			if (kcatch_output_frozen(&session->output))
				kcatch_group_mode_set(group, KCATCH_GROUP_FROZEN, 0);
			kcatch_group_mode_set(group, KCATCH_GROUP_LIVE, 0);
			/* The choices of sites that are live do not have these probes yet. */
			chosen |= kcatch_group_drop_choices(group);
		}
		if (chosen) {
			kcatch_quiesce();
			kcatch_choices_settle();
		}
		if (session->running)
			kcatch_group_choose(group);
		if (group->pending) {
			group->waits = true;
			session->nr_waiting++;
		}
	}
	mutex_unlock(&kcatch_sites_lock);
	if (error)
		session->nr_probes -= group->nr;
	else
		session->nr_ftrace += probe_nr_by_ftrace(resolved, group->nr);
	return error;
}

/* Groups of one session that want the same process see the same children, unless the number has
 * become another process's since. */
static int join_descendants(struct kcatch_group *group)
{
	const struct kcatch_group *other;

	lockdep_assert_held(&group->session->lock);
	list_for_each_entry(other, &group->session->groups, list)
		if (other->descendants && other->tgid == group->tgid &&
		    kcatch_descendants_has(other->descendants, group->tgid)) {
			group->descendants = kcatch_descendants_get(other->descendants);
			return 0;
		}
	return kcatch_descendants_create(group->tgid, &group->descendants);
}

/* A thread of the process that has the number now, or NULL. To be put. */
static struct task_struct *hold_process(pid_t number)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(number, &init_pid_ns), PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

static int hold_processes(struct kcatch_group *group, const struct kcatch_add *add)
{
	group->tgid = add->pid;
	group->adder = -1;
	if (add->flags & KCATCH_ADD_OTHERS)
		group->adder = current->tgid;
	if (add->flags & KCATCH_ADD_OTHERS && !group->session->adder_changes) {
		group->adder_process = current;
		get_task_struct(current);
	}
	if (add->flags & KCATCH_ADD_PID) {
		group->process = hold_process(add->pid);
		if (!group->process)
			return -ESRCH;
	}
	return 0;
}

static u32 mode_of(const struct kcatch_session *session, const struct kcatch_add *add)
{
	u32 mode = session->wake_each ? KCATCH_GROUP_WAKE_EACH : 0;

	if (add->budget)
		mode |= KCATCH_GROUP_LIMITED;
	if (add->flags & (KCATCH_ADD_PID | KCATCH_ADD_COMM | KCATCH_ADD_UNDER |
			  KCATCH_ADD_CGROUP | KCATCH_ADD_IN_CALL))
		mode |= KCATCH_GROUP_GATED;
	else if (add->flags & KCATCH_ADD_OTHERS)
		mode |= KCATCH_GROUP_OTHERS;
	if (add->flags & KCATCH_ADD_NO_STACK)
		mode |= KCATCH_GROUP_NO_STACK;
	if (add->flags & KCATCH_ADD_FREEZE)
		mode |= KCATCH_GROUP_FREEZE;
	return mode;
}

int kcatch_group_create(struct kcatch_session *session, const struct kcatch_add *add,
			const struct kcatch_resolved *resolved, u32 nr,
			struct kcatch_group *root, struct kcatch_pending *pending,
			struct kcatch_group **result)
{
	struct kcatch_group *group = new_group(session, nr);
	int error;

	if (!group)
		return -ENOMEM;
	atomic64_set(&group->left, add->budget);
	group->flags = add->flags;
	kcatch_group_mode_set(group, mode_of(session, add), 0);
	group->depth = add->depth ?: KCATCH_DEPTH_DEFAULT;
	memcpy(group->comm, add->comm, sizeof(group->comm));
	memset(group->comm_mask, 255, strnlen(add->comm, KCATCH_COMM_LEN - 1) + 1);
	group->cgroup = add->cgroup;
	group->cgroup_level = add->cgroup_level;
	group->levels = add->levels;
	group->max_active = add->max_active;
	group->root = root;
	group->number = session->nr_groups;
	error = hold_processes(group, add);
	if (!error && add->flags & KCATCH_ADD_CHILDREN)
		error = join_descendants(group);
	if (!error)
		error = make_probes(group, group, resolved);
	if (!error) {
		group->pending = pending;
		error = probe_publish(group, resolved);
	}
	if (error) {
		group->pending = NULL;
		kcatch_group_destroy(group);
		return error;
	}
	session->nr_groups++;
	*result = group;
	return 0;
}

/* Has the group a probe in place there? */
static bool is_placed(const struct kcatch_group *group, const struct kcatch_resolved *resolved)
{
	const struct kcatch_site *site = existing_site(resolved);
	const struct kcatch_probe *probe;

	if (site)
		hlist_for_each_entry(probe, &site->probes, at_site)
			if (probe->group == group)
				return true;
	return false;
}

int kcatch_group_extend(struct kcatch_group *group, struct kcatch_resolved *resolved, u32 nr)
{
	struct kcatch_session *session = group->session;
	struct kcatch_group *arrival;
	u32 i, kept = 0;
	bool waits;
	int error;

	lockdep_assert_held(&session->lock);
	mutex_lock(&kcatch_sites_lock);
	waits = group->waits;	/* probe_publish() looks again */
	for (i = 0; i < nr; i++)
		if (!is_placed(group, &resolved[i]))
			resolved[kept++] = resolved[i];
	mutex_unlock(&kcatch_sites_lock);
	/* Its budget may have been spent meanwhile. */
	if (!waits || !kept)
		return 0;
	if (kept > KCATCH_PROBES_MAX - session->nr_probes)
		return -E2BIG;
	arrival = new_group(session, kept);
	if (!arrival)
		return -ENOMEM;
	arrival->parent = group;
	arrival->since = session->came;
	arrival->number = group->number;
	error = make_probes(arrival, group, resolved);
	if (!error)
		error = probe_publish(arrival, resolved);
	if (error)
		kcatch_group_destroy(arrival);
	return error == -ECANCELED ? 0 : error;
}

bool kcatch_group_has_more(const struct kcatch_group *group)
{
	lockdep_assert_held(&kcatch_sites_lock);
	return group->nr_attached || group->nr_below || group->waits;
}

static void stop_waiting(struct kcatch_group *group)
{
	if (!group->waits)
		return;
	group->waits = false;
	group->session->nr_waiting--;
}

void kcatch_groups_count_ended_locked(struct kcatch_session *session,
				      bool (*which)(const struct kcatch_group *group,
						    const void *data))
{
	struct kcatch_group *group;

	lockdep_assert_held(&kcatch_sites_lock);
	session->nr_ended = 0;
	list_for_each_entry(group, &session->groups, list) {
		group->is_ended = which(group->parent ?: group, NULL);
		if (!group->is_ended)
			continue;
		stop_waiting(group);
		session->nr_ended += group->nr_attached;
	}
}

void kcatch_groups_withdraw_locked(struct kcatch_session *session,
				   bool (*which)(const struct kcatch_group *group,
						 const void *data),
				   const void *data)
{
	struct kcatch_group *group, *owner;
	struct batches batches;
	u32 nr = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	batches_init(&batches);
	list_for_each_entry(group, &session->groups, list) {
		owner = group->parent ?: group;
		if (which && !which(owner, data))
			continue;
		stop_waiting(group);
		leave_sites(group, &batches, NULL, NULL);
		nr += group->nr_leaving;
	}
	if (!nr)
		return;
	release_sites(&batches);
	list_for_each_entry(group, &session->groups, list)
		count_left(group);
}

static bool is_group(const struct kcatch_group *group, const void *data)
{
	return group == data;
}

void kcatch_group_withdraw_locked(struct kcatch_group *group)
{
	kcatch_groups_withdraw_locked(group->session, is_group, group);
}

static bool is_this(const struct kcatch_probe *probe, const void *data)
{
	return probe == data;
}

void kcatch_probe_detach(struct kcatch_group *group, struct kcatch_probe *probe)
{
	mutex_lock(&kcatch_sites_lock);
	detach_probes(group, is_this, probe);
	mutex_unlock(&kcatch_sites_lock);
}

/* Calls under way when the session stops: what came of them is not seen. Where they would have been
 * recorded at their return, it is not decided whether; unless the budget is spent, as then none
 * would have been. */
void kcatch_group_settle_returns(struct kcatch_group *group)
{
	u32 i;
	int cpu;

	lockdep_assert_held(&kcatch_sites_lock);
	for (i = 0; i < group->nr; i++) {
		struct kcatch_probe *probe = &group->probes[i];
		u64 nr = 0, deferred = 0;

		if (!probe->returns)
			continue;
		for_each_possible_cpu(cpu) {
			struct kcatch_cpu_counters *counters = per_cpu_ptr(probe->counters, cpu);

			nr += counters->in_flight;
			counters->in_flight = 0;
			deferred += counters->deferred;
			counters->deferred = 0;
		}
		probe->unreturned += nr;
		/* Without a condition on the return, calls that are not deferred are recorded. */
		if (!probe->program->return_condition)
			nr = deferred;
		if ((probe->group->mode & KCATCH_GROUP_LIMITED) &&
		    atomic64_read(&probe->group->left) <= 0)
			probe->unwanted += nr;
		else
			probe->unseen += nr;
	}
}

void kcatch_group_destroy(struct kcatch_group *group)
{
	kcatch_assert(!group->nr_attached && !group->nr_leaving && !group->waits);
	kcatch_pending_destroy(group->pending);
	kcatch_returns_destroy(&group->returns, 1);
	kcatch_counters_free(group);
	kcatch_descendants_put(group->descendants);
	if (group->process)
		put_task_struct(group->process);
	if (group->adder_process)
		put_task_struct(group->adder_process);
	kcatch_memory_uncharge(group_bytes(group->nr));
	kvfree(group);
}

static bool in_module(const struct kcatch_probe *probe, const void *data)
{
	/* The variables of each CPU are not in the module's own memory. */
	if (probe->mechanism == KCATCH_MECHANISM_WATCH && (probe->offset & KCATCH_WATCH_PERCPU))
		return kcatch_module_owns_percpu(data, probe->address);
	return within_module(probe->address, (struct module *)data);
}

static bool in_module_init(const struct kcatch_probe *probe, const void *data)
{
	return within_module_init(probe->address, (struct module *)data);
}

static bool (*in_text(bool init))(const struct kcatch_probe *probe, const void *data)
{
	return init ? in_module_init : in_module;
}

bool kcatch_probes_in_text(struct module *module, bool init, bool *tracepoints)
{
	bool (*which)(const struct kcatch_probe *probe, const void *data) = in_text(init);
	const struct kcatch_session *session;
	const struct kcatch_group *group;
	bool any = false;
	u32 i;

	*tracepoints = false;
	mutex_lock(&kcatch_sites_lock);
	list_for_each_entry(session, &kcatch_sessions, all)
		list_for_each_entry(group, &session->groups, list)
			for (i = 0; i < group->nr; i++) {
				const struct kcatch_site *site = group->probes[i].site;

				if (!site || !which(&group->probes[i], module))
					continue;
				any = true;
				*tracepoints |= site->ops == &kcatch_hook_tracepoint;
			}
	mutex_unlock(&kcatch_sites_lock);
	return any;
}

void kcatch_probes_text_gone(struct module *module, bool init)
{
	bool (*which)(const struct kcatch_probe *probe, const void *data) = in_text(init);
	struct kcatch_session *session;
	struct kcatch_group *group;
	struct batches batches;
	u32 i, nr = 0;

	mutex_lock(&kcatch_sites_lock);
	batches_init(&batches);
	list_for_each_entry(session, &kcatch_sessions, all)
		list_for_each_entry(group, &session->groups, list) {
			for (i = 0; i < group->nr; i++)
				if (group->probes[i].site && which(&group->probes[i], module))
					group->probes[i].flags |= KCATCH_PROBE_GONE;
			leave_sites(group, &batches, which, module);
			nr += group->nr_leaving;
		}
	if (nr)
		release_sites(&batches);
	list_for_each_entry(session, &kcatch_sessions, all) {
		list_for_each_entry(group, &session->groups, list)
			count_left(group);
		if (session->nr_probes && !session->nr_attached)
			kcatch_output_wake(&session->output, false);
	}
	mutex_unlock(&kcatch_sites_lock);
}
