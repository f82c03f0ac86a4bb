/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - kcatch help: print a command's help; its text is in the command's own file */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char help[] =
"kcatch help - help on a command\n"
"\n"
"usage: kcatch help [COMMAND]\n"
"\n";

static void print_commands(void)
{
	size_t i;

	fputs(help, stdout);
	for (i = 0; commands[i]; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->description);
}

static int help_main(int argc, char **argv)
{
	const char *topic = argc < 2 ? "catch" : !strcmp(argv[1], "--help") ? "help" : argv[1];
	size_t i;

	for (i = 0; commands[i] && strcmp(topic, commands[i]->name) != 0; i++)
		;
	if (!commands[i]) {
		say("no help on %s; kcatch help help lists the commands", quoted(topic));
		return STATUS_ERROR;
	}
	if (commands[i] == &command_help)
		print_commands();
	else
		command_print_help(commands[i]);
	return command_end(STATUS_CAUGHT);
}

const struct command command_help = {
	.name = "help",
	.run = help_main,
	.description = "help on a command: kcatch help list",
	.help = help,
	.help_end = "",
};
