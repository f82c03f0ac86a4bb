/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - print a command's help, and end a command */
#include <errno.h>
#include <stdio.h>

#include "command.h"
#include "stdout.h"

void command_print_help(const struct command *command)
{
	errno = 0;
	fputs(command->help, stdout);
	if (command->options)
		options_help(command);
	fputs(command->help_end, stdout);
	stdout_check();
}

int command_end(int status)
{
	return stdout_close() ? status : STATUS_ERROR;
}
