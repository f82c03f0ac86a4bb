/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Returns that the kernel has hooked, as it keeps them: a list for each task, the innermost call
 * first. The list is private to kretprobes and, where these are made of them, rethooks; 6.1, 6.12
 * and 7.3 have it so, and kcatch_returns_init() tries it at load. A place in the list is a struct
 * llist_node, which only this file takes apart. All functions: any context, unless said.
 */
#ifndef _KCATCH_COMPAT_RETHOOK_H
#define _KCATCH_COMPAT_RETHOOK_H

#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat/regs.h"

/* Exports for tracers alone, which are moving to fprobes. */
extern typeof(register_kretprobe) register_kretprobe __weak;
extern typeof(unregister_kretprobe) unregister_kretprobe __weak;
extern typeof(unregister_kretprobes) unregister_kretprobes __weak;

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
#include <linux/rethook.h>

typedef rethook_handler_t kcatch_rethook_handler_t;
typedef struct rethook_node kcatch_rethook_copy_t;

/* The innermost return of @task that is hooked. NULL: none */
static __always_inline struct llist_node *kcatch_rethook_first(const struct task_struct *task)
{
	return READ_ONCE(task->rethooks.first);
}

/* Where that is read from a task that is not trusted: its offset, or below 0: nowhere. */
#define KCATCH_RETHOOK_FIRST	((long)offsetof(struct task_struct, rethooks.first))

static __always_inline struct rethook_node *kcatch_rethook_of(const struct llist_node *node)
{
	return container_of((struct llist_node *)node, struct rethook_node, llist);
}

/* The slot of a return that a kretprobe has hooked. */
static __always_inline struct kretprobe_instance *
kcatch_rethook_slot(const struct llist_node *node)
{
	return container_of(kcatch_rethook_of(node), struct kretprobe_instance, node);
}

static __always_inline struct llist_node *kcatch_rethook_node(struct kretprobe_instance *instance)
{
	return &instance->node.llist;
}

/* Is it this kretprobe's? */
static __always_inline bool kcatch_rethook_is(const struct llist_node *node,
					      const struct kretprobe *kretprobe)
{
	return kcatch_rethook_of(node)->rethook == kretprobe->rh;
}

/* Is this what the kernel calls at it? It is not, once its kretprobe has gone. */
static __always_inline bool kcatch_rethook_has(const struct llist_node *node,
					       kcatch_rethook_handler_t handler)
{
	return rcu_access_pointer(kcatch_rethook_of(node)->rethook->handler) == handler;
}

/* Where on the stack the return address is that was replaced. */
static __always_inline unsigned long kcatch_rethook_frame(const struct llist_node *node)
{
	return kcatch_rethook_of(node)->frame;
}

/* That return address; the address of the kernel's trampoline if it is hooked twice. */
static __always_inline unsigned long kcatch_rethook_caller(const struct llist_node *node)
{
	return kcatch_rethook_of(node)->ret_addr;
}

/* Copies a place of the list of a task that may run meanwhile. False: it has gone */
static inline bool kcatch_rethook_copy(kcatch_rethook_copy_t *copy, const struct llist_node *node)
{
	return !copy_from_kernel_nofault(copy, kcatch_rethook_of(node), sizeof(*copy));
}

/* ---- hooking --------------------------------------------------------------- */

/* A free slot. NULL: none, or the kernel gives none here */
static __always_inline struct rethook_node *kcatch_rethook_get(struct rethook *rethook)
{
	/* The kernel's own test: without a handler the rethook goes away; RCU gives slots back. */
	if (unlikely(!rcu_access_pointer(rethook->handler) || !rcu_is_watching()))
		return NULL;
#if defined(KCATCH_HAVE_RETHOOK_FREELIST)
	{
		struct freelist_node *node = freelist_try_get(&rethook->pool);

		return node ? container_of(node, struct rethook_node, freelist) : NULL;
	}
#elif defined(KCATCH_HAVE_RETHOOK_OBJPOOL)
	return objpool_pop(&rethook->pool);
#else
	return NULL;
#endif
}

/*
 * What the kernel's pre-handler of a kretprobe does, without the calls: takes a slot and puts
 * @trampoline in the place of the return address. Stack walkers never
 * see the one without the other. NULL: no slot
 */
static __always_inline struct llist_node *
kcatch_rethook_hook(struct kretprobe *kretprobe, struct pt_regs *regs, unsigned long trampoline)
{
	struct rethook_node *node = kcatch_rethook_get(kretprobe->rh);
	unsigned long slot = kcatch_regs_slot(regs), caller = kcatch_regs_caller(regs);
	struct task_struct *task = current;
	struct llist_node *place;

	if (unlikely(!node))
		return NULL;
	place = &node->llist;
	if (!place)
		__builtin_unreachable();	/* so that no caller tests this one */
	node->ret_addr = caller;
	node->frame = slot;
	place->next = task->rethooks.first;
	barrier();
	task->rethooks.first = place;
	barrier();
	kcatch_regs_set_caller(regs, slot, trampoline);
	return place;
}

/* ---- the handler ---------------------------------------------------------- */

/*
 * Defines @name, a rethook_handler_t of class @storage, which calls @body with the slot and the
 * registers. Of two
 * functions, it is the one that has the type which this kernel calls: since 6.6 with the return
 * address.
 */
#define KCATCH_RETHOOK_HANDLER(storage, name, body)				\
	static void __maybe_unused name##_to(struct rethook_node *node, void *data,	\
					     unsigned long address, struct pt_regs *regs)	\
	{										\
		body(container_of(node, struct kretprobe_instance, node), regs);	\
	}										\
	static void __maybe_unused name##_somewhere(struct rethook_node *node,		\
						    void *data, struct pt_regs *regs)	\
	{										\
		body(container_of(node, struct kretprobe_instance, node), regs);	\
	}										\
	storage const kcatch_rethook_handler_t name =					\
		__builtin_choose_expr(__builtin_types_compatible_p(rethook_handler_t,	\
							typeof(&name##_to)),		\
				      name##_to, name##_somewhere)

/*
 * @handler becomes what the kernel calls at a return of @kretprobe, in place of its own function
 * for kretprobes; returns.c says why. Nothing has been hooked with it yet. False: it is not made
 * as this kernel's headers say.
 */
static inline bool kcatch_rethook_take_handler(struct kretprobe *kretprobe,
					       rethook_handler_t handler)
{
	struct rethook *rethook = kretprobe->rh;

	if (!rethook || rethook->data != kretprobe || !rcu_access_pointer(rethook->handler))
		return false;
	rcu_assign_pointer(rethook->handler, handler);
	return true;
}
#else
typedef kretprobe_handler_t kcatch_rethook_handler_t;
typedef struct kretprobe_instance kcatch_rethook_copy_t;

static __always_inline struct llist_node *kcatch_rethook_first(const struct task_struct *task)
{
	return READ_ONCE(task->kretprobe_instances.first);
}

#define KCATCH_RETHOOK_FIRST	((long)offsetof(struct task_struct, kretprobe_instances.first))

static __always_inline struct kretprobe_instance *
kcatch_rethook_slot(const struct llist_node *node)
{
	return container_of((struct llist_node *)node, struct kretprobe_instance, llist);
}

static __always_inline struct llist_node *kcatch_rethook_node(struct kretprobe_instance *instance)
{
	return &instance->llist;
}

static __always_inline bool kcatch_rethook_is(const struct llist_node *node,
					      const struct kretprobe *kretprobe)
{
	return kcatch_rethook_slot(node)->rph == kretprobe->rph;
}

static __always_inline bool kcatch_rethook_has(const struct llist_node *node,
					       kcatch_rethook_handler_t handler)
{
	const struct kretprobe *kretprobe =
		rcu_access_pointer(kcatch_rethook_slot(node)->rph->rp);

	return kretprobe && READ_ONCE(kretprobe->handler) == handler;
}

static __always_inline unsigned long kcatch_rethook_frame(const struct llist_node *node)
{
	return (unsigned long)kcatch_rethook_slot(node)->fp;
}

static __always_inline unsigned long kcatch_rethook_caller(const struct llist_node *node)
{
	return (unsigned long)kcatch_rethook_slot(node)->ret_addr;
}

static inline bool kcatch_rethook_copy(kcatch_rethook_copy_t *copy, const struct llist_node *node)
{
	return !copy_from_kernel_nofault(copy, kcatch_rethook_slot(node), sizeof(*copy));
}

/* The kernel's pre-handler alone takes slots here. */
static __always_inline struct llist_node *
kcatch_rethook_hook(struct kretprobe *kretprobe, struct pt_regs *regs, unsigned long trampoline)
{
	return NULL;
}

#define KCATCH_RETHOOK_HANDLER(storage, name, body)				\
	static int __maybe_unused name##_called(struct kretprobe_instance *instance,	\
						struct pt_regs *regs)		\
	{									\
		body(instance, regs);						\
		return 0;							\
	}									\
	storage const kcatch_rethook_handler_t name = name##_called

/* Here the kernel keeps the CPU's current kprobe while it calls what a kretprobe has for it. */
static inline bool kcatch_rethook_take_handler(struct kretprobe *kretprobe,
					       kcatch_rethook_handler_t handler)
{
	kretprobe->handler = handler;
	return true;
}
#endif

/*
 * Bytes that the kernel allocates for the slots of a kretprobe: one by one until 6.6; since 6.7
 * (objpool_init()) an array for each possible CPU, in whole pages, which has a pointer for each of
 * all slots, and the CPU's share of the slots. @data_size: of each slot for our own data
 */
static inline u64 kcatch_rethook_bytes(u32 slots, u32 data_size)
{
	u64 slot = sizeof(struct kretprobe_instance) + data_size;
#if defined(KCATCH_HAVE_RETHOOK_OBJPOOL)
	u32 cpus = num_possible_cpus();

	return (u64)cpus * PAGE_ALIGN(sizeof(struct objpool_slot) +
				      roundup_pow_of_two(slots) * sizeof(void *) +
				      DIV_ROUND_UP(slots, cpus) * slot);
#else
	return slots * (u64)kmalloc_size_roundup(slot);
#endif
}

#endif
