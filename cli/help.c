/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - kcatch help: the commands, or the help of one; its text is in the command's own file */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char help[] =
"kcatch help - the commands, and help on one\n"
"\n"
"usage: kcatch FUNCTION... [CONDITION] [options]    catch the next call: kcatch help catch\n"
"       kcatch COMMAND ...\n"
"       kcatch help [COMMAND]\n"
"\n";

static int help_main(int argc, char **argv)
{
	const char *topic = argc < 2 || !strcmp(argv[1], "--help") ? "help" : argv[1];
	size_t i;

	for (i = 0; commands[i] && strcmp(topic, commands[i]->name) != 0; i++)
		;
	if (!commands[i]) {
		say("no help on %s; kcatch help lists the commands", quoted(topic));
		return STATUS_ERROR;
	}
	command_print_help(commands[i]);
	if (commands[i] == &command_help)
		command_print_all(stdout);
	return command_end(STATUS_CAUGHT);
}

const struct command command_help = {
	.name = "help",
	.run = help_main,
	.description = "these lines, or help on a command: kcatch help list",
	.help = help,
	.help_end = "",
};
