// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: two CPUs hammer one function from threads, softirqs and hard
 * interrupts: N calls asked for are N records, and the spent probe is taken away.
 * Gate: older
 */
#include "guest.h"

#define CALLS 20000

static void with_budget(uint64_t budget, uint32_t flags)
{
	const struct add_options options = { .budget = budget, .flags = flags };
	struct kcatch_counters counters;
	struct session session;
	char what[64];

	snprintf(what, sizeof(what), "N=%llu%s", (unsigned long long)budget,
		 flags ? " without stacks" : "");
	session_open(&session, 4 << 20, 65536);
	if (session_add(&session, "kt_hammered", &options, NULL))
		bail("kt_hammered is armed");
	session_map(&session);
	session_start(&session);
	order("hammer %d", CALLS);
	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check_equal(counters.recorded, budget, "%s: recorded is N", what);
	check(equation_holds(&counters), "%s: the equation holds", what);
	check(counters.hits <= module_value("hammer.total"), "%s: no more hits than calls", what);
	check_equal(counters.missed, 0, "%s: none was missed", what);
	check_equal(counters.lost, 0, "%s: none was lost", what);
	check_equal(session_read(&session, false, NULL, NULL), budget,
		    "%s: N records are in the rings", what);
	check_equal(session_status(&session).nr_attached, 0, "%s: the spent probe is detached",
		    what);
	session_close(&session);
}

int main(void)
{
	need_cpus(2, CPUS_MAX);
	test_module_load();
	with_budget(1, 0);
	with_budget(2, 0);
	with_budget(1000, 0);
	with_budget(1000, KCATCH_ADD_NO_STACK);
	return finish();
}
