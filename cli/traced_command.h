/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_command.h - a command that waits until it is traced */
#ifndef CLI_TRACED_COMMAND_H
#define CLI_TRACED_COMMAND_H

#include <sys/types.h>

/**
 * struct run - a command; zeroed: there is none
 * @pid: its process
 * @go: closed to let it run
 * @failure: tells why it could not be run
 */
struct run {
	pid_t pid;
	int go;
	int failure;
};

/**
 * run_prepare - make the process, which waits
 * @run: it
 * @argv: the command, NULL at the end
 *
 * Return: 0 or -errno; it was said.
 */
int run_prepare(struct run *run, char **argv);

/**
 * run_start - let it run
 * @run: it
 *
 * Return: 0 or -errno; it was said.
 */
int run_start(struct run *run);

/**
 * run_end - wait for it, if it has ended; one that never ran is killed
 * @run: it, or none
 */
void run_end(struct run *run);

#endif
