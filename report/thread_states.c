/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_states.c - where a thread's time went, by the switches and wakings of a recording */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "thread_states.h"

/* ---- records ------------------------------------------------------------------------ */

int64_t thread_states_name(struct thread_states *states, const char *name)
{
	size_t length = strlen(name), *known = kcatch_table_find(&states->names, name, length);
	char *text;

	if (known)
		return (int64_t)*known;
	text = kcatch_arena_take(&states->texts, length + 1);
	if (!text)
		return kcatch_error_memory();
	memcpy(text, name, length + 1);
	if (kcatch_table_add(&states->names, text, length, states->names.count) < 0)
		return kcatch_error_memory();
	return (int64_t)states->names.count - 1;
}

const char *thread_states_text(const struct thread_states *states, uint32_t name)
{
	return name < states->names.count ? states->names.entries[name].key : "?";
}

int thread_states_add(struct thread_states *states, const struct sched_record *record)
{
	struct sched_record *more;
	size_t room;

	if (states->nr == states->room) {
		room = states->room ? 2 * states->room : 1024;
		more = room < UINT32_MAX ? realloc(states->records, room * sizeof(*more)) : NULL;
		if (!more)
			return kcatch_error_memory();
		states->records = more;
		states->room = room;
	}
	states->records[states->nr++] = *record;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct sched_index *one = a, *two = b;

	if (one->key != two->key)
		return one->key < two->key ? -1 : 1;
	return one->record < two->record ? -1 : one->record > two->record;
}

/*
 * By insertion: they come in the order of time but for a few. Those of one time stay as they came.
 */
static void sort_by_time(struct thread_states *states)
{
	struct sched_record record;
	size_t i, at;

	for (i = 1; i < states->nr; i++) {
		if (states->records[i].time_ns >= states->records[i - 1].time_ns)
			continue;
		record = states->records[i];
		for (at = i; at && states->records[at - 1].time_ns > record.time_ns; at--)
			states->records[at] = states->records[at - 1];
		states->records[at] = record;
	}
}

int thread_states_finish(struct thread_states *states)
{
	size_t i;

	sort_by_time(states);
	states->threads = calloc(2 * states->nr + 1, sizeof(*states->threads));
	states->cpus = calloc(states->nr + 1, sizeof(*states->cpus));
	if (!states->threads || !states->cpus)
		return kcatch_error_memory();
	for (i = 0; i < states->nr; i++) {
		const struct sched_record *record = &states->records[i];
		uint32_t number = (uint32_t)i;

		if (record->from)
			states->threads[states->nr_threads++] = (struct sched_index){ record->from,
										      number };
		if (record->to && record->to != record->from)
			states->threads[states->nr_threads++] = (struct sched_index){ record->to,
										      number };
		if (record->kind == SCHED_RECORD_SWITCH)
			states->cpus[states->nr_cpus++] = (struct sched_index){ record->cpu,
										number };
	}
	qsort(states->threads, states->nr_threads, sizeof(*states->threads), by_key);
	qsort(states->cpus, states->nr_cpus, sizeof(*states->cpus), by_key);
	return 0;
}

/* The first entry of a key whose record is later than the time. */
static size_t first_after(const struct thread_states *states, const struct sched_index *index,
			  size_t nr, uint32_t key, uint64_t time_ns)
{
	size_t low = 0, high = nr, at;

	while (low < high) {
		at = low + (high - low) / 2;
		if (index[at].key < key ||
		    (index[at].key == key && states->records[index[at].record].time_ns <= time_ns))
			low = at + 1;
		else
			high = at;
	}
	return low;
}

/* ---- a thread ----------------------------------------------------------------------- */

/* A waker that is faster than the switch is so by less. (A longer time may be another sleep's.) */
#define EARLY_NS 1000000U

/* The records of a thread, one after the other. */
struct walk {
	const struct thread_states *states;
	struct thread_times *times;
	uint32_t tid;
	uint64_t from_ns, to_ns; /* what is asked for */
	enum thread_state state; /* since @since_ns */
	enum thread_doubt doubt;
	uint64_t since_ns;
	uint32_t cpu; /* it runs */
	const struct sched_record *left;
	const struct sched_record *waking; /* it is woken, or ready to run, and this is why */
	const struct sched_record *early;  /* a waking while it was still seen to run */
};

static int put(struct walk *walk, const struct thread_segment *segment)
{
	struct thread_times *times = walk->times;
	struct thread_segment *more, clipped = *segment;
	size_t room;

	if (clipped.from_ns < walk->from_ns)
		clipped.from_ns = walk->from_ns;
	if (clipped.to_ns > walk->to_ns)
		clipped.to_ns = walk->to_ns;
	if (clipped.from_ns >= clipped.to_ns)
		return 0;
	if (times->nr == times->room) {
		room = times->room ? 2 * times->room : 16;
		more = realloc(times->segments, room * sizeof(*more));
		if (!more)
			return kcatch_error_memory();
		times->segments = more;
		times->room = room;
	}
	times->segments[times->nr++] = clipped;
	times->sums[clipped.state] += clipped.to_ns - clipped.from_ns;
	return 0;
}

/* Does another thread get or lose the CPU while this one is taken to have it? */
static bool others_ran(const struct walk *walk, uint32_t cpu, uint64_t from_ns, uint64_t to_ns)
{
	const struct thread_states *states = walk->states;
	size_t at = first_after(states, states->cpus, states->nr_cpus, cpu, from_ns);

	return at < states->nr_cpus && states->cpus[at].key == cpu &&
	       states->records[states->cpus[at].record].time_ns < to_ns;
}

/* It has run until now, on this CPU. */
static int put_run(struct walk *walk, uint32_t cpu, uint64_t now)
{
	struct thread_segment segment = {
		.state = THREAD_RUNS, .from_ns = walk->since_ns, .to_ns = now, .cpu = cpu
	};
	uint64_t from = walk->since_ns > walk->from_ns ? walk->since_ns : walk->from_ns;

	if (cpu != THREAD_STATES_NONE && walk->cpu != THREAD_STATES_NONE && cpu != walk->cpu)
		segment.doubt = DOUBT_NO_SWITCH;
	else if (cpu != THREAD_STATES_NONE && others_ran(walk, cpu, from, now))
		segment.doubt = DOUBT_OTHERS_RAN;
	if (segment.doubt)
		segment.state = THREAD_UNKNOWN;
	return put(walk, &segment);
}

static int put_unknown(struct walk *walk, enum thread_doubt doubt, uint64_t now)
{
	struct thread_segment segment = {
		.state = THREAD_UNKNOWN,
		.doubt = doubt,
		.from_ns = walk->since_ns,
		.to_ns = now,
		.cpu = THREAD_STATES_NONE,
		.left = walk->left,
	};

	return put(walk, &segment);
}

/* It has been ready to run until now, when it gets this CPU. */
static int put_ready(struct walk *walk, uint32_t cpu, uint64_t now)
{
	struct thread_segment segment = {
		.state = THREAD_RUNNABLE,
		.from_ns = walk->since_ns,
		.to_ns = now,
		.cpu = cpu,
		.left = walk->left,
		.waking = walk->waking,
	};

	return put(walk, &segment);
}

static void runs_from(struct walk *walk, uint32_t cpu, uint64_t now)
{
	walk->state = THREAD_RUNS;
	walk->since_ns = now;
	walk->cpu = cpu;
	walk->left = walk->waking = walk->early = NULL;
}

static int put_sleep(struct walk *walk, uint64_t until)
{
	struct thread_segment segment = {
		.state = THREAD_BLOCKED,
		.from_ns = walk->since_ns,
		.to_ns = until,
		.cpu = THREAD_STATES_NONE,
		.left = walk->left,
		.waking = walk->waking,
	};

	walk->state = THREAD_RUNNABLE;
	walk->since_ns = until;
	return put(walk, &segment);
}

/* No sched_wakeup came behind the sched_waking: it could run from that one on. */
static int end_sleep(struct walk *walk)
{
	return walk->state == THREAD_BLOCKED && walk->waking ?
		       put_sleep(walk, walk->waking->time_ns) :
		       0;
}

static int switched_out(struct walk *walk, const struct sched_record *record)
{
	uint64_t now = record->time_ns;
	int ret = end_sleep(walk);

	if (ret)
		return ret;
	ret = walk->state == THREAD_RUNS ?
		      put_run(walk, record->cpu, now) :
		      put_unknown(walk, walk->doubt ? walk->doubt : DOUBT_NO_SWITCH, now);
	walk->state = record->preempted ? THREAD_RUNNABLE : THREAD_BLOCKED;
	walk->since_ns = now;
	walk->left = record;
	walk->waking = NULL;
	walk->doubt = DOUBT_NONE;
	return ret;
}

/* The waker came before the switch away was recorded, which the thread had begun. */
static bool woken_early(const struct walk *walk)
{
	return walk->early && walk->left && walk->left->time_ns - walk->early->time_ns < EARLY_NS;
}

static int switched_in(struct walk *walk, const struct sched_record *record)
{
	uint64_t now = record->time_ns;
	int ret = end_sleep(walk);

	if (ret)
		return ret;
	if (walk->state == THREAD_RUNNABLE) {
		ret = put_ready(walk, record->cpu, now);
	} else if (walk->state == THREAD_BLOCKED && woken_early(walk)) {
		/* Who woke it was faster than the switch. */
		walk->waking = walk->early;
		ret = put_ready(walk, record->cpu, now);
	} else if (walk->state == THREAD_BLOCKED) {
		ret = put_unknown(walk, DOUBT_NO_WAKING, now);
	} else {
		ret = put_unknown(walk, walk->doubt ? walk->doubt : DOUBT_NO_SWITCH, now);
	}
	runs_from(walk, record->cpu, now);
	walk->doubt = DOUBT_NONE;
	return ret;
}

/* A sched_waking begins it. The thread can run when it is in a queue, as a sched_wakeup tells. */
static int woken(struct walk *walk, const struct sched_record *record)
{
	if (walk->state == THREAD_RUNS && record->kind == SCHED_RECORD_WAKING)
		walk->early = record;
	if (walk->state != THREAD_BLOCKED)
		return 0;
	if (!walk->waking)
		walk->waking = record->kind == SCHED_RECORD_WAKEUP && woken_early(walk) ?
				       walk->early :
				       record;
	return record->kind == SCHED_RECORD_WAKEUP ? put_sleep(walk, record->time_ns) : 0;
}

/* It has woken another thread, so it runs. */
static int seen_to_run(struct walk *walk, const struct sched_record *record)
{
	uint64_t now = record->time_ns;
	int ret = end_sleep(walk);

	if (ret || walk->state == THREAD_RUNS)
		return ret;
	ret = put_unknown(walk, walk->doubt ? walk->doubt : DOUBT_NO_SWITCH, now);
	walk->doubt = DOUBT_NONE;
	runs_from(walk, record->cpu, now);
	return ret;
}

static int step(struct walk *walk, const struct sched_record *record)
{
	if (record->kind == SCHED_RECORD_SWITCH)
		return record->from == walk->tid ? switched_out(walk, record) :
						   switched_in(walk, record);
	if (record->to == walk->tid)
		return woken(walk, record);
	/* Without a stack the record does not tell the context. */
	if (record->stack != THREAD_STATES_NONE && record->context == KCATCH_IN_TASK &&
	    record->kind == SCHED_RECORD_WAKING)
		return seen_to_run(walk, record);
	return 0;
}

/* From the last switch before the time on: what it was then is what it is at its begin. */
static size_t begin(struct walk *walk, size_t at)
{
	const struct thread_states *states = walk->states;
	size_t first = at;

	while (first && states->threads[first - 1].key == walk->tid) {
		first--;
		if (states->records[states->threads[first].record].kind == SCHED_RECORD_SWITCH)
			return first;
	}
	return at;
}

static bool has_switch(const struct thread_states *states, uint32_t tid)
{
	size_t at = first_after(states, states->threads, states->nr_threads, tid - 1, UINT64_MAX);

	for (; at < states->nr_threads && states->threads[at].key == tid; at++)
		if (states->records[states->threads[at].record].kind == SCHED_RECORD_SWITCH)
			return true;
	return false;
}

static int end(struct walk *walk, uint32_t cpu)
{
	int ret = end_sleep(walk);

	if (ret)
		return ret;
	switch (walk->state) {
	case THREAD_RUNS:
		return put_run(walk, walk->cpu != THREAD_STATES_NONE ? walk->cpu : cpu,
			       walk->to_ns);
	case THREAD_RUNNABLE:
	case THREAD_BLOCKED:
		return put_unknown(walk, DOUBT_NO_SWITCH, walk->to_ns);
	default:
		return put_unknown(walk, walk->doubt, walk->to_ns);
	}
}

int thread_states_find(const struct thread_states *states, uint32_t tid, uint64_t from_ns,
		       uint64_t to_ns, bool runs, uint32_t cpu, struct thread_times *times)
{
	struct walk walk = {
		.states = states,
		.times = times,
		.tid = tid,
		.from_ns = from_ns,
		.to_ns = to_ns,
		.state = THREAD_UNKNOWN,
		.doubt = DOUBT_NO_SWITCH,
		.since_ns = from_ns,
		.cpu = THREAD_STATES_NONE,
	};
	size_t at = first_after(states, states->threads, states->nr_threads, tid, from_ns), from;
	bool any = has_switch(states, tid);
	int ret = 0;

	times->nr = 0;
	memset(times->sums, 0, sizeof(times->sums));
	if (!any && (!runs || states->partial)) {
		walk.doubt = DOUBT_NO_RECORD;
		return put_unknown(&walk, walk.doubt, to_ns);
	}
	for (from = begin(&walk, at); from < at && !ret; from++)
		ret = step(&walk, &states->records[states->threads[from].record]);
	if (runs && walk.state != THREAD_RUNS)
		runs_from(&walk, THREAD_STATES_NONE, from_ns);
	for (; !ret && at < states->nr_threads && states->threads[at].key == tid; at++) {
		const struct sched_record *record = &states->records[states->threads[at].record];

		if (record->time_ns >= to_ns)
			break;
		ret = step(&walk, record);
	}
	return ret ? ret : end(&walk, cpu);
}

/* ---- a CPU -------------------------------------------------------------------------- */

static int add_share(struct cpu_shares *shares, uint32_t tid, uint32_t name, uint64_t ns)
{
	struct cpu_share *more;
	size_t i, room;

	if (!ns)
		return 0;
	for (i = 0; i < shares->nr && shares->of[i].tid != tid; i++)
		;
	if (i == shares->nr) {
		if (shares->nr == shares->room) {
			room = shares->room ? 2 * shares->room : 16;
			more = realloc(shares->of, room * sizeof(*more));
			if (!more)
				return kcatch_error_memory();
			shares->of = more;
			shares->room = room;
		}
		shares->of[shares->nr++] = (struct cpu_share){ .tid = tid };
	}
	shares->of[i].name = name;
	shares->of[i].ns += ns;
	return 0;
}

int thread_states_cpu(const struct thread_states *states, uint32_t cpu, uint64_t from_ns,
		      uint64_t to_ns, struct cpu_shares *shares)
{
	size_t at = first_after(states, states->cpus, states->nr_cpus, cpu, from_ns);
	const struct sched_record *before = NULL, *record;
	uint64_t since = from_ns, until;
	int ret = 0;

	if (at && states->cpus[at - 1].key == cpu)
		before = &states->records[states->cpus[at - 1].record];
	for (; !ret && since < to_ns; at++) {
		record = NULL;
		if (at < states->nr_cpus && states->cpus[at].key == cpu)
			record = &states->records[states->cpus[at].record];
		until = record && record->time_ns < to_ns ? record->time_ns : to_ns;
		/* Of those in calls the last one before the wait is not the last one there was. */
		if (record && (!before || before->to == record->from ||
			       (states->in_call && since == from_ns)))
			ret = add_share(shares, record->from, record->from_name, until - since);
		else if (!record && before)
			ret = add_share(shares, before->to, before->to_name, until - since);
		else
			ret = add_share(shares, THREAD_STATES_NONE, THREAD_STATES_NONE,
					until - since);
		since = until;
		before = record;
		if (!record)
			break;
	}
	return ret;
}

bool thread_states_prio(const struct thread_states *states, uint32_t tid, uint64_t until_ns,
			int16_t *prio)
{
	size_t at = first_after(states, states->threads, states->nr_threads, tid, until_ns);
	const struct sched_record *record;

	while (at-- > 0 && states->threads[at].key == tid) {
		record = &states->records[states->threads[at].record];
		if (record->to == tid ? !record->has_prio : !record->has_from_prio)
			continue;
		*prio = record->to == tid ? record->prio : record->from_prio;
		return true;
	}
	return false;
}

static int longest_first(const void *a, const void *b)
{
	const struct cpu_share *one = a, *two = b;

	if (one->ns != two->ns)
		return one->ns > two->ns ? -1 : 1;
	return one->tid < two->tid ? -1 : one->tid > two->tid;
}

void cpu_shares_sort(struct cpu_shares *shares)
{
	if (shares->nr)
		qsort(shares->of, shares->nr, sizeof(*shares->of), longest_first);
}

void thread_times_deinit(struct thread_times *times)
{
	free(times->segments);
	memset(times, 0, sizeof(*times));
}

void cpu_shares_deinit(struct cpu_shares *shares)
{
	free(shares->of);
	memset(shares, 0, sizeof(*shares));
}

void thread_states_deinit(struct thread_states *states)
{
	free(states->records);
	free(states->threads);
	free(states->cpus);
	kcatch_table_deinit(&states->names);
	kcatch_arena_deinit(&states->texts);
	memset(states, 0, sizeof(*states));
}
