/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * wide_calls.h - which system calls are of 64-bit programs
 *
 * 32-bit programs have other numbers for system calls, and a record of raw_syscalls:sys_enter or
 * sys_exit does not tell whose a number is. An entry tells it mostly by its registers
 * (kcatch_plan_call_is_wide()), and the exit of the same thread is of the same call.
 */
#ifndef LIB_SESSION_WIDE_CALLS_H
#define LIB_SESSION_WIDE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/handle.h"

/**
 * kcatch_wide_calls_see - look at an event, in the order of time
 * @session: the session
 * @slot: the event's probe
 * @tid: the thread
 * @data: the items of the event, untrusted
 * @size: bytes of @data
 *
 * Memory: 64 KB a session, once there is such an event. Threads whose numbers are 8192 apart share
 * a place: one of them is not known then.
 *
 * Return: whether it is of a system call of a 64-bit program; false: it may be of either.
 */
bool kcatch_wide_calls_see(struct kcatch_session *session, struct kcatch_probe_slot *slot,
			   uint32_t tid, const uint8_t *data, size_t size);

#endif
