/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count.h - kcatch count, of live calls and of recordings */
#ifndef CLI_COUNT_H
#define CLI_COUNT_H

#include <kcatch.h>

#include "follow.h"
#include "losses.h"
#include "options.h"

/**
 * struct count_options - the command line
 * @shared: options of other commands, too; its count: calls to count, 0: no limit
 * @count: what is counted by
 * @keys: the keys of @count
 * @texts: the copies that @keys point into
 * @nr_texts: number of entries in @texts
 * @format: --format; NULL: a table
 * @fine: --fine: narrow buckets in the table
 * @interval_ns: counts are taken out of the kernel so often, nanoseconds; 0: not said
 * @rows: rows of the table; 0: the default
 * @recording: -i: directory of a recording; NULL: calls are counted
 * @comm: -c: a command's name, of a recording a pattern; NULL: all
 * @patterns: functions and events of the recording
 * @nr_patterns: number of entries in @patterns; 0: all
 */
struct count_options {
	struct options shared;
	struct kcatch_count_request count;
	const char **keys;
	char **texts;
	size_t nr_texts;
	const char *format;
	bool fine;
	uint64_t interval_ns;
	uint64_t rows;
	const char *recording;
	const char *comm;
	const char **patterns;
	size_t nr_patterns;
};

/**
 * struct count - a count that is made
 * @follow: the session, and when it began
 * @options: the command line
 * @ended_ns: time of the last event, CLOCK_MONOTONIC, ns; 0: now
 * @draws: the table is redrawn on a terminal
 * @late: a CPU takes no interrupts: counts are still in the kernel
 */
struct count {
	struct follow follow;
	struct count_options options;
	uint64_t ended_ns;
	bool draws;
	bool late;
};

/**
 * count_print - print the rows in the form that was asked for
 * @count: the count
 * @counts: the rows
 * @losses: what was lost
 *
 * Return: 0, or -errno with an error text.
 */
int count_print(struct count *count, const struct kcatch_counts *counts,
		const struct losses *losses);

/**
 * count_print_summary - print the object with the terms of the equation, and what ended it
 * @totals: the terms; @recorded were counted, @lost found no room
 * @counts: the rows
 * @end: what ended the count
 * @final: the equation holds, and all is in the rows
 * @pairs: what became of the events of pairs; NULL: there are none
 */
void count_print_summary(const struct kcatch_totals *totals, const struct kcatch_counts *counts,
			 const char *end, bool final, const struct kcatch_pairs *pairs);

/* count_recording.c */

/**
 * count_recording_words - take the words of a command line with -i
 * @options: receives functions, events and condition; its options are parsed
 * @words: functions, patterns, and a condition
 * @nr: number of entries in @words
 *
 * Return: -1 to continue; STATUS_ERROR after a message.
 */
int count_recording_words(struct count_options *options, char **words, size_t nr);

/**
 * count_recording - count the events of a recording, and print the rows
 * @count: with the options; its session is to be closed by the caller
 *
 * Return: the exit status.
 */
int count_recording(struct count *count);

#endif
