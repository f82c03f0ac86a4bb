/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* clock_anchors.c - converts the clock of the records to CLOCK_MONOTONIC */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "session/clock_anchors.h"

#define JUMP_PART 8		/* rates that differ by less are those of adjusted clocks */
#define JUMP_NS 100000000	/* what is shorter may be a reading that was interrupted */
#define MEASURED_NS 1000000000	/* a rate that was measured for less is too inexact to go on with */

static const struct kcatch_anchor *anchor_at(const struct kcatch_anchors *anchors, size_t index)
{
	return index ? &anchors->later[index - 1] : &anchors->first;
}

int kcatch_anchors_add(struct kcatch_anchors *anchors, const struct kcatch_anchor *anchor)
{
	const struct kcatch_anchor *last = anchor_at(anchors, anchors->nr_later);
	struct kcatch_anchor *later;

	if (anchor->clock <= last->clock || anchor->monotonic < last->monotonic ||
	    anchor->monotonic > INT64_MAX)
		return -EINVAL;
	later = kcatch_array_grow(anchors->later, anchors->nr_later, sizeof(*later));
	if (!later)
		return -ENOMEM;
	anchors->later = later;
	later[anchors->nr_later++] = *anchor;
	return 0;
}

void kcatch_anchors_deinit(struct kcatch_anchors *anchors)
{
	free(anchors->later);
	anchors->later = NULL;
	anchors->nr_later = 0;
	anchors->near = 0;
}

static __int128 by_rate(__int128 ticks, uint32_t khz)
{
	return ticks * 1000000 / khz;
}

bool kcatch_anchors_jump(const struct kcatch_anchor *before, const struct kcatch_anchor *after,
			 uint32_t khz)
{
	__int128 expected = by_rate((__int128)after->clock - before->clock, khz);
	__int128 off = (__int128)after->monotonic - before->monotonic - expected;

	off = off < 0 ? -off : off;
	return off > JUMP_NS && off > expected / JUMP_PART;
}

/* The moment of the jump is not known: each half counts from its own end, and none passes the
 * middle. */
static __int128 across_jump(const struct kcatch_anchor *a, const struct kcatch_anchor *b,
			    uint32_t khz, uint64_t clock)
{
	__int128 middle = a->monotonic + (b->monotonic - a->monotonic) / 2, ns;

	if (clock - a->clock <= (b->clock - a->clock) / 2) {
		ns = a->monotonic + by_rate(clock - a->clock, khz);
		return ns < middle ? ns : middle;
	}
	ns = b->monotonic - by_rate(b->clock - clock, khz);
	return ns > middle ? ns : middle;
}

static __int128 between(const struct kcatch_anchor *a, const struct kcatch_anchor *b, uint32_t khz,
			uint64_t clock)
{
	if (kcatch_anchors_jump(a, b, khz))
		return across_jump(a, b, khz, clock);
	return a->monotonic + (__int128)(clock - a->clock) * (b->monotonic - a->monotonic) /
			      (b->clock - a->clock);
}

/* Before the first anchor or behind the last, which is @from: at the rate of the segment there. */
static __int128 beyond(const struct kcatch_anchors *anchors, size_t segment,
		       const struct kcatch_anchor *from, uint32_t khz, uint64_t clock)
{
	__int128 ticks = (__int128)clock - from->clock;
	const struct kcatch_anchor *a, *b;

	if (anchors->nr_later) {
		a = anchor_at(anchors, segment);
		b = anchor_at(anchors, segment + 1);
		if (b->monotonic - a->monotonic >= MEASURED_NS && !kcatch_anchors_jump(a, b, khz))
			return from->monotonic +
			       ticks * (b->monotonic - a->monotonic) / (b->clock - a->clock);
	}
	return from->monotonic + by_rate(ticks, khz);
}

static bool is_in(const struct kcatch_anchors *anchors, size_t segment, uint64_t clock)
{
	return clock >= anchor_at(anchors, segment)->clock &&
	       clock <= anchor_at(anchors, segment + 1)->clock;
}

/* The segment of a time that lies between the first anchor and the last. */
static size_t find_segment(struct kcatch_anchors *anchors, uint64_t clock)
{
	size_t low = 0, high = anchors->nr_later - 1;

	/* Records come nearly in order. */
	if (anchors->near < anchors->nr_later && is_in(anchors, anchors->near, clock))
		return anchors->near;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (clock <= anchor_at(anchors, middle + 1)->clock)
			high = middle;
		else
			low = middle + 1;
	}
	anchors->near = low;
	return low;
}

uint64_t kcatch_anchors_monotonic(struct kcatch_anchors *anchors, uint32_t khz, uint64_t clock)
{
	const struct kcatch_anchor *last = anchor_at(anchors, anchors->nr_later);
	size_t segment;
	__int128 ns;

	if (clock < anchors->first.clock) {
		ns = beyond(anchors, 0, &anchors->first, khz, clock);
	} else if (clock >= last->clock) {
		ns = beyond(anchors, anchors->nr_later - 1, last, khz, clock);
	} else {
		segment = find_segment(anchors, clock);
		ns = between(anchor_at(anchors, segment), anchor_at(anchors, segment + 1), khz,
			     clock);
	}
	if (ns < 0)
		return 0;
	return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}
