// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a helper process answers many requests, one that blocks or ends is given up and
 * another begun, one that works is not; and nobody who waits for our files waits for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/helper_process.h"
#include "base/timing.h"

#define LIMIT_MS 500

enum order { ADD, BLOCK, WORK, STARVE, END, READ_OURS };

struct request {
	enum order order;
	uint32_t number;
	uint32_t sum;
	pid_t pid;
};

static uint32_t ours = 1;

static uint64_t now_ms(void)
{
	return kcatch_timing_now_ns() / 1000000;
}

/* On one processor, where others are. */
static void use_one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Processes that use all of this processor for three limits. Then the one that had nothing of it
 * gets its part. */
static void use_it_up(void)
{
	const struct sched_param none = { 0 };
	uint64_t end = now_ms() + 3ULL * LIMIT_MS;
	pid_t starving = getpid();
	int i;

	for (i = 0; i < 4; i++) {
		if (fork())
			continue;
		while (now_ms() < end)
			;
		sched_setscheduler(starving, SCHED_OTHER, &none);
		_exit(0);
	}
}

static void serve(void *arg, void *memory)
{
	const struct sched_param none = { 0 };
	volatile struct request *request = memory;
	uint64_t end;

	assert_ptr_equal(arg, &ours);
	request->pid = getpid();
	switch (request->order) {
	case ADD:
		request->sum += request->number;
		break;
	case BLOCK:
		request->sum = 77;
		pause();
		break;
	case WORK:
		for (end = now_ms() + 3ULL * LIMIT_MS; now_ms() < end;)
			request->sum++;
		break;
	case STARVE:
		use_one_processor();
		use_it_up();
		sched_setscheduler(0, SCHED_IDLE, &none);
		for (request->sum = 0; request->sum < 3; request->sum++)
			sched_yield();
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		break;
	case END:
		_exit(1);
	case READ_OURS:
		request->sum = *(uint32_t *)arg;
		break;
	}
}

static struct kcatch_helper *create(void)
{
	struct kcatch_helper *helper;

	assert_int_equal(kcatch_helper_create(serve, &ours, sizeof(struct request), LIMIT_MS,
					      &helper), 0);
	return helper;
}

static struct request *order(struct kcatch_helper *helper, enum order what, uint32_t number,
			     int result)
{
	struct request *request = kcatch_helper_memory(helper);

	assert_non_null(request);
	request->order = what;
	request->number = number;
	assert_int_equal(kcatch_helper_run(helper), result);
	return request;
}

/* Or the test does. A slow machine may leave some to be waited for. */
static void all_end(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
	assert_int_equal(errno, ECHILD);
}

static void test_serves(void **state)
{
	struct kcatch_helper *helper = create();
	pid_t pid = order(helper, ADD, 1, 0)->pid;
	uint32_t i;

	(void)state;
	for (i = 2; i <= 1000; i++)
		order(helper, ADD, i, 0);
	assert_int_equal(order(helper, ADD, 0, 0)->sum, 500500);
	assert_int_equal(order(helper, ADD, 0, 0)->pid, pid);
	assert_int_not_equal(pid, getpid());
	kcatch_helper_destroy(helper);
	all_end();
}

static void test_given_up(void **state)
{
	struct kcatch_helper *helper = create();
	uint64_t begin = now_ms();
	struct request *request;
	pid_t first;

	(void)state;
	request = order(helper, BLOCK, 0, -ETIMEDOUT);
	assert_in_range(now_ms() - begin, LIMIT_MS / 2, 60 * LIMIT_MS);
	/* How far it has come. */
	assert_int_equal(request->sum, 77);
	first = request->pid;
	request = order(helper, ADD, 5, 0);
	assert_int_equal(request->sum, 5);
	assert_int_not_equal(request->pid, first);
	order(helper, END, 0, -ECHILD);
	order(helper, ADD, 5, 0);
	order(helper, END, 0, -ECHILD);
	/* Three are enough. */
	begin = now_ms();
	order(helper, ADD, 5, -ETIMEDOUT);
	order(helper, BLOCK, 5, -ETIMEDOUT);
	assert_in_range(now_ms() - begin, 0, LIMIT_MS / 2);
	kcatch_helper_destroy(helper);
	all_end();
}

static void test_works_for_long(void **state)
{
	struct kcatch_helper *helper = create();

	(void)state;
	assert_true(order(helper, WORK, 0, 0)->sum > 0);
	kcatch_helper_destroy(helper);
}

static void test_has_no_processor(void **state)
{
	struct kcatch_helper *helper = create();

	(void)state;
	assert_int_equal(order(helper, STARVE, 0, 0)->sum, 3);
	kcatch_helper_destroy(helper);
}

static void test_memory_is_of_then(void **state)
{
	struct kcatch_helper *helper = create();

	(void)state;
	ours = 1;
	assert_int_equal(order(helper, READ_OURS, 0, 0)->sum, 1);
	ours = 2;
	assert_int_equal(order(helper, READ_OURS, 0, 0)->sum, 1);
	kcatch_helper_renew(helper);
	assert_int_equal(order(helper, READ_OURS, 0, 0)->sum, 2);
	/* That one was not given up. */
	kcatch_helper_renew(helper);
	kcatch_helper_renew(helper);
	kcatch_helper_renew(helper);
	kcatch_helper_renew(helper);
	assert_int_equal(order(helper, READ_OURS, 0, 0)->sum, 2);
	kcatch_helper_destroy(helper);
}

/* A pipe's reader sees its end, though a helper was made while it was open. */
static void test_has_no_files(void **state)
{
	struct kcatch_helper *helper = create();
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	order(helper, ADD, 1, 0);
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	kcatch_helper_destroy(helper);
}

static volatile sig_atomic_t handled;

static void handle(int signal_number)
{
	handled = signal_number;
}

/* Handlers and masks are ours alone; and signals are no answer. */
static void test_signals(void **state)
{
	struct kcatch_helper *helper = create();
	sigset_t term;
	pid_t pid;

	(void)state;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	signal(SIGTERM, handle);
	sigprocmask(SIG_BLOCK, &term, NULL);
	pid = order(helper, ADD, 1, 0)->pid;
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	order(helper, ADD, 1, -ECHILD);
	sigprocmask(SIG_UNBLOCK, &term, NULL);
	signal(SIGTERM, SIG_DFL);
	assert_int_equal(handled, 0);
	kcatch_helper_destroy(helper);
}

static void test_never_used(void **state)
{
	(void)state;
	kcatch_helper_destroy(create());
	kcatch_helper_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_serves),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_works_for_long),
		cmocka_unit_test(test_has_no_processor),
		cmocka_unit_test(test_memory_is_of_then),
		cmocka_unit_test(test_has_no_files),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_never_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
