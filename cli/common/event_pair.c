/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_pair.c - pairs of events, A..B: the words of the command line
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "event_pair.h"
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
static int cut(char *copy, const char **first, const char **second)
{
	char *dots = find_dots(copy);

	*first = *second = copy;
	if (dots) {
		*dots = '\0';
		*second = dots + 2;
	}
	if (**first && **second && !find_dots((char *)*second))
		return -1;
	if (dots)
		*dots = '.';
	say("%s: two names or expressions with .. between them, as in sched:sched_wakeup..sched:sched_switch",
	    quoted(copy));
	return STATUS_ERROR;
}

static int check_off_cpu(const struct options *options, bool has_pair, size_t others)
{
	if (has_pair)
		say("--off-cpu is a pair of its own: leave A..B away");
	else if (options->key)
		say("--key is of a pair of events A..B: --off-cpu needs none");
	else if (others)
		say("--off-cpu is about threads, not about functions and events: choose threads by "
		    "-p, -c, --cgroup or a condition, and see where they wait with --by stack");
	else
		return -1;
	return STATUS_ERROR;
}

static int check(const struct options *options, bool has_pair, size_t others)
{
	if (options->pair.off_cpu)
		return check_off_cpu(options, has_pair, others);
	if (!has_pair && options->key)
		say("--key is of a pair of events: A..B --key EXPR");
	else if (!has_pair && options->pair.room)
		say("--pairs is about pairs of events: A..B --key EXPR");
	else if (has_pair && others)
		say("a pair is alone, without other functions and events");
	else if (has_pair && !options->key)
		say("which events belong together? --key EXPR: a number that both have, as in "
		    "block:block_rq_issue..block:block_rq_complete --key rq");
	else
		return -1;
	return STATUS_ERROR;
}

/* Takes the first name with ".." out of some. */
static const char *take_pair(const char **names, size_t *nr)
{
	const char *pair = NULL;
	size_t i, left = 0;

	for (i = 0; i < *nr; i++) {
		if (!pair && !word_is_condition(names[i]) && strstr(names[i], ".."))
			pair = names[i];
		else
			names[left++] = names[i];
	}
	*nr = left;
	return pair;
}

static size_t nr_names(char **words, size_t nr)
{
	size_t i, names = 0;

	for (i = 0; i < nr; i++)
		names += !word_is_condition(words[i]);
	return names;
}

int pair_parse(struct options *options, char **words, size_t *nr)
{
	struct kcatch_request *request = &options->request;
	struct kcatch_pair_request *pair = &options->pair;
	const char *text = take_pair((const char **)words, nr);
	int status;

	if (!text) {
		text = take_pair(options->events, &request->nr_events);
		pair->events = text != NULL;
	}
	status = check(options, text, nr_names(words, *nr) + request->nr_events);
	if (status < 0 && pair->off_cpu) {
		pair->size = sizeof(*pair);
		request->pair = pair;
	}
	if (status >= 0 || !text)
		return status;
	options->pair_texts[0] = strdup(text);
	options->pair_texts[1] = strdup(options->key);
	if (!options->pair_texts[0] || !options->pair_texts[1]) {
		say("out of memory");
		return STATUS_ERROR;
	}
	pair->size = sizeof(*pair);
	request->pair = pair;
	status = cut(options->pair_texts[0], &pair->first, &pair->second);
	return status < 0 ? cut(options->pair_texts[1], &pair->first_key, &pair->second_key) :
			    status;
}

void pair_deinit(struct options *options)
{
	free(options->pair_texts[0]);
	free(options->pair_texts[1]);
}

bool pair_is_of_function(const struct options *options)
{
	return options->request.pair && !options->pair.events && !strchr(options->pair.second, ':');
}
