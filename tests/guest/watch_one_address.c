// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: watchpoints of one ADD that begin at the same address and differ in size or kind
 * are all armed; only one that is given twice is left out.
 * Gate: newest
 */
#include "guest.h"

#include <string.h>
#include <sys/ioctl.h>

int main(void)
{
	struct kcatch_target targets[] = {
		{ .kind = KCATCH_TARGET_WATCH, .offset = KCATCH_WATCH_WRITE | 4 },
		{ .kind = KCATCH_TARGET_WATCH, .offset = KCATCH_WATCH_WRITE | 8 },
		{ .kind = KCATCH_TARGET_WATCH, .offset = KCATCH_WATCH_ACCESS | 8 },
		{ .kind = KCATCH_TARGET_WATCH, .offset = KCATCH_WATCH_WRITE | 8 },
	};
	const uint32_t nr = sizeof(targets) / sizeof(targets[0]);
	struct kcatch_add add = {
		.targets = (uintptr_t)targets, .nr_targets = nr, .flags = KCATCH_ADD_NO_STACK,
	};
	struct kcatch_counters counters;
	struct session session;
	uint64_t address, hits[3];
	uint32_t i;

	test_module_load();
	address = kernel_symbol("kt_watched");
	for (i = 0; i < nr; i++)
		targets[i].address = address;
	session_open(&session, 16384, 4096);
	if (ioctl(session.fd, KCATCH_IOC_ADD, &add))
		bail("watchpoints of one address are armed");
	check_equal(add.nr_probes, 3, "each is armed, and what is given twice once");
	for (i = 0; i < nr; i++)
		check_equal(targets[i].nr_probes, i < 3, "target %u has its probe", i);
	session_start(&session);
	order("process writes 5");
	session_stop(&session);
	/* The test module writes the first four bytes, then the four behind them. An emulated
	 * processor names one register for an access that several of them cover. */
	for (i = 0; i < 3; i++) {
		session_counters(&session, i, KCATCH_CPU_ALL, &counters);
		hits[i] = counters.hits;
	}
	check((hits[0] == 1 && hits[1] == 2 && hits[2] == 2) ||
	      (hits[0] <= 1 && hits[1] + hits[2] == 2 - hits[0]),
	      "each of the two writes is a hit of all that watch it, or of one (%llu, %llu, %llu)",
	      (unsigned long long)hits[0], (unsigned long long)hits[1],
	      (unsigned long long)hits[2]);
	session_close(&session);
	return finish();
}
