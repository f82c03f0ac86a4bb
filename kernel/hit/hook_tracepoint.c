// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks tracepoints, those of modules too. The C functions that are their probes take five
 * arguments, however many the tracepoint has. User space makes the steps of the probe's program
 * from the tracepoint's type, so they read only true arguments.
 *
 * One function serves any tracepoint. Entry and exit of system calls, which are more than all other
 * events together, and switches of tasks have hooks of their own: straight code, with the arguments
 * in registers and no frame, for what one probe usually records there (KCATCH_SHAPE_*).
 * Anything else is recorded by kcatch_emit_arguments().
 *
 * Hooks run in any context, NMI too; newer kernels call some probes with preemption on, and the
 * guard turns it off. tracepoint_attach() and tracepoint_detach() sleep; kcatch_sites_lock.
 */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "core/hook.h"
#include "core/modules.h"
#include "core/site.h"
#include "core/symbol.h"
#include "hit/emit.h"
#include "hit/site_choice.h"
#include "program/fetch_memory.h"
#include "program/program.h"
#include "program/syscall_regs.h"

static __always_inline void put_args(u64 *args, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4)
{
	args[kcatch_args_place(0)] = a0;
	args[kcatch_args_place(1)] = a1;
	args[kcatch_args_place(2)] = a2;
	args[kcatch_args_place(3)] = a3;
	args[kcatch_args_place(4)] = a4;
}

/*
 * Records a hit by kcatch_emit_arguments(). Inlined into hooks, whose frame it reads: @site takes
 * the first register, so the sixth and further arguments of a tracepoint are on the stack, above
 * the return address.
 */
static __always_inline void record_any(const struct kcatch_site *site, u64 a0, u64 a1, u64 a2,
				       u64 a3, u64 a4 KCATCH_MORE_PARAMETERS, u32 busy)
{
	u64 args[KCATCH_ARGS];

	put_args(args, a0, a1, a2, a3, a4);
	KCATCH_PUT_MORE(args, __builtin_frame_address(0));
	kcatch_emit_arguments(site, args, __builtin_frame_address(0), busy);
	/* No tail call: it reads the hook's frame. */
	barrier();
}

/*
 * The hooks of the most frequent tracepoints end here, if one of them cannot record the hit itself:
 * by a jump, so that this has their arguments and the place of their frame. any_hit(): they have
 * entered the guard; odd_hit(): they have not.
 */
static noinline void any_hit(void *data, u64 a0, u64 a1, u64 a2, u64 a3,
			     u64 a4 KCATCH_MORE_PARAMETERS)
{
	kcatch_emit_stay();
	record_any(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS, 0);
}

static noinline void odd_hit(void *data, u64 a0, u64 a1, u64 a2, u64 a3,
			     u64 a4 KCATCH_MORE_PARAMETERS)
{
	u32 context, busy;

	kcatch_emit_stay();
	if (unlikely(!kcatch_guard_enter_behind(&context, &busy)))
		busy |= KCATCH_BUSY_ODD;
	record_any(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS, busy);
}

/* A hit that a hook records itself: of the one probe it is for. */
struct direct_hit {
	const struct kcatch_probe *probe;
	struct kcatch_ring *ring;
	const struct task_struct *task;
};

/* Is the hit one for @hit->probe, whose records are of a shape and without a stack? */
static __always_inline bool direct_begin(struct direct_hit *hit, u32 shape)
{
	/* One byte: no READ_ONCE(), after which it would take a register. */
	if (unlikely(hit->probe->event_shape != shape))
		return false;
	/* BIND may change the program of a session that does not run. */
	barrier();
	hit->task = current;
	return true;
}

/* direct_begin() for the only probe of a site. */
static __always_inline bool direct_begin_only(struct direct_hit *hit,
					      const struct kcatch_site *site,
					      u32 shape)
{
	hit->probe = kcatch_hit_only(site);
	return likely(hit->probe) && direct_begin(hit, shape);
}

/* The choice of a site, if it is of a kind; else NULL. */
static __always_inline const struct kcatch_choice *choice_of(const struct kcatch_site *site,
							     enum kcatch_choice_kind kind)
{
	const struct kcatch_choice *choice = READ_ONCE(site->choice);

	return likely(choice && choice->kind == kind) ? choice : NULL;
}

/* Ends a hit that is for no probe of a choice. */
static __always_inline void direct_end_unchosen(const struct kcatch_choice *choice)
{
	kcatch_choice_count(choice, NULL);
	kcatch_emit_leave();
}

/* direct_begin() for the probe that a value chooses, at a system call. @entry: what is in the first
 * place for the value */
static __always_inline bool direct_begin_chosen(struct direct_hit *hit,
						const struct kcatch_choice *choice,
						const struct kcatch_choice_entry *entry, u64 value,
						u64 regs, u32 shape)
{
	if (unlikely(entry->value != value || entry->nr != 1))
		return false;
	hit->probe = choice->probes[entry->first];
	return likely(direct_begin(hit, shape) && kcatch_is_call(regs, hit->task) &&
		      kcatch_key_task_holds(&hit->probe->program->key));
}

/* The record of a hit, without its data. NULL: the ring has no room; or the hit is in the process
 * that armed the probe, or in an interrupt of that. any_hit() distinguishes them. */
static __always_inline struct kcatch_event_record *direct_reserve(struct direct_hit *hit, u32 kind,
								  u32 size)
{
	const struct kcatch_group *group = hit->probe->group;

	if (unlikely(kcatch_gate_is_adder(group, hit->task->tgid)))
		return NULL;
	hit->ring = this_cpu_ptr(group->ring);
	return kcatch_record_named(hit->ring, kind | hit->probe->id, size, true);
}

static __always_inline struct kcatch_event_record *direct_reserve_words(struct direct_hit *hit,
									 u32 kind, u32 nr)
{
	return direct_reserve(hit, kind, sizeof(struct kcatch_event_record) + nr * sizeof(u64));
}

/* The marks of a record whose items could all be read, faults and cut. Return: the place behind */
static __always_inline u64 *put_marks(u64 *to)
{
	to[0] = 0;
	to[1] = 0;
	return to + KCATCH_MARKS;
}

static __always_inline void direct_end(const struct direct_hit *hit)
{
	kcatch_emit_end(hit->probe, hit->ring);
}

/* Ends a hit after direct_begin_only() that the gate of KCATCH_ADD_IN_CALL refuses for certain.
 * @shape: that of the probe; @task: the only thread it is about, beside the current one */
static __always_inline bool direct_refuse(const struct direct_hit *hit, u32 shape, u64 task)
{
	const u64 first = task + KCATCH_RETHOOK_FIRST;
	u64 fault = 0;

	if (!hit->probe || hit->probe->event_shape != shape || kcatch_gate_has_call() ||
	    !kcatch_at_hand(first, sizeof(u64)) ||
	    kcatch_load_word(first, sizeof(u64), &fault) || fault)
		return false;
	this_cpu_inc(hit->probe->counters->filtered);
	kcatch_emit_leave();
	return true;
}

/* Any tracepoint but those below: of the shape ARG, or any other list. */
static void tracepoint_hit(void *data, u64 a0, u64 a1, u64 a2, u64 a3,
			   u64 a4 KCATCH_MORE_PARAMETERS)
{
	struct kcatch_event_record *record;
	struct direct_hit hit;

	if (unlikely(!kcatch_emit_enter())) {
		odd_hit(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS);
		return;
	}
	if (!direct_begin_only(&hit, data, KCATCH_SHAPE_ARG)) {
		if (direct_refuse(&hit, KCATCH_SHAPE_IN_CALL, a0))
			return;
		goto any;
	}
	record = direct_reserve_words(&hit, KCATCH_RECORD_EVENT, 1);
	if (unlikely(!record))
		goto any;
	*(u64 *)record->data = a0;
	direct_end(&hit);
	return;
any:
	any_hit(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS);
}

/* Zeros for the memory that one of the words points to, where that is no pointer, as in most calls.
 * Return: whether it is none; false: nothing is done */
static __always_inline bool put_no_tail(const struct kcatch_program_code *program, u64 *words)
{
	const struct kcatch_read_item *tail = &program->entry.items[program->call_words];
	u64 *to = words + program->call_words, *end = (void *)to + ALIGN(tail->size, sizeof(*to));

	/* Never read. */
	if (words[program->call_pointer] + tail->offset >= PAGE_SIZE)
		return false;
	/* WRITE_ONCE(): else the compiler calls memset(). */
	for (; to < end; to++)
		WRITE_ONCE(*to, 0);
	return true;
}

/* The entry of a system call, behind enter_hit(): of the shape CALL, for this number. */
static noinline void call_hit(void *data, u64 a0, u64 a1)
{
	const struct kcatch_choice *choice = choice_of(data, KCATCH_CHOICE_ENTER);
	const struct pt_regs *regs = (const struct pt_regs *)a0;
	const struct kcatch_program_code *program;
	const struct kcatch_choice_entry *entry;
	struct kcatch_event_record *record;
	struct direct_hit hit;
	u64 *to;

	if (unlikely(!choice))
		goto any;
	entry = kcatch_choice_first(choice, a1);
	if (!entry->nr) {
		direct_end_unchosen(choice);
		return;
	}
	if (unlikely(!direct_begin_chosen(&hit, choice, entry, a1, a0, KCATCH_SHAPE_CALL)))
		goto any;
	program = hit.probe->program;
	record = direct_reserve(&hit, program->event_kind, program->record_size);
	if (unlikely(!record))
		goto any;
	this_cpu_inc(choice->hits[entry->which]);
	to = (u64 *)record->data;
	if (likely(program->call_words))
		to = put_marks(to);
	kcatch_put_call(to, regs, program->call_words);
	if (kcatch_program_has_tail(program)) {
		if (!put_no_tail(program, to)) {
			kcatch_emit_stay();
			kcatch_emit_tail(hit.probe, a0, record);
			return;
		}
		*(u64 *)record->data = 1ULL << program->call_words;
	}
	direct_end(&hit);
	return;
any:
	any_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
}

/* The entry of a system call: of the shape ENTER. It has two arguments. */
static void enter_hit(void *data, u64 a0, u64 a1)
{
	const u64 *from = (const u64 *)(a0 + KCATCH_CALL_BEGIN);
	struct kcatch_event_record *record;
	struct direct_hit hit;
	u64 *to;
	u32 i;

	if (unlikely(!kcatch_emit_enter())) {
		odd_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
		return;
	}
	if (!direct_begin_only(&hit, data, KCATCH_SHAPE_ENTER) || !kcatch_is_call(a0, hit.task)) {
		call_hit(data, a0, a1);
		return;
	}
	record = direct_reserve_words(&hit, KCATCH_RECORD_MARKED,
				      KCATCH_MARKS + 1 + KCATCH_SHAPE_WORDS);
	if (unlikely(!record)) {
		any_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
		return;
	}
	to = put_marks((u64 *)record->data);
	to[0] = a1;
#pragma GCC unroll 8
	for (i = 0; i < KCATCH_SHAPE_WORDS; i++)
		to[1 + i] = from[i];
	direct_end(&hit);
}

/* The exit of a system call, behind exit_hit(): of the shape RET, for its number. */
static noinline void ret_hit(void *data, u64 a0, u64 a1)
{
	const u64 *call = (const u64 *)(a0 + KCATCH_CALL_NUMBER);
	const struct kcatch_choice *choice = choice_of(data, KCATCH_CHOICE_EXIT);
	const struct kcatch_choice_entry *entry;
	struct kcatch_event_record *record;
	struct direct_hit hit;

	if (unlikely(!choice || !kcatch_is_call(a0, current)))
		goto any;
	entry = kcatch_choice_first(choice, *call);
	if (!entry->nr) {
		direct_end_unchosen(choice);
		return;
	}
	if (unlikely(!direct_begin_chosen(&hit, choice, entry, *call, a0, KCATCH_SHAPE_RET)))
		goto any;
	record = direct_reserve_words(&hit, KCATCH_RECORD_EVENT, 1);
	if (unlikely(!record))
		goto any;
	this_cpu_inc(choice->hits[entry->which]);
	*(u64 *)record->data = a1;
	direct_end(&hit);
	return;
any:
	any_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
}

/* The exit of a system call: of the shape EXIT. It has two arguments. */
static void exit_hit(void *data, u64 a0, u64 a1)
{
	const u64 *call = (const u64 *)(a0 + KCATCH_CALL_NUMBER);
	struct kcatch_event_record *record;
	struct direct_hit hit;
	u64 *to;

	if (unlikely(!kcatch_emit_enter())) {
		odd_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
		return;
	}
	if (!direct_begin_only(&hit, data, KCATCH_SHAPE_EXIT) || !kcatch_is_call(a0, hit.task)) {
		ret_hit(data, a0, a1);
		return;
	}
	record = direct_reserve_words(&hit, KCATCH_RECORD_MARKED, KCATCH_MARKS + 2);
	if (unlikely(!record)) {
		any_hit(data, a0, a1, 0, 0, 0 KCATCH_NO_MORE_ARGUMENTS);
		return;
	}
	to = put_marks((u64 *)record->data);
	to[0] = *call;
	to[1] = a1;
	direct_end(&hit);
}

/* Name and number of a task. */
static __always_inline void put_task(u64 *to, u64 task, u64 *fault)
{
	unsigned long name = task + offsetof(struct task_struct, comm);

	BUILD_BUG_ON(sizeof_field(struct task_struct, comm) != 2 * sizeof(*to));
	to[0] = kcatch_load_word(name, sizeof(u64), fault);
	to[1] = kcatch_load_word(name + sizeof(u64), sizeof(u64), fault);
	to[2] = kcatch_load_word(task + offsetof(struct task_struct, pid), sizeof(u32), fault);
}

/* Can they be read? Nearly always they can. */
static __always_inline bool is_task_at_hand(u64 task)
{
	const u32 name = offsetof(struct task_struct, comm), id = offsetof(struct task_struct, pid);
	const u32 low = min(name, id);
	const u32 end = max(offsetofend(struct task_struct, comm),
			    offsetofend(struct task_struct, pid));

	return end - low <= PAGE_SIZE && kcatch_at_hand(task + low, end - low);
}

/* Ends the record of a switch where a word of a task faults. */
static noinline void switch_again(const struct kcatch_probe *probe, u64 a0, u64 a1, u64 a2, u64 a3,
				  struct kcatch_event_record *record)
{
	u64 args[KCATCH_ARGS];

	put_args(args, a0, a1, a2, a3, 0);
	kcatch_emit_stay();
	kcatch_emit_refetch(probe, args, NULL, 0, record);
}

/* A switch of tasks: of the shape SWITCH. */
static void switch_hit(void *data, u64 a0, u64 a1, u64 a2, u64 a3,
		       u64 a4 KCATCH_MORE_PARAMETERS)
{
	struct kcatch_event_record *record;
	u64 fault = 0, *to;
	struct direct_hit hit;

	if (unlikely(!kcatch_emit_enter())) {
		odd_hit(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS);
		return;
	}
	if (unlikely(!direct_begin_only(&hit, data, KCATCH_SHAPE_SWITCH))) {
		if (a1 == (unsigned long)current &&
		    direct_refuse(&hit, KCATCH_SHAPE_IN_CALL_SWITCH, a2))
			return;
		goto any;
	}
	if (unlikely(!is_task_at_hand(a1) || !is_task_at_hand(a2)))
		goto any;
	record = direct_reserve_words(&hit, KCATCH_RECORD_MARKED, KCATCH_MARKS + 10);
	if (unlikely(!record))
		goto any;
	to = put_marks((u64 *)record->data);
	to[0] = a0;
	to[1] = a1;
	to[2] = a2;
	to[3] = a3;
	put_task(to + 4, a1, &fault);
	put_task(to + 7, a2, &fault);
	if (unlikely(fault))
		switch_again(hit.probe, a0, a1, a2, a3, record);
	else
		direct_end(&hit);
	return;
any:
	any_hit(data, a0, a1, a2, a3, a4 KCATCH_MORE_ARGUMENTS);
}

/* The tracepoints of the kernel with hooks of their own, some of which pass on no more arguments
 * than it has. */
static const struct specialised_hook {
	const char *name;
	void *hook;
} specialised_hooks[] = {
	{ "sys_enter", enter_hit },
	{ "sys_exit", exit_hit },
	{ "sched_switch", switch_hit },
};

static void *hook_of(const struct tracepoint *tracepoint)
{
	u32 i;

	/* A module may have another one of that name. */
	if (kcatch_module_range((unsigned long)tracepoint))
		return tracepoint_hit;
	for (i = 0; i < ARRAY_SIZE(specialised_hooks); i++)
		if (!strcmp(tracepoint->name, specialised_hooks[i].name))
			return specialised_hooks[i].hook;
	return tracepoint_hit;
}

static struct tracepoint *tracepoint_of(const struct kcatch_site *site)
{
	return (struct tracepoint *)site->ip;
}

int kcatch_tracepoint_skip_loop(struct kcatch_site *site, const struct tracepoint *tracepoint)
{
	struct kcatch_symbol *symbol = kcatch_symbol_of((unsigned long)tracepoint->iterator);

	if (!symbol)
		return -ENOMEM;
	site->skip = symbol->address;
	site->skip_size = symbol->size;
	kfree(symbol);
	return 0;
}

static int tracepoint_attach(struct list_head *batch)
{
	struct kcatch_site *site;
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		error = kcatch_tracepoint_skip_loop(site, tracepoint_of(site));
		if (!error)
			error = tracepoint_probe_register(tracepoint_of(site),
							  hook_of(tracepoint_of(site)), site);
		if (error)
			return error;
		site->attached = true;
	}
	return 0;
}

static void tracepoint_detach(struct list_head *batch)
{
	struct kcatch_site *site;
	bool any = false;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		if (!site->attached)
			continue;
		WARN_ON_ONCE(tracepoint_probe_unregister(tracepoint_of(site),
							 hook_of(tracepoint_of(site)), site));
		site->attached = false;
		any = true;
	}
	/* A call may have found us and not be in our code yet. */
	if (any)
		tracepoint_synchronize_unregister();
}

const struct kcatch_hook_ops kcatch_hook_tracepoint = {
	.mechanism = KCATCH_MECHANISM_TRACEPOINT,
	.attach = tracepoint_attach,
	.detach = tracepoint_detach,
};
