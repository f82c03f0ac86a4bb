/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_series.h - the series of a rule: what was counted, by the labels
 *
 * Counts come from the kernel in portions and are added up here. Memory is bounded by the limit
 * of the rule: calls with further keys are counted together.
 */
#ifndef CLI_METRICS_SERIES_H
#define CLI_METRICS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include <kcatch_containers.h>

#define METRICS_BUCKETS 42U	/* without +Inf */

/**
 * struct metrics_series - a series
 * @labels: 'comm="dd",ret="-2"', allocated; "": no labels
 * @count: number of calls
 * @values: number of calls whose value is in @sum
 * @sum: sum of the values
 * @buckets: with a histogram: number of calls in each bucket, allocated: METRICS_BUCKETS and
 *	one for +Inf. NULL: no histogram
 */
struct metrics_series {
	char *labels;
	uint64_t count;
	uint64_t values;
	__int128 sum;
	uint64_t *buckets;
};

/**
 * struct metrics_store - the series of a rule
 * @labels: names of the labels
 * @nr_labels: number of entries in @labels
 * @max: largest number of series
 * @seconds: values are nanoseconds and served as seconds
 * @has_buckets: there are histograms
 * @series: the series, allocated one by one
 * @nr: number of entries in @series
 * @other: what found no room in @series
 * @table_other: calls whose keys found no room in the kernel; without a histogram they are in
 *	@other, too
 * @index: labels to the number of a series
 */
struct metrics_store {
	char *const *labels;
	size_t nr_labels;
	uint64_t max;
	bool seconds;
	bool has_buckets;

	struct metrics_series **series;
	size_t nr;
	struct metrics_series *other;
	uint64_t table_other;
	struct kcatch_table index;
};

/**
 * metrics_store_init - make an empty store
 * @store: its members above @series are set, the others zero
 *
 * A rule without labels has its one series from the start.
 *
 * Return: 0 or -ENOMEM.
 */
int metrics_store_init(struct metrics_store *store);

/** metrics_store_deinit - free the series */
void metrics_store_deinit(struct metrics_store *store);

/**
 * metrics_store_add - add what was counted since the last time
 * @store: the store
 * @session: the session that counted, to name addresses
 * @counts: new counts
 *
 * Return: 0; -ENOMEM with an error text: nothing was added.
 */
int metrics_store_add(struct metrics_store *store, struct kcatch_session *session,
		      const struct kcatch_counts *counts);

/**
 * metrics_bucket_most - largest value of a bucket
 * @seconds: see struct metrics_store
 * @number: 0 to METRICS_BUCKETS - 1
 * @most: set to the value
 *
 * Return: whether there is such a bucket; those for seconds are fewer.
 */
bool metrics_bucket_most(bool seconds, unsigned int number, uint64_t *most);

#endif
