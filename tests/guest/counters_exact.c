// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: all CPUs hammer one function from threads, softirqs and hard
 * interrupts; every call is accounted for, on its CPU, with its return too.
 */
#include "guest.h"

#define CALLS 20000

/* The hammer's own counts, next to the session's. */
static void compare(struct session *session, const char *what, uint64_t expected_recorded)
{
	struct kcatch_counters counters, sum = {};
	int cpu, cpus = online_cpus();

	for (cpu = 0; cpu < cpus; cpu++) {
		session_counters(session, 0, cpu, &counters);
		check_equal(counters.hits, module_value("hammer.cpu%d", cpu),
			    "%s: hits of CPU %d are the calls made on it", what, cpu);
		check(equation_holds(&counters), "%s: the equation holds on CPU %d", what, cpu);
		sum.recorded += counters.recorded;
		sum.lost += counters.lost;
	}
	session_counters(session, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.hits, module_value("hammer.total"), "%s: all calls are hits", what);
	check(equation_holds(&counters), "%s: the equation holds", what);
	check_equal(counters.recorded, sum.recorded, "%s: the sum is that of the CPUs", what);
	if (expected_recorded != ~0ULL)
		check_equal(counters.recorded, expected_recorded, "%s: recorded", what);
	check_equal(session_read(session, false, NULL, NULL), counters.recorded,
		    "%s: that many records are in the rings", what);
}

static void without_budget(uint32_t flags)
{
	const struct add_options options = { .flags = flags };
	const char *what = flags ? "without stacks" : "with stacks";
	struct session session;

	session_open(&session, 4 << 20, 65536);
	if (session_add(&session, "kt_hammered", &options, NULL))
		bail("kt_hammered is armed");
	session_map(&session);
	session_start(&session);
	order("hammer %d", CALLS);
	session_stop(&session);
	compare(&session, what, flags ? module_value("hammer.total") : ~0ULL);
	session_close(&session);
}

/* A small ring that nobody reads: the rest is counted as lost, no more, no less. */
static void without_reader(void)
{
	struct kcatch_counters counters;
	struct session session;
	uint64_t discarded = 0;
	int cpu;

	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (session_add(&session, "kt_hammered", NULL, NULL))
		bail("kt_hammered is armed");
	session_map(&session);
	session_start(&session);
	order("hammer %d", CALLS);
	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check(counters.lost > 0, "a full ring: something was lost");
	for (cpu = 0; cpu < online_cpus(); cpu++)
		discarded += session.ring[cpu]->discarded;
	check_equal(counters.lost, discarded, "a full ring: the rings say the same losses");
	compare(&session, "a full ring", ~0ULL);
	session_close(&session);
}

/* What a mechanism missed is counted for all CPUs together. */
static void with_returns(void)
{
	const struct add_options options = { .flags = KCATCH_ADD_RETURN | KCATCH_ADD_NO_STACK };
	struct kcatch_counters counters;
	uint64_t total, returns;
	struct session session;

	session_open(&session, 8 << 20, 65536);
	if (session_add(&session, "kt_hammered", &options, NULL))
		bail("kt_hammered is armed with its return");
	session_map(&session);
	session_start(&session);
	order("hammer %d", CALLS);
	session_stop(&session);
	total = module_value("hammer.total");
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	note("%llu calls, %llu missed, %llu without a slot", (unsigned long long)total,
	     (unsigned long long)counters.missed, (unsigned long long)counters.no_slot);
	check_equal(counters.hits, total, "with returns: all calls are hits");
	check_equal(counters.recorded + counters.missed, total, "with returns: or told as missed");
	check(equation_holds(&counters), "with returns: the equation holds");
	check_equal(counters.in_flight, 0, "with returns: nothing under way");
	returns = counters.recorded - counters.no_slot;
	check_equal(session_read_records(&session, false, NULL, NULL), counters.recorded + returns,
		    "with returns: that many records are in the rings");
	session_close(&session);
}

int main(void)
{
	need_cpus(2, CPUS_MAX);
	test_module_load();
	without_budget(KCATCH_ADD_NO_STACK);
	without_budget(0);
	without_reader();
	with_returns();
	return finish();
}
