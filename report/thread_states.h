/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_states.h - where a thread's time went, by the switches and wakings of a recording: on a
 * CPU, ready to run, or blocked
 *
 * A thread runs from a switch to it until the switch away from it. Then it is ready to run if it
 * was preempted; otherwise it is blocked until it is woken: until it is in the queue of a CPU, as
 * sched_wakeup tells, or where that is missing until somebody begins to wake it. Switches, wakings
 * and whole threads may be missing: filtered, lost, or overwritten. Times that contradict each
 * other, or that nothing tells of, are THREAD_UNKNOWN, with the reason; they are not guessed.
 *
 * Memory: 64 bytes a record.
 */
#ifndef REPORT_THREAD_STATES_H
#define REPORT_THREAD_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include <kcatch_containers.h>

#define THREAD_STATES_NONE UINT32_MAX	/* no stack, no CPU, no thread */

enum sched_record_kind {
	SCHED_RECORD_SWITCH,	/* a CPU goes from one thread to another */
	SCHED_RECORD_WAKING,	/* a thread is woken: sched_waking, in the context of the waker */
	SCHED_RECORD_WAKEUP,	/* it has been: sched_wakeup, maybe on another CPU */
};

/**
 * struct sched_record - a switch or a waking
 * @time_ns: when, CLOCK_MONOTONIC
 * @cpu: CPU on which it was recorded
 * @from: a switch: the thread that had the CPU; a waking: the thread that was running there, which
 *	is the waker in task context alone. 0: the idle task
 * @to: a switch: the thread that has the CPU now; a waking: the thread that is woken
 * @from_name: name of @from, from thread_states_name()
 * @to_name: the same of @to
 * @prio: of @to, with @has_prio: priority as the kernel counts: below 0 of a deadline, 0 to 99
 *	real-time, the lower the more urgent, 100 to 139 of nice -20 to 19
 * @from_prio: a switch: the same of @from, with @has_from_prio
 * @stack: the caller's number of the stack; THREAD_STATES_NONE: it was not recorded
 * @kind: SCHED_RECORD_*
 * @context: a waking with a stack: what the CPU was doing
 * @preempted: a switch: @from could have run on
 * @has_prio: @prio is known
 * @has_from_prio: @from_prio is known
 */
struct sched_record {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t from;
	uint32_t to;
	uint32_t from_name;
	uint32_t to_name;
	uint32_t stack;
	enum sched_record_kind kind : 8;
	enum kcatch_event_context context : 8;
	bool preempted;
	bool has_prio;
	bool has_from_prio;
	int16_t prio;
	int16_t from_prio;
};

/* An index: the records of a thread, or the switches of a CPU, in the order of time. */
struct sched_index {
	uint32_t key;
	uint32_t record;
};

/**
 * struct thread_states - zeroed: no records
 * @records: the records, in the order of time after thread_states_finish()
 * @nr: number of entries in @records
 * @partial: a filter left switches out: a thread without any need not have run all the time
 * @in_call: there are only those of threads inside calls, and all while such a thread waits for a
 *	CPU (kcatch_probe.in_call)
 * The other members are private.
 */
struct thread_states {
	struct sched_record *records;
	size_t nr;
	bool partial;
	bool in_call;
	size_t room;
	struct sched_index *threads, *cpus;
	size_t nr_threads, nr_cpus;
	struct kcatch_table names;
	struct kcatch_arena texts;
};

enum thread_state {
	THREAD_RUNS, THREAD_RUNNABLE, THREAD_BLOCKED, THREAD_UNKNOWN, THREAD_STATES,
};

/* Why a time is THREAD_UNKNOWN. */
enum thread_doubt {
	DOUBT_NONE,
	DOUBT_NO_WAKING,	/* blocked, then ready to run: since when is not known */
	DOUBT_NO_SWITCH,	/* a switch from or to the thread is not in the recording */
	DOUBT_OTHERS_RAN,	/* it seems to have run, but others did on its CPU */
	DOUBT_NO_RECORD,	/* there is nothing of the thread in the recording */
};

/**
 * struct thread_segment - a time in which a thread is in one state
 * @state: THREAD_*
 * @doubt: with THREAD_UNKNOWN: why
 * @from_ns: begin
 * @to_ns: end, after @from_ns
 * @cpu: THREAD_RUNS: its CPU; THREAD_RUNNABLE: the CPU on which it ran next. THREAD_STATES_NONE:
 *	not known
 * @left: the switch away from the thread; THREAD_RUNS, or not in the recording: NULL
 * @waking: THREAD_BLOCKED: the record that ended it; THREAD_RUNNABLE: that began it, NULL: it was
 *	preempted. In THREAD_BLOCKED NULL: it is blocked to the end of the time asked for
 */
struct thread_segment {
	enum thread_state state;
	enum thread_doubt doubt;
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t cpu;
	const struct sched_record *left;
	const struct sched_record *waking;
};

/**
 * struct thread_times - what thread_states_find() found; zeroed: nothing
 * @segments: without gaps, in the order of time
 * @nr: number of entries in @segments
 * @sums: by THREAD_*: nanoseconds; together the time that was asked for
 */
struct thread_times {
	struct thread_segment *segments;
	size_t nr;
	size_t room;
	uint64_t sums[THREAD_STATES];
};

/**
 * struct cpu_share - a thread that had a CPU for some of a time
 * @tid: the thread; 0: the idle task; THREAD_STATES_NONE: not known who
 * @name: its name, as thread_states_text() takes it; THREAD_STATES_NONE: not known
 * @ns: for how long, nanoseconds
 * @has_prio: @prio is known
 * @prio: its priority, see struct sched_record
 */
struct cpu_share {
	uint32_t tid;
	uint32_t name;
	uint64_t ns;
	bool has_prio;
	int16_t prio;
};

/** struct cpu_shares - zeroed: none; with the longest first after cpu_shares_sort() */
struct cpu_shares {
	struct cpu_share *of;
	size_t nr;
	size_t room;
};

/**
 * thread_states_name - the number of a name
 * @states: the states
 * @name: the name, untrusted bytes; copied
 *
 * Return: the number, the same for equal names; -ENOMEM with an error text.
 */
int64_t thread_states_name(struct thread_states *states, const char *name);

/** thread_states_text - the name of a number; "?": there is none */
const char *thread_states_text(const struct thread_states *states, uint32_t name);

/**
 * thread_states_add - add a record
 * @states: the states, before thread_states_finish()
 * @record: the record; in any order
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int thread_states_add(struct thread_states *states, const struct sched_record *record);

/**
 * thread_states_finish - sort the records; to be called once, behind the last one
 * @states: the states
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int thread_states_finish(struct thread_states *states);

/**
 * thread_states_find - where a thread's time went
 * @states: the states, finished
 * @tid: the thread, not 0
 * @from_ns: begin of the time
 * @to_ns: end of the time; the thread runs then
 * @runs: the thread runs at @from_ns, too, as at the entry of a call
 * @cpu: where it runs if it was never switched out; THREAD_STATES_NONE: not known
 * @times: set to the result
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int thread_states_find(const struct thread_states *states, uint32_t tid, uint64_t from_ns,
		       uint64_t to_ns, bool runs, uint32_t cpu, struct thread_times *times);

/**
 * thread_states_cpu - add up which threads had a CPU
 * @states: the states, finished
 * @cpu: the CPU
 * @from_ns: begin of the time
 * @to_ns: end of the time
 * @shares: the sums, to which is added
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int thread_states_cpu(const struct thread_states *states, uint32_t cpu, uint64_t from_ns,
		      uint64_t to_ns, struct cpu_shares *shares);

/**
 * thread_states_prio - the priority with which a thread was woken last
 * @states: the states, finished
 * @tid: the thread, not 0
 * @until_ns: a time
 * @prio: set to that of the last waking until then
 *
 * Return: whether one tells.
 */
bool thread_states_prio(const struct thread_states *states, uint32_t tid, uint64_t until_ns,
			int16_t *prio);

/** cpu_shares_sort - the longest first */
void cpu_shares_sort(struct cpu_shares *shares);

/** thread_times_deinit, cpu_shares_deinit, thread_states_deinit - free the memory */
void thread_times_deinit(struct thread_times *times);
void cpu_shares_deinit(struct cpu_shares *shares);
void thread_states_deinit(struct thread_states *states);

#endif
