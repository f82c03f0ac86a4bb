/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* calls.h - pairs entries with returns and hands out calls in order of entry */
#ifndef LIB_RING_CALLS_H
#define LIB_RING_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch.h>

struct kcatch_calls;
struct kcatch_thread;
struct kcatch_call_list;

/**
 * struct kcatch_call - one traced call
 * @hit: record of the entry, allocated: HIT, ENTRY or CALL
 * @end: RETURN record, allocated; NULL: none has come yet
 * @cpu: CPU of @hit
 * @entry_time: time of the entry, session clock
 * @returned: state of the return
 * @latency: time from entry to return in ns
 * @runnable: of it the time that the thread waited for a CPU, ns
 * @blocked: of it the time that it was blocked, ns
 * @away: of a call under way: time since its thread was switched out, ns, which is in neither
 * @switches: how often it was switched out; KCATCH_SWITCHES_UNKNOWN
 * @ret: return value, valid if @returned is KCATCH_RETURN_SEEN
 * @id: event number of the call
 * @parent: event number of the traced caller; 0: none
 * @level: number of traced callers
 * The other members are private to calls.c.
 */
struct kcatch_call {
	struct kcatch_hit *hit;
	struct kcatch_return *end;
	uint32_t cpu;
	uint64_t entry_time;
	enum kcatch_event_return returned;
	uint64_t latency;
	uint64_t runnable, blocked, away;
	uint32_t switches;
	uint64_t ret;
	uint64_t id;
	uint64_t parent;
	uint32_t level;

	uint64_t number;		/* the kernel's; 0: no return will come */
	uint64_t done_time;
	size_t bytes;
	uint32_t sort_level;		/* of kcatch_calls_flush() */
	bool done;			/* nothing more will be known of it */
	bool open;			/* calls of its thread and context are under it */
	bool dying;			/* its thread was a zombie when last looked at */
	bool inner_only;		/* KCATCH_CALL_INNER */
	bool refused;			/* its root was: it is not handed out */
	bool suspect;			/* its thread had ended when the pass began */
	struct kcatch_thread *thread;
	struct kcatch_call *outer, *inner;	/* of the thread, by entry */
	struct kcatch_call *open_outer, *open_inner;	/* those open, of one context */
	struct kcatch_call *under;	/* the caller; NULL: @level is known */
	struct kcatch_siblings {
		struct kcatch_call *first, *last;
	} calls, *siblings;		/* the calls under it, by entry; the list it is in */
	struct kcatch_call *older, *younger;	/* in @siblings */
	struct kcatch_call_list *list;
	struct kcatch_call *before, *behind;	/* in @list */
	struct kcatch_call *chain;		/* in the table of numbers */
};

/**
 * kcatch_calls_create - create an object without calls
 * @ticks: ticks of the session's clock per second
 * @calls: the new object
 *
 * Memory: the records of calls that have not returned, and of the calls under them; at most
 * 65536 calls and 128 MB. Beyond that, completed calls become ready before their callers; if
 * none is left, the oldest call becomes ready as KCATCH_RETURN_FORGOTTEN.
 * Time: constant for each record, on average, whatever they are.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_calls_create(uint64_t ticks, struct kcatch_calls **calls);

/**
 * kcatch_calls_destroy - free all calls and the object
 * @calls: may be NULL
 */
void kcatch_calls_destroy(struct kcatch_calls *calls);

/**
 * kcatch_calls_begin - begin a pass over the ring buffers
 * @calls: the object
 *
 * From time to time this checks which threads have ended inside of a call. Call it before the
 * clock is read for the pass: then the pass includes all records that such a thread left.
 *
 * Return: true if a thread had ended.
 */
bool kcatch_calls_begin(struct kcatch_calls *calls);

#define KCATCH_CALL_RETURNS (1U << 0)	/* the record's probe hooks the return */
#define KCATCH_CALL_WAITS   (1U << 1)	/* hold a CALL back until calls that it may be under come */
#define KCATCH_CALL_INNER   (1U << 2)	/* it is under a call that may be decided at its return:
					 * without that, it is not handed out */

/**
 * kcatch_calls_take - add a record
 * @calls: the object
 * @record: a record of any kind that was checked; copied
 * @cpu: CPU of the record
 * @how: KCATCH_CALL_*
 *
 * Return: 0; 1 if the record was not understood (a return of an unknown call); -ENOMEM.
 */
int kcatch_calls_take(struct kcatch_calls *calls, const struct kcatch_record *record,
		      uint32_t cpu, unsigned int how);

/**
 * kcatch_calls_end - end a pass: all records before a time were added
 * @calls: the object
 * @now: the time, session clock
 */
void kcatch_calls_end(struct kcatch_calls *calls, uint64_t now);

/**
 * kcatch_calls_waiting_probes - get the probes of calls that wait for their return
 * @calls: the object
 * @first: how many waiting calls to pass over, the oldest first
 * @nr: how many to look at behind these
 * @probes: receives the number of each probe once; room for @nr
 * @nr_probes: receives how many there are
 *
 * Return: true if that was the end of the calls that wait.
 */
bool kcatch_calls_waiting_probes(const struct kcatch_calls *calls, size_t first, size_t nr,
				 uint32_t *probes, size_t *nr_probes);

/**
 * kcatch_calls_nr_waiting_of - number of a probe's calls whose return has not come
 * @calls: the object
 * @probe: number of the probe
 *
 * Return: number of calls.
 */
size_t kcatch_calls_nr_waiting_of(const struct kcatch_calls *calls, uint32_t probe);

/**
 * kcatch_calls_lost - make all calls of a probe ready, as their returns found no room
 * @calls: the object
 * @probe: number of the probe
 *
 * Those that wait for their return become KCATCH_RETURN_LOST. Those that are under another call
 * become ready at the next kcatch_calls_end().
 */
void kcatch_calls_lost(struct kcatch_calls *calls, uint32_t probe);

/**
 * kcatch_calls_flush - make all calls ready, as no more records will come
 * @calls: the object
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_calls_flush(struct kcatch_calls *calls);

/**
 * kcatch_calls_next - take the next ready call
 * @calls: the object
 *
 * Return: the call, to be freed with kcatch_call_destroy(); NULL: no call is ready.
 */
struct kcatch_call *kcatch_calls_next(struct kcatch_calls *calls);

/**
 * kcatch_calls_number - allocate an event number for an event that is not a call
 * @calls: the object
 *
 * Return: the event number.
 */
uint64_t kcatch_calls_number(struct kcatch_calls *calls);

/**
 * kcatch_calls_nr_waiting - number of calls whose return has not come
 * @calls: may be NULL
 *
 * Return: number of calls.
 */
size_t kcatch_calls_nr_waiting(const struct kcatch_calls *calls);

/**
 * kcatch_calls_nr_forgotten - number of calls that became ready without their return
 * @calls: may be NULL
 *
 * Return: number of KCATCH_RETURN_FORGOTTEN calls so far.
 */
uint64_t kcatch_calls_nr_forgotten(const struct kcatch_calls *calls);

/**
 * kcatch_call_destroy - free a call
 * @call: from kcatch_calls_next(); may be NULL
 */
void kcatch_call_destroy(struct kcatch_call *call);

/**
 * kcatch_call_part - get the part of an ENTRY or CALL that follows the frames
 * @hit: a record that was checked
 *
 * Return: the part; NULL for a plain HIT.
 */
const struct kcatch_call_part *kcatch_call_part(const struct kcatch_hit *hit);

#endif
