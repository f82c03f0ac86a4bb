// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spinning_cpus_test.c - a thread that has had a CPU for long, and is in the kernel, is no fault
 * where another thread that asks for that CPU gets to run
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stuck/spinning_cpus.h"

#define SECOND 1000000000ULL

static uint64_t age;

uint64_t kcatch_stuck_age(const struct kcatch_stuck *stuck, uint32_t thread)
{
	(void)stuck;
	(void)thread;
	return age;
}

/* How many CPUs are said not to schedule, of one on which a thread has run so long? */
static uint32_t found(uint32_t cpu, uint64_t ns)
{
	struct kcatch_task task = { .flags = KCATCH_TASK_ON_CPU, .cpu = cpu };
	struct kcatch_stuck stuck = { .tasks = &task, .nr_tasks = 1 };
	uint32_t nr;

	age = ns;
	assert_int_equal(kcatch_stuck_cpus_find(&stuck, SECOND), 0);
	nr = stuck.nr_cpus;
	free(stuck.cpus);
	return nr;
}

static void cpus_that_schedule(void **state)
{
	cpu_set_t before, after;
	uint32_t cpu;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &before))
			assert_int_equal(found(cpu, 10 * SECOND), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
}

/* One that does not run our thread, as it is not there. */
static void cpus_that_do_not(void **state)
{
	(void)state;
	assert_int_equal(found(4000, 10 * SECOND), 1);
	assert_int_equal(found(4000, SECOND / 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_that_schedule),
		cmocka_unit_test(cpus_that_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
