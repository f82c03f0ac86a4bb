/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of every thread of the machine, for the search for blocked threads.
 */
#ifndef _KCATCH_TASKS_H
#define _KCATCH_TASKS_H

#include <uapi/kcatch.h>

/**
 * kcatch_tasks_list() - describe all threads, or those of a process
 * @tasks: as the uapi says, its buffer a user pointer; results are filled in
 *
 * Context: may sleep; holds no lock for long. Return: 0 or -errno, as the uapi says
 */
int kcatch_tasks_list(struct kcatch_tasks *tasks);

/** kcatch_tasks_read() - copy kernel memory to user space; -errno as the uapi says */
int kcatch_tasks_read(const struct kcatch_read *read);

#endif
