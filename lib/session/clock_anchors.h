/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * clock_anchors.h - converts the clock of the records to CLOCK_MONOTONIC
 *
 * An anchor is one moment on both clocks. The rate that the kernel gives for its clock is
 * rounded to kHz, and CLOCK_MONOTONIC is adjusted while it runs: with one anchor the two drift
 * apart by about a second a day. Between two anchors the conversion is a straight line.
 */
#ifndef LIB_SESSION_CLOCK_ANCHORS_H
#define LIB_SESSION_CLOCK_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_anchor - one moment on all clocks
 * @clock: the session's clock, in its units
 * @monotonic: CLOCK_MONOTONIC, ns; at most INT64_MAX
 * @realtime: CLOCK_REALTIME, ns; 0: not known
 */
struct kcatch_anchor {
	uint64_t clock;
	uint64_t monotonic;
	uint64_t realtime;
};

/**
 * struct kcatch_anchors - the anchors of a session; zeroed has one, at 0
 * @first: the first anchor
 * @later: those after it, allocated; both clocks rise from each to the next
 * @nr_later: number of entries in @later
 * @near: index of the segment that was used last
 */
struct kcatch_anchors {
	struct kcatch_anchor first;
	struct kcatch_anchor *later;
	size_t nr_later;
	size_t near;
};

/**
 * kcatch_anchors_add - append an anchor
 * @anchors: the anchors
 * @anchor: the next one
 *
 * Return: 0; -EINVAL its clock is not later than that of the last anchor, or its monotonic
 *	time is earlier or larger than INT64_MAX; -ENOMEM; without an error text.
 */
int kcatch_anchors_add(struct kcatch_anchors *anchors, const struct kcatch_anchor *anchor);

/** kcatch_anchors_deinit - release all anchors but the first */
void kcatch_anchors_deinit(struct kcatch_anchors *anchors);

/**
 * kcatch_anchors_jump - whether one of the clocks stood still or was set between two anchors
 * @before: an anchor
 * @after: a later one
 * @khz: rate of the session's clock in kHz, not 0
 *
 * While a machine is suspended, its counter runs on and CLOCK_MONOTONIC stands still.
 *
 * Return: true if the two rates differ by more than an eighth, and the times by more than
 *	0.1 s. NTP changes the rate by a tenth at most (adjtimex(2), tick).
 */
bool kcatch_anchors_jump(const struct kcatch_anchor *before, const struct kcatch_anchor *after,
			 uint32_t khz);

/**
 * kcatch_anchors_monotonic - convert a time
 * @anchors: the anchors
 * @khz: rate of the session's clock in kHz, not 0
 * @clock: any time of the session's clock
 *
 * The result never falls while @clock rises. Where a clock has jumped between two anchors, the
 * first half of the segment counts from the anchor before it and the second half from the
 * anchor behind it.
 *
 * Return: CLOCK_MONOTONIC in ns, 0 to INT64_MAX.
 */
uint64_t kcatch_anchors_monotonic(struct kcatch_anchors *anchors, uint32_t khz, uint64_t clock);

#endif
