/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c - sort the words of a command line into functions and the condition
 *
 * No option marks the condition: it contains a character that no function's name or pattern
 * can contain.
 */
#include <string.h>

#include <kcatch_machine.h>

#include "command.h"
#include "words.h"

static const char *const everything[] = { "*" };

/* The end of a class such as "[!a-z]", whose ! - ^ are no operators; @at if it is not closed. */
static const char *skip_class(const char *at)
{
	const char *end = strchr(at[1] ? at + 2 : at + 1, ']');

	return end ? end : at;
}

static const char operators[] = " \t\n<>=&|()\"'!~^-/%,;{}";

/* A place as the kernel's log has it: function+0x10/0x2e0. */
static bool is_place(const char *word)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = strstr(word, "+0x");

	if (!at || at == word || strcspn(word, operators) < (size_t)(at - word))
		return false;
	at += 3 + strspn(at + 3, digits);
	return !strncmp(at, "/0x", 3) && at[3] && !at[3 + strspn(at + 3, digits)];
}

bool word_is_condition(const char *word)
{
	if (is_place(word))
		return false;
	for (; *word; word++) {
		if (*word == '[')
			word = skip_class(word);
		else if (strchr(operators, *word))
			return true;
	}
	return false;
}

static int take_condition(char **words, size_t *count, struct kcatch_request *request)
{
	size_t i, left = 0;

	for (i = 0; i < *count; i++) {
		if (!word_is_condition(words[i])) {
			words[left++] = words[i];
			continue;
		}
		if (request->condition) {
			say("two conditions: %s and %s; join them with && or ||",
			    quoted(request->condition), quoted(words[i]));
			return STATUS_ERROR;
		}
		request->condition = words[i];
	}
	*count = left;
	return -1;
}

int words_condition(char **words, size_t count, struct kcatch_request *request)
{
	return take_condition(words, &count, request);
}

int words_parse(char **words, size_t count, struct kcatch_request *request, bool tree)
{
	int status = take_condition(words, &count, request);

	if (status >= 0)
		return status;
	if (!count && request->nr_events) {
		request->returns = false;	/* there are no calls */
		return -1;
	}
	if (!count) {
		if (request->condition)
			say("which function? %s cannot be a function's name and was taken for a condition; "
			    "for example: kcatch vfs_read 'count > 4096'",
			    quoted(request->condition));
		else
			say("which function? For example: kcatch vfs_read (more: kcatch --help)");
		return STATUS_ERROR;
	}
	request->functions = (const char *const *)words;
	request->nr_functions = count;
	if (!tree)
		return -1;
	request->nr_functions = 1;
	request->under = count > 1 ? (const char *const *)words + 1 : everything;
	request->nr_under = count > 1 ? count - 1 : 1;
	return -1;
}

static int is_called(const char *name, const char *type, void *arg)
{
	(void)type;
	return name && !strcmp(name, arg);
}

void words_hint(const struct kcatch_request *request)
{
	static const char *const words[] = { "ret", "latency", "oncpu", "runnable", "blocked",
					     "pid", "tid", "comm", "cpu" };
	struct kcatch_signatures *signatures;
	const char *word = NULL;
	size_t i, j;

	if (request->nr_functions < 2 || kcatch_signatures_create(&signatures))
		return;
	for (i = 1; i < request->nr_functions && !word; i++) {
		const char *it = request->functions[i];

		for (j = 0; j < sizeof(words) / sizeof(words[0]); j++)
			if (!strcmp(it, words[j]))
				word = it;
		if (kcatch_signature_read(signatures, KCATCH_BY_FTRACE, NULL, request->functions[0],
					  is_called, (void *)it) > 0)
			word = it;
	}
	kcatch_signatures_destroy(signatures);
	if (word)
		say("if %s begins a condition, put it in quotes, or the shell takes < and > for files: "
		    "kcatch %s '%s > 0'",
		    word, request->functions[0], word);
}

char *words_key_end(char *at)
{
	char quote = 0;
	int depth = 0;

	for (; *at; at++) {
		if (quote) {
			if (*at == '\\' && at[1])
				at++;
			else if (*at == quote)
				quote = 0;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else if (*at == '(' || *at == '[') {
			depth++;
		} else if (*at == ')' || *at == ']') {
			depth--;
		} else if (*at == ',' && depth <= 0) {
			break;
		}
	}
	return at;
}
