// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trampoline of our ftrace hook, for who walks stacks: it is code without an unwind
 * table of its own. Any context; no lock, no memory.
 */
#include <linux/ftrace.h>
#include "trampoline.h"

static const struct ftrace_ops *hook;

void kcatch_trampoline_init(const struct ftrace_ops *ops)
{
	WRITE_ONCE(hook, ops);
}

bool kcatch_trampoline_has(unsigned long address, unsigned long *offset)
{
	const struct ftrace_ops *ops = READ_ONCE(hook);
	unsigned long trampoline = ops ? READ_ONCE(ops->trampoline) : 0;

	*offset = address - trampoline;
	return trampoline && *offset < READ_ONCE(ops->trampoline_size);
}
