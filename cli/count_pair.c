/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_pair.c - pairs of events, A..B: the words of the command line, and what became of them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "count.h"
#include "words.h"

/* The ".." of a text that is in no quotes; NULL: there is none. */
static char *find_dots(char *text)
{
	char quote = 0;

	for (; *text; text++) {
		if (quote && *text == '\\' && text[1])
			text++;
		else if (quote && *text == quote)
			quote = 0;
		else if (!quote && (*text == '"' || *text == '\''))
			quote = *text;
		else if (!quote && text[0] == '.' && text[1] == '.')
			return text;
	}
	return NULL;
}

/* Cuts a text at its "..". @second: what is behind it, or the whole text without one */
static int cut(struct count_options *options, const char *text, const char **first,
	       const char **second)
{
	char *copy = count_keep_text(options, text), *dots;

	if (!copy)
		return STATUS_ERROR;
	dots = find_dots(copy);
	*first = *second = copy;
	if (dots) {
		*dots = '\0';
		*second = dots + 2;
	}
	if (**first && **second && !find_dots((char *)*second))
		return -1;
	say("%s: two names or expressions with .. between them, as in sched:sched_wakeup..sched:sched_switch",
	    quoted(text));
	return STATUS_ERROR;
}

static int check(const struct count_options *options, size_t words, bool has_pair)
{
	const struct kcatch_request *request = &options->shared.request;

	if (!has_pair && options->key)
		say("--key is of a pair of events: kcatch count A..B --key EXPR");
	else if (!has_pair && options->count.pair_room)
		say("--pairs is about pairs of events: kcatch count A..B --key EXPR");
	else if (has_pair && options->recording)
		say("pairs are counted in the kernel, not in a recording: leave -i away");
	else if (has_pair && (words > 1 || request->nr_events))
		say("a pair is counted alone, without other functions and events");
	else if (has_pair && !options->key)
		say("which events belong together? --key EXPR: a number that both have, as in "
		    "block:block_rq_issue..block:block_rq_complete --key rq");
	else
		return -1;
	return STATUS_ERROR;
}

int count_pair_words(struct count_options *options, char **words, size_t *nr)
{
	struct kcatch_count_request *count = &options->count;
	const char *pair = NULL;
	size_t i, left = 0, names = 0;
	int status;

	for (i = 0; i < *nr; i++) {
		bool is_name = !word_is_condition(words[i]);

		names += is_name;
		if (is_name && !pair && strstr(words[i], ".."))
			pair = words[i];
		else
			words[left++] = words[i];
	}
	*nr = left;
	status = check(options, names, pair != NULL);
	if (status < 0 && pair)
		status = cut(options, pair, &count->first, &count->second);
	if (status < 0 && pair)
		status = cut(options, options->key, &count->first_key, &count->second_key);
	return status;
}

/* A sum in words: what it is of, then its terms that are not 0. */
struct sum {
	char text[400];
	const char *between;
};

static void sum_begin(struct sum *sum, const char *what, uint64_t hits)
{
	snprintf(sum->text, sizeof(sum->text), "%s events: %" PRIu64, what, hits);
	sum->between = " =";
}

static void sum_add(struct sum *sum, const char *name, uint64_t number)
{
	size_t at = strlen(sum->text);

	if (!number)
		return;
	snprintf(sum->text + at, sizeof(sum->text) - at, "%s %" PRIu64 " %s", sum->between, number,
		 name);
	sum->between = " +";
}

bool count_pairs_say(const struct kcatch_pairs *pairs)
{
	const struct kcatch_totals *first = &pairs->first, *second = &pairs->second;
	struct sum sum;

	if (first->hits != pairs->paired) {
		sum_begin(&sum, "first", first->hits);
		sum_add(&sum, "paired", pairs->paired);
		sum_add(&sum, "restarted", pairs->restarted);
		sum_add(&sum, "still open", pairs->open);
		sum_add(&sum, "without room", pairs->overflow);
		sum_add(&sum, "undecided", pairs->undecided_first);
		sum_add(&sum, "filtered", first->filtered);
		sum_add(&sum, "missed", first->missed + first->lost);
		say("%s", sum.text);
	}
	if (second->hits != pairs->paired) {
		sum_begin(&sum, "second", second->hits);
		sum_add(&sum, "paired", pairs->paired);
		sum_add(&sum, "without a first one", pairs->unmatched);
		sum_add(&sum, "undecided", pairs->undecided_second);
		sum_add(&sum, "missed", second->missed);
		say("%s", sum.text);
	}
	if (pairs->overflow)
		say("%" PRIu64 " first events found no room: --pairs gives more", pairs->overflow);
	return pairs->overflow || pairs->undecided_first || first->missed || first->lost;
}

void count_pairs_print(const struct kcatch_pairs *pairs)
{
	const struct kcatch_totals *first = &pairs->first, *second = &pairs->second;

	printf(",\"first\":{\"hits\":%" PRIu64 ",\"paired\":%" PRIu64 ",\"restarted\":%" PRIu64
	       ",\"open\":%" PRIu64 ",\"overflowed\":%" PRIu64 ",\"undecided\":%" PRIu64
	       ",\"filtered\":%" PRIu64 ",\"missed\":%" PRIu64 "}",
	       first->hits, pairs->paired, pairs->restarted, pairs->open, pairs->overflow,
	       pairs->undecided_first, first->filtered, first->missed + first->lost);
	printf(",\"second\":{\"hits\":%" PRIu64 ",\"paired\":%" PRIu64 ",\"unmatched\":%" PRIu64
	       ",\"undecided\":%" PRIu64 ",\"missed\":%" PRIu64 "}",
	       second->hits, pairs->paired, pairs->unmatched, pairs->undecided_second,
	       second->missed);
}

void count_pairs_terms(const struct kcatch_pairs *pairs, struct kcatch_totals *totals)
{
	totals->hits = pairs->paired;
	totals->filtered -= pairs->unmatched;
	totals->undecided -= pairs->undecided_second;
	totals->missed = 0;
}
