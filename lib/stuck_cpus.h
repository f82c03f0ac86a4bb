/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stuck_cpus.h - CPUs on which one thread runs in the kernel and nothing else gets a turn */
#ifndef LIB_STUCK_CPUS_H
#define LIB_STUCK_CPUS_H

#include "stuck.h"

/**
 * kcatch_stuck_cpus_find - find them
 * @stuck: with its list; its cpus are filled in
 * @limit_ns: a thread has run there as long without a switch, and a second at least
 *
 * Takes a tenth of a second when there are some: whether they take timer interrupts is
 * seen by waiting.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_stuck_cpus_find(struct kcatch_stuck *stuck, uint64_t limit_ns);

#endif
