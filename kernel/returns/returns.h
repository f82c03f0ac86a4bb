/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks the return of a call whose entry is being handled.
 *
 * The kernel's mechanism is the kretprobe, one for each function. We use one for each
 * group: a disarmed kretprobe at a function that is never called, whose pre-handler our
 * hook calls itself, for every function of the group, as the kernel's own code does for
 * several probes at one address. Where it can be, the pre-handler is our own, inlined, and does
 * the same; see kcatch_returns_init(). A thousand returns are thus hooked as fast as a thousand
 * entries, and unwinders know the replaced return addresses, because they are the kernel's. The
 * function that the kernel calls at a return is our own, see returns.c.
 *
 * Where the kernel is not made so, the public way is used: an armed kretprobe for each function,
 * see returns_public.h. It serves the same interface: kcatch_returns_hook() then finds the slot
 * that the function's kretprobe took just before.
 *
 * Lifetime: if a group goes while a call is under way, the call returns through the
 * kernel's code alone. The kernel frees the slots when the last such call returns.
 */
#ifndef _KCATCH_RETURNS_H
#define _KCATCH_RETURNS_H

#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <uapi/kcatch.h>
#include "compat/rethook.h"

struct kcatch_group;
struct kcatch_returns_open;
struct kcatch_returns_place;

/**
 * struct kcatch_returned - what is called at a return, in two shapes
 * @shared: defined by KCATCH_RETHOOK_HANDLER()
 * @alone: the same for a kretprobe of one function
 */
struct kcatch_returned {
	kcatch_rethook_handler_t shared;
	kretprobe_handler_t alone;
};

/**
 * struct kcatch_returns - slots for calls under way
 * @kretprobe: never armed; unused in the public way, as the next
 * @data_size: bytes of a slot for our own data
 * @charged: bytes charged to the memory limit
 * @slots: in the public way: slots of each function
 * @alone: in the public way: called at each return
 * @places: in the public way: the functions' kretprobes; kcatch_sites_lock
 * @open: in the public way: which thread's calls are under way; NULL: nobody asks
 * @replaced: the next of kcatch_session.replaced
 */
struct kcatch_returns {
	struct kretprobe kretprobe;
	u32 data_size;
	u64 charged;
	u32 slots;
	kretprobe_handler_t alone;
	struct kcatch_returns_place *places;
	struct kcatch_returns_open *open;
	struct kcatch_returns *replaced;
};

/* No return can be hooked. Like the next, it */
extern bool kcatch_returns_refused;

/* Returns are hooked in the public way. It changes while the module is loaded, only. */
DECLARE_STATIC_KEY_FALSE(kcatch_returns_public);

/** kcatch_returns_listed() - does each thread have a list of its calls (compat/rethook.h), from
 * their entries on? Not in the public way */
static inline bool kcatch_returns_listed(void)
{
	return KCATCH_RETHOOK_FIRST >= 0 && !static_key_enabled(&kcatch_returns_public);
}

/**
 * kcatch_returns_init() - test how returns can be hooked in this kernel
 *
 * The kernel does not promise that a kretprobe's pre-handler may be called directly, nor where
 * its slot is then, nor that its handler may be replaced: so one return is hooked as a test. If
 * the test fails, returns are hooked in the public way. Another return is hooked without the
 * pre-handler; if that test fails, the kernel's is used.
 *
 * Context: may sleep.
 */
void kcatch_returns_init(void);

/**
 * kcatch_returns_create() - allocate slots for calls under way
 * @slots: number of slots; in the public way of each function
 * @data_size: bytes of each slot for our own data
 * @returned: called at each return
 * @returns: result
 *
 * Context: may sleep. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_returns_create(u32 slots, u32 data_size, const struct kcatch_returned *returned,
			  struct kcatch_returns **returns);

/* Maximum number of slot sets that one kcatch_returns_destroy() takes. */
#define KCATCH_RETURNS_BATCH	32

/**
 * kcatch_returns_destroy() - no handler runs any more when it returns
 * @returns: slot sets to destroy; an entry may be NULL, and is NULL afterwards
 * @nr: entries of @returns, at most KCATCH_RETURNS_BATCH
 *
 * Context: may sleep; waits for one RCU grace period.
 */
void kcatch_returns_destroy(struct kcatch_returns **returns, u32 nr);

/* The kernel's trampoline, which replaces a return address; 0: only its pre-handler may do that. */
extern unsigned long kcatch_returns_trampoline;

/* kcatch_returns_hook() by the kernel's pre-handler, or in the public way. */
struct llist_node *kcatch_returns_hook_by_kernel(struct kcatch_returns *returns,
						 struct pt_regs *regs);

/**
 * kcatch_returns_hook() - take a slot and replace the return address
 * @regs: SP at the return address; no other register is read
 *
 * Context: any, while the function's frame exists; preemption off.
 * Return: the slot, now the first of kcatch_rethook_first(); NULL: none was free
 */
static __always_inline struct llist_node *kcatch_returns_hook(struct kcatch_returns *returns,
							      struct pt_regs *regs)
{
	unsigned long trampoline = READ_ONCE(kcatch_returns_trampoline);

	if (unlikely(!trampoline))
		return kcatch_returns_hook_by_kernel(returns, regs);
	return kcatch_rethook_hook(&returns->kretprobe, regs, trampoline);
}

/* What kcatch_returns_call() returns: of 16 bits, as instructions have it. */
#define KCATCH_RETURNS_VALUE	0x6b63

/**
 * kcatch_returns_call() - the machine's part of the trial: call a function that returns by way of
 *	what replaces its return address
 * @hook: called with the registers at the function's entry: stack, frame, and return address, which
 *	it may replace by kcatch_regs_set_caller()
 *
 * Context: while the module is loaded. Return: KCATCH_RETURNS_VALUE
 */
unsigned long kcatch_returns_call(void (*hook)(struct pt_regs *regs));

/* kcatch_returns_address() by the kernel's unwinder. */
unsigned long kcatch_returns_address_by_kernel(unsigned long slot);

/* The kernel's trampolines: of kretprobes and rethooks, and of the function graph tracer. 1: not
 * known, as no code is there. */
extern unsigned long kcatch_returns_by_rethook, kcatch_returns_by_graph;

/* The function graph tracer's is not known: whether a return is hooked is told by the list that the
 * kernel keeps. It changes while the module is loaded, only. */
DECLARE_STATIC_KEY_FALSE(kcatch_returns_graph_nameless);

/**
 * kcatch_returns_find_trampolines() - find what the kernel puts in the place of return addresses
 *
 * Context: may sleep; before any stack is walked.
 */
void kcatch_returns_find_trampolines(void);

/**
 * kcatch_returns_is_trampoline() - does the kernel put it in the place of return addresses?
 *
 * Whoever has hooked the return: we or another tracer. Context: any
 */
static __always_inline bool kcatch_returns_is_trampoline(unsigned long address)
{
	return address == READ_ONCE(kcatch_returns_by_rethook) ||
	       address == READ_ONCE(kcatch_returns_by_graph);
}

/* Is @address in the code there? */
static inline bool kcatch_returns_in_trampoline(unsigned long address)
{
	return address - READ_ONCE(kcatch_returns_by_rethook) + 1 < 64 ||
	       address - READ_ONCE(kcatch_returns_by_graph) + 1 < 64;
}

/* The true return address that the function graph tracer keeps; 0: it keeps none of that slot. */
unsigned long kcatch_returns_address_of_graph(const struct task_struct *task, unsigned long slot);

/**
 * kcatch_returns_is_hook() - was a return address replaced by what it is?
 * @address: what the word at @slot, on the stack of @task, has or had
 *
 * Context: any
 */
static __always_inline bool kcatch_returns_is_hook(unsigned long address,
						   const struct task_struct *task,
						   unsigned long slot)
{
	if (unlikely(kcatch_returns_is_trampoline(address)))
		return true;
	return static_branch_unlikely(&kcatch_returns_graph_nameless) &&
	       kcatch_returns_address_of_graph(task, slot);
}

/* kcatch_returns_frame() in the public way. */
unsigned long kcatch_returns_public_frame(struct kretprobe_instance *instance);

/** kcatch_returns_frame() - where the return address is that was replaced. Context: as the hook */
static inline unsigned long kcatch_returns_frame(struct kretprobe_instance *instance)
{
	if (static_branch_unlikely(&kcatch_returns_public))
		return kcatch_returns_public_frame(instance);
	return kcatch_rethook_frame(kcatch_rethook_node(instance));
}

unsigned long kcatch_returns_address_of(struct task_struct *task, unsigned long slot);

/**
 * kcatch_returns_address() - the true return address at a stack slot
 * @slot: address of the word that holds a replaced return address
 *
 * A return may be hooked by several, in any order: each has what the one before has put there, and
 * only the first the true address.
 *
 * Context: any; for the current task. Return: the address, 0 when it is not known
 */
static inline unsigned long kcatch_returns_address(unsigned long slot)
{
	const struct llist_node *node;

	if (static_branch_unlikely(&kcatch_returns_public))
		return kcatch_returns_address_by_kernel(slot);
	if (static_branch_unlikely(&kcatch_returns_graph_nameless))
		return kcatch_returns_address_of(current, slot);
	for (node = kcatch_rethook_first(current); node; node = node->next)
		if (kcatch_rethook_frame(node) == slot &&
		    !kcatch_returns_is_trampoline(kcatch_rethook_caller(node)))
			return kcatch_rethook_caller(node);
	return kcatch_returns_address_of_graph(current, slot);
}

/**
 * kcatch_returns_caller() - the true return address of a function
 * @caller: what the stack has, or had when the return was hooked: another tracer, or a hook of the
 *	return of a function that jumped to this one, may have replaced it
 * @slot: address of the word on the stack
 *
 * Context: any; for the current task. Return: the address; KCATCH_FRAME_HOOKED: it is not known
 */
static __always_inline unsigned long kcatch_returns_caller(unsigned long caller, unsigned long slot)
{
	if (likely(!kcatch_returns_is_hook(caller, current, slot)))
		return caller;
	return kcatch_returns_address(slot) ?: KCATCH_FRAME_HOOKED;
}

/**
 * kcatch_returns_address_of() - kcatch_returns_address() for another task, not running
 *
 * If the task starts to run meanwhile, its list changes: reads tolerate faults and are bounded
 * in number. Context: any, under RCU.
 */
unsigned long kcatch_returns_address_of(struct task_struct *task, unsigned long slot);

/** kcatch_returns_pending() - does the stack of a task hold a hooked return? Context: any */
static inline bool kcatch_returns_pending(const struct task_struct *task)
{
	return kcatch_rethook_first(task);
}

#endif
