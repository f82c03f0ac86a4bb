/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record_options.h - the command line of kcatch record */
#ifndef CLI_RECORD_OPTIONS_H
#define CLI_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <kcatch.h>

#include "options.h"

/**
 * struct record_trigger - an event or function that freezes a flight recorder
 * @request: the request for the library; points to @names
 * @name: name of the event or function, owned
 * @names: @name, as the array that @request needs
 */
struct record_trigger {
	struct kcatch_request request;
	char *name;
	const char *names[1];
};

/**
 * struct record_options - the parsed command line
 * @shared: options shared with other commands; first member, as options_parse() requires.
 *	Its @output is the directory, NULL: the name is made from the time of day
 * @functions: function names of the request, an owned array of borrowed strings
 * @word: the first function that was given without -f; NULL: none
 * @standby: directory for what kcatch report --vmcore needs; NULL: none
 * @name: the recorder's name for kcatch sessions; NULL: made from the process number
 * @flight: flight recorder: overwrite the oldest records, write nothing until a freeze
 * @again: continue after the records of a freeze were written
 * @detach: run in the background
 * @children: also record the descendants of the process
 * @no_children: do not record the descendants of the command
 * @triggers: events and functions that freeze the recorder, owned
 * @nr_triggers: number of entries in @triggers
 * @piece_bytes: --rotate: size of a piece, bytes; 0: not given
 * @piece_ns: --rotate: duration of a piece, ns; 0: not given
 * @keep: --keep: number of pieces that are kept; 0: all
 * @at: start when the clock shows this second of the day, local time; -1: not given
 * @at_utc: @at is in UTC
 * @at_every: start at the next multiple of this, seconds since 1970; 0: not given
 * @argv: command to run, NULL at the end; NULL: no command
 * @words: the whole command line
 * @nr_words: number of entries in @words
 */
struct record_options {
	struct options shared;
	const char **functions;
	const char *word;
	const char *standby;
	const char *name;
	bool flight;
	bool again;
	bool detach;
	bool children;
	bool no_children;
	struct record_trigger *triggers;
	size_t nr_triggers;
	uint64_t piece_bytes;
	uint64_t piece_ns;
	uint32_t keep;
	int at;
	bool at_utc;
	uint64_t at_every;
	char **argv;
	char **words;
	size_t nr_words;
};

extern const struct option_use record_option_uses[];

/**
 * record_options_parse - parse the command line of kcatch record
 * @argc: number of words in @argv
 * @argv: the words, beginning with the command's name; @options points into them
 * @options: the result; release it with record_options_deinit(), also after a failure
 *
 * Return: -1 to continue; otherwise the exit status, after a message or the help.
 */
int record_options_parse(int argc, char **argv, struct record_options *options);

/**
 * record_take_word - take a function, a pattern, or the condition
 * @word: a word that is no option
 * @target: the struct record_options
 *
 * Return: -1 to continue; STATUS_ERROR after a message.
 */
int record_take_word(const char *word, void *target);

/**
 * record_start_time - when a recording is to start, by --at
 * @options: the options; --at was given
 * @now: the present time, seconds since 1970
 *
 * Return: the first such second after @now; @now if the clock has no such second.
 */
time_t record_start_time(const struct record_options *options, time_t now);

/**
 * record_name_directory - make a directory's name from the local time of day
 * @name: set to kcatch-YYYYMMDD-HHMMSS
 * @room: size of @name, bytes; 64 suffice
 */
void record_name_directory(char *name, size_t room);

/**
 * record_options_deinit - free the memory that record_options_parse() allocated
 * @options: the options
 */
void record_options_deinit(struct record_options *options);

#endif
