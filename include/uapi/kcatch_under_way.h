/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Calls that have not returned: the call UNDER_WAY. Part of the contract in uapi/kcatch.h, which
 * includes this header.
 */
#ifndef _UAPI_KCATCH_UNDER_WAY_H
#define _UAPI_KCATCH_UNDER_WAY_H

#include <linux/types.h>

/**
 * struct kcatch_lasting - a call that has not returned
 * @size: bytes of this structure with its data, a multiple of 8
 * @id: KCATCH_RECORD_ID() of its probe, without the kind
 * @pid: process ID in the initial PID namespace
 * @tid: thread ID there
 * @comm: name of the thread now
 * @time: clock at the entry, as in the record
 * @call: number of the call in its ENTRY record; 0: it has no record yet, and @data is here
 * @lasted: nanoseconds since the entry
 * @runnable: of them, nanoseconds that it waited for a CPU until it last came back to one
 * @blocked: nanoseconds that it was blocked until then
 * @away: nanoseconds since it was switched out last; 0: it is on a CPU
 * @faults: items of @data that could not be read, a bit each
 * @cut: items of @data that were cut, a bit each
 * @ran: struct kcatch_task.switches before the call was looked at: if it is still the same, and the
 *	thread is not on a CPU, it has not run since
 * @cpu: CPU that it is on, or was on last
 * @switches: how often it was switched out; KCATCH_SWITCHES_UNKNOWN: the four are not known
 * @context: KCATCH_CONTEXT_* at the entry
 * @data_size: bytes of @data
 * @data: what was fetched at the entry
 */
struct kcatch_lasting {
	__u32 size;
	__u32 id;
	__u32 pid;
	__u32 tid;
	char  comm[16];
	__u64 time;
	__u64 call;
	__u64 lasted;
	__u64 runnable;
	__u64 blocked;
	__u64 away;
	__u64 faults;
	__u64 cut;
	__u64 ran;
	__u32 cpu;
	__u32 switches;
	__u16 context;
	__u16 data_size;
	__u32 reserved;
	__u8  data[];
};

#define KCATCH_UNDER_WAY_SIZE_MAX (1U << 20)

/**
 * struct kcatch_under_way - calls of the session that have not returned, and whose returns are
 *	caught
 * @buffer: user pointer; receives struct kcatch_lasting, one after the other
 * @size: in: room at @buffer, bytes, up to KCATCH_UNDER_WAY_SIZE_MAX; out: bytes there
 * @nr: out: calls there
 * @least: in: nanoseconds that a call has lasted at least
 * @younger: out: how long the oldest of the others has lasted, nanoseconds; 0: there is none. After
 *	@least less @younger nanoseconds more there may be another one; a call that begins
 *	meanwhile is younger
 * @left_out: out: calls of that age that found no room, or that changed each time they were looked
 *	at
 * @reserved: 0
 *
 * Looks at all threads of the machine. Calls in interrupts are not looked at.
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL the session does not run, or too much room; EOPNOTSUPP
 * this kernel keeps no list of hooked returns; EINTR interrupted by a signal.
 */
struct kcatch_under_way {
	__u64 buffer;
	__u32 size;
	__u32 nr;
	__u64 least;
	__u64 younger;
	__u32 left_out;
	__u32 reserved;
};

#endif
