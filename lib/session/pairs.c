/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * pairs.c - pairs of events: the table of the first ones, and the parts of programs
 *
 * First events are counted, in a table of their own that nobody reads: so what becomes of them is
 * in the probes' counters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_counts.h>
#include <kcatch_text.h>
#include "condition/expression.h"
#include "session/handle.h"
#include "session/pairs.h"
#include "target/tracepoints.h"

#define ROOM 65536U

/* What programs that are made now have to do with pairs. */
enum role { ROLE_NONE, ROLE_FIRST, ROLE_SECOND };

struct kcatch_pair_state {
	enum role role;
	char *first;
	struct kcatch_expression *first_key, *second_key, *sleeps;
	uint32_t room;
	uint32_t first_table; /* number of that in which first events are counted */
	size_t nr_first;      /* probes of first events: the first ones of the session */
};

/*
 * A time off the CPU: from the event at which the scheduler leaves a thread to the first function
 * that this thread comes back to. Threads that end, TASK_DEAD of linux/sched.h, do not come back;
 * the kernel's idle threads have the key 0.
 */
static const struct kcatch_pair_request off_cpu = {
	.first = "sched:sched_switch",
	.second = "finish_task_switch*",
	.first_key = "arg.prev_state & 0x80 ? 0 : tid",
	.second_key = "tid",
};
static const char sleeps[] = "arg.preempt == 0 && arg.prev_state != 0";

static int parse_key(const char *text, struct kcatch_expression **expression)
{
	int ret;

	if (!text)
		return kcatch_error_set(EINVAL, "a pair needs a key for both of its events");
	ret = kcatch_expression_parse_as("pair's key", text, expression);
	if (!ret && kcatch_expression_uses_return(*expression))
		ret = kcatch_error_set(EINVAL,
				       "a pair's key cannot use ret, failure or latency: they are "
				       "known later");
	return ret;
}

int kcatch_pairs_create(const struct kcatch_pair_request *request, struct kcatch_pair_state **pairs)
{
	struct kcatch_pair_state *state;
	int ret;

	if (request->room > KCATCH_PAIRS_ROOM_MAX)
		return kcatch_error_set(EINVAL, "there is room for at most %u first events",
					KCATCH_PAIRS_ROOM_MAX);
	state = calloc(1, sizeof(*state));
	if (!state)
		return kcatch_error_memory();
	state->room = request->room ? request->room : ROOM;
	if (state->room < KCATCH_PAIRS_ROOM_MIN)
		state->room = KCATCH_PAIRS_ROOM_MIN;
	state->first = strdup(request->first);
	ret = state->first ? 0 : kcatch_error_memory();
	if (!ret)
		ret = parse_key(request->first_key, &state->first_key);
	if (!ret)
		ret = parse_key(request->second_key, &state->second_key);
	if (!ret && request->off_cpu)
		ret = kcatch_expression_parse(sleeps, &state->sleeps);
	if (ret)
		kcatch_pairs_destroy(state);
	else
		*pairs = state;
	return ret;
}

void kcatch_pairs_destroy(struct kcatch_pair_state *pairs)
{
	if (!pairs)
		return;
	kcatch_expression_destroy(pairs->first_key);
	kcatch_expression_destroy(pairs->second_key);
	kcatch_expression_destroy(pairs->sleeps);
	free(pairs->first);
	free(pairs);
}

bool kcatch_pairs_is_first(const struct kcatch_pair_state *pairs)
{
	return pairs && pairs->role == ROLE_FIRST;
}

bool kcatch_pairs_is_second(const struct kcatch_pair_state *pairs)
{
	return pairs && pairs->role == ROLE_SECOND;
}

const struct kcatch_expression *kcatch_pairs_key(const struct kcatch_pair_state *pairs)
{
	return !pairs ? NULL : pairs->role == ROLE_FIRST ? pairs->first_key : pairs->second_key;
}

bool kcatch_pairs_is_off_cpu(const struct kcatch_pair_state *pairs)
{
	return pairs && pairs->sleeps;
}

const struct kcatch_expression *kcatch_pairs_sleeps(const struct kcatch_pair_state *pairs)
{
	return kcatch_pairs_is_first(pairs) ? pairs->sleeps : NULL;
}

const char *kcatch_pairs_first(const struct kcatch_pair_state *pairs)
{
	return pairs ? pairs->first : NULL;
}

size_t kcatch_pairs_nr_first(const struct kcatch_pair_state *pairs)
{
	return pairs ? pairs->nr_first : 0;
}

int kcatch_pairs_begin(struct kcatch_session *session)
{
	struct kcatch_pair_state *state = session->pair;
	struct kcatch_new_pairs pairs = {
		.room = state->room,
		.flags = state->sleeps ? KCATCH_PAIRS_OFF_CPU : 0,
	};
	struct kcatch_new_table table = { .size = KCATCH_TABLE_SIZE_MIN };
	int ret;

	if (session->nr_slots)
		return kcatch_error_set(EBUSY, "a pair has a session of its own");
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PAIRS, &pairs);
	if (!ret)
		ret = kcatch_session_ioctl(session, KCATCH_IOC_TABLE, &table);
	if (ret)
		return kcatch_error_system(ret, "make a table for pairs");
	state->first_table = table.number;
	state->role = ROLE_FIRST;
	return 0;
}

void kcatch_pairs_go_on(struct kcatch_session *session)
{
	session->pair->nr_first = session->nr_slots;
	session->pair->role = ROLE_SECOND;
}

static bool is_no_event(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return false;
}

/* SYSTEM:NAME may be a function of a module as well. */
static bool is_event(const char *name)
{
	struct kcatch_event_name *names;
	size_t nr, nr_unknown;

	if (!strchr(name, ':'))
		return false;
	if (!strncmp(name, "ktrace:", strlen("ktrace:")))
		return true;
	if (kcatch_tracepoints_find(&name, 1, is_no_event, NULL, &names, &nr, &nr_unknown))
		return false;
	kcatch_tracepoints_free(names, nr);
	return true;
}

static void take_name(struct kcatch_request *request, const char *const *name, bool event)
{
	if (event || is_event(*name)) {
		request->events = name;
		request->nr_events = 1;
	} else {
		request->functions = name;
		request->nr_functions = 1;
	}
}

/* The pair is one of the caller's, or that of times off the CPU. */
static int take_off_cpu(const struct kcatch_request *request, struct kcatch_pair_request *pair)
{
	if (!pair->off_cpu)
		return 0;
	if (pair->first || pair->second || pair->first_key || pair->second_key || pair->events)
		return kcatch_error_set(EINVAL, "times off the CPU are a pair of their own");
	if (!request->count)
		return kcatch_error_set(EINVAL, "times off the CPU are counted");
	pair->first = off_cpu.first;
	pair->second = off_cpu.second;
	pair->first_key = off_cpu.first_key;
	pair->second_key = off_cpu.second_key;
	return 0;
}

int kcatch_pairs_requests(const struct kcatch_request *request, struct kcatch_pair_request *pair,
			  struct kcatch_request *first, struct kcatch_request *second)
{
	int ret = take_off_cpu(request, pair);

	if (ret)
		return ret;
	if (!pair->first || !pair->second)
		return kcatch_error_set(EINVAL, "a pair needs two events");
	if (request->nr_functions || request->nr_events)
		return kcatch_error_set(EINVAL,
					"a pair is alone, without other functions and events");
	if (request->returns || request->errors || request->pending || request->nr_under)
		return kcatch_error_set(
			EINVAL, "a pair's events are entries of functions, and tracepoints: "
				"no return is caught, and no module is waited for");
	if (request->overwrite || request->freeze || request->freeze_on)
		return kcatch_error_set(EINVAL, "a pair is for no flight recorder");
	*first = (struct kcatch_request){
		.size = request->size,
		.pair = pair,
		.pid = request->pid,
		.children = request->children,
		.comm = request->comm,
		.cgroup = request->cgroup,
		.others_only = request->others_only,
	};
	take_name(first, &pair->first, pair->events);
	*second = *request;
	second->pair = pair;
	second->pid = 0;
	second->children = false;
	second->comm = NULL;
	second->cgroup = NULL;
	second->others_only = false;
	take_name(second, &pair->second, pair->events);
	return 0;
}

int kcatch_pairs_first_program(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_count call = { .program = number, .table = session->pair->first_table };
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_COUNT, &call);

	return ret ? kcatch_error_system(ret, "tell the kcatch module what to count") : 0;
}

int kcatch_pairs_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants)
{
	struct kcatch_pair pair = {
		.program = number,
		.role = kcatch_pairs_is_first(session->pair) ? KCATCH_PAIR_FIRST :
							       KCATCH_PAIR_SECOND,
		.key = { .at = (uintptr_t)wants->pair_code, .nr = wants->nr_pair_code },
	};
	int ret;

	if (!wants->pair)
		return 0;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PAIR, &pair);
	return ret ? kcatch_error_system(ret, "tell the kcatch module the key of pairs") : 0;
}

int kcatch_session_pairs(struct kcatch_session *session, struct kcatch_pairs *pairs)
{
	struct kcatch_pair_counts counts;
	struct kcatch_totals totals;
	uint64_t rest;
	uint32_t i;
	int ret;

	memset(pairs, 0, sizeof(*pairs));
	if (!session->pair)
		return kcatch_error_set(EINVAL, "this session has no pairs");
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PAIRED, &counts);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its pairs");
	for (i = 0; i < session->pair->nr_first && !ret; i++) {
		ret = kcatch_session_probe_totals(session, i, &totals);
		if (!ret)
			kcatch_totals_add(&pairs->first, &totals);
	}
	pairs->paired = counts.paired;
	pairs->unmatched = counts.unmatched;
	pairs->restarted = counts.restarted;
	pairs->overflow = counts.overflow;
	pairs->undecided_first = counts.undecided_first;
	pairs->undecided_second = counts.undecided_second;
	pairs->open = counts.open;
	if (!ret)
		ret = kcatch_session_totals(session, &pairs->second);
	/* Of those over budget some had ended a pair before: what is left of the sum are others. */
	rest = pairs->second.hits - pairs->second.missed - pairs->paired - pairs->unmatched -
	       pairs->undecided_second;
	pairs->not_paired = rest <= pairs->second.over_budget ? rest : 0;
	return ret;
}
