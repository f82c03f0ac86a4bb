/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_waits.h - what a thread waits for, by the functions on its stack
 *
 * For kcatch's own programs: not installed. `kcatch stuck` asks for threads that wait now, reports
 * for threads that waited when they were recorded.
 */
#ifndef KCATCH_WAITS_H
#define KCATCH_WAITS_H

#include <stdbool.h>

#include <kcatch_stuck.h>

/**
 * struct kcatch_wait - what the functions of a stack say so far; zeroed: none was looked at
 * @reason: the object that the thread waits for, in words: "data in a pipe"; NULL: not known
 * @lock: kind of the kernel lock that the thread waits for; KCATCH_LOCK_NONE: none that is known.
 *	A lock tells more than @reason
 * @what: kind of the object of @reason, enum kcatch_stuck_what
 * @lock_wait: enum kcatch_lock_wait: which @lock is of
 */
struct kcatch_wait {
	const char *reason;
	enum kcatch_lock_kind lock;
	unsigned int what;
	unsigned int lock_wait;
};

/**
 * kcatch_wait_look - look at the next function of a stack
 * @wait: what those further in said
 * @function: name of the function; from the innermost outwards
 *
 * Return: whether it tells more than those further in.
 */
bool kcatch_wait_look(struct kcatch_wait *wait, const char *function);

#endif
