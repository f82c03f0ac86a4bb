/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kcatch_counters.h - what is counted of each probe: one list, of which all else is made
 *
 * Part of the contract in uapi/kcatch.h, which includes this header and says when the module counts
 * a hit as what. A counter's line has its name, its words in texts, and its help in kcatch metrics;
 * NULL: that tells by other means, or not at all. It is made into members of struct kcatch_counters
 * and of the library's struct kcatch_totals, into columns of recordings, JSON, rows, metrics, and
 * the terms of texts. The manual pages and share/fleet/ name the counters by hand: make lint
 * RULES=counters finds what they lack.
 */
#ifndef _UAPI_KCATCH_COUNTERS_H
#define _UAPI_KCATCH_COUNTERS_H

/* The terms of the equation: each hit is counted in one of them. */
#define KCATCH_COUNTERS_TERMS(_) \
	_(recorded, "recorded", NULL) \
	_(filtered, "filtered", "Calls that the condition, -p or -c refused.") \
	_(over_budget, "over budget", "Calls while the rule did not count.") \
	_(undecided, "undecided", "Calls of which it is not known whether the condition holds, among " \
	  "them those in kcatch_no_slot_total, if the rule needs the return.") \
	_(missed, "missed", "Calls that could not be examined.") \
	_(lost, "lost", NULL)

/* Calls by the fate of their return: they are in the terms, too. */
#define KCATCH_COUNTERS_RETURNS(_) \
	_(no_slot, "without a slot", \
	  "Calls whose return could not be hooked: too many were under way.") \
	_(return_lost, "lost", NULL) \
	_(in_flight, "still to come", NULL)

#define KCATCH_COUNTERS(_) KCATCH_COUNTERS_TERMS(_) KCATCH_COUNTERS_RETURNS(_)

#endif
