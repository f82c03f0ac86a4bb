// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots for calls under way; returns.h says how.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "memory.h"
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

int kcatch_returns_create(u32 slots, u32 data_size, kretprobe_handler_t returned,
			  struct kcatch_returns **result)
{
	u64 bytes = sizeof(struct kcatch_returns) + (u64)slots * (SLOT_OVERHEAD + data_size);
	struct kcatch_returns *returns;
	int error;

	if (!KCATCH_RETURNS_POSSIBLE)
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

void kcatch_returns_destroy(struct kcatch_returns *returns)
{
	if (!returns)
		return;
	unregister_kretprobe(&returns->kretprobe);
	kcatch_memory_uncharge(returns->charged);
	kfree(returns);
}

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
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
#endif
