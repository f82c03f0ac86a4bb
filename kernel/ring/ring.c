// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring's writer. ring/ring.h says how it works and what it relies on.
 */
#include "ring/ring.h"

void kcatch_ring_init(struct kcatch_ring *ring, struct kcatch_ring_page *page,
		      void *data, struct kcatch_consumer_page *consumer,
		      u32 ring_size, u32 packet_size, u32 mode, u32 cpu, const u8 *uuid)
{
	memset(ring, 0, sizeof(*ring));
	ring->size_mask = ring_size - 1;
	ring->packet_mask = packet_size - 1;
	ring->data = data;
	ring->page = page;
	ring->consumer = consumer;
	ring->cpu = cpu;
	ring->overwrite = mode == KCATCH_RING_OVERWRITE;
	memcpy(ring->uuid, uuid, sizeof(ring->uuid));
	page->ring_size = ring_size;
	page->packet_size = packet_size;
	page->cpu = cpu;
	memcpy(page->uuid, uuid, sizeof(page->uuid));
	page->mode = mode;
}

/* The reader has consumed all below @end. Its word is taken only when it is
 * possible: not behind what it said before, not beyond what was ever produced. */
static bool is_consumed(struct kcatch_ring *ring, u64 end)
{
	u64 consumed;

	if (end <= ring_load(&ring->consumed))
		return true;
	consumed = ring_load_acquire(&ring->consumer->consumed);
	if (consumed < ring_load(&ring->consumed) ||
	    consumed > ring_load(&ring->page->produced))
		return false;
	ring_store(&ring->consumed, consumed);
	return end <= consumed;
}

/* Readers learn that all below @end is gone. When a nested writer moved it, it
 * moved it as far or farther: packets are begun in order. */
static void ring_overtake(struct kcatch_ring *ring, u64 end)
{
	u64 before = ring_load(&ring->page->overwritten);

	if (before < end)
		ring_exchange(&ring->page->overwritten, before, end);
	ring_write_barrier();	/* pairs with the reader's, see ring/ring.h */
}

/*
 * May the packet that starts at @start be begun? Its place still holds the
 * packet of one lap ago, which ended at @end. One that ends at produced may be
 * about to be closed by whom we interrupted, hence not <=.
 */
static bool ring_room(struct kcatch_ring *ring, u64 start)
{
	u64 end = start + ring->packet_mask + 1;

	if (end <= ring->size_mask + 1)
		return true;	/* the first lap */
	end -= ring->size_mask + 1;
	if (end >= ring_load(&ring->page->produced))
		return false;
	if (!ring->overwrite)
		return is_consumed(ring, end);
	ring_overtake(ring, end);
	return true;
}

static struct kcatch_packet *packet_at(struct kcatch_ring *ring, u64 position)
{
	return (void *)(ring->data + (position & ring->size_mask & ~ring->packet_mask));
}

/*
 * Close the packet that ended at @end (0: there was none) and open the one
 * that starts at @start. A nested writer may have gone on to fill and close
 * the new packet before this runs, so opening must not touch a field that
 * closing writes.
 */
static void turn_packet(struct kcatch_ring *ring, u64 end, u64 start, u64 now)
{
	struct kcatch_packet *packet;

	if (end) {
		packet = packet_at(ring, end - 1);
		packet->timestamp_end = now;
		packet->content_size = (((end - 1) & ring->packet_mask) + 1) * 8;
		packet->discarded = ring_load(&ring->page->discarded);
		ring_store(&ring->filled, 1);
	}
	packet = packet_at(ring, start);
	packet->magic = KCATCH_PACKET_MAGIC;
	packet->stream_id = 0;
	memcpy(packet->uuid, ring->uuid, sizeof(packet->uuid));
	packet->timestamp_begin = now;
	packet->packet_size = (ring->packet_mask + 1) * 8;
	packet->sequence = start / (ring->packet_mask + 1);
	packet->cpu = ring->cpu;
	packet->reserved = 0;
}

/* The outermost writer, that has not reserved yet: those that interrupted it have
 * finished, and left their publishing to it. */
static bool publish_nested(struct kcatch_ring *ring)
{
	if (ring_load(&ring->nest) != 1)
		return false;
	ring_store_release(&ring->page->produced, ring_load(&ring->head));
	return true;
}

void kcatch_ring_publish_again(struct kcatch_ring *ring)
{
	u64 head;

	do {
		ring_store(&ring->nest, 1);
		ring_barrier();
		head = ring_load(&ring->head);
		ring_store_release(&ring->page->produced, head);
		ring_barrier();
		ring_store(&ring->nest, 0);
		ring_barrier();
	} while (ring_load(&ring->head) != head);
}

/* Reserve at the edge of a packet, or where `limit` only looked like one. The
 * writer is counted in nest already. */
struct kcatch_record *kcatch_ring_reserve_packet(struct kcatch_ring *ring, u32 size)
{
	struct kcatch_record *record;
	u64 old, start, now;

	/* Its callers see to it; nothing of the ring may depend on that. */
	if (unlikely(size > KCATCH_RING_RECORD_MAX(ring->packet_mask + 1))) {
		ring_increment(&ring->page->discarded);
		kcatch_ring_leave(ring);
		return NULL;
	}
	do {
		if (unlikely(ring_load(&ring->frozen))) {
			ring_increment(&ring->refused);
			kcatch_ring_leave(ring);
			return NULL;
		}
		old = ring_load(&ring->head);
		start = old;
		if (!(old & ring->packet_mask) ||
		    (old & ring->packet_mask) + size > ring->packet_mask + 1) {
			start = (old + ring->packet_mask) & ~ring->packet_mask;
			if (!ring_room(ring, start) &&
			    !(publish_nested(ring) && ring_room(ring, start))) {
				ring_increment(&ring->page->discarded);
				kcatch_ring_leave(ring);
				return NULL;
			}
			start += sizeof(struct kcatch_packet);
		}
	} while (!kcatch_ring_time(ring, &now) ||
		 !ring_exchange(&ring->head, old, start + size));

	/* Who reads a packet without taking it (freeze_log.c) and finds `head` unchanged has read
	 * nothing of the next lap. Before `limit`, after which nested writers write at once. */
	ring_write_barrier();
	ring_store(&ring->limit, (start | ring->packet_mask) + 1);
	ring_full_barrier();	/* pairs with the one of kcatch_ring_freeze() */
	if (unlikely(ring_load(&ring->frozen)))
		ring_store(&ring->limit, 0);
	if (start != old)
		turn_packet(ring, old, start, now);
	record = (void *)(ring->data + (start & ring->size_mask));
	record->size = size;
	record->time = now;
	return record;
}
