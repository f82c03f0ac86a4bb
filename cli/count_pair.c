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

static void put_term(bool *any, const char *name, uint64_t number)
{
	if (!number)
		return;
	fprintf(stderr, "%s %" PRIu64 " %s", *any ? " +" : " =", number, name);
	*any = true;
}

static void put_equation(const char *what, uint64_t hits)
{
	fflush(stdout);
	fprintf(stderr, "kcatch: %s events: %" PRIu64, what, hits);
}

bool count_pairs_say(const struct kcatch_pairs *pairs)
{
	const struct kcatch_totals *first = &pairs->first, *second = &pairs->second;
	bool any = false;

	if (first->hits != pairs->paired) {
		put_equation("first", first->hits);
		put_term(&any, "paired", pairs->paired);
		put_term(&any, "restarted", pairs->restarted);
		put_term(&any, "still open", pairs->open);
		put_term(&any, "without room", pairs->overflow);
		put_term(&any, "undecided", pairs->undecided_first);
		put_term(&any, "filtered", first->filtered);
		put_term(&any, "missed", first->missed + first->lost);
		fputc('\n', stderr);
	}
	any = false;
	if (second->hits != pairs->paired) {
		put_equation("second", second->hits);
		put_term(&any, "paired", pairs->paired);
		put_term(&any, "without a first one", pairs->unmatched);
		put_term(&any, "undecided", pairs->undecided_second);
		put_term(&any, "missed", second->missed);
		fputc('\n', stderr);
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
