// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine's part of hooking returns: the true return address of a call, by the kernel's
 * unwinder, in any context; and a function that hooks its own return.
 */
#include <linux/rcupdate.h>
#include <asm/unwind.h>
#include "compat/regs.h"
#include "returns/returns.h"

/* Given registers, the unwinder starts on the frame after them: as if a function's first
 * instruction were about to run. */
unsigned long kcatch_returns_address_by_kernel(unsigned long slot)
{
	struct pt_regs entry = {
		.ip = (unsigned long)&kcatch_returns_address_by_kernel, .sp = slot,
		.cs = __KERNEL_CS, .ss = __KERNEL_DS,
	};
	struct unwind_state state;
	unsigned long address;

	if (!rcu_is_watching())
		return kcatch_returns_address_of_graph(current, slot);
	unwind_start(&state, current, &entry, NULL);
	address = unwind_done(&state) ? 0 : unwind_get_return_address(&state);
	/* It looks each return up by one of the two that may have hooked it. */
	return kcatch_returns_is_hook(address, current, slot) ?
	       kcatch_returns_address_of_graph(current, slot) : address;
}

/* With its frame's address taken, the return address is above that. */
static noinline unsigned long own_call(void (*hook)(struct pt_regs *regs))
{
	unsigned long *frame = __builtin_frame_address(0);
	struct pt_regs regs = { .sp = (unsigned long)&frame[1] };

	if (frame[1] != (unsigned long)__builtin_return_address(0))
		return 0;
	hook(&regs);
	return KCATCH_RETURNS_VALUE;
}

unsigned long kcatch_returns_call(void (*hook)(struct pt_regs *regs))
{
	unsigned long value = own_call(hook);

	barrier();	/* it is no jump */
	return value;
}
