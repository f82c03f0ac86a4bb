/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * pairs.c - counting pairs of events: the table of the first ones, and the parts of programs
 *
 * The probes of first events are armed before those of second ones. Both count: first events in a
 * table of their own that nobody reads, so that what becomes of them is in the probes' counters.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <kcatch_counts.h>
#include <kcatch_text.h>
#include "session/count_state.h"
#include "session/counts.h"
#include "session/handle.h"
#include "target/tracepoints.h"

bool kcatch_count_is_first(const struct kcatch_count_state *state)
{
	return state->role == ROLE_FIRST;
}

bool kcatch_count_is_second(const struct kcatch_count_state *state)
{
	return state->role == ROLE_SECOND;
}

size_t kcatch_pairs_nr_first(const struct kcatch_count_state *state)
{
	return state ? state->nr_first : 0;
}

int kcatch_pairs_begin(struct kcatch_session *session)
{
	struct kcatch_count_state *state = session->count;
	struct kcatch_new_pairs pairs = { .room = state->pair_room };
	struct kcatch_new_table table = { .size = KCATCH_TABLE_SIZE_MIN };
	int ret;

	if (session->nr_slots)
		return kcatch_error_set(EBUSY, "pairs are counted by a session of their own");
	if (pairs.room > KCATCH_PAIRS_ROOM_MAX)
		return kcatch_error_set(EINVAL, "there is room for at most %u first events",
					KCATCH_PAIRS_ROOM_MAX);
	if (pairs.room < KCATCH_PAIRS_ROOM_MIN)
		pairs.room = KCATCH_PAIRS_ROOM_MIN;
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
	session->count->nr_first = session->nr_slots;
	session->count->role = ROLE_SECOND;
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

static void take_name(struct kcatch_request *request, const char *const *name)
{
	if (is_event(*name)) {
		request->events = name;
		request->nr_events = 1;
	} else {
		request->functions = name;
		request->nr_functions = 1;
	}
}

int kcatch_pairs_requests(const struct kcatch_request *request,
			  const struct kcatch_count_request *count, struct kcatch_request *first,
			  struct kcatch_request *second)
{
	if (!count->second)
		return kcatch_error_set(EINVAL, "a pair needs a second event");
	if (request->nr_functions || request->nr_events)
		return kcatch_error_set(
			EINVAL, "pairs are counted alone, without other functions and events");
	if (request->returns || request->errors || request->pending)
		return kcatch_error_set(
			EINVAL, "a pair's events are entries of functions, and tracepoints: "
				"no return is caught, and no module is waited for");
	*first = *request;
	first->condition = NULL;
	first->budget = 0;
	take_name(first, &count->first);
	*second = *request;
	second->pid = 0;
	second->children = false;
	second->comm = NULL;
	second->cgroup = NULL;
	second->others_only = false;
	take_name(second, &count->second);
	return 0;
}

int kcatch_pairs_first_program(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_count call = { .program = number, .table = session->count->first_table };
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_COUNT, &call);

	return ret ? kcatch_error_system(ret, "tell the kcatch module what to count") : 0;
}

int kcatch_pairs_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants)
{
	struct kcatch_pair pair = {
		.program = number,
		.role = kcatch_count_is_first(session->count) ? KCATCH_PAIR_FIRST :
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
	uint32_t i;
	int ret;

	memset(pairs, 0, sizeof(*pairs));
	if (!session->count || session->count->role == ROLE_NONE)
		return kcatch_error_set(EINVAL, "this session counts no pairs");
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PAIRED, &counts);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its pairs");
	for (i = 0; i < session->count->nr_first && !ret; i++) {
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
	return ret ? ret : kcatch_session_totals(session, &pairs->second);
}
