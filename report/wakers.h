/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakers.h - who woke a thread, by the context and the stack of the waking: a task, a softirq or an
 * interrupt, and never the task that one of these interrupted
 */
#ifndef REPORT_WAKERS_H
#define REPORT_WAKERS_H

#include <kcatch.h>
#include <kcatch_stuck.h>

#include "recorded_stacks.h"

/* What a waker did to the lock that the woken thread waited for. */
enum waker_lock {
	WAKER_LOCK_NONE,	/* nothing that its stack shows */
	WAKER_LOCK_RELEASED,	/* it had the lock until then; if that is an rwsem, it is not known
				 * whether to read or to write */
	WAKER_LOCK_WRITTEN,	/* it had the rwsem to write until then */
	WAKER_LOCK_READ,	/* it was the last one that had the rwsem to read */
	WAKER_LOCK_DOWNGRADED,	/* it had the rwsem to write, and still has it to read */
	WAKER_LOCK_TAKING,	/* it was in the middle of taking the lock itself */
};

/**
 * struct waker - who woke a thread
 * @context: what did: KCATCH_IN_*
 * @softirq: KCATCH_IN_SOFTIRQ: its name, as /proc/softirqs has it; NULL: not known
 * @handler: KCATCH_IN_HARDIRQ: the function of the device's driver that handles the interrupt, or
 *	the kernel's; KCATCH_IN_SOFTIRQ: the softirq's. NULL: not known
 * @kind: KCATCH_IN_HARDIRQ: "the timer interrupt", ...; NULL: of no such kind
 * @first: index of the first frame of the stack that is not of waking itself
 * @end: behind the last frame of the context: then comes what was interrupted
 * @lock: what a task did to a lock: WAKER_LOCK_*
 * @file_lock: that lock is one on a file
 * @user: with @lock: index of the first frame that is not of waking and of the lock; it may be @end
 */
struct waker {
	enum kcatch_event_context context;
	const char *softirq;
	const char *handler;
	const char *kind;
	uint32_t first;
	uint32_t end;
	enum waker_lock lock;
	bool file_lock;
	uint32_t user;
};

/**
 * waker_find - find out who woke a thread
 * @stack: the stack of the waking
 * @context: its context
 * @waited: the kernel lock that the woken thread waited for
 * @waker: set
 */
void waker_find(const struct recorded_stack *stack, enum kcatch_event_context context,
		enum kcatch_lock_kind waited, struct waker *waker);

/** waker_sleeps_in - whether a function is the scheduler's own, of giving up the CPU */
bool waker_sleeps_in(const char *function);

#endif
