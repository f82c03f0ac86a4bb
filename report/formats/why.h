/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why.h - where the time of calls went: what the files that find it out and write it share
 */
#ifndef REPORT_FORMATS_WHY_H
#define REPORT_FORMATS_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch_waits.h>

#include "block_requests.h"
#include "recorded_stacks.h"
#include "report.h"
#include "thread_states.h"
#include "wakers.h"

#define WHY_CHAIN_DEPTH 16U /* wakers of wakers that are followed */

/**
 * struct why_call - a call, as it was read
 * @function: the caught function, to be found on stacks
 * @name: the same with its module, as reports show it
 * @returned: what it returned, "" of a function without a value
 * @json: the event as the member "call" of an object; NULL: text is written
 * @comm: name of the thread
 * @pid: its process
 * @tid: the thread
 * @cpu: CPU of the record
 * @from_ns: time of the entry
 * @latency_ns: time from entry to return
 */
struct why_call {
	char *function;
	char *name;
	char *returned;
	char *json;
	char comm[16];
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint64_t from_ns;
	uint64_t latency_ns;
};

struct why_itself;

/**
 * struct why_sleep - sleeps in one place, ended by one waker in one place
 * @ns: their time
 * @times: how many
 * @longest: the longest of them
 * @stack: where it slept; NULL: it was not recorded
 * @first: index of the function on @stack that says what was waited for, or of the first that is
 *	not the scheduler's
 * @end: behind the last function on @stack that is shown: then comes the caught one
 * @wait: what was waited for
 * @waker_stack: stack of the waker; NULL: it was not recorded
 * @waker: who it is, with @waker_stack
 * @request: the request of a block device by whose end @longest was ended
 * @bio: the same of a bio
 * @itself: what the waker had done meanwhile; NULL: not asked for, or it is no thread
 */
struct why_sleep {
	uint64_t ns;
	uint64_t times;
	struct thread_segment longest;
	const struct recorded_stack *stack;
	uint32_t first;
	uint32_t end;
	struct kcatch_wait wait;
	const struct recorded_stack *waker_stack;
	struct waker waker;
	struct block_end request;
	struct block_end bio;
	struct why_itself *itself;
};

/**
 * struct why_times - where a time of a thread went
 * @sums: by THREAD_*: nanoseconds
 * @doubts: by DOUBT_*: nanoseconds of what is THREAD_UNKNOWN
 * @blocked: number of times it was blocked
 * @switches: number of times it lost its CPU
 * @sleeps: the sleeps, the longest together first
 * @nr: number of entries in @sleeps
 * @segments: the states, in the order of time
 * @nr_segments: number of entries in @segments
 * @ran: who had the CPU while it was ready to run
 * @ready_cpu: the CPU it waited for; THREAD_STATES_NONE: several
 * @ran_cpu: the CPU it ran on; THREAD_STATES_NONE: several
 * @has_prio: @prio is known
 * @prio: the priority with which it was woken last, see struct sched_record
 */
struct why_times {
	uint64_t sums[THREAD_STATES];
	uint64_t doubts[DOUBT_NO_RECORD + 1];
	uint64_t blocked;
	uint64_t switches;
	struct why_sleep *sleeps;
	size_t nr;
	size_t room;
	struct thread_segment *segments;
	size_t nr_segments;
	struct cpu_shares ran;
	uint32_t ready_cpu;
	uint32_t ran_cpu;
	bool has_prio;
	int16_t prio;
};

/**
 * struct why_itself - what a waker had done since the thread that it woke began to sleep
 * @tid: the waker
 * @times: where its time went
 * @again: it is in the chain already, which ends here
 * @deep: the chain goes on, and is not followed
 */
struct why_itself {
	uint32_t tid;
	struct why_times times;
	bool again;
	bool deep;
};

/**
 * struct why - what tells where the time of calls went
 * @states: switches and wakings
 * @blocks: requests of block devices
 * @stacks: stacks of both
 * @calls: the slowest calls, the slowest first
 * @nr: number of entries in @calls
 * @most: limit of @nr
 * @passed: number of calls that passed the filter and had returned
 * @pending: number of calls that passed the filter and had not returned
 * @switches: number of switches
 * @unreadable: how many of them do not tell the next thread, or the state of the one before
 * @stackless: how many switches have no stack
 * @lost: number of switches and wakings that were lost
 * @lost_blocks: number of ends of requests and bios that were lost
 */
struct why {
	struct thread_states states;
	struct block_requests blocks;
	struct recorded_stacks stacks;
	struct why_call *calls;
	size_t nr;
	uint64_t most;
	uint64_t passed;
	uint64_t pending;
	uint64_t switches;
	uint64_t unreadable;
	uint64_t stackless;
	uint64_t lost;
	uint64_t lost_blocks;
};

/* why_records.c */

/** why_caught - a function of the recording whose calls were caught; NULL: there is none */
const char *why_caught(const struct report *report);

/**
 * why_missing - what a recording lacks to tell where the time of its calls went
 * @report: the report
 *
 * Return: words that follow "has no"; NULL: it lacks nothing.
 */
const char *why_missing(const struct report *report);

/**
 * why_create - begin to collect
 * @most: number of calls, the slowest
 *
 * Return: to be freed with why_destroy(); NULL with an error text: out of memory.
 */
struct why *why_create(uint64_t most);

/**
 * why_take - keep an event of the scheduler or of a block device
 * @why: the state
 * @report: the report
 * @event: the session's current event, in the order of time; another one is not kept
 *
 * Return: 0, or -errno with an error text.
 */
int why_take(struct why *why, struct report *report, const struct kcatch_event *event);

/**
 * why_take_call - keep a call if it is one of the slowest
 * @why: the state
 * @report: the report
 * @event: the session's current event, which passed the filter; another one than a call is not kept
 *
 * Return: 0, or -errno with an error text.
 */
int why_take_call(struct why *why, struct report *report, const struct kcatch_event *event);

/**
 * why_finish - to be called once, behind the last event
 * @why: the state
 * @report: the report
 *
 * Return: 0, or -errno with an error text.
 */
int why_finish(struct why *why, struct report *report);

/** why_destroy - free the memory */
void why_destroy(struct why *why);

/* why_times.c */

/**
 * why_times_find - where the time of a call went
 * @why: the state, with all records
 * @call: the call
 * @chain: find out what wakers had done meanwhile, too
 * @times: set; free it with why_times_deinit()
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int why_times_find(const struct why *why, const struct why_call *call, bool chain,
		   struct why_times *times);

/** why_times_deinit - free the memory */
void why_times_deinit(struct why_times *times);

/** why_times_sleep - the sleeps to which one of @segments, THREAD_BLOCKED, belongs */
const struct why_sleep *why_times_sleep(const struct why_times *times,
					const struct thread_segment *segment);

/**
 * why_itself_find - what the one that ended a sleep of a call's thread had done meanwhile
 * @why: the state, with all records
 * @call: the call
 * @sleep: the sleeps to which it belongs
 * @segment: the sleep
 * @itself: set; NULL: it is no thread. Free it with why_itself_destroy()
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int why_itself_find(const struct why *why, const struct why_call *call,
		    const struct why_sleep *sleep, const struct thread_segment *segment,
		    struct why_itself **itself);

/** why_itself_destroy - free the memory */
void why_itself_destroy(struct why_itself *itself);

/* why_picture.c */

/**
 * why_picture_write - write what a page draws of where the time of the calls went, as JSON
 * @out: the output
 * @why: the state, finished
 * @since_ns: the time from which the page counts
 *
 * An array of an object a call. Times are nanoseconds, those within a call from its begin.
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int why_picture_write(FILE *out, const struct why *why, uint64_t since_ns);

/* why_text.c, why_json.c */

/**
 * why_text_call, why_json_call - write where the time of a call went
 * @out: the output
 * @why: the state
 * @call: the call
 * @times: where its time went
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int why_text_call(FILE *out, const struct why *why, const struct why_call *call,
		  const struct why_times *times);
int why_json_call(FILE *out, const struct why *why, const struct why_call *call,
		  const struct why_times *times);

/**
 * why_text_sleep - where a thread slept, what for, and who ended that, in lines of 120 columns
 * @out: the output; the last line has no end mark
 * @why: the state
 * @sleep: the sleeps
 * @behind: columns before it
 */
void why_text_sleep(FILE *out, const struct why *why, const struct why_sleep *sleep, size_t behind);

/**
 * why_text_ready - for which CPU a thread waited, and who ran there, in the same way
 * @out: the output
 * @why: the state
 * @times: the times of the thread
 * @behind: columns before it
 */
void why_text_ready(FILE *out, const struct why *why, const struct why_times *times, size_t behind);

/** why_text_waker - who ended a sleep: "cat(812)", "the softirq TIMER" */
void why_text_waker(FILE *out, const struct why *why, const struct why_sleep *sleep);

/** why_doubt_text - why a time is not known, in words */
const char *why_doubt_text(enum thread_doubt doubt);

#endif
