/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooking the return of a call whose entry is being handled.
 *
 * The kernel's means for it is the kretprobe, one for each function. Ours is one
 * for each group: a kretprobe that stands, disarmed, at a function that is never
 * called, and whose pre-handler we call ourselves, as the kernel's own code for
 * several probes at one place does, for each function our hook is called for. So
 * a thousand returns are hooked as fast as a thousand entries, and unwinders know
 * the replaced return addresses, for they are the kernel's own.
 *
 * Lifetime: a call that is under way when its group goes returns through the
 * kernel's code alone, which frees its slot. Slots are thus given back by the
 * kernel when the last such call returns.
 */
#ifndef _KCATCH_RETURNS_H
#define _KCATCH_RETURNS_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/types.h>

struct kcatch_group;

/**
 * struct kcatch_returns - slots for calls under way
 * @kretprobe: never armed
 * @data_size: bytes of a slot for us
 * @charged: bytes of memory
 */
struct kcatch_returns {
	struct kretprobe kretprobe;
	u32 data_size;
	u64 charged;
};

/* Can this kernel do it? */
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
#define KCATCH_RETURNS_POSSIBLE true
#else
#define KCATCH_RETURNS_POSSIBLE false
#endif

/**
 * kcatch_returns_create() - make slots
 * @slots: how many
 * @data_size: bytes of each for us
 * @returned: as struct kretprobe.handler
 * @returns: result
 *
 * Context: may sleep. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_returns_create(u32 slots, u32 data_size, kretprobe_handler_t returned,
			  struct kcatch_returns **returns);

/**
 * kcatch_returns_destroy() - no handler runs any more when it returns
 *
 * Context: may sleep; waits for an RCU grace period.
 */
void kcatch_returns_destroy(struct kcatch_returns *returns);

/**
 * kcatch_returns_hook() - take a slot and replace the return address
 * @regs: SP at the return address; nothing else is looked at
 *
 * The slot is the first of current->rethooks then; when that has not changed, there was
 * none.
 *
 * Context: any but where the function's frame is not there yet or not any more.
 */
static __always_inline void kcatch_returns_hook(struct kcatch_returns *returns,
						struct pt_regs *regs)
{
	struct kprobe *kprobe = &returns->kretprobe.kp;

	kprobe->pre_handler(kprobe, regs);
}

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
#include <linux/rethook.h>
#include <linux/sched.h>

/**
 * kcatch_returns_address() - the true return address of a place on the stack
 * @slot: address of the word that holds a replaced return address
 * @replaced: what it holds: the kernel's trampoline
 *
 * Context: any; for the current task. Return: the address, 0 when it is not known
 */
static inline unsigned long kcatch_returns_address(unsigned long slot, unsigned long replaced)
{
	const struct llist_node *node;

	/* Innermost first; several for one place hold each other's trampoline. */
	for (node = READ_ONCE(current->rethooks.first); node; node = node->next) {
		const struct rethook_node *hook = container_of(node, struct rethook_node, llist);

		if (hook->frame == slot && hook->ret_addr != replaced)
			return hook->ret_addr;
	}
	return 0;
}

/**
 * kcatch_returns_address_of() - the same for another task, that does not run
 *
 * If it starts to run meanwhile its list changes: it is read with care, and not for
 * ever. Context: any, under RCU.
 */
unsigned long kcatch_returns_address_of(struct task_struct *task, unsigned long slot,
					unsigned long replaced);

/** kcatch_returns_any() - has a task any hooked return on its stack? */
static inline bool kcatch_returns_any(const struct task_struct *task)
{
	return READ_ONCE(task->rethooks.first);
}
#else
static inline unsigned long kcatch_returns_address(unsigned long slot, unsigned long replaced)
{
	return 0;
}

static inline unsigned long kcatch_returns_address_of(struct task_struct *task,
						      unsigned long slot,
						      unsigned long replaced)
{
	return 0;
}

static inline bool kcatch_returns_any(const struct task_struct *task)
{
	return false;
}
#endif

#endif
