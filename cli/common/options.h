/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - the options shared by several commands: the same limits and messages in each */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "option_parser.h"
#include "render.h"

#define OPTIONS_WITH_MAX 16 /* fields that the user adds, as struct kcatch_request says */

/**
 * struct options - values of the shared options; first member of a command's own struct
 * @request: the request for the library; points into this struct and the command line
 * @comm: the name of -c, cut to 15 bytes
 * @events: names of -e, an owned array of borrowed strings
 * @output: -o: file or directory; NULL: not given
 * @ring_size: ring buffer of each CPU, bytes; 0: automatic
 * @time_ns: time limit in nanoseconds; 0: none
 * @count: number of events (kcatch top: pictures) after which to end; 0: no limit
 * @pair: a pair of events, which @request refers to if there is one
 * @key: --key: the keys of the pair; NULL: not given
 * @pair_texts: the copies that @pair points into
 * @entry: catch entries only, no returns
 * @stack: take the stack of each event as well
 * @json: print one JSON object per line
 * @rows: print one flat JSON object per line
 * @verbose: show whole structs and statistics
 * @wall: show times as dates
 */
struct options {
	struct kcatch_request request;
	char comm[16];
	const char **events;
	const char *output;
	uint64_t ring_size;
	uint64_t time_ns;
	uint64_t count;
	struct kcatch_pair_request pair;
	const char *key;
	char *pair_texts[2];
	struct kcatch_own_field with[OPTIONS_WITH_MAX];
	char *with_names[OPTIONS_WITH_MAX];
	bool entry;
	bool stack;
	bool json;
	bool rows;
	bool wall;
	bool verbose;
};

extern const struct option_rule option_count, option_time, option_pid, option_comm, option_cgroup,
	option_with_cgroup, option_with, option_in_flight, option_event, option_filter,
	option_output, option_entry, option_no_args, option_deep, option_string, option_stack,
	option_user, option_depth, option_size, option_json, option_verbose, option_help,
	option_pair_key, option_pairs;

/**
 * options_add_name - append a name to a list
 * @names: the array, reallocated here; NULL when empty
 * @nr: number of entries in @names
 * @name: the name; not copied
 *
 * Return: -1 to continue; STATUS_ERROR after a message: out of memory.
 */
int options_add_name(const char ***names, size_t *nr, const char *name);

/**
 * options_view - derive the renderers' options
 * @options: the parsed options
 *
 * Return: the options for render/, @groups false.
 */
struct render_options options_view(const struct options *options);

/**
 * options_limit_text - describe the time limit: ", for 2.5 s", ", until Ctrl-C" or ""
 * @options: the options
 * @text: set to the description
 * @room: size of @text, bytes; 64 suffice
 *
 * Return: @text.
 */
const char *options_limit_text(const struct options *options, char *text, size_t room);

/**
 * options_deinit - free the memory that parsing allocated
 * @options: the options
 */
void options_deinit(struct options *options);

#endif
