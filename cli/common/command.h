/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - what a command is, and its exit status */
#ifndef CLI_COMMON_COMMAND_H
#define CLI_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "message.h"
#include "option_parser.h"

/* Exit statuses: part of the public interface, see kcatch(1). */
enum status {
	STATUS_CAUGHT = 0,	/* success */
	STATUS_ERROR = 1,	/* wrong usage, could not be armed, could not be written */
	STATUS_NOTHING = 2,	/* nothing was caught or found */
	STATUS_LOSSES = 3,	/* caught, but something was lost */
};

/**
 * struct command - a command of kcatch; the file in cli/ is named after it
 * @name: the word on the command line
 * @run: runs it; argv[0] is its name, or kcatch. Return: the exit status
 * @description: one line for kcatch help; NULL: for programs, not told
 * @help: the help before the options: examples and usage
 * @options: its options, in the help's order, --help among them; the last has no rule.
 *	NULL: it takes none
 * @help_end: the help after the options
 * @shows_nothing: it works without standard output, too
 * @take_word: takes a word that is no option; what follows -- is a command to run. Return: -1 to
 *	continue; STATUS_ERROR after a message. NULL: words are left to @run
 */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *description;
	const char *help;
	const struct option_use *options;
	const char *help_end;
	bool shows_nothing;
	int (*take_word)(const char *word, void *target);
};

extern const struct command command_catch, command_list, command_stuck, command_check,
	command_record, command_report, command_top, command_snapshot, command_sessions,
	command_watch, command_signals, command_count, command_metrics, command_complete,
	command_help, command_why;

/* All commands, in the help's order, NULL at the end. */
extern const struct command *const commands[];

/**
 * command_print_help - print a command's help to standard output
 * @command: the command
 */
void command_print_help(const struct command *command);

/**
 * command_print_all - print the table of commands
 * @file: where to
 */
void command_print_all(FILE *file);

/**
 * command_suggest - say which command is meant, where a word is nearly one
 * @word: a word that names no function
 */
void command_suggest(const char *word);

/**
 * command_end - write the rest of the output and close standard output
 * @status: exit status so far
 *
 * The last thing that a command does: if nobody reads its output, the program ends by SIGPIPE.
 *
 * Return: @status, or STATUS_ERROR if some output could not be written.
 */
int command_end(int status);

#endif
