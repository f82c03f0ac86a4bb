// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: glibc's rwlock in memory: which member of it is waited for, by whom it is held, how
 * many read; what only looks like one; what stays of a futex that is none of glibc's locks: its
 * address; and semaphores, barriers and condition variables, by who waits and the word.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "stuck/user_locks.h"

#define OTHER 0x7fffff0	/* no thread has that number */

static pthread_rwlock_t lock;

static volatile uint32_t *word(size_t offset)
{
	return (volatile uint32_t *)((char *)&lock + offset);
}

/* This thread, as if it waited for that the word at @offset of the lock is no longer @value. */
static void find(size_t offset, uint32_t value, bool shared, struct kcatch_user_lock *found)
{
	uint32_t index = 0;
	struct kcatch_task task = {
		.pid = (uint32_t)getpid(), .tid = (uint32_t)syscall(SYS_gettid), .state = 'S',
		.flags = KCATCH_TASK_REGS, .mm = 1, .ns_tid = (uint32_t)syscall(SYS_gettid),
	};
	struct kcatch_task_list list = {
		.tasks = &task, .nr = 1, .by_ns_tid = &index, .nr_ns_tids = 1,
	};

	task.regs[kcatch_arch_x86.user.mode] = kcatch_arch_x86.user.mode_wide;
	task.regs[kcatch_arch_x86.user.call] = SYS_futex;
	task.regs[kcatch_arch_x86.user.args[0]] = (uintptr_t)word(offset);
	task.regs[kcatch_arch_x86.user.args[1]] = FUTEX_WAIT_BITSET |
						  (shared ? 0 : FUTEX_PRIVATE_FLAG);
	task.regs[kcatch_arch_x86.user.args[2]] = value;
	task.regs[kcatch_arch_x86.user.sp] = UINT64_MAX; /* the word is not on its stack */
	kcatch_user_lock_find(&list, &task, found);
}

static void *reads(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *writes(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return arg;
}

/* Both threads wait for a lock that this one has, as glibc itself writes it down. */
static void test_glibc(void **state)
{
	struct kcatch_user_lock found;
	pthread_t reader, writer;

	(void)state;
	pthread_rwlock_init(&lock, NULL);
	pthread_rwlock_wrlock(&lock);
	pthread_create(&reader, NULL, reads, NULL);
	pthread_create(&writer, NULL, writes, NULL);
	while (*word(8) != 3 || *word(12) != 3)
		usleep(1000);
	find(8, 3, false, &found);
	assert_int_equal(found.kind, KCATCH_USER_LOCK_RWLOCK);
	assert_int_equal(found.address, (uintptr_t)&lock);
	assert_false(found.to_write);
	assert_int_equal(found.owner, syscall(SYS_gettid));
	assert_int_equal(found.readers, 0);
	find(12, 3, false, &found);
	assert_int_equal(found.kind, KCATCH_USER_LOCK_RWLOCK);
	assert_int_equal(found.address, (uintptr_t)&lock);
	assert_true(found.to_write);
	assert_int_equal(found.owner, syscall(SYS_gettid));
	pthread_rwlock_unlock(&lock);
	pthread_join(reader, NULL);
	pthread_join(writer, NULL);

	pthread_rwlock_rdlock(&lock);
	pthread_create(&writer, NULL, writes, NULL);
	while (*word(8) != 2)
		usleep(1000);
	find(8, 2, false, &found);
	assert_int_equal(found.kind, KCATCH_USER_LOCK_RWLOCK);
	assert_true(found.to_write);
	assert_int_equal(found.owner, 0);
	assert_int_equal(found.readers, 1);
	pthread_rwlock_unlock(&lock);
	pthread_join(writer, NULL);
}

/* readers, writers, phase, writer, two pads, owner, shared, elision, pad, pad, pad, flags */
static void test_words(void **state)
{
	static const struct {
		const char *what;
		uint32_t words[13];
		size_t offset;
		uint32_t value;
		bool shared, is;
		bool to_write;
		uint32_t readers;
		bool ended;
	} table[] = {
		{ "held by a writer that has ended", { 3, 0, 3, 1, 0, 0, OTHER }, 8, 3, .is = true,
		  .ended = true },
		{ "between processes", { 3, 0, 3, 1, 0, 0, 0, 1 }, 8, 3,
		  .shared = true, .is = true },
		{ "between processes, but waited for as if not", { 3, 0, 3, 1, 0, 0, 0, 1 }, 8, 3,
		  .is = false },
		{ "a reader behind a writer behind two readers", { 2 * 8 + 6, 0, 2, 3, [12] = 2 },
		  0,
		  2 * 8 + 6, .is = true, .readers = 2 },
		{ "another value than it waits for", { 3, 0, 1, 1, 0, 0, OTHER }, 8, 3,
		  .is = false },
		{ "nobody wants to write", { 8, 0, 3, 0 }, 8, 3, .is = false },
		{ "a pad in use", { 3, 0, 3, 1, 1, 0, OTHER }, 8, 3, .is = false },
		{ "a kind that does not exist", { 3, 0, 3, 1, [12] = 3 }, 8, 3, .is = false },
		{ "a word in the middle", { 3, 3, 3, 1 }, 4, 3, .is = false },
	};
	struct kcatch_user_lock found;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memset(&lock, 0, sizeof(lock));
		memcpy(&lock, table[i].words, sizeof(table[i].words));
		find(table[i].offset, table[i].value, table[i].shared, &found);
		if ((found.kind == KCATCH_USER_LOCK_RWLOCK) != table[i].is)
			fail_msg("%s: kind %d", table[i].what, found.kind);
		if (!table[i].is)
			continue;
		if (found.to_write != table[i].to_write || found.readers != table[i].readers ||
		    found.owner_ended != table[i].ended)
			fail_msg("%s: to write %d, readers %u, ended %d", table[i].what,
				 found.to_write, found.readers, found.owner_ended);
	}
}

static void test_proof(void **state)
{
	const struct kcatch_frame semaphore = { .symbol = "sem_wait" };
	const struct kcatch_frame mutex = { .symbol = "__pthread_mutex_lock" };
	const struct kcatch_frame rwlock = { .symbol = "__pthread_rwlock_rdlock" };
	struct kcatch_task task = { .tid = 1 };
	struct kcatch_task_list list = { .nr = 0 };
	struct kcatch_user_lock found = { .kind = KCATCH_USER_LOCK_RWLOCK, .address = 0x1000 };
	struct kcatch_user_lock refused = { .kind = KCATCH_USER_LOCK_REFUSED, .gives_up = true };

	(void)state;
	task.regs[kcatch_arch_x86.user.args[0]] = 0x4711;
	task.regs[kcatch_arch_x86.user.args[1]] = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
	kcatch_user_lock_prove(&list, &task, &refused, &semaphore, 1);
	assert_int_equal(refused.kind, KCATCH_USER_LOCK_FUTEX);
	assert_int_equal(refused.address, 0x4711);
	assert_true(refused.gives_up);
	kcatch_user_lock_prove(&list, &task, &found, &rwlock, 1);
	assert_true(found.proven);
	assert_int_equal(found.address, 0x1000);
	found.proven = false;
	found.readers = 1;
	kcatch_user_lock_prove(&list, &task, &found, &mutex, 1);
	assert_int_equal(found.kind, KCATCH_USER_LOCK_FUTEX);
	assert_int_equal(found.address, 0x4711);
	assert_int_equal(found.readers, 0);
}

/* This thread, as if it waited in a function for that the word at @at is no longer @value. */
static void prove(const char *function, const uint32_t *at, uint32_t value,
		  struct kcatch_user_lock *lock_of)
{
	const struct kcatch_frame frame = { .symbol = function };
	struct kcatch_task task = { .tid = (uint32_t)syscall(SYS_gettid) };
	struct kcatch_task_list list = { .nr = 0 };

	task.regs[kcatch_arch_x86.user.call] = SYS_futex;
	task.regs[kcatch_arch_x86.user.args[0]] = (uintptr_t)at;
	task.regs[kcatch_arch_x86.user.args[1]] = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
	task.regs[kcatch_arch_x86.user.args[2]] = value;
	*lock_of = (struct kcatch_user_lock){
		.kind = KCATCH_USER_LOCK_FUTEX, .address = (uintptr_t)at,
	};
	kcatch_user_lock_prove(&list, &task, lock_of, &frame, 1);
}

static void test_ownerless(void **state)
{
	static const struct {
		const char *function;
		uint32_t words[3], at, value;
		enum kcatch_user_lock_kind kind;
		uint32_t arrived;
	} table[] = {
		{ "pthread_barrier_wait", { 9, 7, 4 }, 1, 7, KCATCH_USER_LOCK_BARRIER, 2 },
		/* All have come, and the count of rounds has gone on. */
		{ "pthread_barrier_wait", { 11, 7, 4 }, 1, 7, KCATCH_USER_LOCK_FUTEX, 0 },
		{ "pthread_barrier_wait", { 9, 8, 4 }, 1, 7, KCATCH_USER_LOCK_FUTEX, 0 },
		{ "pthread_barrier_wait", { 7, 7, 4 }, 1, 7, KCATCH_USER_LOCK_FUTEX, 0 },
		{ "__new_sem_wait_slow64.constprop.0", { 0, 1 }, 0, 0,
		  KCATCH_USER_LOCK_SEMAPHORE, 0 },
		{ "sem_timedwait", { 0, 1 }, 0, 0, KCATCH_USER_LOCK_SEMAPHORE, 0 },
		{ "sem_wait", { 1, 1 }, 0, 0, KCATCH_USER_LOCK_FUTEX, 0 },
		{ "pthread_cond_timedwait", { 0 }, 0, 0, KCATCH_USER_LOCK_CONDITION, 0 },
		/* It waits for the condition's mutex again. */
		{ "__pthread_mutex_cond_lock", { 2 }, 0, 2, KCATCH_USER_LOCK_FUTEX, 0 },
		{ "some_wait", { 0 }, 0, 0, KCATCH_USER_LOCK_FUTEX, 0 },
	};
	struct kcatch_user_lock found;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool barrier = table[i].kind == KCATCH_USER_LOCK_BARRIER;
		const uint32_t *at = &table[i].words[table[i].at];

		prove(table[i].function, at, table[i].value, &found);
		if (found.kind != table[i].kind || found.arrived != table[i].arrived ||
		    found.wanted != (barrier ? 4 : 0) ||
		    found.address != (uintptr_t)(barrier ? table[i].words : at))
			fail_msg("%zu: %s: kind %d, %u of %u", i, table[i].function, found.kind,
				 found.arrived, found.wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glibc),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_proof),
		cmocka_unit_test(test_ownerless),
	};

	return cmocka_run_group_tests_name("locks of programs", tests, NULL, NULL);
}
