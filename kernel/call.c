// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls: entries with arguments, and returns. Any context, inside a hook, but
 * for what prepares. call.h and the uapi say what is promised.
 *
 * Memory: 3 KB a CPU for each context that can be inside a hook at once; for each
 * call under way a slot with what its return needs.
 */
#include <linux/cred.h>
#include <linux/filter.h>
#include <linux/percpu.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "call.h"
#include "hit.h"
#include "pending.h"
#include "program.h"
#include "returns.h"

/* Slots where nobody said how many. */
#define ACTIVE_DEFAULT	1024

/* What one hook works with. */
struct workspace {
	struct kcatch_condition condition;
	u8 entry[KCATCH_DATA_MAX];
	u8 at_return[KCATCH_DATA_MAX];
};

struct workspaces {
	struct workspace level[KCATCH_LEVELS];
};

static struct workspaces __percpu *workspaces __read_mostly;

/* Numbers of calls: the CPU above, a count below. */
static u64 __percpu *call_numbers __read_mostly;
#define CALL_CPU_SHIFT	48

/* Nanoseconds of the clock: (ticks * multiplier) >> NS_SHIFT */
#define NS_SHIFT	22
static u32 ns_multiplier __read_mostly;

/* A call under way: what a slot holds. */
struct inflight {
	const struct kcatch_probe *probe;
	u64 time;
	u64 call;
	u64 faults;
	u64 cut;
	u32 run;
	u16 context;
	u16 entry_size;
	u8 data[];	/* the condition, as far as it goes; then the entry's data */
};

/* One entry's way through the kretprobe. */
struct hooking {
	struct pt_regs regs;	/* only SP is set */
	struct inflight *call;	/* the slot; NULL: there was none */
};

/* Multiples of 8 bytes, mostly few: a call of memcpy() costs more than they. */
static __always_inline void copy_words(void *to, const void *from, u32 size)
{
	const u64 *word = from;
	u64 *at = to, *end = to + size;

	while (at < end)
		*at++ = *word++;
}

static __always_inline u64 to_ns(u64 ticks)
{
	return kcatch_clock_is_tsc ? mul_u64_u32_shr(ticks, ns_multiplier, NS_SHIFT) : ticks;
}

static __always_inline u64 new_call(void)
{
	return (u64)(smp_processor_id() + 1) << CALL_CPU_SHIFT | this_cpu_inc_return(*call_numbers);
}

static __always_inline struct workspace *workspace_of(int level)
{
	return &this_cpu_ptr(workspaces)->level[level];
}

static __always_inline bool is_whole(const struct kcatch_probe *probe)
{
	return probe->returns && probe->program->return_condition;
}

/* Bytes of the condition that its programs may look at. */
static u32 condition_size(const struct kcatch_program_code *program)
{
	return offsetof(struct kcatch_condition, fields) + program->fields.size_max;
}

/* ---- the entry --------------------------------------------------------- */

static __always_inline void fill_condition(struct kcatch_condition *condition,
			   const struct kcatch_program_code *program,
			   const struct pt_regs *regs)
{
	condition->args[0] = regs->di;
	condition->args[1] = regs->si;
	condition->args[2] = regs->dx;
	condition->args[3] = regs->cx;
	condition->args[4] = regs->r8;
	condition->args[5] = regs->r9;
	if (likely(program->needs == KCATCH_NEEDS_ANY))
		return;
	condition->faults = 0;
	condition->ret = 0;
	condition->latency = 0;
	if (program->needs & KCATCH_NEEDS_TASK) {
		const struct task_struct *task = current;

		condition->pid = task->tgid;
		condition->tid = task->pid;
		condition->cpu = smp_processor_id();
		condition->uid = __kuid_val(rcu_dereference_raw(task->cred)->uid);
		memcpy(condition->comm, task->comm, sizeof(condition->comm));
	}
	if (program->fields.nr) {
		struct kcatch_fetch fetch = { .regs = regs, .to = condition->fields };

		kcatch_fetch_run(&program->fields, &fetch);
		condition->faults = fetch.faults;
	}
}

static u32 user_size(const struct kcatch_program_code *program)
{
	return program->user_stack ? sizeof(struct kcatch_user) + program->user_stack : 0;
}

static noinline void fill_user(struct kcatch_user *user, u32 room)
{
	const struct pt_regs *regs = task_pt_regs(current);

	BUILD_BUG_ON(sizeof(user->regs) != sizeof(*regs));
	if (!current->mm || (current->flags & PF_KTHREAD)) {
		memset(user, 0, sizeof(*user));
		user->flags = KCATCH_USER_KERNEL_THREAD;
		return;
	}
	memcpy(user->regs, regs, sizeof(user->regs));
	user->flags = 0;
	user->size = kcatch_fetch_user(user->stack, regs->sp, room);
}

/* What kcatch_record_begin() left to be done; the part's data is filled in here. */
static __always_inline enum kcatch_record_result
record_end(struct kcatch_ring *ring, struct kcatch_call_part *part, const u8 *entry,
	   const u8 *at_return)
{
	if (part->size[0])
		copy_words(part->data, entry, part->size[0]);
	if (part->size[1])
		copy_words(part->data + part->size[0], at_return, part->size[1]);
	if (unlikely(part->user_size))
		fill_user((void *)(part->data + part->size[0] + part->size[1]),
			  part->user_size - sizeof(struct kcatch_user));
	return kcatch_ring_commit(ring) ? KCATCH_RECORD_WAKE : KCATCH_RECORD_DONE;
}

static noinline bool refused_by_more(const struct kcatch_program_code *program,
				     const struct pt_regs *regs,
				     struct kcatch_condition *condition)
{
	fill_condition(condition, program, regs);
	return program->entry_condition && !bpf_prog_run(program->entry_condition, condition);
}

bool kcatch_call_refused(const struct kcatch_program_code *program, const struct pt_regs *regs,
			 int level)
{
	u64 args[6];

	if (unlikely(program->needs != KCATCH_NEEDS_ANY))
		return refused_by_more(program, regs, &workspace_of(level)->condition);
	/* The common case looks at arguments alone, and nothing of it is kept. */
	args[0] = regs->di;
	args[1] = regs->si;
	args[2] = regs->dx;
	args[3] = regs->cx;
	args[4] = regs->r8;
	args[5] = regs->r9;
	return !bpf_prog_run(program->entry_condition, args);
}

/*
 * Takes a slot. Not filled yet: a hook in an interrupt that looks at this thread's
 * calls must see none here (runs count from 1).
 */
static int slot_taken(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct inflight *call = (void *)instance->data;

	call->run = 0;
	container_of(regs, struct hooking, regs)->call = call;
	return 0;
}

/* What the return must know. */
static __always_inline void fill_slot(struct inflight *call, const struct kcatch_probe *probe,
				      const struct kcatch_fetch *fetch, u32 at, u32 kept)
{
	call->probe = probe;
	call->faults = fetch->faults;
	call->cut = fetch->cut;
	call->entry_size = fetch->size;
	if (kept)
		copy_words(call->data + at, fetch->to, kept);
	barrier();
	call->run = probe->group->run;
	this_cpu_inc(probe->counters->in_flight);
}

/* With a condition on the return all is kept until then. */
static noinline void keep_call(struct inflight *call, const struct kcatch_probe *probe,
			       const struct kcatch_place *place, const struct kcatch_fetch *fetch)
{
	u32 size = condition_size(probe->program);

	if (!call) {
		this_cpu_inc(probe->counters->missed);
		this_cpu_inc(probe->counters->no_slot);
		return;
	}
	call->context = kcatch_hit_context(*place);
	copy_words(call->data, &workspace_of(place->level)->condition, size);
	call->time = kcatch_clock_read();
	fill_slot(call, probe, fetch, size, fetch->size);
}

void kcatch_call_entry(const struct kcatch_probe *probe, unsigned long caller,
		       struct pt_regs *regs, u32 where, struct kcatch_stack *stack, u32 *walked)
{
	const struct kcatch_place place = kcatch_place_unpack(probe->address, caller, regs, where);
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	const struct task_struct *task = current;
	u32 mode = READ_ONCE(group->mode), user;
	struct kcatch_call_part *part;
	struct inflight *call = NULL;
	struct kcatch_fetch fetch;
	struct kcatch_ring *ring;
	struct kcatch_call what;
	u64 number = 0, time;
	s64 left = 1;

	if ((mode & KCATCH_GROUP_LIMITED) && !is_whole(probe)) {
		left = atomic64_dec_if_positive(&group->left);
		if (left < 0) {
			this_cpu_inc(probe->counters->over_budget);
			return;
		}
	}
	fetch.to = NULL;
	fetch.size = 0;
	fetch.faults = 0;
	fetch.cut = 0;
	if (program->entry.nr) {
		fetch.regs = regs;
		fetch.to = workspace_of(place.level)->entry;
		kcatch_fetch_run(&program->entry, &fetch);
	}
	if (probe->returns) {
		struct hooking hooking;

		hooking.regs.sp = regs->sp;
		hooking.call = NULL;
		kcatch_returns_hook(group->returns, &hooking.regs);
		call = hooking.call;
		if (likely(call))
			number = new_call();
		if (is_whole(probe)) {
			const struct kcatch_place at = place;

			keep_call(call, probe, &at, &fetch);
			return;
		}
	}
	ring = this_cpu_ptr(group->ring);
	if (likely(ring->data)) {
		what.probe = probe->number;
		what.context = kcatch_hit_context(place);
		what.pid = task->tgid;
		what.tid = task->pid;
		what.comm = task->comm;
		what.stack = kcatch_hit_stack(place, group, stack, walked);
		user = user_size(program);
		part = kcatch_record_begin(ring, KCATCH_RECORD_ENTRY, &what, fetch.size + user,
					   &time);
		if (likely(part)) {
			part->call = number;
			part->latency = 0;
			part->ret = 0;
			part->faults[0] = fetch.faults;
			part->faults[1] = 0;
			part->cut[0] = fetch.cut;
			part->cut[1] = 0;
			part->size[0] = fetch.size;
			part->size[1] = 0;
			part->user_size = user;
			result = record_end(ring, part, fetch.to, NULL);
		}
	}
	if (call) {
		/* Of the return of one whose entry was lost nothing is told. */
		if (likely(result != KCATCH_RECORD_LOST)) {
			call->call = number;
			call->time = time;
			call->context = what.context;
			fill_slot(call, probe, &fetch, 0, program->at_return.saved);
		} else {
			call->probe = NULL;
		}
	} else if (probe->returns && result != KCATCH_RECORD_LOST) {
		this_cpu_inc(probe->counters->no_slot);
	}
	kcatch_hit_done(probe, mode, left, result);
}

/* ---- the return -------------------------------------------------------- */

static struct inflight *inflight_of(struct rethook_node *node)
{
	return (void *)container_of(node, struct kretprobe_instance, node)->data;
}

bool kcatch_call_is_under(const struct kcatch_group *group, u32 context)
{
	const struct kcatch_group *root = READ_ONCE(group->root);
	const struct llist_node *link;
	u32 levels = 0;

	if (!root)
		return false;	/* withdrawn */
	for (link = READ_ONCE(current->rethooks.first); link; link = link->next) {
		struct rethook_node *node = container_of(link, struct rethook_node, llist);
		const struct inflight *call;

		if (node->rethook == root->returns->kretprobe.rh) {
			call = inflight_of(node);
			if (call->run == root->run &&
			    (call->context & KCATCH_CONTEXT_MASK) == context)
				return !group->levels || levels < group->levels;
		} else if (node->rethook == group->returns->kretprobe.rh) {
			call = inflight_of(node);
			levels += call->run == group->run &&
				  (call->context & KCATCH_CONTEXT_MASK) == context;
		}
	}
	return false;
}

static noinline void fetch_return(const struct kcatch_program_code *program, const struct inflight *call,
			 const u8 *saved, const struct pt_regs *regs, struct kcatch_fetch *fetch)
{
	fetch->regs = NULL;
	fetch->ret[0] = regs->ax;
	fetch->ret[1] = regs->dx;
	fetch->saved = saved;
	fetch->saved_faults = call->faults;
	fetch->size = 0;
	fetch->faults = 0;
	fetch->cut = 0;
	if (program->at_return.nr)
		kcatch_fetch_run(&program->at_return, fetch);
}

/* The second record of a call. */
static __always_inline void return_of_entry(const struct inflight *call, const struct pt_regs *regs, int level)
{
	const struct kcatch_probe *probe = call->probe;
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	u64 latency = to_ns(kcatch_clock_read() - call->time);
	struct kcatch_return *record = NULL;
	struct kcatch_fetch fetch;

	fetch.size = 0;
	fetch.faults = 0;
	fetch.cut = 0;
	if (probe->program->at_return.nr) {
		fetch.to = workspace_of(level)->at_return;
		fetch_return(probe->program, call, call->data, regs, &fetch);
	}
	if (ring->data)
		record = (void *)kcatch_ring_reserve(ring, sizeof(*record) + fetch.size);
	if (!record) {
		this_cpu_inc(probe->counters->return_lost);
		if (ring->data)
			kcatch_ring_take_refused(ring);
		if (ring->data && kcatch_ring_take_filled(ring))
			kcatch_session_wake(group->session, false);
		return;
	}
	record->head.id = KCATCH_RECORD_ID(KCATCH_RECORD_RETURN, probe->number);
	record->pid = current->tgid;
	record->tid = current->pid;
	record->call = call->call;
	record->latency = latency;
	record->ret = regs->ax;
	record->faults = fetch.faults;
	record->cut = fetch.cut;
	record->size = fetch.size;
	record->reserved = 0;
	if (fetch.size)
		copy_words(record->data, fetch.to, fetch.size);
	if (kcatch_ring_commit(ring) || (READ_ONCE(group->mode) & KCATCH_GROUP_WAKE_EACH))
		kcatch_session_wake(group->session, false);
}

/* The one record of a call, when it passes. */
static noinline void whole_call(const struct inflight *call, const struct pt_regs *regs,
		       unsigned long slot, unsigned long caller, int level)
{
	const struct kcatch_probe *probe = call->probe;
	const struct kcatch_program_code *program = probe->program;
	struct kcatch_group *group = probe->group;
	struct kcatch_ring *ring = this_cpu_ptr(group->ring);
	struct workspace *work = workspace_of(level);
	u64 latency = to_ns(kcatch_clock_read() - call->time);
	const u8 *entry = call->data + condition_size(program);
	struct kcatch_fetch fetch = { .to = work->at_return };
	enum kcatch_record_result result = KCATCH_RECORD_LOST;
	u32 mode = READ_ONCE(group->mode), walked = 0;
	struct kcatch_stack stack;
	s64 left = 1;

	copy_words(&work->condition, call->data, condition_size(program));
	work->condition.ret = regs->ax;
	work->condition.latency = latency;
	work->condition.cpu = smp_processor_id();
	if (!bpf_prog_run(program->return_condition, &work->condition)) {
		this_cpu_inc(probe->counters->filtered);
		return;
	}
	if (mode & KCATCH_GROUP_LIMITED) {
		left = atomic64_dec_if_positive(&group->left);
		if (left < 0) {
			this_cpu_inc(probe->counters->over_budget);
			return;
		}
	}
	fetch_return(program, call, entry, regs, &fetch);
	if (ring->data) {
		const struct task_struct *task = current;
		struct kcatch_call what = {
			.probe = probe->number, .context = call->context,
			.pid = task->tgid, .tid = task->pid, .comm = task->comm,
		};
		struct kcatch_call_part *part;
		u32 user = user_size(program);
		u64 time;
		/* The callers' frames are those of the entry. */
		struct pt_regs at_entry;
		struct kcatch_place place = {
			.ip = probe->address, .caller = caller, .regs = &at_entry, .level = level,
		};

		at_entry.sp = slot;
		at_entry.bp = regs->bp;
		what.stack = kcatch_hit_stack(place, group, &stack, &walked);
		part = kcatch_record_begin(ring, KCATCH_RECORD_CALL, &what,
					   call->entry_size + fetch.size + user, &time);
		if (part) {
			*part = (struct kcatch_call_part) {
				.latency = latency, .ret = regs->ax,
				.faults = { call->faults, fetch.faults },
				.cut = { call->cut, fetch.cut },
				.size = { call->entry_size, fetch.size },
				.user_size = user,
			};
			result = record_end(ring, part, entry, fetch.to);
		}
	}
	kcatch_hit_done(probe, mode, left, result);
}

static int call_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct inflight *call = (void *)instance->data;
	const struct kcatch_probe *probe = call->probe;
	unsigned long caller = instance->node.ret_addr, slot = instance->node.frame;
	struct kcatch_guard guard;

	kcatch_guard_enter(&guard);
	if (!probe || !(READ_ONCE(probe->group->mode) & KCATCH_GROUP_LIVE) ||
	    call->run != probe->group->run)
		goto out;
	this_cpu_dec(probe->counters->in_flight);
	if (unlikely(guard.level == KCATCH_LEVEL_REFUSED)) {
		if (is_whole(probe))
			this_cpu_inc(probe->counters->missed);
		else
			this_cpu_inc(probe->counters->return_lost);
	} else if (is_whole(probe)) {
		if (caller == kcatch_stack_trampoline())
			caller = kcatch_returns_address(slot, caller);
		whole_call(call, regs, slot, caller, guard.level);
	} else {
		return_of_entry(call, regs, guard.level);
	}
out:
	kcatch_guard_leave(&guard);
	return 0;
}

/* ---- getting ready ----------------------------------------------------- */

/* What a slot must hold for a probe. */
static u32 slot_size(const struct kcatch_probe *probe)
{
	const struct kcatch_program_code *program = probe->program;

	return sizeof(struct inflight) +
	       (is_whole(probe) ? condition_size(program) + program->entry.size_max :
				  program->at_return.saved);
}

/* What the slots of a group must be fit for. */
struct slot_needs {
	struct kcatch_group *group;
	u32 size;
	bool any;
	bool whole;
};

static void need_slot(struct slot_needs *needs, const struct kcatch_probe *probe)
{
	if (!probe->returns)
		return;
	needs->any = true;
	needs->whole |= is_whole(probe);
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
	size = ALIGN(max_t(u32, needs.size, sizeof(struct inflight)), 8);
	if (group->returns && group->returns->data_size >= size)
		return 0;
	slots = group->max_active ?: ACTIVE_DEFAULT;
	/* No more calls than the budget has are ever under way. */
	if (!group->max_active && !needs.whole && (group->mode & KCATCH_GROUP_LIMITED))
		slots = clamp_t(u64, atomic64_read(&group->left), 1, slots);
	error = kcatch_returns_create(slots, size, slot_taken, call_returned, &returns);
	if (error)
		return error;
	kcatch_returns_destroy(group->returns);
	group->returns = returns;
	return 0;
}

bool kcatch_call_record_fits(const struct kcatch_probe *probe, u32 packet_size)
{
	u32 frames = probe->group->mode & KCATCH_GROUP_NO_STACK ? 0 : probe->group->depth;

	return kcatch_program_record_max(probe->program) + frames * sizeof(u64) <=
	       KCATCH_RING_RECORD_MAX(packet_size);
}

int kcatch_call_init(void)
{
	if (kcatch_clock_is_tsc)
		ns_multiplier = div_u64(1000000ULL << NS_SHIFT, tsc_khz);
	workspaces = alloc_percpu(struct workspaces);
	call_numbers = alloc_percpu(u64);
	if (workspaces && call_numbers) {
		kcatch_fetch_init();
		return 0;
	}
	kcatch_call_exit();
	return -ENOMEM;
}

void kcatch_call_exit(void)
{
	free_percpu(workspaces);
	free_percpu(call_numbers);
}
