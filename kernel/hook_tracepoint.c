// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks tracepoints, those of modules too. One C function is the probe of all of them: it takes
 * five arguments, however many the tracepoint has. User space makes the steps of the probe's
 * program from the tracepoint's type, so they read only true arguments.
 *
 * The hook runs in any context, NMI too; newer kernels call some probes with preemption on, and the
 * guard turns it off. attach() and detach() sleep; kcatch_sites_lock.
 */
#include <linux/list.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "emit.h"
#include "hook.h"
#include "site.h"
#include "symbol.h"

/* Are @nr words on the current task's stack? Then they can be read directly. */
static __always_inline bool is_here(const u64 *words, u32 nr)
{
	return (unsigned long)words - (unsigned long)task_stack_page(current) <=
	       THREAD_SIZE - nr * sizeof(u64);
}

/*
 * The probe. @data takes the first register, so the sixth and further arguments of a tracepoint are
 * on the stack, above the return address.
 *
 * The programs of the most frequent tracepoints (enum kcatch_event_shape) have code of their own
 * here, without loops and with the arguments in registers: entry and exit of system calls are more
 * than all other events together. kcatch_emit_arguments() handles all others.
 */
static void tracepoint_hit(void *data, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4)
{
	const struct kcatch_program_code *program;
	const struct kcatch_site *site = data;
	struct kcatch_event_record *record;
	const struct kcatch_probe *probe;
	const struct kcatch_group *group;
	struct kcatch_record *head;
	struct kcatch_ring *ring;
	u64 args[KCATCH_ARGS];
	u32 context, busy, i;
	const u64 *from;
	u64 *to;

	/* In the cold parts nothing is called that arguments would have to be saved from. */
	if (unlikely(!kcatch_guard_enter_fast(&context, &busy)))
		goto odd;
	probe = kcatch_hit_only(site);
	if (unlikely(!probe))
		goto other;
	group = probe->group;
	if ((READ_ONCE(group->mode) & ~KCATCH_GROUP_OTHERS) !=
	    (KCATCH_GROUP_LIVE | KCATCH_GROUP_NO_STACK))
		goto other;
	/* After the mode: BIND may change the program of a session that does not run. */
	program = READ_ONCE(probe->program);
	if (!program || !program->event_shape)
		goto other;
	/* A hit in the adder's process, or in an interrupt of it, is rare: the slow path
	 * distinguishes the two. */
	if (unlikely(current->tgid == group->adder))
		goto other;
	ring = this_cpu_ptr(group->ring);
	head = kcatch_record_reserve_fast(ring, program->event_size);
	if (unlikely(!head)) {
		kcatch_emit_two(probe, a0, a1, busy);
		return;
	}
	record = kcatch_emit_head(head, probe, program->event_kind);
	to = (void *)record->data;
	if (program->event_shape == KCATCH_SHAPE_ARG) {
		to[0] = a0;
		kcatch_hit_fast_end(probe, ring, busy);
		return;
	}
	from = (const u64 *)(a0 + program->event_offset);
	to[0] = 0;	/* faults */
	to[1] = 0;	/* cut */
	if (program->event_shape == KCATCH_SHAPE_WORD_ARG) {
		if (unlikely(!is_here(from, 1)))
			goto refetch;
		to[2] = *from;
		to[3] = a1;
	} else {
		if (unlikely(!is_here(from, KCATCH_SHAPE_WORDS)))
			goto refetch;
		to[2] = a1;
#pragma GCC unroll 8
		for (i = 0; i < KCATCH_SHAPE_WORDS; i++)
			to[3 + i] = from[i];
	}
	kcatch_hit_fast_end(probe, ring, busy);
	return;
refetch:
	kcatch_emit_two_refetch(probe, a0, a1, busy, record);
	return;
odd:
	busy |= KCATCH_BUSY_ODD;
other:
	args[kcatch_args_place(0)] = a0;
	args[kcatch_args_place(1)] = a1;
	args[kcatch_args_place(2)] = a2;
	args[kcatch_args_place(3)] = a3;
	args[kcatch_args_place(4)] = a4;
	/* NOCHECK: the tracepoint may have no sixth argument, and KASAN would report the read. */
	args[kcatch_args_place(5)] =
		READ_ONCE_NOCHECK(((unsigned long *)__builtin_frame_address(0))[2]);
	kcatch_emit_arguments(site, args, __builtin_frame_address(0), busy);
	/* No tail call: kcatch_emit_arguments() reads the hook's frame. */
	barrier();
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

static int attach(struct list_head *batch)
{
	struct kcatch_site *site;
	int error;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		error = kcatch_tracepoint_skip_loop(site, tracepoint_of(site));
		if (!error)
			error = tracepoint_probe_register(tracepoint_of(site), tracepoint_hit,
							  site);
		if (error)
			return error;
		site->attached = true;
	}
	return 0;
}

static void detach(struct list_head *batch)
{
	struct kcatch_site *site;
	bool any = false;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		if (!site->attached)
			continue;
		WARN_ON_ONCE(tracepoint_probe_unregister(tracepoint_of(site), tracepoint_hit,
							 site));
		site->attached = false;
		any = true;
	}
	/* A call may have found us and not be in our code yet. */
	if (any)
		tracepoint_synchronize_unregister();
}

const struct kcatch_hook_ops kcatch_hook_tracepoint = {
	.mechanism = KCATCH_MECHANISM_TRACEPOINT,
	.attach = attach,
	.detach = detach,
};
