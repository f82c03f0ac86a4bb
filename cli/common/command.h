/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the commands, and how they end */
#ifndef CLI_COMMON_COMMAND_H
#define CLI_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"
#include "option_parser.h"

/* Exit statuses: part of the contract, see kcatch(1). */
enum status {
	STATUS_CAUGHT = 0,	/* what was asked */
	STATUS_ERROR = 1,	/* wrong usage, could not be armed, could not be written */
	STATUS_NOTHING = 2,	/* nothing caught, nothing found */
	STATUS_LOSSES = 3,	/* caught, but something was lost */
};

/**
 * struct command - a command, in a file of its own name
 * @name: the word
 * @run: does it. Return: the exit status
 * @description: one line
 * @help: examples and usage, before the options
 * @options: those it takes, as the help has them; with --help
 * @help_end: what follows them
 * @runs_words: the first word that is no option ends the options: it is a command to run
 */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *description;
	const char *help;
	const struct option_use *options;
	const char *help_end;
	bool runs_words;
};

extern const struct command command_catch, command_list, command_stuck, command_check,
	command_record, command_report, command_top, command_snapshot, command_sessions,
	command_watch, command_signals, command_help;

/* All of them, with a NULL at the end. */
extern const struct command *const commands[];

/**
 * command_print_help - print the help on a command
 * @command: which
 */
void command_print_help(const struct command *command);

/**
 * command_end - write what is left of the output
 * @status: exit status so far
 *
 * Return: @status, or STATUS_ERROR when something was not written.
 */
int command_end(int status);

#endif
