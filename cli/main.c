/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - the table of commands. Without a command, kcatch FUNCTION... is kcatch catch.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "stdout.h"

const struct command *const commands[] = {
	&command_catch, &command_list, &command_stuck, &command_check, &command_record,
	&command_report, &command_why, &command_count, &command_metrics, &command_top,
	&command_snapshot, &command_sessions, &command_watch, &command_signals, &command_complete,
	&command_help, NULL
};

/*
 * Open /dev/null in place of closed standard descriptors: the next file that is opened
 * would get their number, and messages would be written into it. Return: was standard
 * output open?
 */
static bool open_standard(void)
{
	bool shown = true;
	int fd, null;

	for (fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		null = open("/dev/null", fd ? O_WRONLY : O_RDONLY);
		if (null >= 0 && null != fd)
			close(null);
		shown &= fd != STDOUT_FILENO;
	}
	return shown;
}

static int run(const struct command *command, bool shown, int argc, char **argv)
{
	if (shown || command->shows_nothing)
		return command->run(argc, argv);
	say("standard output is closed: nobody would see what is caught");
	return STATUS_ERROR;
}

int main(int argc, char **argv)
{
	bool shown = open_standard();
	size_t i;

	/* A file at its limit: a write error, which is reported like any other. */
	signal(SIGXFSZ, SIG_IGN);
	/* Who started us may ignore it, and then no child has a status. */
	signal(SIGCHLD, SIG_DFL);
	stdout_begin();
	if (argc < 2) {
		fputs("usage: kcatch FUNCTION... [CONDITION] [options]\n"
		      "                  catch the next call: caller, arguments, return value; examples\n"
		      "                  and all options: kcatch --help\n"
		      "       kcatch COMMAND ...\n", stderr);
		command_print_all(stderr);
		return STATUS_ERROR;
	}
	for (i = 0; commands[i]; i++) {
		if (!strcmp(argv[1], commands[i]->name))
			return run(commands[i], shown, argc - 1, argv + 1);
	}
	return run(&command_catch, shown, argc, argv);
}
