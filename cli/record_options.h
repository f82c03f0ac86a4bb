/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_options.h - the command line of kcatch record */
#ifndef CLI_RECORD_OPTIONS_H
#define CLI_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>

#include "options.h"

/**
 * struct record_trigger - an event whose record freezes a flight recorder
 * @request: for the library
 * @name: of the event or function, memory of its own
 * @names: @name, for the library
 */
struct record_trigger {
	struct kcatch_request request;
	char *name;
	const char *names[1];
};

/**
 * struct record_options - what the command line asks for
 * @shared: options that other commands have, too; @output: where to, NULL: one is made
 * @functions: of the request, memory of its own
 * @standby: what is needed to read the rings in a memory dump goes there; NULL: nowhere
 * @name: to be found by; NULL: by itself
 * @flight: flight recorder
 * @again: go on after a freeze was written
 * @detach: go on in the background
 * @children: and what the process or command starts
 * @no_children: not what the command starts
 * @triggers: what freezes it, memory of its own
 * @nr_triggers: how many
 * @argv: command to run; NULL: none
 * @words: the whole command line
 * @nr_words: how many
 */
struct record_options {
	struct options shared;
	const char **functions;
	const char *standby;
	const char *name;
	bool flight;
	bool again;
	bool detach;
	bool children;
	bool no_children;
	struct record_trigger *triggers;
	size_t nr_triggers;
	char **argv;
	char **words;
	size_t nr_words;
};

extern const struct option_use record_option_uses[];

/**
 * record_options_parse - understand the command line
 * @argc: of it
 * @argv: of it, from the command's name
 * @options: what is asked for
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int record_options_parse(int argc, char **argv, struct record_options *options);

/**
 * record_name_directory - a name for a recording, by the time of day
 * @name: kcatch-DATE-TIME
 * @room: bytes there
 */
void record_name_directory(char *name, size_t room);

/**
 * record_options_deinit - free its memory
 * @options: the options
 */
void record_options_deinit(struct record_options *options);

#endif
