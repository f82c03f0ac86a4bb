/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the commands, what they share, and their exit statuses */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>

/* Exit statuses: part of the contract, see kcatch(1). */
enum status {
	STATUS_CAUGHT = 0,	/* what was asked */
	STATUS_ERROR = 1,	/* wrong usage, could not be armed, could not be written */
	STATUS_NOTHING = 2,	/* nothing caught, nothing found */
	STATUS_LOSSES = 3,	/* caught, but something was lost */
};

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *description;
	const char *help;
};

/* main.c */
extern const struct command commands[];

int catch_main(int argc, char **argv);
int list_main(int argc, char **argv);
int stuck_main(int argc, char **argv);
int check_main(int argc, char **argv);
int record_main(int argc, char **argv);
int report_main(int argc, char **argv);
int top_main(int argc, char **argv);
int sessions_main(int argc, char **argv);
int snapshot_main(int argc, char **argv);
int watch_main(int argc, char **argv);
int signals_main(int argc, char **argv);
int help_main(int argc, char **argv);

/* help.c; the texts of other commands are in their own files */
extern const char help_catch[];
extern const char help_list[];
extern const char help_check[];
extern const char help_record[];
extern const char help_report[];
extern const char help_top[];
extern const char help_sessions[];
extern const char help_snapshot[];
extern const char help_stuck[];
extern const char help_watch[];
extern const char help_signals[];
void help_print(const char *topic);

/**
 * say - a message on stderr, "kcatch: " before it
 * @format: without a newline at the end
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * quoted - a word from the command line, fit to be shown
 * @word: any bytes
 *
 * Return: in quotes, escaped, long ones shortened; in one of four static
 * buffers that are used in turn.
 */
const char *quoted(const char *word);

#endif
