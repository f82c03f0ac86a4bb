// SPDX-License-Identifier: GPL-2.0-only
/*
 * Returns hooked by a kretprobe for each function; returns_public.h describes the way. Hooks run in
 * any context, inside the kernel's handling of a kprobe: no other kprobe is handled on that CPU
 * meanwhile. They take no lock.
 *
 * Memory: the slots of each function, 24 KB more where calls are looked for below others.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat/regs.h"
#include "core/guard.h"
#include "returns/returns_public.h"
#include "ring/memory.h"

/**
 * struct kcatch_returns_place - the kretprobe of one function
 * @kretprobe: registered
 * @returns: what it belongs to
 * @wanted: see kcatch_returns_place_add(), as @data
 * @off: hooks no more
 * @charged: bytes charged to the memory limit
 * @next: of @returns
 */
struct kcatch_returns_place {
	struct kretprobe kretprobe;
	struct kcatch_returns *returns;
	kcatch_returns_wanted_t wanted;
	const void *data;
	bool off;
	u64 charged;
	struct kcatch_returns_place *next;
};

/**
 * struct slot - what stands behind the data of a slot
 * @task: whose call it is
 * @frame: where the return address is
 * @outer: the next one of this thread, see struct kcatch_returns_open
 * @taken: somebody wants the return
 */
struct slot {
	struct task_struct *task;
	unsigned long frame;
	struct kretprobe_instance *outer;
	bool taken;
};

static struct slot *slot_of(const struct kcatch_returns *returns,
			    const struct kretprobe_instance *instance)
{
	return (void *)instance->data + returns->data_size;
}

static struct kcatch_returns_place *place_of(struct kretprobe_instance *instance)
{
	return container_of(get_kretprobe(instance), struct kcatch_returns_place, kretprobe);
}

/* ---- from the kretprobes to the kprobe ---------------------------------------- */

/* Sets of slots that one function can be in at a time; the returns of others find no slot. */
#define GIVEN_MAX	16

/* Slots that the kretprobes of the present hit have taken. A hit whose kprobe has gone, or is not
 * there yet, leaves them behind: public_is_hooked() tells them from those of the present hit, and
 * they are forgotten before the slots are freed. */
struct given {
	u32 nr;
	unsigned long frame;
	unsigned long caller;
	const void *address;
	struct {
		const struct kcatch_returns *returns;
		struct kretprobe_instance *instance;
	} of[GIVEN_MAX];
};

static DEFINE_PER_CPU(struct given, given);

static bool is_given(const struct given *to, const struct kcatch_returns *returns)
{
	u32 i;

	for (i = 0; i < to->nr; i++)
		if (to->of[i].returns == returns)
			return true;
	return false;
}

/* Has a kretprobe hooked the return of the present hit? */
static bool public_is_hooked(const struct pt_regs *regs)
{
	return kcatch_returns_is_hook(kcatch_regs_caller(regs), current, kcatch_regs_slot(regs));
}

/* No kretprobe gives slots of @returns any more. */
static void forget_given(const struct kcatch_returns *returns)
{
	struct given *of_cpu;
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		of_cpu = per_cpu_ptr(&given, cpu);
		for (i = 0; i < GIVEN_MAX; i++)
			if (READ_ONCE(of_cpu->of[i].returns) == returns)
				WRITE_ONCE(of_cpu->of[i].returns, NULL);
	}
}

static bool public_give(const struct kcatch_returns_place *place,
			struct kretprobe_instance *instance, const struct pt_regs *regs)
{
	struct given *to = this_cpu_ptr(&given);
	struct slot *slot = slot_of(place->returns, instance);

	/* A kprobe of another that ends the handling early leaves slots that nobody took. */
	if (!to->nr || to->address != place->kretprobe.kp.addr ||
	    to->frame != kcatch_regs_slot(regs) || is_given(to, place->returns) ||
	    !public_is_hooked(regs)) {
		to->nr = 0;
		to->address = place->kretprobe.kp.addr;
		to->frame = kcatch_regs_slot(regs);
		to->caller = kcatch_regs_caller(regs);
	}
	if (to->nr == GIVEN_MAX)
		return false;
	/* Released: whoever sees it sees that the slot has left the list of its last thread. */
	smp_store_release(&slot->task, current);
	slot->frame = kcatch_regs_slot(regs);
	slot->taken = false;
	to->of[to->nr].returns = place->returns;
	to->of[to->nr++].instance = instance;
	return true;
}

unsigned long kcatch_returns_public_caller(const struct pt_regs *regs)
{
	const struct given *from = this_cpu_ptr(&given);

	return from->nr && from->frame == kcatch_regs_slot(regs) ? from->caller :
								   kcatch_regs_caller(regs);
}

void kcatch_returns_public_end(void)
{
	this_cpu_write(given.nr, 0);
}

void kcatch_returns_public_end_of_one(void)
{
	const struct given *from = this_cpu_ptr(&given);
	u32 i;

	for (i = 0; i < from->nr; i++)
		if (from->of[i].returns)
			return;
	kcatch_returns_public_end();
}

/* ---- whose calls are under way -------------------------------------------------- */

/*
 * The calls of each thread, as a list in their slots, the innermost first. Interrupts work on the
 * list of the thread that they interrupt; they leave it as it was. A thread that ends in a call
 * leaves its place behind; it may be taken when the slot has become another's.
 */
#define OPEN_SHIFT	10
#define OPEN_LOOKED_AT	16	/* places */

struct kcatch_returns_open {
	struct {
		struct task_struct *task;
		u64 start;	/* a task_struct may become another thread's */
		struct kretprobe_instance *first;
	} of[1 << OPEN_SHIFT];
};

static u32 open_index(u32 i)
{
	return (hash_ptr(current, OPEN_SHIFT) + i) & ((1 << OPEN_SHIFT) - 1);
}

/* The place of this thread. -1: it has none */
static int open_find(const struct kcatch_returns_open *open)
{
	u32 i;

	for (i = 0; i < OPEN_LOOKED_AT; i++)
		if (READ_ONCE(open->of[open_index(i)].task) == current &&
		    open->of[open_index(i)].start == current->start_time)
			return open_index(i);
	return -1;
}

static bool open_is_left(const struct kcatch_returns *returns, u32 at)
{
	const struct kretprobe_instance *first = READ_ONCE(returns->open->of[at].first);

	if (!first ||
	    READ_ONCE(slot_of(returns, first)->task) == READ_ONCE(returns->open->of[at].task))
		return false;
	/* A thread that is there lets go of a slot before another has it. */
	smp_rmb();
	return READ_ONCE(returns->open->of[at].first) == first;
}

/* The task of a place that somebody is about to have. */
#define CLAIMED	((struct task_struct *)1)

static int open_claim(struct kcatch_returns *returns)
{
	struct kcatch_returns_open *open = returns->open;
	struct task_struct *task;
	u32 i, at;

	for (i = 0; i < OPEN_LOOKED_AT; i++) {
		at = open_index(i);
		/* Its slots are not looked at before: pairs with the release below. */
		task = smp_load_acquire(&open->of[at].task);
		/* Its own by name is one that an earlier thread left. */
		if (task == CLAIMED ||
		    (task && task != current && !open_is_left(returns, at)))
			continue;
		if (cmpxchg(&open->of[at].task, task, CLAIMED) != task)
			continue;
		open->of[at].first = NULL;
		open->of[at].start = current->start_time;
		smp_store_release(&open->of[at].task, current);
		return at;
	}
	return -1;
}

static bool open_push(struct kcatch_returns *returns, struct kretprobe_instance *instance)
{
	int at = open_find(returns->open);

	if (at < 0)
		at = open_claim(returns);
	if (at < 0)
		return false;
	slot_of(returns, instance)->outer = returns->open->of[at].first;
	/* Others see whose the slot is: open_is_left(). */
	smp_store_release(&returns->open->of[at].first, instance);
	return true;
}

static void open_pop(struct kcatch_returns *returns, struct kretprobe_instance *instance)
{
	struct kcatch_returns_open *open = returns->open;
	int at = open_find(open);

	if (at < 0)
		return;
	/* Calls inside the call that returns have ended: its outer call is the innermost now. */
	WRITE_ONCE(open->of[at].first, slot_of(returns, instance)->outer);
	if (!open->of[at].first)
		cmpxchg(&open->of[at].task, current, NULL);
}

int kcatch_returns_public_track(struct kcatch_returns *returns)
{
	if (!kcatch_memory_charge(sizeof(*returns->open)))
		return -ENOMEM;
	returns->open = kvzalloc(sizeof(*returns->open), GFP_KERNEL);
	if (returns->open)
		return 0;
	kcatch_memory_uncharge(sizeof(*returns->open));
	return -ENOMEM;
}

void *kcatch_returns_public_each(const struct kcatch_returns *returns, const void *data)
{
	struct kretprobe_instance *next = NULL;
	int at;

	if (data) {
		next = slot_of(returns, container_of(data, struct kretprobe_instance, data))->outer;
	} else if (returns->open) {
		at = open_find(returns->open);
		if (at >= 0)
			next = READ_ONCE(returns->open->of[at].first);
	}
	return next ? next->data : NULL;
}

unsigned long kcatch_returns_public_frame_of(const struct kcatch_returns *returns,
					     const void *data)
{
	return slot_of(returns, container_of(data, struct kretprobe_instance, data))->frame;
}

/* ---- hits and returns ------------------------------------------------------------ */

/* The kretprobe's: before the kernel hooks the return. */
static int public_entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kcatch_returns_place *place = place_of(instance);
	struct kcatch_guard guard;
	bool wanted;

	kcatch_guard_enter_kprobe(&guard, &place->kretprobe.kp);
	wanted = guard.level != KCATCH_LEVEL_REFUSED && !READ_ONCE(place->off) &&
		 (!place->wanted || place->wanted(place->data, regs, guard.context));
	wanted = wanted && public_give(place, instance, regs);
	kcatch_guard_leave(&guard);
	return !wanted;
}

struct llist_node *kcatch_returns_public_take(struct kcatch_returns *returns,
					      const struct pt_regs *regs)
{
	struct given *from = this_cpu_ptr(&given);
	struct kretprobe_instance *instance;
	u32 i;

	if (from->frame != kcatch_regs_slot(regs) || !public_is_hooked(regs))
		return NULL;
	for (i = 0; i < from->nr; i++) {
		if (READ_ONCE(from->of[i].returns) != returns)
			continue;
		from->of[i].returns = NULL;
		instance = from->of[i].instance;
		if (returns->open && !open_push(returns, instance))
			return NULL;
		slot_of(returns, instance)->taken = true;
		return kcatch_rethook_node(instance);
	}
	return NULL;
}

static int public_left(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kcatch_returns *returns = place_of(instance)->returns;
	struct slot *slot = slot_of(returns, instance);

	if (!slot->taken)
		return 0;
	if (returns->open)
		open_pop(returns, instance);
	returns->alone(instance, regs);
	slot->taken = false;
	return 0;
}

unsigned long kcatch_returns_public_frame(struct kretprobe_instance *instance)
{
	return slot_of(place_of(instance)->returns, instance)->frame;
}

/* ---- places ------------------------------------------------------------------------ */

int kcatch_returns_place_add(struct kcatch_returns *returns, unsigned long address,
			     kcatch_returns_wanted_t wanted, const void *data,
			     struct kcatch_returns_place **result)
{
	u32 size = returns->data_size + sizeof(struct slot);
	u64 bytes = sizeof(struct kcatch_returns_place) +
		    kcatch_rethook_bytes(returns->slots, size);
	struct kcatch_returns_place *place;
	int error;

	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	place = kzalloc(sizeof(*place), GFP_KERNEL);
	if (!place) {
		error = -ENOMEM;
		goto uncharge;
	}
	*place = (struct kcatch_returns_place) {
		.returns = returns, .wanted = wanted, .data = data, .charged = bytes,
		.next = returns->places,
		.kretprobe = {
			.kp.addr = (void *)address,
			.entry_handler = public_entered, .handler = public_left,
			.maxactive = returns->slots, .data_size = size,
		},
	};
	error = register_kretprobe(&place->kretprobe);
	if (error)
		goto free;
	returns->places = place;
	*result = place;
	return 0;
free:
	kfree(place);
uncharge:
	kcatch_memory_uncharge(bytes);
	return error == -ENOMEM ? error : -EOPNOTSUPP;
}

void kcatch_returns_place_leave(struct kcatch_returns_place *place)
{
	WRITE_ONCE(place->off, true);
}

void kcatch_returns_place_disable(struct kcatch_returns_place *place)
{
	kcatch_returns_place_leave(place);
	disable_kretprobe(&place->kretprobe);
}

void kcatch_returns_public_release(struct kcatch_returns **returns, u32 nr)
{
	struct kcatch_returns_place *place, *next;
	struct kretprobe **list;
	u32 i, count = 0, at = 0;

	for (i = 0; i < nr; i++)
		for (place = returns[i] ? returns[i]->places : NULL; place; place = place->next)
			count++;
	if (count) {
		list = kvmalloc_array(count, sizeof(*list), GFP_KERNEL);
		for (i = 0; i < nr; i++)
			for (place = returns[i] ? returns[i]->places : NULL; place;
			     place = place->next) {
				if (list)
					list[at++] = &place->kretprobe;
				else
					unregister_kretprobe(&place->kretprobe);
			}
		if (list)
			unregister_kretprobes(list, count);
		kvfree(list);
	}
	for (i = 0; i < nr; i++) {
		if (!returns[i])
			continue;
		forget_given(returns[i]);
		for (place = returns[i]->places; place; place = next) {
			next = place->next;
			kcatch_memory_uncharge(place->charged);
			kfree(place);
		}
		returns[i]->places = NULL;
		if (returns[i]->open)
			kcatch_memory_uncharge(sizeof(*returns[i]->open));
		kvfree(returns[i]->open);
		returns[i]->open = NULL;
	}
}
