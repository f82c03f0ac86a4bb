/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakers.h - who woke a thread, by the context and the stack of the waking: a task, a softirq or an
 * interrupt, and never the task that one of these interrupted
 */
#ifndef REPORT_WAKERS_H
#define REPORT_WAKERS_H

#include <kcatch.h>

#include "recorded_stacks.h"

/**
 * struct waker - who woke a thread
 * @context: what did: KCATCH_IN_*
 * @softirq: KCATCH_IN_SOFTIRQ: its name, as /proc/softirqs has it; NULL: not known
 * @handler: KCATCH_IN_HARDIRQ: the function of the device's driver that handles the interrupt, or
 *	the kernel's; KCATCH_IN_SOFTIRQ: the softirq's. NULL: not known
 * @kind: KCATCH_IN_HARDIRQ: "the timer interrupt", ...; NULL: of no such kind
 * @first: index of the first frame of the stack that is not of waking itself
 * @end: behind the last frame of the context: then comes what was interrupted
 */
struct waker {
	enum kcatch_event_context context;
	const char *softirq;
	const char *handler;
	const char *kind;
	uint32_t first;
	uint32_t end;
};

/**
 * waker_find - find out who woke a thread
 * @stack: the stack of the waking
 * @context: its context
 * @waker: set
 */
void waker_find(const struct recorded_stack *stack, enum kcatch_event_context context,
		struct waker *waker);

/** waker_sleeps_in - whether a function is the scheduler's own, of giving up the CPU */
bool waker_sleeps_in(const char *function);

#endif
