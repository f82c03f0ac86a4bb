/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* spinning_cpus.h - CPUs on which one thread runs in the kernel and no other gets to run */
#ifndef LIB_STUCK_SPINNING_CPUS_H
#define LIB_STUCK_SPINNING_CPUS_H

#include "stuck/stuck_threads.h"

/**
 * kcatch_stuck_cpus_find - find CPUs that one thread occupies
 * @stuck: with its task list; its cpus are filled in
 * @limit_ns: shortest time in ns without a context switch; one second at least is used
 *
 * Where a thread has had its CPU for so long and is in the kernel, a thread of this process asks
 * for that CPU, for half a second at most. If it does not get to run there, the call waits a tenth
 * of a second more, to see whether the CPU takes interrupts.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_stuck_cpus_find(struct kcatch_stuck *stuck, uint64_t limit_ns);

#endif
