// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: an rwsem in the kernel's memory, whose list of waiters has a head or not: how many
 * readers have it, which was the last to take it, who waits behind a writer, in which order; and
 * that a left over owner's word makes no reader.
 */
#include <errno.h>
#include <linux/btf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "btf_fixture.h"
#include "session/handle.h"
#include "stuck/kernel_locks.h"

/* The kernel's memory: the lock, then the stack of each thread. */
#define MEMORY	0xffff888000000000ULL
#define LOCK	MEMORY
#define STACK(n) (MEMORY + 4096 * ((n) + 1ULL))
#define TASK(n)	(0xffff999000000000ULL + 64 * (uint64_t)(n))
#define WAITER	256	/* on its stack */
#define THREADS	4

enum { COUNT = 0, OWNER = 8, LIST = 16 };			/* struct rw_semaphore */
enum { NEXT = 0, PREV = 8, TASK_OF = 16, TYPE = 24, SIZE = 32 };	/* struct rwsem_waiter */
enum { WRITE, READ };

static uint8_t memory[4096 * (THREADS + 1)];

static void put(uint64_t address, uint64_t value)
{
	memcpy(memory + (address - MEMORY), &value, sizeof(value));
}

static int read_memory(const struct kcatch_session *session, unsigned long request, void *argument)
{
	const struct kcatch_read *ask = argument;

	(void)session;
	assert_int_equal(request, KCATCH_IOC_READ);
	if (ask->address < MEMORY || ask->address - MEMORY > sizeof(memory) ||
	    ask->size > sizeof(memory) - (ask->address - MEMORY))
		return -EFAULT;
	memcpy((void *)(uintptr_t)ask->buffer, memory + (ask->address - MEMORY), ask->size);
	return 0;
}

static const struct kcatch_session_kind kind = { .ioctl = read_memory };

static void add_struct(struct btf_fixture *f, const char *name, uint32_t size, const char *a,
		       uint32_t a_at, const char *b, uint32_t b_at, const char *c, uint32_t c_at)
{
	btf_fixture_type(f, name, BTF_KIND_STRUCT, false, c ? 3 : 2, size);
	btf_fixture_member(f, a, 1, a_at * 8, 0);
	btf_fixture_member(f, b, 1, b_at * 8, 0);
	if (c)
		btf_fixture_member(f, c, 1, c_at * 8, 0);
}

static void make_types(struct btf_fixture *f, bool headless)
{
	const char *list = headless ? "first_waiter" : "wait_list";

	btf_fixture_init(f);
	btf_fixture_int(f, "long unsigned int", 8, 0, 64);
	add_struct(f, "mutex", 32, "owner", OWNER, list, LIST, NULL, 0);
	add_struct(f, "mutex_waiter", SIZE, "list", NEXT, "task", TASK_OF, NULL, 0);
	add_struct(f, "rw_semaphore", 32, "count", COUNT, "owner", OWNER, list, LIST);
	add_struct(f, "rwsem_waiter", SIZE, "list", NEXT, "task", TASK_OF, "type", TYPE);
	add_struct(f, "mm_struct", 64, "mmap_lock", 0, "pgd", 40, NULL, 0);
}

struct world {
	struct kcatch_session session;
	struct kcatch_types *types;
	struct kcatch_kernel_locks *locks;
	struct kcatch_task tasks[THREADS];
	uint32_t by_stack[THREADS];
	struct kcatch_task_list list;
};

/* Thread 0 has the lock; the others wait in their order, and want what @wants says. */
static void make(struct world *world, bool headless, const int *wants)
{
	uint64_t head = headless ? STACK(1) + WAITER : LOCK + LIST, at;
	struct btf_fixture types;
	uint32_t i;

	memset(world, 0, sizeof(*world));
	memset(memory, 0, sizeof(memory));
	make_types(&types, headless);
	assert_int_equal(btf_fixture_open(&types, &world->types), 0);
	world->session.kind = &kind;
	assert_int_equal(kcatch_kernel_locks_create(&world->session, world->types, &world->locks),
			 0);
	world->list.tasks = world->tasks;
	world->list.nr = world->list.nr_stacks = THREADS;
	world->list.by_stack = world->by_stack;
	for (i = 0; i < THREADS; i++) {
		world->tasks[i] = (struct kcatch_task){
			.tid = 100 + i, .pid = 100 + i, .address = TASK(i), .state = 'D',
			.stack = STACK(i), .stack_end = STACK(i) + 4096, .sp = STACK(i) + 128,
		};
		world->by_stack[i] = i;
		kcatch_table_add(&world->list.by_address, (const char *)&world->tasks[i].address,
				 sizeof(world->tasks[i].address), i);
		if (!i)
			continue;
		at = STACK(i) + WAITER;
		put(at + NEXT, i + 1 < THREADS ? STACK(i + 1) + WAITER : head);
		put(at + PREV, i > 1	 ? STACK(i - 1) + WAITER :
			       headless ? STACK(THREADS - 1) + WAITER : head);
		put(at + TASK_OF, TASK(i));
		put(at + TYPE, (uint64_t)wants[i]);
		put(STACK(i) + 128 + 16, LOCK);	/* its function goes on to use it */
	}
	put(LOCK + LIST, STACK(1) + WAITER);
	if (!headless)
		put(LOCK + LIST + 8, STACK(THREADS - 1) + WAITER);
}

static void end(struct world *world)
{
	kcatch_kernel_locks_destroy(world->locks);
	kcatch_types_close(world->types);
	kcatch_table_deinit(&world->list.by_address);
}

static void examine(bool headless)
{
	static const int wants[THREADS] = { READ, WRITE, READ, WRITE };
	struct kcatch_lock_waiter waiters[2] = { { 0 } };
	struct kcatch_lock lock;
	struct world world;

	make(&world, headless, wants);
	put(LOCK + COUNT, 2 << 8 | 2);
	put(LOCK + OWNER, TASK(0) | 3);
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[1], KCATCH_LOCK_RWSEM_WRITE,
				&lock);
	assert_int_equal(lock.kind, KCATCH_LOCK_RWSEM_WRITE);
	assert_int_equal(lock.address, LOCK);
	assert_int_equal(lock.state, KCATCH_OWNER_READERS);
	assert_int_equal(lock.readers, 2);
	assert_int_equal(lock.owner, TASK(0));
	assert_int_equal(lock.writer, 0);
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[2], KCATCH_LOCK_RWSEM_READ,
				&lock);
	assert_int_equal(lock.state, KCATCH_OWNER_READERS);
	assert_int_equal(lock.writer, TASK(1));
	assert_int_equal(kcatch_kernel_lock_queue(world.locks, &world.list, &lock, waiters, 2), 3);
	assert_int_equal(waiters[0].thread, 1);
	assert_true(waiters[0].to_write);
	assert_int_equal(waiters[1].thread, 2);
	assert_false(waiters[1].to_write);
	end(&world);

	/* It is free, and the word still has the last reader. */
	make(&world, headless, wants);
	put(LOCK + COUNT, 2);
	put(LOCK + OWNER, TASK(0) | 1);
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[1], KCATCH_LOCK_RWSEM_WRITE,
				&lock);
	assert_int_equal(lock.state, KCATCH_OWNER_NONE);
	assert_int_equal(lock.readers, 0);
	end(&world);

	/* A reader that is no thread any more; a writer that is not written down; a writer. */
	make(&world, headless, wants);
	put(LOCK + COUNT, 1 << 8 | 2);
	put(LOCK + OWNER, TASK(77) | 1);
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[1], KCATCH_LOCK_RWSEM_WRITE,
				&lock);
	assert_int_equal(lock.state, KCATCH_OWNER_READERS);
	assert_int_equal(lock.owner, 0);
	end(&world);
	make(&world, headless, wants);
	put(LOCK + COUNT, 3);
	put(LOCK + OWNER, TASK(0) | 1);
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[1], KCATCH_LOCK_RWSEM_WRITE,
				&lock);
	assert_int_equal(lock.state, KCATCH_OWNER_UNKNOWN);
	end(&world);
	make(&world, headless, wants);
	put(LOCK + COUNT, 3);
	put(LOCK + OWNER, TASK(0));
	kcatch_kernel_lock_find(world.locks, &world.list, &world.tasks[2], KCATCH_LOCK_RWSEM_READ,
				&lock);
	assert_int_equal(lock.state, KCATCH_OWNER_THREAD);
	assert_int_equal(lock.owner, TASK(0));
	end(&world);
}

static void test_head(void **state)
{
	(void)state;
	examine(false);
}

static void test_headless(void **state)
{
	(void)state;
	examine(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_headless),
	};

	return cmocka_run_group_tests_name("locks of the kernel", tests, NULL, NULL);
}
