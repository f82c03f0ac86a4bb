/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* lost_returns.c - finds calls that wait for a return that found no room */
#include "session/lost_returns.h"

#include "base/timing.h"
#include "ring/calls.h"
#include "session/handle.h"

#define LOOK_EVERY_NS 200000000U

static void look(struct kcatch_session *session, uint32_t probe)
{
	struct kcatch_lost_returns *lost = &session->lost_returns;
	struct kcatch_totals totals = { .hits = 0 };

	if (session->kind->probe_totals(session, probe, &totals) || !totals.return_lost)
		return;
	lost->found[lost->nr].probe = probe;
	lost->found[lost->nr].lost = totals.return_lost;
	lost->nr++;
}

void kcatch_lost_returns_begin(struct kcatch_session *session, bool ended)
{
	struct kcatch_lost_returns *lost = &session->lost_returns;
	uint64_t now = kcatch_timing_now_ns();
	uint32_t probes[KCATCH_LOST_PROBES];
	size_t nr, i;

	if (!ended && (now - lost->looked_ns < LOOK_EVERY_NS ||
		       !kcatch_calls_nr_waiting(session->calls)))
		return;
	if (ended)
		lost->first = 0;	/* the oldest calls' threads are looked at */
	lost->looked_ns = now;
	lost->nr = 0;
	if (kcatch_calls_waiting_probes(session->calls, lost->first, KCATCH_LOST_PROBES, probes,
					&nr))
		lost->first = 0;
	else
		lost->first += KCATCH_LOST_PROBES;
	for (i = 0; i < nr; i++)
		look(session, probes[i]);
}

void kcatch_lost_returns_end(struct kcatch_session *session)
{
	struct kcatch_lost_returns *lost = &session->lost_returns;
	size_t i;

	for (i = 0; i < lost->nr; i++) {
		uint32_t probe = lost->found[i].probe;
		uint64_t unreturned = session->slots[probe]->unreturned;

		if (lost->found[i].lost >=
		    unreturned + kcatch_calls_nr_waiting_of(session->calls, probe))
			kcatch_calls_lost(session->calls, probe);
	}
	lost->nr = 0;
}
