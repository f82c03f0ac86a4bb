/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_json.c - where the time of a call went, as a JSON object */
#include <string.h>

#include <kcatch_json.h>
#include "why.h"

static void put_stack(struct json_writer *json, const char *name,
		      const struct recorded_stack *stack)
{
	uint32_t i;

	if (!stack) {
		json_add_null(json, name);
		return;
	}
	json_add_begin(json, name, false);
	for (i = 0; i < stack->nr; i++) {
		json_put_begin(json, true);
		json_add_word(json, "symbol", stack->frames[i].symbol);
		if (stack->frames[i].module)
			json_add_word(json, "module", stack->frames[i].module);
		if (stack->frames[i].interrupted)
			json_add_bool(json, "interrupted", true);
		json_put_end(json);
	}
	json_put_end(json);
}

static void put_request(struct json_writer *json, const char *name, const struct block_end *end)
{
	const struct block_record *done = end->done;

	if (!done)
		return;
	json_add_begin(json, name, true);
	json_add_word(json, "device", done->disk);
	json_add_number(json, "sector", done->sector);
	json_add_number(json, "bytes", done->sectors * 512);
	json_add_word(json, "operation", done->operation);
	if (end->begun)
		json_add_number(json, "latency_ns", done->time_ns - end->begun->time_ns);
	else
		json_add_null(json, "latency_ns");
	json_put_end(json);
}

/* Who was interrupted is told of no waking in an interrupt or a softirq. */
static void put_waker(struct json_writer *json, const struct why *why,
		      const struct why_sleep *sleep)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task",
		[KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq",
		[KCATCH_IN_NMI] = "nmi",
	};
	static const char *const locks[] = {
		[WAKER_LOCK_RELEASED] = "released",
		[WAKER_LOCK_WRITTEN] = "released_write",
		[WAKER_LOCK_READ] = "released_read",
		[WAKER_LOCK_DOWNGRADED] = "downgraded",
		[WAKER_LOCK_TAKING] = "taking",
	};
	const struct sched_record *waking = sleep->longest.waking;
	const struct waker *waker = &sleep->waker;

	if (!sleep->waker_stack) {
		json_add_null(json, "woken_by");
		return;
	}
	json_add_begin(json, "woken_by", true);
	json_add_word(json, "context", contexts[waker->context & 3]);
	json_add_number(json, "cpu", waking->cpu);
	if (waker->context == KCATCH_IN_TASK) {
		json_add_number(json, "tid", waking->from);
		json_add_word(json, "comm", thread_states_text(&why->states, waking->from_name));
	}
	if (waker->softirq)
		json_add_word(json, "softirq", waker->softirq);
	if (waker->kind)
		json_add_word(json, "interrupt", waker->kind);
	if (waker->handler)
		json_add_word(json, "handler", waker->handler);
	json_add_word(json, "function",
		      waker->first < sleep->waker_stack->nr ?
			      sleep->waker_stack->frames[waker->first].symbol :
			      NULL);
	if (waker->lock)
		json_add_word(json, "lock", locks[waker->lock]);
	if (waker->lock && waker->user < waker->end)
		json_add_word(json, "lock_user",
			      sleep->waker_stack->frames[waker->user].symbol);
	put_request(json, "bio", &sleep->bio);
	put_request(json, "request", &sleep->request);
	put_stack(json, "stack", sleep->waker_stack);
	json_put_end(json);
}

static void put_times(struct json_writer *json, const struct why *why,
		      const struct why_times *times);

static void put_itself(struct json_writer *json, const struct why *why,
		       const struct why_itself *itself)
{
	json_add_begin(json, "waker", true);
	json_add_number(json, "tid", itself->tid);
	if (itself->again)
		json_add_bool(json, "in_chain_already", true);
	else if (itself->deep)
		json_add_bool(json, "chain_cut", true);
	else
		put_times(json, why, &itself->times);
	json_put_end(json);
}

static void put_sleep(struct json_writer *json, const struct why *why,
		      const struct why_sleep *sleep)
{
	static const char *const locks[] = {
		[KCATCH_LOCK_MUTEX] = "mutex",
		[KCATCH_LOCK_RWSEM_READ] = "rwsem_read",
		[KCATCH_LOCK_RWSEM_WRITE] = "rwsem_write",
	};

	json_put_begin(json, true);
	json_add_number(json, "ns", sleep->ns);
	json_add_number(json, "times", sleep->times);
	json_add_word(json, "function",
		      sleep->stack && sleep->first < sleep->stack->nr ?
			      sleep->stack->frames[sleep->first].symbol :
			      NULL);
	json_add_word(json, "waits_for", sleep->wait.reason);
	json_add_word(json, "lock", sleep->wait.lock ? locks[sleep->wait.lock] : NULL);
	put_stack(json, "stack", sleep->stack);
	put_waker(json, why, sleep);
	if (sleep->itself)
		put_itself(json, why, sleep->itself);
	json_put_end(json);
}

static void put_shares(struct json_writer *json, const struct why *why,
		       const struct cpu_shares *shares)
{
	size_t i;

	json_add_begin(json, "ran_meanwhile", false);
	for (i = 0; i < shares->nr; i++) {
		json_put_begin(json, true);
		if (shares->of[i].tid == THREAD_STATES_NONE) {
			json_add_null(json, "tid");
		} else {
			json_add_number(json, "tid", shares->of[i].tid);
			json_add_word(json, "comm",
				      thread_states_text(&why->states, shares->of[i].name));
		}
		json_add_number(json, "ns", shares->of[i].ns);
		if (shares->of[i].has_prio)
			json_add_signed(json, "prio", shares->of[i].prio);
		json_put_end(json);
	}
	json_put_end(json);
}

static void put_doubts(struct json_writer *json, const struct why_times *times)
{
	enum thread_doubt doubt;

	json_add_begin(json, "unknown", false);
	for (doubt = DOUBT_NO_WAKING; doubt <= DOUBT_NO_RECORD; doubt++) {
		if (!times->doubts[doubt])
			continue;
		json_put_begin(json, true);
		json_add_number(json, "ns", times->doubts[doubt]);
		json_add_word(json, "because", why_doubt_text(doubt));
		json_put_end(json);
	}
	json_put_end(json);
}

static void put_times(struct json_writer *json, const struct why *why,
		      const struct why_times *times)
{
	size_t i;

	json_add_number(json, "blocked_ns", times->sums[THREAD_BLOCKED]);
	json_add_number(json, "runnable_ns", times->sums[THREAD_RUNNABLE]);
	json_add_number(json, "oncpu_ns", times->sums[THREAD_RUNS]);
	json_add_number(json, "unknown_ns", times->sums[THREAD_UNKNOWN]);
	json_add_number(json, "switches", times->switches);
	if (times->has_prio)
		json_add_signed(json, "prio", times->prio);
	json_add_begin(json, "sleeps", false);
	for (i = 0; i < times->nr; i++)
		put_sleep(json, why, &times->sleeps[i]);
	json_put_end(json);
	put_shares(json, why, &times->ran);
	put_doubts(json, times);
}

int why_json_call(FILE *out, const struct why *why, const struct why_call *call,
		  const struct why_times *times)
{
	struct json_writer json = { .text = NULL };
	int ret;

	json_put_begin(&json, true);
	json_put_ready(&json, call->json, strlen(call->json));
	json_add_number(&json, "latency_ns", call->latency_ns);
	put_times(&json, why, times);
	json_add_number(&json, "lost", why->lost);
	json_put_end(&json);
	ret = json_print(&json, out, "\n");
	json_writer_deinit(&json);
	return ret;
}
