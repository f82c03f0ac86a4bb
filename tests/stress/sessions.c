// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: 64 sessions catch the same function at once, and each counts and records every call.
 */
#include "guest.h"

#include <stdlib.h>
#include <unistd.h>

#define SESSIONS 64

static struct session sessions[SESSIONS];

static void sessions_begin(void)
{
	int i;

	for (i = 0; i < SESSIONS; i++) {
		const struct add_options options = {
			.flags = (i % 2 ? KCATCH_ADD_NO_STACK : 0) |
				 (i % 8 == 4 ? KCATCH_ADD_RETURN : 0),
		};

		session_open(&sessions[i], 65536, 4096);
		if (session_add(&sessions[i], "kt_hammered", &options, NULL))
			bail("session %d is armed", i);
		session_map(&sessions[i]);
		session_start(&sessions[i]);
	}
}

/* Returns in how many sessions something is wrong. */
static int sessions_end(uint64_t calls)
{
	struct kcatch_counters counters;
	int i, wrong = 0;

	for (i = 0; i < SESSIONS; i++)
		session_stop(&sessions[i]);
	for (i = 0; i < SESSIONS; i++) {
		session_counters(&sessions[i], 0, KCATCH_CPU_ALL, &counters);
		session_read_records(&sessions[i], false, NULL, NULL);
		if (!equation_holds(&counters) || counters.hits != calls || !counters.recorded) {
			note("session %d: %llu hits, %llu recorded", i, counters.hits,
			     counters.recorded);
			wrong++;
		}
		session_close(&sessions[i]);
	}
	return wrong;
}

static uint64_t calls_made(void)
{
	uint64_t calls = 0;
	int cpu;

	for (cpu = 0; cpu < online_cpus(); cpu++)
		calls += module_value("hammer.cpu%d", cpu);
	return calls;
}

int main(void)
{
	const char *scale = getenv("KT_SCALE");
	int rounds = (scale ? atoi(scale) : 100) / 10 + 1, round, wrong = 0;
	int memory = module_memory();
	uint64_t calls = 0;

	test_module_load();
	for (round = 0; round < rounds; round++) {
		sessions_begin();
		order("hammer 2000");
		calls += calls_made();
		wrong += sessions_end(calls_made());
		note("round %d of %d, %llu calls", round + 1, rounds, (unsigned long long)calls);
	}
	check(calls > 0, "%d rounds of %d sessions, %llu calls", rounds, SESSIONS,
	      (unsigned long long)calls);
	check_equal(wrong, 0, "each session counts each call, and its equation holds");
	check_nothing_left(memory);
	return finish();
}
