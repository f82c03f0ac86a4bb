/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - table of commands. Bare kcatch FUNCTION... catches.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>

#include "command.h"

const struct command commands[] = {
	{ "catch", catch_main, "catch calls of kernel functions; the word may be left out",
	  help_catch },
	{ "list", list_main, "functions that can be caught, and how", help_list },
	{ "stuck", stuck_main, "why does it not move: blocked threads, deadlocks, CPUs that spin",
	  help_stuck },
	{ "check", check_main, "can this machine trace, and what is missing", help_check },
	{ "record", record_main, "record calls and events into a directory: a CTF trace",
	  help_record },
	{ "report", report_main, "what a recording says: text, tree, flame graph, page, profile ...",
	  help_report },
	{ "top", top_main, "who calls most, what fails, what takes long: a live view", help_top },
	{ "snapshot", snapshot_main, "a copy of what a flight recorder has now", help_snapshot },
	{ "sessions", sessions_main, "recorders that run: find them, stop them", help_sessions },
	{ "watch", watch_main, "who changes this variable of the kernel", help_watch },
	{ "signals", signals_main, "who killed my process: signals as they are sent", help_signals },
	{ "help", help_main, "help on a command: kcatch help list", NULL },
	{ NULL, NULL, NULL, NULL }
};

void say(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	/* What was caught before comes before; in one piece, for others write, too. */
	fflush(stdout);
	if (length < 0)
		dprintf(STDERR_FILENO, "kcatch: out of memory\n");
	else
		dprintf(STDERR_FILENO, "kcatch: %s\n", text);
	if (length >= 0)
		free(text);
}

const char *quoted(const char *word)
{
	static char room[4][400];
	static unsigned int turn;
	char *text = room[turn++ % 4];
	size_t length = strlen(word), take = length > 80 ? 80 : length, at;

	text[0] = '\'';
	at = 1 + kcatch_text_escape(word, take, text + 1, 4 * 80 + 1);
	if (take < length)
		snprintf(text + at, sizeof(room[0]) - at, "...' (%zu characters)", length);
	else
		snprintf(text + at, sizeof(room[0]) - at, "'");
	return text;
}

/*
 * A closed descriptor would be given to the next file that is opened, and
 * messages would go into it.
 */
static int open_standard(void)
{
	int fd, null;

	for (fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		null = open("/dev/null", fd ? O_WRONLY : O_RDONLY);
		if (null >= 0 && null != fd)
			close(null);
		if (fd == 1) {
			open_standard();
			say("standard output is closed: nobody would see what is caught");
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	if (open_standard())
		return STATUS_ERROR;
	/* A reader that has gone is an error of writing, to be told like others. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		fputs("usage: kcatch FUNCTION... [CONDITION] [options]\n"
		      "                                        catch the next call: who, with what, what came back\n"
		      "       kcatch list PATTERN              what can be caught\n"
		      "       kcatch check                     can this machine trace\n"
		      "       kcatch --help                    examples and all options\n", stderr);
		return STATUS_ERROR;
	}
	for (i = 0; commands[i].name; i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	return catch_main(argc, argv);
}
