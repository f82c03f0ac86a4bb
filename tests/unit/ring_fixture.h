/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_fixture.h - a ring in user space, and a reader that believes nothing
 *
 * The reader here follows the text of include/uapi/kcatch.h and shares no code
 * with the library: it checks every invariant that the header promises.
 */
#ifndef RING_FIXTURE_H
#define RING_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../kernel/ring/record_encoder.h"
#include "../../kernel/ring/ring.h"

#define FIXTURE_CPU 3

struct ring_fixture {
	struct kcatch_ring ring;
	struct kcatch_ring_page *page;
	struct kcatch_consumer_page *consumer;
	u8 *data;
	u32 ring_size, packet_size;

	/* the reader's place */
	u64 position, last_time;
	u64 records, discarded_seen;
};

void fixture_init(struct ring_fixture *fixture, u32 ring_size, u32 packet_size);
/* MODE: KCATCH_RING_* */
void fixture_init_mode(struct ring_fixture *fixture, u32 ring_size, u32 packet_size, u32 mode);
void fixture_free(struct ring_fixture *fixture);

/* Room for SIZE bytes filled with a pattern that follows from KEY; false when
 * there was no room. Async-signal-safe. */
bool fixture_write(struct ring_fixture *fixture, u64 key, u32 size);

/* What fixture_write() puts into what it reserved; and back: checks it, gives the key. */
void fixture_fill(struct kcatch_record *record, u64 key, u32 size);
u64 fixture_key(const struct kcatch_record *record, u64 room);

/* Reads what is complete, at most LIMIT records, and checks it; each record's
 * key goes to SEEN (may be NULL). Does not consume. Returns how many. */
u64 fixture_read(struct ring_fixture *fixture, u64 limit,
		 void (*seen)(void *context, u64 key, u32 size), void *context);

/* Tells the writer that all that was read is free again. */
void fixture_consume(struct ring_fixture *fixture);

/* Called in the middle of each reserve, between the look at the head and its
 * move, unless NULL. */
extern void (*fixture_interrupt)(void);

/* A failure inside a signal handler or thread, where cmocka cannot jump. */
#define FIXTURE_CHECK(condition) \
	((condition) ? (void)0 : fixture_fail(#condition, __FILE__, __LINE__))
_Noreturn void fixture_fail(const char *what, const char *file, int line);

#endif
