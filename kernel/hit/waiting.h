/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls whose thread is ready to run and has no CPU. They are counted while a session asks for it:
 * a thread begins to wait when it is preempted or woken, and ends when it is switched to, each time
 * under the lock of the run queue that it is in.
 */
#ifndef _KCATCH_WAITING_H
#define _KCATCH_WAITING_H

#include <linux/atomic.h>
#include <linux/types.h>

struct kcatch_inflight;

/* How many there are, of those that began to wait since the first kcatch_waiting_hold(). */
extern atomic_t kcatch_calls_waiting;

/** kcatch_waiting_begins() - the thread of a call begins to wait for a CPU. Context: any, its run
 * queue is locked */
void kcatch_waiting_begins(struct kcatch_inflight *call);

/** kcatch_waiting_ends() - a call whose @waits is not 0 has a CPU. Context: as above */
void kcatch_waiting_ends(struct kcatch_inflight *call);

/**
 * kcatch_waiting_hold() - count them
 * @held: the session's: it holds already. Serialised by the caller; after kcatch_off_cpu_hold()
 *
 * Context: may sleep. Return: 0; -EOPNOTSUPP: this kernel does not let us see switches or wakeups
 */
int kcatch_waiting_hold(bool *held);

/** kcatch_waiting_release() - before kcatch_off_cpu_release(). @held: as above. Context: may
 * sleep */
void kcatch_waiting_release(bool *held);

#endif
