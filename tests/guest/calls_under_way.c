// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: of the calls that have not returned each is told with its own thread and its own
 * arguments, while threads make calls, end and are born on all CPUs; one that cannot be told is
 * left out; hostile input is refused; the look ends when the session does.
 * Gate: older
 */
#include "guest.h"
#include "code.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHURNS 8    /* threads that start others */
#define READS  50   /* of each thread that they start */
#define WANTED 3000 /* calls that are looked at */

static volatile bool enough;

/* A read of as many bytes as the reader's thread ID, so each call says whose it is. */
static void *read_some(void *pipe)
{
	const int *ends = pipe;
	const size_t tid = (size_t)gettid();
	char *bytes = malloc(tid);
	int i;

	for (i = 0; i < READS; i++)
		if (!bytes || read(ends[0], bytes, tid) <= 0)
			abort();
	free(bytes);
	return NULL;
}

/* Waits until a pipe is empty, as two bytes would be one read. */
static void await_read(int pipe)
{
	int bytes = 1;

	while (bytes && !ioctl(pipe, FIONREAD, &bytes))
		sched_yield();
}

static void *churn(void *unused)
{
	int ends[2], i;
	pthread_t thread;

	(void)unused;
	if (pipe(ends))
		abort();
	while (!enough) {
		if (pthread_create(&thread, NULL, read_some, ends))
			abort();
		for (i = 0; i < READS; i++) {
			if (write(ends[1], "x", 1) != 1)
				abort();
			await_read(ends[0]);
			if (i % 8 == 0)
				usleep(200);
		}
		pthread_join(thread, NULL);
	}
	close(ends[0]);
	close(ends[1]);
	return NULL;
}

/* All returns are refused, so that no record is made. */
static void bind_reads(struct session *session)
{
	struct kcatch_item item = ITEM(ARG, VALUE, .index = 2);
	struct kcatch_op code = CODE_IS(RET, 1ULL << 40, .yes = KCATCH_EXIT_YES);
	struct kcatch_program program = {
		.entry = { (uintptr_t)&item, 1, 0 },
		.return_condition = { (uintptr_t)&code, 1, 0 },
	};

	session_bind(session, 0, &program);
}

static void arm(struct session *session)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_RETURN | KCATCH_ADD_COMM,
		.max_active = 1000,
		.comm = "calls_under_way",
	};

	session_open(session, 1 << 20, KCATCH_PACKET_SIZE_MIN);
	if (session_add(session, "ksys_read", &options, NULL))
		bail("ksys_read is armed");
	bind_reads(session);
}

static long look(struct session *session, void *buffer, uint32_t size, uint64_t least,
		 struct kcatch_under_way *calls)
{
	*calls = (struct kcatch_under_way){
		.buffer = (uintptr_t)buffer,
		.size = size,
		.least = least,
	};
	return ioctl(session->fd, KCATCH_IOC_UNDER_WAY, calls);
}

/* What was told of the calls of many looks. */
struct told {
	uint64_t calls, wrong_thread, wrong_shape, too_young, parts_too_long, left_out, away;
};

static void see_calls(struct told *told, const uint8_t *buffer,
		      const struct kcatch_under_way *calls, uint64_t least)
{
	const struct kcatch_lasting *call;
	uint32_t at, nr = 0;

	for (at = 0; at < calls->size; at += call->size, nr++) {
		call = (const void *)(buffer + at);
		if (call->size != sizeof(*call) + 8 || call->data_size != 8 || call->faults ||
		    call->cut || call->call || call->pid != (uint32_t)getpid()) {
			told->wrong_shape++;
			return;
		}
		told->wrong_thread += *(const uint64_t *)call->data != call->tid;
		told->too_young += call->lasted < least;
		told->away += !!call->away;
		told->parts_too_long += call->switches != KCATCH_SWITCHES_UNKNOWN &&
					call->runnable + call->blocked + call->away > call->lasted;
	}
	told->calls += nr;
	told->wrong_shape += nr != calls->nr;
	told->left_out += calls->left_out;
}

static void look_while_threads_change(void)
{
	static uint8_t buffer[1 << 16];
	const uint64_t least = 20000;
	struct told told = { 0 };
	struct kcatch_under_way calls;
	struct session session;
	pthread_t threads[CHURNS];
	int i;

	arm(&session);
	session_start(&session);
	for (i = 0; i < CHURNS; i++)
		if (pthread_create(&threads[i], NULL, churn, NULL))
			bail("threads are made");
	while (told.calls < WANTED) {
		if (look(&session, buffer, sizeof(buffer), least, &calls))
			bail("the calls are told: errno %d", errno);
		see_calls(&told, buffer, &calls, least);
	}
	enough = true;
	for (i = 0; i < CHURNS; i++)
		pthread_join(threads[i], NULL);
	session_stop(&session);
	note("%lu calls, %lu of them off the CPU, %lu left out", told.calls, told.away,
	     told.left_out);
	check_equal(told.wrong_thread, 0, "each call is of the thread that it is told of");
	check_equal(told.wrong_shape, 0, "each has its argument, and nothing is said twice");
	check_equal(told.too_young, 0, "each has lasted as long as asked for");
	check_equal(told.parts_too_long, 0, "no part of its time is longer than the whole");
	check(told.away, "some were off the CPU");
	check_equal(session_sums(&session, 0).recorded, 0, "to look makes no record");
	session_close(&session);
}

static void hostile_input(void)
{
	static uint8_t buffer[4096];
	struct kcatch_under_way calls;
	struct session session;
	pthread_t thread;
	int ends[2], i;
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pipe(ends) || page == MAP_FAILED)
		bail("a pipe and a page");
	arm(&session);
	check_errno(look(&session, buffer, sizeof(buffer), 0, &calls), EINVAL,
		    "a session that has not started is refused");
	session_start(&session);
	if (pthread_create(&thread, NULL, read_some, ends))
		bail("a thread is made");
	do
		if (look(&session, buffer, sizeof(buffer), 1000000, &calls))
			bail("the call is told: errno %d", errno);
	while (!calls.nr);
	check_equal(calls.nr, 1, "the call of the reader is told");
	check_errno(look(&session, buffer, KCATCH_UNDER_WAY_SIZE_MAX + 1, 0, &calls), EINVAL,
		    "more room than there may be is refused");
	check_errno(look(&session, page, 4096, 0, &calls), EFAULT,
		    "a buffer that cannot be written is refused");
	calls = (struct kcatch_under_way){ .size = 0, .reserved = 1 };
	check_errno(ioctl(session.fd, KCATCH_IOC_UNDER_WAY, &calls), EINVAL,
		    "reserved members are 0");
	check_errno(ioctl(session.fd, KCATCH_IOC_UNDER_WAY, page), EFAULT,
		    "a structure that cannot be read is refused");
	check(!look(&session, NULL, 0, 1000000, &calls) && !calls.nr && !calls.size,
	      "without room no call is written");
	check_equal(calls.left_out, 1, "and it is left out");
	check(!look(&session, buffer, sizeof(buffer), 3600000000000ULL, &calls) && !calls.nr,
	      "a call that is younger than asked for is not told");
	check(calls.younger >= 1000000 && calls.younger < 3600000000000ULL, "but how old it is");
	memset(buffer, 0x5a, sizeof(buffer));
	look(&session, buffer, sizeof(struct kcatch_lasting) + 7, 0, &calls);
	check(calls.left_out == 1 && buffer[0] == 0x5a, "half a call is not written");
	session_stop(&session);
	check_errno(look(&session, buffer, sizeof(buffer), 0, &calls), EINVAL,
		    "a session that has stopped is refused");
	session_start(&session);
	check(!look(&session, buffer, sizeof(buffer), 0, &calls) && !calls.nr,
	      "a call from before the session began again is none of it");
	session_stop(&session);
	for (i = 0; i < READS; i++) {
		if (write(ends[1], "x", 1) != 1)
			bail("the reader is let go");
		await_read(ends[0]);
	}
	pthread_join(thread, NULL);
	session_close(&session);
}

int main(void)
{
	int before;

	test_module_load();
	before = module_memory();
	hostile_input();
	look_while_threads_change();
	check_nothing_left(before);
	return finish();
}
