// SPDX-License-Identifier: GPL-2.0-only
/*
 * The true return address of a call, by the kernel's unwinder. Any context.
 */
#include <linux/rcupdate.h>
#include <asm/unwind.h>
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
