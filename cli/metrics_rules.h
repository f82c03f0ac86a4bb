/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_rules.h - the rules of kcatch metrics, as files have them: kcatch-metrics(1) */
#ifndef CLI_METRICS_RULES_H
#define CLI_METRICS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>

#define METRICS_RULES_MAX 200		/* rules of a configuration */
#define METRICS_SERIES 1000U		/* series of a rule, unless it says otherwise */
#define METRICS_SERIES_MAX 100000U

enum metrics_kind { METRICS_COUNTER, METRICS_SUMMARY, METRICS_HISTOGRAM };
enum metrics_unit { METRICS_NO_UNIT, METRICS_SECONDS, METRICS_BYTES };

/**
 * struct metrics_rule - a rule
 * @file: its file
 * @line: its line there, from 1
 * @text: its words, separated by blanks and quoted as a shell wants them
 * @name: name of the metric; @words[0]
 * @kind: METRICS_*, which follows from --hist and --stats
 * @unit: METRICS_*, which follows from @name
 * @help: what the metric is
 * @series_max: series that the rule may have; calls with further keys are (other)
 * @request: what to count; points into the rule
 * @count: by what to count; points into the rule
 * @labels: a label's name for each key, allocated
 * @targets_at: column of the first function or event, from 1; of @name if there is none
 * @condition_at: column of the condition
 * @keys_at: column of the keys
 * @value_at: column of the value of --hist or --stats
 * @words: its words, allocated
 * @columns: their columns, from 1
 * @nr_words: number of entries in @words and @columns
 * @keys: texts that @count.keys points to, in an allocated string
 * @lists: arrays of @request and @count
 */
struct metrics_rule {
	char *file;
	unsigned int line;
	char *text;
	const char *name;
	enum metrics_kind kind;
	enum metrics_unit unit;
	char *help;
	uint64_t series_max;
	struct kcatch_request request;
	struct kcatch_count_request count;
	char **labels;
	unsigned int targets_at, condition_at, keys_at, value_at;

	char **words;
	unsigned int *columns;
	size_t nr_words;
	char *keys;
	const char **lists[3];
};

/**
 * struct metrics_rules - a configuration; zeroed: empty
 * @rules: the rules, in the order of files and lines
 * @nr: number of entries in @rules
 * @errors: number of errors that were printed
 */
struct metrics_rules {
	struct metrics_rule **rules;
	size_t nr;
	size_t errors;
};

/**
 * metrics_rules_read - read a configuration
 * @path: a file, or a directory whose files *.conf are read in the order of their names
 * @rules: zeroed; receives the rules. Free them with metrics_rules_deinit(), also after errors
 *
 * Prints each error as "FILE:LINE:COLUMN: what".
 *
 * Return: whether there were no errors.
 */
bool metrics_rules_read(const char *path, struct metrics_rules *rules);

/** metrics_rules_deinit - free the rules */
void metrics_rules_deinit(struct metrics_rules *rules);

/** metrics_rule_free - free a rule; NULL is fine */
void metrics_rule_free(struct metrics_rule *rule);

/**
 * metrics_rule_say - print an error in a rule: "FILE:LINE:COLUMN: what"
 * @rule: the rule
 * @column: column, from 1
 * @format: what
 */
void metrics_rule_say(const struct metrics_rule *rule, unsigned int column, const char *format,
		      ...) __attribute__((format(printf, 3, 4)));

#endif
