// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots for calls under way; returns.h describes the mechanism.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "ring/memory.h"
#include "returns.h"

/* What the kernel keeps for a slot beside our data, about. */
#define SLOT_OVERHEAD	96

/* Where the kretprobes stand. Nobody calls it; the text has room for a
 * breakpoint all the same, which is never set. */
static noinline __used int kcatch_returns_place(int nothing)
{
	barrier();
	return nothing + 1;
}

static bool possible;

bool kcatch_returns_possible(void)
{
	return possible;
}

int kcatch_returns_create(u32 slots, u32 data_size, kretprobe_handler_t returned,
			  struct kcatch_returns **result)
{
	u64 bytes = sizeof(struct kcatch_returns) + (u64)slots * (SLOT_OVERHEAD + data_size);
	struct kcatch_returns *returns;
	int error;

	if (!possible)
		return -EOPNOTSUPP;
	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	returns = kzalloc(sizeof(*returns), GFP_KERNEL);
	if (!returns) {
		error = -ENOMEM;
		goto uncharge;
	}
	returns->charged = bytes;
	returns->data_size = data_size;
	returns->kretprobe.kp.addr = (void *)&kcatch_returns_place;
	returns->kretprobe.kp.flags = KPROBE_FLAG_DISABLED;
	returns->kretprobe.handler = returned;
	returns->kretprobe.maxactive = slots;
	returns->kretprobe.data_size = data_size;
	error = register_kretprobe(&returns->kretprobe);
	if (error)
		goto free;
	*result = returns;
	return 0;
free:
	kfree(returns);
uncharge:
	kcatch_memory_uncharge(bytes);
	return error == -ENOMEM ? error : -EOPNOTSUPP;
}

void kcatch_returns_destroy(struct kcatch_returns **returns, u32 nr)
{
	struct kretprobe *list[KCATCH_RETURNS_BATCH];
	u32 i, count = 0;

	for (i = 0; i < nr; i++)
		if (returns[i])
			list[count++] = &returns[i]->kretprobe;
	if (!count)
		return;
	unregister_kretprobes(list, count);
	for (i = 0; i < nr; i++) {
		if (!returns[i])
			continue;
		kcatch_memory_uncharge(returns[i]->charged);
		kfree(returns[i]);
		returns[i] = NULL;
	}
}

/* Calls on one stack, hooked several times each. */
#define HOOKS_MAX	4096

unsigned long kcatch_returns_address_of(struct task_struct *task, unsigned long slot,
					unsigned long replaced)
{
	struct llist_node *node = READ_ONCE(task->rethooks.first);
	struct rethook_node hook;
	int i;

	for (i = 0; node && i < HOOKS_MAX; i++) {
		if (copy_from_kernel_nofault(&hook, container_of(node, struct rethook_node, llist),
					     sizeof(hook)))
			return 0;
		if (hook.frame == slot && hook.ret_addr != replaced)
			return hook.ret_addr;
		node = hook.llist.next;
	}
	return 0;
}

/* ---- trying it ---------------------------------------------------------- */

#define TRIED_VALUE	0x6b636174UL

/* What became of the one return that is hooked to try it. */
static struct {
	struct kretprobe_instance *slot;
	unsigned long caller;
	unsigned int nr;
	bool as_expected;
} tried __initdata;

static int __init tried_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	tried.nr++;
	tried.as_expected = instance == tried.slot && regs->ax == TRIED_VALUE &&
			    instance->node.ret_addr == tried.caller;
	return 0;
}

/* Hooks its own return. With its frame's address taken, the return address is above that. */
static noinline unsigned long __init return_hooked(struct kcatch_returns *returns)
{
	struct llist_node *before = READ_ONCE(current->rethooks.first), *node;
	unsigned long *frame = __builtin_frame_address(0);
	struct pt_regs regs = { .sp = (unsigned long)&frame[1] };

	tried.caller = frame[1];
	if (tried.caller != (unsigned long)__builtin_return_address(0) ||
	    !returns->kretprobe.kp.pre_handler)
		return 0;
	preempt_disable();
	kcatch_returns_hook(returns, &regs);
	preempt_enable();
	node = READ_ONCE(current->rethooks.first);
	if (node != before)
		tried.slot = container_of(container_of(node, struct rethook_node, llist),
					  struct kretprobe_instance, node);
	return TRIED_VALUE;
}

void __init kcatch_returns_init(void)
{
	struct llist_node *before = READ_ONCE(current->rethooks.first);
	struct kcatch_returns *returns;

	possible = true;
	if (!kcatch_returns_create(1, sizeof(long), tried_returned, &returns)) {
		possible = return_hooked(returns) == TRIED_VALUE && tried.slot && tried.nr == 1 &&
			   tried.as_expected && READ_ONCE(current->rethooks.first) == before;
		kcatch_returns_destroy(&returns, 1);
	} else {
		possible = false;
	}
	if (!possible)
		pr_warn("kcatch: returns cannot be hooked in this kernel: its kretprobes work differently\n");
}
