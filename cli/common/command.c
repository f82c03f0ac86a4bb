/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - print help, suggest a command, and end one */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>

#include "command.h"
#include "stdout.h"

void command_print_all(FILE *file)
{
	size_t i;

	for (i = 0; commands[i]; i++)
		if (commands[i]->description)
			fprintf(file, "  kcatch %-8s %s\n", commands[i]->name,
				commands[i]->description);
}

void command_suggest(const char *word)
{
	char names[KCATCH_SUGGEST_MAX * (KCATCH_SUGGEST_LENGTH + 8)];
	struct kcatch_suggest nearest;
	size_t i;

	kcatch_suggest_init(&nearest, word);
	for (i = 0; commands[i]; i++) {
		if (!strcmp(word, commands[i]->name)) {
			say("a command comes first: kcatch %s ...", word);
			return;
		}
		if (commands[i]->description)
			kcatch_suggest_offer(&nearest, commands[i]->name,
					     strlen(commands[i]->name));
	}
	kcatch_suggest_format(&nearest, names, sizeof(names));
	if (names[0])
		say("or did you mean the command %s? kcatch help lists all", names);
}

void command_print_help(const struct command *command)
{
	errno = 0;
	fputs(command->help, stdout);
	if (command->options)
		options_help(command);
	fputs(command->help_end, stdout);
	if (command == &command_catch) {
		fputs("\nThe commands; kcatch help COMMAND tells about one:\n", stdout);
		command_print_all(stdout);
	}
	stdout_check();
}

int command_end(int status)
{
	if (stdout_close())
		return status;
	stdout_end_unread();
	return STATUS_ERROR;
}
