// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the last records before a freeze to the kernel log. It takes no lock and allocates no
 * memory, and it reads only the last two packets of a ring, which a frozen ring does not overwrite.
 * printk() works in every context, NMI and panic too.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include "freeze_log.h"
#include "ring/record_encoder.h"
#include "session.h"

#define LINES_ALL	128
#define LINES_CPU	8
#define FRAMES		4

/* The last LINES_CPU of the @nr records of a ring that were read; the index is modulo LINES_CPU. */
struct last {
	u32 nr;
	const struct kcatch_record *record[LINES_CPU];
};

/* Notes the records of the packet at @base, up to @end. Only the kernel writes the ring, but a
 * record may be incomplete: its size is checked. */
static void look_at_packet(const struct kcatch_ring *ring, u64 base, u64 end, struct last *last)
{
	const struct kcatch_record *record;
	u64 at;

	for (at = base + sizeof(struct kcatch_packet); at + sizeof(*record) <= end;
	     at += record->size) {
		record = (void *)(ring->data + (at & ring->size_mask));
		if (record->size < sizeof(*record) || record->size > end - at)
			return;
		last->record[last->nr++ % LINES_CPU] = record;
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
			       base - size + min_t(u64, packet->content_size / 8, size), last);
	}
	look_at_packet(ring, base, produced, last);
}

static const struct kcatch_probe *find_probe(const struct kcatch_session *session, u32 number)
{
	const struct kcatch_group *group;

	list_for_each_entry_lockless(group, &session->groups, list)
		if (number - group->first < group->nr)
			return &group->probes[number - group->first];
	return NULL;
}

static u64 microseconds(u64 ticks)
{
	return kcatch_clock_is_tsc ? div_u64(ticks * 1000, tsc_khz) : div_u64(ticks, 1000);
}

static void log_frames(const struct kcatch_hit *hit)
{
	u32 nr = kcatch_hit_nr_frames(hit), i;

	for (i = 0; i < nr && i < FRAMES; i++) {
		if (hit->frames[i] == KCATCH_FRAME_SELF)
			pr_cont(" <- [kcatch]");
		else
			pr_cont(" <- %pB", (void *)(unsigned long)hit->frames[i]);
	}
	pr_cont("%s\n", i < nr ? " ..." : "");
}

static void log_record(const struct kcatch_session *session, u32 cpu,
		       const struct kcatch_record *record)
{
	const struct kcatch_probe *probe = find_probe(session, KCATCH_RECORD_PROBE(record->id));
	u64 before = session->output.frozen_at > record->time ?
			     session->output.frozen_at - record->time :
			     0;
	const struct kcatch_return *returned = (const void *)record;
	const struct kcatch_hit *hit = (const void *)record;
	static const char tracepoint[] = "__tracepoint_";
	char what[64], *name = what;

	if (!probe)
		return;
	if (probe->mechanism == KCATCH_MECHANISM_EVENT)
		scnprintf(what, sizeof(what), "event %lu", probe->address);
	else
		scnprintf(what, sizeof(what), "%ps", (void *)probe->address);
	if (!strncmp(what, tracepoint, sizeof(tracepoint) - 1))
		name += sizeof(tracepoint) - 1;
	before = microseconds(before);
	pr_warn("kcatch: cpu %u -%llu.%06us %s pid %u", cpu, div_u64(before, 1000000),
		(u32)(before - div_u64(before, 1000000) * 1000000), name, hit->pid);
	switch (KCATCH_RECORD_KIND(record->id)) {
	case KCATCH_RECORD_CALL:
	case KCATCH_RECORD_HIT:
	case KCATCH_RECORD_ENTRY:
		pr_cont(" %.*s", KCATCH_COMM_LEN, hit->comm);
		log_frames(hit);
		break;
	case KCATCH_RECORD_RETURN:
		pr_cont(" returns %#llx after %llu us\n", returned->ret,
			div_u64(returned->latency, 1000));
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
			log_record(session, cpu, last.record[(last.nr - nr + i) % LINES_CPU]);
	}
}
