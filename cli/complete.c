/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * complete.c - kcatch complete: what the shell may complete a command line with
 *
 * Commands and options come from the same tables as the help; functions, events and sessions
 * from this machine. The shells' own files (system/) only pass words and show the answer.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "control.h"
#include "kernel_words.h"
#include "report.h"

static bool begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* A candidate and the first line of its description. */
static void offer(const char *word, const char *description, const char *prefix)
{
	if (begins(word, prefix))
		printf("%s\t%.*s\n", word, (int)strcspn(description, "\n"), description);
}

static void offer_words(const char *const *words, const char *prefix)
{
	for (; *words; words++)
		offer(*words, "", prefix);
}

/* Return: whether there was one. */
static bool offer_commands(const char *prefix)
{
	bool any = false;
	size_t i;

	for (i = 0; commands[i]; i++) {
		if (commands[i] == &command_complete || !begins(commands[i]->name, prefix))
			continue;
		offer(commands[i]->name, commands[i]->description, prefix);
		any = true;
	}
	return any;
}

static void offer_options(const struct command *command, const char *prefix)
{
	const struct option_use *use;
	char name[64];

	for (use = command->options; use && use->rule; use++) {
		const char *help = use->help ? use->help : use->rule->help;

		if (!help)
			continue;
		snprintf(name, sizeof(name), "--%s", use->rule->name);
		offer(name, help, prefix);
		snprintf(name, sizeof(name), "-%c", use->rule->letter);
		if (use->rule->letter)
			offer(name, help, prefix);
	}
}

static void offer_sessions(const char *prefix)
{
	char **names;
	size_t nr, i;

	if (control_list(&names, &nr))
		return;
	for (i = 0; i < nr; i++)
		offer(names[i], "", prefix);
	control_list_free(names, nr);
}

/* @of_stacks: those that kcatch count draws, too */
static void offer_formats(const char *prefix, bool of_stacks)
{
	size_t i;

	for (i = 0; report_formats[i]; i++)
		if (!of_stacks || report_formats[i]->stacks ||
		    !strcmp(report_formats[i]->name, "folded"))
			offer(report_formats[i]->name, report_formats[i]->description, prefix);
}

static void offer_triggers(const char *prefix)
{
	static const char *const words[] = { "oops", "warn", "lockup", "hung", "panic", NULL };

	offer_words(words, prefix);
	kernel_events_print(prefix);
}

/* The option that the word before the last one names and that takes a value; NULL: none. */
static const struct option_rule *option_before(const struct command *command, const char *word)
{
	const struct option_use *use;

	if (word[0] != '-')
		return NULL;
	for (use = command->options; use && use->rule; use++) {
		const struct option_rule *rule = use->rule;

		if (!rule->value || rule->value[0] == '[')
			continue;
		if ((word[1] == '-' && !strcmp(word + 2, rule->name)) ||
		    (rule->letter && word[1] == rule->letter && !word[2]))
			return rule;
	}
	return NULL;
}

/* The value of an option. Files are the shell's own to complete, so nothing is said of them. */
static void offer_value(const struct command *command, const struct option_rule *rule,
			const char *prefix)
{
	static const char *const keys[] = { "comm", "pid", "cpu", "ret", "failure", "latency",
					    "oncpu", "runnable", "blocked", "switches", "caller",
					    "function", "cgroup", "stack", "user_stack", NULL };
	static const char *const forms[] = { "text", "json", "rows", NULL };
	static const char *const orders[] = { "calls", "total", "failed", "latency", "p99", "max",
					      NULL };

	if (!strcmp(rule->name, "event"))
		kernel_events_print(prefix);
	else if (!strcmp(rule->name, "function"))
		kernel_functions_print(prefix);
	else if (!strcmp(rule->name, "freeze-on"))
		offer_triggers(prefix);
	else if (!strcmp(rule->name, "stop"))
		offer_sessions(prefix);
	else if (!strcmp(rule->name, "by"))
		offer_words(keys, prefix);
	else if (!strcmp(rule->name, "format") && command == &command_catch)
		offer_words(forms, prefix);
	else if (!strcmp(rule->name, "format"))
		offer_formats(prefix, command == &command_count);
	else if (!strcmp(rule->name, "sort"))
		offer_words(orders, prefix);
}

/* A word that belongs to no option. Nobody wants all functions of the kernel: not of "". */
static void offer_argument(const struct command *command, const char *prefix)
{
	if (command == &command_help)
		offer_commands(prefix);
	else if (command == &command_snapshot)
		offer_sessions(prefix);
	else if (*prefix && (command == &command_catch || command == &command_count ||
			     command == &command_list || command == &command_top ||
			     command == &command_record || command == &command_why))
		kernel_functions_print(prefix);
	if (command == &command_list && strchr(prefix, ':'))
		kernel_events_print(prefix);
}

static const struct command *command_of(const char *word)
{
	size_t i;

	for (i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, word))
			return commands[i];
	}
	return &command_catch;
}

/* Is there a -- among the words before the last one? */
static bool is_behind_options(char **words, int nr)
{
	for (; nr > 0; words++, nr--)
		if (!strcmp(*words, "--"))
			return true;
	return false;
}

static int complete_main(int argc, char **argv)
{
	const char *prefix = argc > 1 ? argv[argc - 1] : "";
	const struct command *command = argc > 2 ? command_of(argv[1]) : &command_catch;
	const struct option_rule *option = NULL;

	if (argc > 2)
		option = option_before(command, argv[argc - 2]);
	if (option) {
		offer_value(command, option, prefix);
	} else if (command == &command_record && is_behind_options(argv + 1, argc - 2)) {
		/* Words of a command to run are the shell's own to complete. */
	} else if (*prefix == '-') {
		offer_options(command, prefix);
	} else {
		/* Functions that begin as a command does would hide it. */
		if (argc > 2 || !offer_commands(prefix))
			offer_argument(command, prefix);
	}
	return command_end(STATUS_CAUGHT);
}

static const char help[] =
"kcatch complete - what the shell may complete a command line with\n"
"\n"
"  kcatch complete record -e sched:sched_w     events that begin like this\n"
"\n"
"usage: kcatch complete WORD...\n"
"  The words after kcatch, the last of them as far as it is typed. Each line: a word, then\n"
"  after a tab what it is. The files for bash, zsh and fish call it.\n"
"\n";

const struct command command_complete = {
	.name = "complete",
	.run = complete_main,
	.help = help,
	.help_end = "Exit status: 0.\n",
};
