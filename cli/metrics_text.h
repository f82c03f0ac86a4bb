/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_text.h - metrics as Prometheus and OpenMetrics want them */
#ifndef CLI_METRICS_TEXT_H
#define CLI_METRICS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

#include "metrics_rules.h"
#include "metrics_series.h"

/**
 * struct metrics_source - a rule that counts
 * @rule: the rule
 * @store: its series
 * @totals: the counters of its session
 * @gone: functions and events whose module was unloaded
 * @created_ns: when it began to count, CLOCK_REALTIME, ns
 */
struct metrics_source {
	const struct metrics_rule *rule;
	const struct metrics_store *store;
	struct kcatch_totals totals;
	size_t gone;
	uint64_t created_ns;
};

/**
 * struct metrics_state - what kcatch metrics says of itself
 * @version: release of the module
 * @reload_good: the last reading of the rules had no error
 * @reload_ns: when the rules in use were read, CLOCK_REALTIME, ns
 * @errors: number of times that counts could not be taken or written
 */
struct metrics_state {
	const char *version;
	bool reload_good;
	uint64_t reload_ns;
	uint64_t errors;
};

/**
 * metrics_print - write all metrics
 * @out: the output
 * @open: OpenMetrics 1.0; else Prometheus' text format 0.0.4, which promtool and node_exporter
 *	read
 * @sources: the rules
 * @nr: number of entries in @sources
 * @state: about kcatch metrics itself
 */
void metrics_print(FILE *out, bool open, const struct metrics_source *sources, size_t nr,
		   const struct metrics_state *state);

#endif
