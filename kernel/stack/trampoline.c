// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trampolines of our ftrace hooks, for who walks stacks: they are code without an unwind
 * table of its own. Any context; no lock, no memory.
 */
#include <linux/ftrace.h>
#include "stack/trampoline.h"

static const struct ftrace_ops *hooks[2];

void kcatch_trampoline_init(const struct ftrace_ops *first, const struct ftrace_ops *second)
{
	WRITE_ONCE(hooks[0], first);
	WRITE_ONCE(hooks[1], second);
}

static bool trampoline_has(const struct ftrace_ops *ops, unsigned long address,
			   unsigned long *offset)
{
	unsigned long trampoline = ops ? READ_ONCE(ops->trampoline) : 0;

	*offset = address - trampoline;
	return trampoline && *offset < READ_ONCE(ops->trampoline_size);
}

bool kcatch_trampoline_has(unsigned long address, unsigned long *offset)
{
	return trampoline_has(READ_ONCE(hooks[0]), address, offset) ||
	       trampoline_has(READ_ONCE(hooks[1]), address, offset);
}
