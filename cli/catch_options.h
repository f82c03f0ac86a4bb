/* SPDX-License-Identifier: GPL-2.0-or-later */
/* catch_options.h - the command line of a catch */
#ifndef CLI_CATCH_OPTIONS_H
#define CLI_CATCH_OPTIONS_H

#include <stdbool.h>

#include "options.h"

/**
 * struct catch_options - what the command line asks for
 * @shared: options that other commands have, too
 * @tree: show what a call did underneath
 * @groups: calls that belong together are shown together: --tree, --errors
 * @version: print the release
 */
struct catch_options {
	struct options shared;
	bool tree;
	bool groups;
	bool version;
};

extern const struct option_use catch_option_uses[];

/**
 * catch_options_parse - understand the command line
 * @argc: of it
 * @argv: of it, from the program's or the command's name; may be reordered
 * @options: what is asked for
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int catch_options_parse(int argc, char **argv, struct catch_options *options);

#endif
