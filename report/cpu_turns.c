/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_turns.c - which thread has each CPU, by the sched_switch events of a recording */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "cpu_turns.h"

void cpu_turns_see(struct cpu_turns *turns, uint32_t cpu, uint32_t tid, uint64_t time_ns)
{
	struct cpu_turn *turn = cpu < turns->nr ? &turns->of[cpu] : NULL;

	/* Between the event of a switch and the switch itself there are events of the other. */
	if (turn && turn->known && turn->tid == tid && time_ns > turn->seen_ns)
		turn->seen_ns = time_ns;
}

static int make_room(struct cpu_turns *turns, uint32_t cpu)
{
	size_t nr = (size_t)cpu + 16;
	struct cpu_turn *more;

	if (cpu < turns->nr)
		return 0;
	more = realloc(turns->of, nr * sizeof(*more));
	if (!more)
		return kcatch_error_memory();
	memset(more + turns->nr, 0, (nr - turns->nr) * sizeof(*more));
	turns->of = more;
	turns->nr = nr;
	return 0;
}

int cpu_turns_switch(struct cpu_turns *turns, uint32_t cpu, uint32_t prev, uint32_t next,
		     const char *comm, uint64_t time_ns, struct cpu_turn *ended)
{
	struct cpu_turn *turn;
	int ret = make_room(turns, cpu);

	if (ret)
		return ret;
	turn = &turns->of[cpu];
	turns->switches++;
	if (turn->known && turn->tid != prev) {
		*ended = *turn;
		turns->wrong++;
		ret = 1;
	}
	turn->known = true;
	turn->tid = next;
	turn->seen_ns = time_ns;
	snprintf(turn->comm, sizeof(turn->comm), "%s", comm);
	return ret;
}

void cpu_turns_deinit(struct cpu_turns *turns)
{
	free(turns->of);
	memset(turns, 0, sizeof(*turns));
}
