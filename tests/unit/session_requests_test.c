// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: what a session asks of the kernel module: while it runs, nothing that the module
 * would refuse after the functions are armed; rings of a size that the module takes, whatever the
 * budget is.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_counts.h>
#include <kcatch_text.h>
#include "session/handle.h"
#include "uapi/kcatch.h"

static unsigned int asked;	/* number of requests that reached the module */
static uint32_t ring_size;	/* that of the last SETUP */

static int permit(const struct kcatch_session *session, const char *what)
{
	(void)session;
	(void)what;
	return 0;
}

/* A module that refuses all. */
static int refuse(const struct kcatch_session *session, unsigned long request, void *argument)
{
	(void)session;
	asked++;
	if (request == KCATCH_IOC_SETUP)
		ring_size = ((const struct kcatch_setup *)argument)->ring_size;
	return -EPERM;
}

static const struct kcatch_session_kind kind = { .permit = permit, .ioctl = refuse };

static struct kcatch_session session_of(bool running)
{
	return (struct kcatch_session){
		.kind = &kind, .fd = -1, .running = running, .ring_size = 65536,
		.info = { .nr_cpus = 2, .features = ~0U },
	};
}

static void expect_refused(struct kcatch_session *session, int ret)
{
	assert_int_equal(ret, -EBUSY);
	assert_int_equal(asked, 0);
	assert_non_null(strstr(kcatch_error_text(), "stop it first"));
	assert_false(session->armed.broken);
	assert_false(session->pairs);
	assert_null(session->count);
	assert_null(session->pair);
}

/* What is armed while a session runs is live at once: without its condition, it records all. */
static void programs_while_it_runs(void **state)
{
	const char *const names[] = { "vfs_read" }, *const events[] = { "sched:sched_switch" };
	const struct kcatch_count_request count = { .size = sizeof(count) };
	const struct kcatch_pair_request pair = {
		.size = sizeof(pair),
		.first = "vfs_read",
		.second = "vfs_write",
		.first_key = "tid",
		.second_key = "tid",
	};
	const struct kcatch_request requests[] = {
		{ .functions = names, .nr_functions = 1, .returns = true },
		{ .functions = names, .nr_functions = 1, .condition = "count == 1" },
		{ .functions = names, .nr_functions = 1, .arguments = true },
		{ .functions = names, .nr_functions = 1, .user_stack = 4096 },
		{ .functions = names, .nr_functions = 1, .with_cgroup = true },
		{ .functions = names, .nr_functions = 1, .count = &count },
		{ .events = events, .nr_events = 1 },
		{ .pair = &pair },
	};
	struct kcatch_session session = session_of(true);
	struct kcatch_request request;
	size_t i;

	(void)state;
	asked = 0;
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		request = requests[i];
		request.size = sizeof(request);
		expect_refused(&session, kcatch_session_add(&session, &request));
	}
}

static void watches_and_signals_while_it_runs(void **state)
{
	struct kcatch_session session = session_of(true);
	struct kcatch_signals_request signals;
	struct kcatch_request request;

	(void)state;
	asked = 0;
	kcatch_request_init(&request);
	kcatch_signals_request_init(&signals);
	signals.gate = &request;
	expect_refused(&session, kcatch_session_signals(&session, &signals));
	request.condition = "new > 5";
	expect_refused(&session, kcatch_session_watch(&session, "0xffffffff81000000:8", false,
						      &request));
}

/* Functions alone can be added: that asks the module. */
static void functions_while_it_runs(void **state)
{
	const char *const names[] = { "vfs_read" };
	struct kcatch_session session = session_of(true);
	struct kcatch_request request;

	(void)state;
	asked = 0;
	kcatch_request_init(&request);
	request.functions = names;
	request.nr_functions = 1;
	assert_int_equal(kcatch_session_add(&session, &request), -EPERM);
	assert_int_equal(asked, 1);
}

static uint32_t ring_for(uint64_t budget, bool large)
{
	struct kcatch_session session = session_of(false);
	struct kcatch_request request;

	kcatch_request_init(&request);
	request.budget = budget;
	if (large) {		/* two records of a call do not fit into one packet */
		request.depth = KCATCH_DEPTH_MAX;
		request.arguments = true;
		request.returns = true;
	}
	ring_size = 0;
	assert_int_equal(kcatch_session_setup(&session, 0, &request), -EPERM);
	return ring_size;
}

static void rings_of_budgets(void **state)
{
	static const uint64_t budgets[] = { UINT64_MAX, UINT64_MAX - 1, INT64_MAX, 1ULL << 63,
					    1ULL << 62, 1ULL << 52, 1ULL << 51, 1ULL << 32,
					    1000000 };
	const uint32_t most = ring_for(0, false), most_of_large = ring_for(0, true);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
		assert_int_equal(ring_for(budgets[i], false), most);
		assert_int_equal(ring_for(budgets[i], true), most_of_large);
	}
	assert_in_range(ring_for(1, false), KCATCH_RING_SIZE_MIN, most / 2);
	assert_in_range(ring_for(1, true), KCATCH_RING_SIZE_MIN, most_of_large / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_while_it_runs),
		cmocka_unit_test(watches_and_signals_while_it_runs),
		cmocka_unit_test(functions_while_it_runs),
		cmocka_unit_test(rings_of_budgets),
	};

	return cmocka_run_group_tests_name("requests of a session", tests, NULL, NULL);
}
