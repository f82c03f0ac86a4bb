/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_times.c - where the time of a call went: its sleeps, and who ended them */
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "why.h"

#define TOP_FRAMES 12U /* of a stack, in which what it waits for is looked for */

/* The threads that wait for each other, from the call's outwards. */
struct chain {
	uint32_t tids[WHY_CHAIN_DEPTH];
	uint32_t nr;
	bool followed;
};

static int find(const struct why *why, const struct why_call *call, struct chain *chain,
		uint32_t tid, uint64_t from_ns, uint64_t to_ns, struct why_times *times);

/* ---- where it slept ----------------------------------------------------------------- */

static bool is_function(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return symbol && !strncmp(symbol, function, length) &&
	       (!symbol[length] || symbol[length] == '.');
}

/* From the innermost function that says what it waits for to the caught one. */
static void read_stack(const struct recorded_stack *stack, const struct why_call *call,
		       struct why_sleep *sleep)
{
	uint32_t i, caught = stack->nr, lock = 0;

	for (i = 0; call && i < stack->nr && caught == stack->nr; i++)
		if (is_function(stack->frames[i].symbol, call->function))
			caught = i;
	for (i = 0; i < stack->nr && i < TOP_FRAMES && i <= caught; i++) {
		enum kcatch_lock_kind before = sleep->wait.lock;

		if (!stack->frames[i].symbol ||
		    !kcatch_wait_look(&sleep->wait, stack->frames[i].symbol))
			continue;
		sleep->first = i;
		if (sleep->wait.lock != before)
			lock = i;
	}
	if (sleep->wait.lock)
		sleep->first = lock;
	while (sleep->first < caught && sleep->first + 1 < stack->nr &&
	       waker_sleeps_in(stack->frames[sleep->first].symbol))
		sleep->first++;
	sleep->end = caught > sleep->first ? caught : sleep->first + 1;
	if (sleep->end > stack->nr)
		sleep->end = stack->nr;
}

/* ---- sleeps that are the same ------------------------------------------------------- */

/* A task that was interrupted is not the waker. */
static uint32_t waker_tid(const struct sched_record *waking)
{
	return waking->context == KCATCH_IN_TASK ? waking->from : 0;
}

static bool is_same(const struct thread_segment *a, const struct thread_segment *b)
{
	uint32_t one = a->left ? a->left->stack : THREAD_STATES_NONE;
	uint32_t two = b->left ? b->left->stack : THREAD_STATES_NONE;

	if (one != two || !a->left != !b->left || !a->waking != !b->waking)
		return false;
	return !a->waking ||
	       (a->waking->kind == b->waking->kind && a->waking->context == b->waking->context &&
		a->waking->stack == b->waking->stack &&
		waker_tid(a->waking) == waker_tid(b->waking));
}

static struct why_sleep *add_sleep(struct why_times *times)
{
	struct why_sleep *more;
	size_t room;

	if (times->nr == times->room) {
		room = times->room ? 2 * times->room : 16;
		more = realloc(times->sleeps, room * sizeof(*more));
		if (!more)
			return NULL;
		times->sleeps = more;
		times->room = room;
	}
	more = &times->sleeps[times->nr++];
	memset(more, 0, sizeof(*more));
	return more;
}

static int count_sleep(const struct why *why, const struct why_call *call, struct why_times *times,
		       const struct thread_segment *segment)
{
	uint64_t ns = segment->to_ns - segment->from_ns;
	struct why_sleep *sleep = NULL;
	size_t i;

	for (i = 0; i < times->nr && !sleep; i++)
		if (is_same(&times->sleeps[i].longest, segment))
			sleep = &times->sleeps[i];
	if (!sleep) {
		sleep = add_sleep(times);
		if (!sleep)
			return kcatch_error_memory();
		sleep->longest = *segment;
		sleep->stack = !segment->left ?
				       NULL :
				       recorded_stacks_get(&why->stacks, segment->left->stack);
		if (sleep->stack)
			read_stack(sleep->stack, call, sleep);
		if (segment->waking && segment->waking->kind == SCHED_RECORD_WAKING)
			sleep->waker_stack = recorded_stacks_get(&why->stacks,
								 segment->waking->stack);
		if (sleep->waker_stack)
			waker_find(sleep->waker_stack, segment->waking->context, sleep->wait.lock,
				   &sleep->waker);
	}
	if (ns > sleep->longest.to_ns - sleep->longest.from_ns)
		sleep->longest = *segment;
	sleep->ns += ns;
	sleep->times++;
	times->blocked++;
	return 0;
}

/* With ends missing, the last one need not be that of the waking. */
static void find_requests(const struct why *why, struct why_times *times)
{
	size_t i;

	for (i = 0; i < times->nr && !why->lost_blocks; i++) {
		struct why_sleep *sleep = &times->sleeps[i];

		if (sleep->waker_stack)
			block_requests_find(&why->blocks, sleep->longest.waking, &sleep->waker,
					    &why->stacks, &sleep->request, &sleep->bio);
	}
}

static int longest_first(const void *a, const void *b)
{
	const struct why_sleep *one = a, *two = b;

	if (one->ns != two->ns)
		return one->ns > two->ns ? -1 : 1;
	return one->longest.from_ns < two->longest.from_ns ? -1 : 1;
}

/* ---- what the wakers had done ------------------------------------------------------- */

static int find_itself(const struct why *why, struct chain *chain, const struct why_sleep *sleep,
		       const struct thread_segment *segment, struct why_itself **found)
{
	uint64_t to_ns = segment->to_ns;
	struct why_itself *itself;
	uint32_t i;
	int ret;

	*found = NULL;
	/* The switches of the waker are recorded now and then, which looks like all. */
	if (why->states.in_call)
		return 0;
	if (!sleep->waker_stack || sleep->waker.context != KCATCH_IN_TASK || !segment->waking->from)
		return 0;
	/* When the woken thread is in a queue, its waker may have lost its CPU already. */
	if (segment->waking->time_ns < to_ns)
		to_ns = segment->waking->time_ns;
	if (to_ns <= segment->from_ns)
		return 0;
	itself = calloc(1, sizeof(*itself));
	if (!itself)
		return kcatch_error_memory();
	*found = itself;
	itself->tid = segment->waking->from;
	for (i = 0; i < chain->nr; i++)
		itself->again |= chain->tids[i] == itself->tid;
	itself->deep = chain->nr == WHY_CHAIN_DEPTH;
	if (itself->again || itself->deep)
		return 0;
	chain->tids[chain->nr++] = itself->tid;
	ret = find(why, NULL, chain, itself->tid, segment->from_ns, to_ns, &itself->times);
	chain->nr--;
	return ret;
}

int why_itself_find(const struct why *why, const struct why_call *call,
		    const struct why_sleep *sleep, const struct thread_segment *segment,
		    struct why_itself **itself)
{
	struct chain chain = { .tids = { call->tid }, .nr = 1, .followed = true };

	return find_itself(why, &chain, sleep, segment, itself);
}

void why_itself_destroy(struct why_itself *itself)
{
	if (itself)
		why_times_deinit(&itself->times);
	free(itself);
}

/* Of each sleep of the call; of the wakers' sleeps of the longest alone. */
static int follow(const struct why *why, struct chain *chain, struct why_times *times)
{
	size_t i, nr = chain->nr == 1 ? times->nr : times->nr > 0;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = find_itself(why, chain, &times->sleeps[i], &times->sleeps[i].longest,
				  &times->sleeps[i].itself);
	return ret;
}

/* ---- a time of a thread ------------------------------------------------------------- */

static void note_cpu(uint32_t *cpu, bool *any, uint32_t seen)
{
	*cpu = !*any || *cpu == seen ? seen : THREAD_STATES_NONE;
	*any = true;
}

static int sum_up(const struct why *why, const struct why_call *call,
		  const struct thread_times *found, struct why_times *times)
{
	bool ready = false, ran = false;
	int ret = 0;
	size_t i;

	times->ready_cpu = times->ran_cpu = THREAD_STATES_NONE;
	memcpy(times->sums, found->sums, sizeof(times->sums));
	for (i = 0; i < found->nr && !ret; i++) {
		const struct thread_segment *segment = &found->segments[i];

		switch (segment->state) {
		case THREAD_RUNS:
			note_cpu(&times->ran_cpu, &ran, segment->cpu);
			times->switches += i + 1 < found->nr;
			break;
		case THREAD_RUNNABLE:
			note_cpu(&times->ready_cpu, &ready, segment->cpu);
			ret = thread_states_cpu(&why->states, segment->cpu, segment->from_ns,
						segment->to_ns, &times->ran);
			break;
		case THREAD_BLOCKED:
			ret = count_sleep(why, call, times, segment);
			break;
		default:
			times->doubts[segment->doubt] += segment->to_ns - segment->from_ns;
			break;
		}
	}
	cpu_shares_sort(&times->ran);
	find_requests(why, times);
	if (times->nr)
		qsort(times->sleeps, times->nr, sizeof(*times->sleeps), longest_first);
	return ret;
}

static int find(const struct why *why, const struct why_call *call, struct chain *chain,
		uint32_t tid, uint64_t from_ns, uint64_t to_ns, struct why_times *times)
{
	struct thread_times found = { .nr = 0 };
	int ret = thread_states_find(&why->states, tid, from_ns, to_ns, call != NULL,
				     call ? call->cpu : THREAD_STATES_NONE, &found);
	size_t i;

	if (!ret)
		ret = sum_up(why, call, &found, times);
	times->has_prio = thread_states_prio(&why->states, tid, to_ns, &times->prio);
	for (i = 0; i < times->ran.nr; i++) {
		struct cpu_share *share = &times->ran.of[i];

		if (share->tid && share->tid != THREAD_STATES_NONE)
			share->has_prio = thread_states_prio(&why->states, share->tid, to_ns,
							     &share->prio);
	}
	times->segments = found.segments;
	times->nr_segments = found.nr;
	if (!ret && chain->followed)
		ret = follow(why, chain, times);
	return ret;
}

int why_times_find(const struct why *why, const struct why_call *call, bool chain,
		   struct why_times *times)
{
	struct chain threads = { .tids = { call->tid }, .nr = 1, .followed = chain };

	memset(times, 0, sizeof(*times));
	return find(why, call, &threads, call->tid, call->from_ns, call->from_ns + call->latency_ns,
		    times);
}

void why_times_deinit(struct why_times *times)
{
	size_t i;

	for (i = 0; i < times->nr; i++)
		why_itself_destroy(times->sleeps[i].itself);
	free(times->sleeps);
	free(times->segments);
	cpu_shares_deinit(&times->ran);
	memset(times, 0, sizeof(*times));
}

const struct why_sleep *why_times_sleep(const struct why_times *times,
					const struct thread_segment *segment)
{
	size_t i;

	for (i = 0; i < times->nr; i++)
		if (is_same(&times->sleeps[i].longest, segment))
			return &times->sleeps[i];
	return NULL;
}

const char *why_doubt_text(enum thread_doubt doubt)
{
	static const char *const texts[] = {
		[DOUBT_NONE] = "",
		[DOUBT_NO_WAKING] = ("blocked, then ready to run: what woke it, and when, is not "
				     "in the recording"),
		[DOUBT_NO_SWITCH] = "a switch from it or to it is not in the recording",
		[DOUBT_OTHERS_RAN] =
			"no switch of it is in the recording, but others ran on its CPU",
		[DOUBT_NO_RECORD] = "its switches are not in the recording",
	};

	return texts[doubt];
}
