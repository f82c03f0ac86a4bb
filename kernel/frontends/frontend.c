// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code shared by the text frontends (otst, allie). Process context.
 */
#include <linux/mutex.h>
#include "frontends/frontend.h"
#include "session.h"

static const struct kcatch_setup small = {
	.ring_size = 16384, .packet_size = KCATCH_PACKET_SIZE_MIN, .mode = KCATCH_RING_DISCARD,
};

int kcatch_frontend_session(void (*notify)(struct kcatch_session *session),
			struct kcatch_session **session)
{
	int error = kcatch_session_create(notify, session);

	if (error)
		return error;
	error = kcatch_session_setup(*session, &small);
	if (error) {
		kcatch_session_destroy(*session);
		*session = NULL;
	}
	return error;
}

unsigned long kcatch_session_address(struct kcatch_session *session, u32 number)
{
	struct kcatch_probe *probe;
	unsigned long address = 0;

	mutex_lock(&session->lock);
	probe = kcatch_session_probe(session, number);
	if (probe)
		address = probe->address;
	mutex_unlock(&session->lock);
	return address;
}

bool kcatch_session_is_gone(struct kcatch_session *session, u32 first, u32 nr)
{
	bool gone = true;
	u32 i;

	mutex_lock(&session->lock);
	for (i = 0; gone && i < nr; i++) {
		struct kcatch_probe *probe = kcatch_session_probe(session, first + i);

		gone = probe && (READ_ONCE(probe->flags) & KCATCH_PROBE_GONE);
	}
	mutex_unlock(&session->lock);
	return gone;
}

/* Packets are aligned to their size within memory that starts on a page. */
u32 kcatch_record_cpu(const struct kcatch_record *record)
{
	const struct kcatch_packet *packet =
		(void *)((unsigned long)record & ~(KCATCH_PACKET_SIZE_MIN - 1UL));

	return packet->cpu;
}
