/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * mapped_ring.c - reads one ring buffer, record by record or packet by packet
 *
 * The kernel writes while this code reads. These loads and stores order both sides:
 *   - produced is loaded with acquire: it pairs with the kernel's release after
 *     a record is complete, so the record's bytes are there;
 *   - consumed is stored with release after the record was copied: it pairs
 *     with the kernel's acquire before it writes there again;
 *   - in overwrite mode the kernel ignores consumed. A copied packet is valid if
 *     overwritten, loaded after the copying with a read barrier between, is not
 *     above the packet: the barrier pairs with the kernel's write barrier between
 *     moving overwritten and writing.
 *
 * A record is copied before it is checked, so that the checked bytes are the bytes used.
 */
#include <errno.h>
#include <string.h>

#include "ring/mapped_ring.h"

/* The thread sanitizer must know that what is copied while it is overwritten is
 * thrown away. */
#ifdef __SANITIZE_THREAD__
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
#else
#define AnnotateIgnoreReadsBegin(file, line)
#define AnnotateIgnoreReadsEnd(file, line)
#endif

/* Copy out of the ring; @length never reaches over the end of a packet. */
static void copy_out(const struct kcatch_mapped_ring *ring, uint64_t position, void *to,
		     size_t length)
{
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
	memcpy(to, ring->data + (position & (ring->ring_size - 1)), length);
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

static uint64_t base_of(const struct kcatch_mapped_ring *ring, uint64_t position)
{
	return position & ~(ring->packet_size - 1);
}

static uint64_t overwritten(const struct kcatch_mapped_ring *ring)
{
	return base_of(ring, __atomic_load_n(&ring->page->overwritten, __ATOMIC_RELAXED));
}

/* Is what was copied of the packet at @base worth nothing? */
static bool is_overtaken(const struct kcatch_mapped_ring *ring, uint64_t base)
{
#ifdef __SANITIZE_THREAD__	/* does not know fences */
	__asm__ volatile("" : : : "memory");
#else
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
	return overwritten(ring) > base;
}

/* Go on behind what was overwritten. */
static void pass_overtaken(struct kcatch_mapped_ring *ring)
{
	uint64_t to = overwritten(ring);

	if (ring->position >= to)
		return;
	ring->overtaken += (to - base_of(ring, ring->position)) / ring->packet_size;
	ring->overtaken_bytes += to - ring->position;
	ring->position = to;
}

/*
 * Where the content of the packet at @base ends; 0 when its header makes no sense. A
 * packet that was left says it itself; the one that is being written ends at produced
 * for now.
 */
static uint64_t content_end(const struct kcatch_mapped_ring *ring, uint64_t base, uint64_t produced)
{
	struct kcatch_packet packet;
	uint64_t bytes;

	if (produced <= base + ring->packet_size)
		return produced;
	copy_out(ring, base, &packet, sizeof(packet));
	bytes = packet.content_size / 8;
	if (packet.magic != KCATCH_PACKET_MAGIC || packet.content_size % 64 ||
	    bytes < sizeof(packet) || bytes > ring->packet_size)
		return 0;
	return base + bytes;
}

bool kcatch_record_is_good(const struct kcatch_record *record, size_t size)
{
	const struct kcatch_return *end = (const struct kcatch_return *)record;
	const struct kcatch_hit *hit = (const struct kcatch_hit *)record;
	const struct kcatch_call_part *part;

	switch (KCATCH_RECORD_KIND(record->id)) {
	case KCATCH_RECORD_HIT:
	case KCATCH_RECORD_ENTRY:
	case KCATCH_RECORD_CALL:
		if (size < sizeof(*hit) || hit->nr_frames > KCATCH_DEPTH_MAX ||
		    size - sizeof(*hit) < hit->nr_frames * sizeof(hit->frames[0]))
			return false;
		if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_HIT)
			return true;
		size -= sizeof(*hit) + hit->nr_frames * sizeof(hit->frames[0]);
		part = (const struct kcatch_call_part *)&hit->frames[hit->nr_frames];
		if (size < sizeof(*part))
			return false;
		size -= sizeof(*part);
		return part->size[0] % 8 == 0 && part->size[1] % 8 == 0 &&
		       part->user_size <= size &&
		       size - part->user_size >= (size_t)part->size[0] + part->size[1];
	case KCATCH_RECORD_RETURN:
		return size >= sizeof(*end) && end->size <= size - sizeof(*end);
	case KCATCH_RECORD_EVENT:
	case KCATCH_RECORD_MARKED:
		return size >= sizeof(struct kcatch_event_record);
	default:
		return true;	/* of a later release */
	}
}

/* Something makes no sense: the packet was overwritten meanwhile, which is no damage, or
 * it is damaged, and reading goes on at @next. */
static void pass_damage(struct kcatch_mapped_ring *ring, uint64_t base, uint64_t next)
{
	if (is_overtaken(ring, base))
		return;
	ring->damaged++;
	ring->position = next;
}

size_t kcatch_mapped_ring_peek(struct kcatch_mapped_ring *ring, uint64_t produced,
			struct kcatch_record *record, size_t room)
{
	pass_overtaken(ring);
	/* Looked at before it was overtaken, and maybe overtaken again since. */
	if (produced < ring->position && ring->position <= overwritten(ring))
		return 0;
	/* More than the ring holds: then nothing of it can be believed. */
	if (produced < ring->position || produced - ring->position > ring->ring_size) {
		ring->damaged++;
		ring->position = produced & ~7ULL;
		return 0;
	}
	for (; ring->position < produced; pass_overtaken(ring)) {
		uint64_t base = base_of(ring, ring->position), next = base + ring->packet_size;
		uint64_t end = content_end(ring, base, produced), left;
		uint32_t size;

		if (!end) {
			pass_damage(ring, base, next);
			continue;
		}
		if (ring->position == base && end >= base + sizeof(struct kcatch_packet))
			ring->position += sizeof(struct kcatch_packet);
		if (ring->position >= end) {
			/* Nothing more in this packet: wait, or go on to the next. */
			if (produced < next)
				return 0;
			ring->position = next;
			continue;
		}
		left = end - ring->position;
		if (left >= sizeof(*record))
			copy_out(ring, ring->position, record, sizeof(*record));
		if (left < sizeof(*record) || record->size < sizeof(*record) ||
		    record->size % 8 || record->size > left) {
			pass_damage(ring, base, produced < next ? produced : next);
			continue;
		}
		if (record->size > room) {	/* fine, but not for this release */
			pass_damage(ring, base, ring->position + record->size);
			continue;
		}
		/* The size was read once; a second copy must not change it. */
		size = record->size;
		copy_out(ring, ring->position, record, size);
		if (is_overtaken(ring, base))
			continue;
		record->size = size;
		if (kcatch_record_is_good(record, size))
			return size;
		ring->damaged++;
		ring->position += size;
	}
	return 0;
}

/*
 * What a packet that is handed out before it was left would say of itself, had it been
 * left at its last record. Its content is checked so far that the last one is found.
 */
static bool close_copy(const struct kcatch_mapped_ring *ring, struct kcatch_packet *packet,
		       uint64_t content)
{
	uint64_t at = sizeof(*packet);

	packet->timestamp_end = packet->timestamp_begin;
	while (at < content) {
		const struct kcatch_record *record = (const void *)((const char *)packet + at);

		if (content - at < sizeof(*record) || record->size < sizeof(*record) ||
		    record->size % 8 || record->size > content - at)
			return false;
		packet->timestamp_end = record->time;
		at += record->size;
	}
	packet->discarded = __atomic_load_n(&ring->page->discarded, __ATOMIC_RELAXED);
	return true;
}

int kcatch_mapped_ring_copy(const struct kcatch_mapped_ring *ring, uint64_t produced, uint64_t from,
			    struct kcatch_packet *packet)
{
	uint64_t base = base_of(ring, from), end, content;
	bool left = produced > base + ring->packet_size;

	if (overwritten(ring) > base)
		return -ESTALE;
	if (produced <= from)
		return -EAGAIN;
	end = content_end(ring, base, produced);
	if (from == base)
		from += sizeof(*packet);
	if (end >= base + sizeof(*packet) && end > from) {
		copy_out(ring, base, packet, sizeof(*packet));
		copy_out(ring, from, packet + 1, end - from);
	}
	if (is_overtaken(ring, base))
		return -ESTALE;
	if (!end)
		return -EBADMSG;
	if (end <= from)
		return -EAGAIN;
	content = sizeof(*packet) + end - from;
	memset((char *)packet + content, 0, ring->packet_size - content);
	if (packet->magic != KCATCH_PACKET_MAGIC || packet->packet_size != ring->packet_size * 8 ||
	    (!left && !close_copy(ring, packet, content)))
		return -EBADMSG;
	packet->content_size = content * 8;
	return 0;
}

int kcatch_mapped_ring_snapshot(const struct kcatch_mapped_ring *ring, uint64_t produced,
				void *room, kcatch_packets_visit visit, void *arg)
{
	uint64_t base = 0, over, now;
	bool visited = false;
	int ret = 0;

	if (ring->page->mode == KCATCH_RING_DISCARD)
		base = base_of(ring, ring->consumer->consumed);
	for (; !ret && base < produced; base += ring->packet_size) {
		over = overwritten(ring);
		if (base < over)
			base = over;
		/* All of it was overwritten while other rings were copied: then what is there now.
		 * In a dump the two may contradict each other: then base would begin anew. */
		if (base >= produced && !visited) {
			now = kcatch_mapped_ring_produced(ring);
			produced = now > produced ? now : produced;
		}
		if (base >= produced)
			break;
		if (!kcatch_mapped_ring_copy(ring, produced, base, room)) {
			visited = true;
			ret = visit(arg, ring->page->cpu, room, ring->packet_size);
		}
	}
	return ret;
}
