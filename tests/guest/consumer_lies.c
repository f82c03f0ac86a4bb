// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a reader that writes lies into its consumer page, while all CPUs
 * produce, cannot make a counter wrong or anything else than its own view suffer.
 * Gate: older
 */
#include "guest.h"

#include <pthread.h>
#include <stdlib.h>

static struct session session;
static int finished, cpus;

static void *liar(void *unused)
{
	unsigned int seed = 7;

	(void)unused;
	while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) {
		int cpu = rand_r(&seed) % cpus;
		uint64_t produced = session.ring[cpu]->produced, lie = 0;

		switch (rand_r(&seed) % 5) {
		case 0: lie = ~0ULL; break;
		case 1: lie = 0; break;
		case 2: lie = produced + 8; break;
		case 3: lie = produced; break;
		case 4: lie = (uint64_t)rand_r(&seed) << 32 | rand_r(&seed); break;
		}
		__atomic_store_n(&session.consumer[cpu]->consumed, lie, __ATOMIC_RELAXED);
	}
	return NULL;
}

int main(void)
{
	struct kcatch_counters counters;
	pthread_t thread;
	int cpu;

	need_cpus(2, CPUS_MAX);
	cpus = online_cpus();
	test_module_load();
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	if (session_add(&session, "kt_hammered", NULL, NULL))
		bail("kt_hammered is armed");
	session_map(&session);
	session_start(&session);
	pthread_create(&thread, NULL, liar, NULL);
	order("hammer 20000");
	__atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	session_stop(&session);
	for (cpu = 0; cpu < cpus; cpu++) {
		session_counters(&session, 0, cpu, &counters);
		check(equation_holds(&counters), "the equation holds on CPU %d", cpu);
		check_equal(counters.hits, module_value("hammer.cpu%d", cpu),
			    "hits of CPU %d are the calls made on it", cpu);
		check_equal(counters.lost, session.ring[cpu]->discarded,
			    "losses of CPU %d are those of its ring", cpu);
		check(session.ring[cpu]->produced % 8 == 0, "produced is a place of a record");
	}
	session_close(&session);

	/* and the next session is as good as new */
	session_open(&session, 1 << 20, 65536);
	if (session_add(&session, "kt_c", NULL, NULL))
		bail("kt_c is armed");
	session_map(&session);
	session_start(&session);
	order("process chain");
	session_stop(&session);
	check_equal(session_read(&session, false, NULL, NULL), 1, "the next session is sound");
	session_close(&session);
	return finish();
}
