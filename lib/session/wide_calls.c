/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wide_calls.c - which system calls are of 64-bit programs */
#include "session/wide_calls.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 8192U	/* a power of two */

struct kcatch_wide_calls {
	struct {
		uint32_t tid;	/* 0: nobody's */
		uint32_t number;
	} threads[THREADS];
};

bool kcatch_wide_calls_see(struct kcatch_session *session, struct kcatch_probe_slot *slot,
			   uint32_t tid, const uint8_t *data, size_t size)
{
	struct kcatch_wide_calls *calls = session->wide_calls;
	uint64_t number;
	bool wide;

	if (!slot->calls_known && slot->plan) {
		slot->calls = kcatch_plan_calls(slot->plan);
		slot->calls_known = true;
	}
	if (slot->calls == KCATCH_PLAN_NO_CALLS || size < sizeof(number))
		return false;
	if (!calls)
		calls = session->wide_calls = calloc(1, sizeof(*calls));
	memcpy(&number, data, sizeof(number));
	if (slot->calls == KCATCH_PLAN_ENTERS) {
		wide = kcatch_plan_call_is_wide(slot->plan, data, size);
		if (calls) {
			calls->threads[tid % THREADS].tid = wide ? tid : 0;
			calls->threads[tid % THREADS].number = (uint32_t)number;
		}
		return wide;
	}
	return calls && tid && calls->threads[tid % THREADS].tid == tid &&
	       calls->threads[tid % THREADS].number == number;
}
