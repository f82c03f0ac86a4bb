/* SPDX-License-Identifier: GPL-2.0-or-later */
/* catch_options.h - the command line of kcatch catch */
#ifndef CLI_CATCH_OPTIONS_H
#define CLI_CATCH_OPTIONS_H

#include <stdbool.h>

#include "options.h"

/**
 * struct catch_options - the parsed command line
 * @shared: options shared with other commands; first member, as options_parse() requires
 * @tree: --tree: show the calls made by each caught call
 * @text: --format text
 * @groups: show related calls together; set by --tree and --errors
 * @after_ns: --after: a call that lasts so long is shown while it lasts, ns; 0: not given
 * @condition: with it the condition of the request, allocated
 * @version: --version: print the release and exit
 */
struct catch_options {
	struct options shared;
	bool tree;
	bool text;
	bool groups;
	uint64_t after_ns;
	char *condition;
	bool version;
};

extern const struct option_use catch_option_uses[];

/**
 * catch_options_parse - parse the command line of kcatch catch
 * @argc: number of words in @argv
 * @argv: the words, beginning with the name of the program or command; may be reordered.
 *	@options points into them
 * @options: the result; release it with options_deinit(), also after a failure
 *
 * Return: -1 to continue; otherwise the exit status, after a message, the help or the release.
 */
int catch_options_parse(int argc, char **argv, struct catch_options *options);

#endif
