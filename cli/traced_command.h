/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_command.h - start a command, but let it run only after it is traced */
#ifndef CLI_TRACED_COMMAND_H
#define CLI_TRACED_COMMAND_H

#include <sys/types.h>

/**
 * struct run - a command; zeroed: there is none
 * @pid: its process; 0: none
 * @go: pipe to the child: a byte lets it run, closing it without one ends it; 0: closed
 * @failure: pipe from the child: its errno when the command cannot be executed; 0: closed
 */
struct run {
	pid_t pid;
	int go;
	int failure;
};

/**
 * run_prepare - create the command's process, which waits for run_start()
 * @run: zeroed; end it with run_end()
 * @argv: the command and its arguments, NULL at the end
 *
 * Return: 0, or -errno after a message; -ENOENT when there is no such command.
 */
int run_prepare(struct run *run, char **argv);

/**
 * run_start - execute the command
 * @run: prepared
 *
 * Blocks until the execve() has succeeded or failed.
 *
 * Return: 0, or -errno after a message.
 */
int run_start(struct run *run);

/**
 * run_status - how the command ended
 * @run: started
 *
 * Reaps the process if it has ended.
 *
 * Return: its exit status; 128 and the signal that ended it; -1: it is still running, or never ran.
 */
int run_status(struct run *run);

/**
 * run_end - close the pipes and reap the process
 * @run: prepared, started or zeroed
 *
 * A command that was never started ends and is waited for. A started one is reaped only if
 * it has already ended; otherwise it keeps running.
 */
void run_end(struct run *run);

#endif
