/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - options that several commands take: the same limits and refusals in each */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>

#include "option_parser.h"
#include "render.h"

/**
 * struct options - what the shared options ask for, at the beginning of a command's own
 * @request: for the library
 * @comm: room for the shortened command name
 * @events: names of -e, memory of its own
 * @output: file or directory; NULL: none was named
 * @ring_size: bytes a CPU, 0: by itself
 * @time_ns: time limit, 0: none
 * @count: what to catch; 0: until interrupted
 * @entry: the entry only
 * @stack: stacks with what has none by itself
 * @json: one object a line
 * @verbose: nothing is shortened
 */
struct options {
	struct kcatch_request request;
	char comm[16];
	const char **events;
	const char *output;
	uint64_t ring_size;
	uint64_t time_ns;
	uint64_t count;
	bool entry;
	bool stack;
	bool json;
	bool verbose;
};

extern const struct option_rule option_count, option_time, option_pid, option_comm,
	option_event, option_filter, option_output, option_entry, option_no_args, option_stack,
	option_depth, option_size, option_json, option_verbose, option_help;

/**
 * options_add_name - a name more in a list
 * @names: the list, reallocated
 * @nr: how many there are
 * @name: it
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int options_add_name(const char ***names, size_t *nr, const char *name);

/**
 * options_view - what of them the renderers need
 * @options: the options, settled
 *
 * Return: the same for render/.
 */
struct render_options options_view(const struct options *options);

/**
 * options_limit_text - until when: ", for 2.5 s", ", until Ctrl-C", ""
 * @options: the options
 * @text: room for it
 * @room: bytes there; 64 suffice
 *
 * Return: @text.
 */
const char *options_limit_text(const struct options *options, char *text, size_t room);

/**
 * options_deinit - free the memory
 * @options: the options
 */
void options_deinit(struct options *options);

#endif
