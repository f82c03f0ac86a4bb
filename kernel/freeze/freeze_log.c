// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the last records before a freeze to the kernel log. It takes no lock and allocates no
 * memory. printk() works in every context, NMI and panic too.
 *
 * A frozen ring is not overwritten, but a writer may have begun a packet just before the freeze,
 * and while lines go to a slow console the session may be thawed. So a record is copied first, and
 * its packet looked at afterwards. What is copied lies in the ring, whatever it says itself.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include "arm/session.h"
#include "core/assert.h"
#include "freeze/freeze_log.h"
#include "ktrace/ktrace_event.h"
#include "ring/record_encoder.h"
#include "stack/frame_text.h"

#define LINES_ALL	128
#define LINES_CPU	8
#define FRAMES		4

/* A place of a record: its position, and its bytes when it was found. */
struct place {
	u64 at;
	u32 size;
};

/* The last LINES_CPU of the @nr records of a ring that were found; the index is modulo that. */
struct last {
	u32 nr;
	struct place place[LINES_CPU];
};

/* The beginning of a record: of its frames those that are shown, and one that tells of more. */
union front {
	struct kcatch_record head;
	struct kcatch_return returned;
	struct kcatch_hit hit;
	u64 words[sizeof(struct kcatch_hit) / sizeof(u64) + FRAMES + 1];
};

/* Has nothing been written over the packet of a position? Asked after what was read there. */
static bool freeze_log_is_whole(const struct kcatch_ring *ring, u64 at)
{
	/* A writer moves head before it writes into the packet: pairs with the write barrier of
	 * kcatch_ring_reserve_packet(). */
	smp_rmb();
	return READ_ONCE(ring->head) <= (at & ~ring->packet_mask) + ring->size_mask + 1;
}

/* Notes the records of the packet at @base, up to @end. */
static void look_at_packet(const struct kcatch_ring *ring, u64 base, u64 end, struct last *last)
{
	const struct kcatch_record *record;
	u64 at;
	u32 size;

	for (at = base + sizeof(struct kcatch_packet); at + sizeof(*record) <= end; at += size) {
		record = (void *)(ring->data + (at & ring->size_mask));
		size = READ_ONCE(record->size);
		if (size < sizeof(*record) || size > end - at)
			return;
		last->place[last->nr++ % LINES_CPU] = (struct place){ .at = at, .size = size };
	}
}

static void find_last(const struct kcatch_ring *ring, struct last *last)
{
	u64 produced = smp_load_acquire(&ring->page->produced), base, size = ring->packet_mask + 1;
	const struct kcatch_packet *packet;

	last->nr = 0;
	if (!produced)
		return;
	base = (produced - 1) & ~ring->packet_mask;
	if (base && READ_ONCE(ring->page->overwritten) < base) {
		packet = (void *)(ring->data + ((base - size) & ring->size_mask));
		look_at_packet(ring, base - size,
			       base - size + min_t(u64, READ_ONCE(packet->content_size) / 8, size),
			       last);
	}
	look_at_packet(ring, base, produced, last);
}

/* Copies what is shown of a record. What it does not have is 0. Return: false: it is no more */
static bool copy_front(const struct kcatch_ring *ring, const struct place *place,
		       union front *front)
{
	u32 size = min_t(u32, place->size, sizeof(*front));

	memset(front, 0, sizeof(*front));
	memcpy(front, ring->data + (place->at & ring->size_mask), size);
	return freeze_log_is_whole(ring, place->at);
}

static const struct kcatch_probe *find_probe(const struct kcatch_session *session, u32 number)
{
	const struct kcatch_group *group;

	list_for_each_entry_lockless(group, &session->groups, list)
		if (number - group->first < group->nr)
			return &group->probes[number - group->first];
	return NULL;
}

static u64 freeze_log_microseconds(u64 ticks)
{
	/* In 128 bits: the product alone would wrap around after weeks. */
	return kcatch_clock_is_cycles ? mul_u64_u32_div(ticks, 1000, kcatch_cycles_khz()) :
					div_u64(ticks, 1000);
}

static void log_frames(const union front *front)
{
	u32 nr = front->hit.nr_frames, i;
	char text[KCATCH_FRAME_TEXT];

	kcatch_assert(nr <= KCATCH_DEPTH_MAX);	/* freeze_log_is_whole() would have said so */
	for (i = 0; i < nr && i < FRAMES; i++) {
		kcatch_hit_frame_text(text, &front->hit, i);
		pr_cont(" <- %s", text);
	}
	pr_cont("%s\n", i < nr ? " ..." : "");
}

/* The name of what was hit. A watched address that has none stays unknown to who reads the log. */
static const char *freeze_log_name_of(const struct kcatch_probe *probe, char *text, size_t size)
{
	static const char tracepoint[] = "__tracepoint_";
	void *address = (void *)probe->address;

	if (probe->mechanism == KCATCH_MECHANISM_EVENT)
		return ((const struct kcatch_ktrace_event *)address)->name;
	scnprintf(text, size, "%ps", address);
	if (!strncmp(text, "0x", 2))
		scnprintf(text, size, "%p", address);
	if (!strncmp(text, tracepoint, sizeof(tracepoint) - 1))
		text += sizeof(tracepoint) - 1;
	return text;
}

/* Logs the value that a function returned; an address of the kernel is not shown in its log. */
static void log_return(const struct kcatch_return *returned)
{
	unsigned long value = returned->ret;
	u64 duration = div_u64(returned->latency, 1000);

	if (value >= PAGE_OFFSET && !IS_ERR_VALUE(value))
		pr_cont(" returns address %p after %llu us\n", (void *)value, duration);
	else
		pr_cont(" returns %#lx after %llu us\n", value, duration);
}

static void log_record(const struct kcatch_session *session, u32 cpu, const union front *front)
{
	const struct kcatch_record *head = &front->head;
	const struct kcatch_probe *probe = find_probe(session, KCATCH_RECORD_PROBE(head->id));
	u64 before = session->output.frozen_at > head->time ?
			     session->output.frozen_at - head->time :
			     0;
	char text[64];

	if (!probe)
		return;
	before = freeze_log_microseconds(before);
	pr_warn("kcatch: cpu %u -%llu.%06us %s pid %u", cpu, div_u64(before, 1000000),
		(u32)(before - div_u64(before, 1000000) * 1000000),
		freeze_log_name_of(probe, text, sizeof(text)), front->hit.pid);
	switch (KCATCH_RECORD_KIND(head->id)) {
	case KCATCH_RECORD_CALL:
	case KCATCH_RECORD_HIT:
	case KCATCH_RECORD_ENTRY:
		/* A process chooses its name, and might put lines of its own into the log. */
		pr_cont(" %*pEhp", (int)strnlen(front->hit.comm, KCATCH_COMM_LEN), front->hit.comm);
		log_frames(front);
		break;
	case KCATCH_RECORD_RETURN:
		log_return(&front->returned);
		break;
	default:
		pr_cont("\n");
	}
}

void kcatch_freeze_log_begin(struct kcatch_freeze_log *log)
{
	log->left = LINES_ALL;
}

void kcatch_freeze_log(struct kcatch_freeze_log *log, struct kcatch_session *session)
{
	struct last last;
	union front front;
	u32 i, nr;
	int cpu;

	pr_warn("kcatch: a flight recorder was frozen; its last records, oldest first:\n");
	for_each_possible_cpu(cpu) {
		const struct kcatch_ring *ring = kcatch_session_ring(session, cpu);

		if (!ring)
			continue;
		find_last(ring, &last);
		nr = min_t(u32, last.nr, LINES_CPU);
		for (i = 0; i < nr && log->left; i++, log->left--)
			if (copy_front(ring, &last.place[(last.nr - nr + i) % LINES_CPU], &front))
				log_record(session, cpu, &front);
	}
}
