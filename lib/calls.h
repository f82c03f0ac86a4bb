/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* calls.h - entries and returns become calls, in an order that can be read */
#ifndef LIB_CALLS_H
#define LIB_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "kcatch.h"

struct kcatch_calls;
struct kcatch_thread;
struct kcatch_call_list;

/**
 * struct kcatch_call - one caught call
 * @hit: its record, in memory of its own: HIT, ENTRY or CALL
 * @end: its RETURN, in memory of its own; NULL: none came (yet)
 * @cpu: of @hit
 * @entry_time: session clock
 * @returned: what is known of its return
 * @latency: ns
 * @ret: return value, where KCATCH_RETURN_SEEN
 * @id: number of the event
 * @parent: number of the event it was called under; 0: none
 * @level: how many such
 * The others are for calls.c.
 */
struct kcatch_call {
	struct kcatch_hit *hit;
	struct kcatch_return *end;
	uint32_t cpu;
	uint64_t entry_time;
	enum kcatch_event_return returned;
	uint64_t latency;
	uint64_t ret;
	uint64_t id;
	uint64_t parent;
	uint32_t level;

	uint64_t number;		/* the kernel's; 0: no return will come */
	uint64_t done_time;
	size_t bytes;
	bool done;			/* nothing more will be known of it */
	bool open;			/* calls of its thread are under it */
	bool dying;			/* its thread was a zombie when last looked at */
	bool suspect;			/* its thread had ended when the pass began */
	struct kcatch_thread *thread;
	struct kcatch_call *outer, *inner;	/* of the thread, by entry */
	struct kcatch_call_list *list;
	struct kcatch_call *before, *behind;	/* in @list */
	struct kcatch_call *chain;		/* in the table of numbers */
};

/**
 * kcatch_calls_create - none yet
 * @ticks: of the session's clock in a second
 * @calls: the new object
 *
 * Memory: the records of calls that have not returned, and of calls under those; at
 * most 65536 calls and 128 MB, then the oldest go without their return.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_calls_create(uint64_t ticks, struct kcatch_calls **calls);

/**
 * kcatch_calls_destroy - forget all
 * @calls: may be NULL
 */
void kcatch_calls_destroy(struct kcatch_calls *calls);

/**
 * kcatch_calls_begin - a look at the rings begins
 * @calls: the object
 *
 * Now and then finds out which threads have ended inside of a call. It is before the
 * clock is read for that look: what such a thread left in a ring comes with it.
 */
void kcatch_calls_begin(struct kcatch_calls *calls);

/**
 * kcatch_calls_take - a record came
 * @calls: the object
 * @record: a good one, of any kind; copied
 * @cpu: whose
 * @hooks_return: the return of its probe is hooked
 * @wait: a CALL waits for those that it may be under
 *
 * Return: 1 when it was not understood (a return of a call nobody knows), 0, -ENOMEM.
 */
int kcatch_calls_take(struct kcatch_calls *calls, const struct kcatch_record *record,
		      uint32_t cpu, bool hooks_return, bool wait);

/**
 * kcatch_calls_end - all records before a time have come
 * @calls: the object
 * @now: that time
 */
void kcatch_calls_end(struct kcatch_calls *calls, uint64_t now);

/**
 * kcatch_calls_flush - no more records will come: all calls are ready
 * @calls: the object
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_calls_flush(struct kcatch_calls *calls);

/**
 * kcatch_calls_next - a call that is ready
 * @calls: the object
 *
 * Return: the call, to be given back with kcatch_call_destroy(); NULL: none now.
 */
struct kcatch_call *kcatch_calls_next(struct kcatch_calls *calls);

/**
 * kcatch_calls_number - a number for an event that is no call of this object
 * @calls: the object
 *
 * Return: the number.
 */
uint64_t kcatch_calls_number(struct kcatch_calls *calls);

/**
 * kcatch_calls_nr_waiting - calls whose return has not come
 * @calls: may be NULL
 *
 * Return: how many.
 */
size_t kcatch_calls_nr_waiting(const struct kcatch_calls *calls);

/**
 * kcatch_call_destroy - forget one
 * @call: from kcatch_calls_next(); may be NULL
 */
void kcatch_call_destroy(struct kcatch_call *call);

/**
 * kcatch_call_part - what follows the frames of an ENTRY or CALL
 * @hit: a record that was checked
 *
 * Return: the part; NULL for a plain HIT.
 */
const struct kcatch_call_part *kcatch_call_part(const struct kcatch_hit *hit);

#endif
