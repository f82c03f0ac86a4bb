/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* tracepoints.h - from what a user names to tracepoints and DO_TRACE events */
#ifndef LIB_TRACEPOINTS_H
#define LIB_TRACEPOINTS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct kcatch_event_name - an event to arm
 * @system: "sched", "ktrace" of DO_TRACE events
 * @name: in it; of DO_TRACE events it may be a pattern
 * @is_ktrace: a DO_TRACE event
 * @is_syscall: of one system call: a part of raw_syscalls
 * @by_pattern: a tracepoint of a pattern or set: it may be left out
 * @asked: number of the text that asked for it first
 * @order: as they were found
 */
struct kcatch_event_name {
	char *system;
	char *name;
	bool is_ktrace;
	bool is_syscall;
	bool by_pattern;
	size_t asked;
	size_t order;
};

/**
 * kcatch_tracepoints_find - what texts mean
 * @asked: "core", "SYSTEM:NAME" and "NAME", both parts may be patterns; "ktrace:NAME";
 *	"syscalls:sys_enter_NAME", too, where the system is written out
 * @nr_asked: how many
 * @is_event: is there a DO_TRACE event of this name: for a NAME that is no tracepoint
 * @arg: for @is_event
 * @names: them, each once; to be given to kcatch_tracepoints_free()
 * @nr: how many
 *
 * Return: 0; -ENOENT nothing of that name, the error text suggests; -EINVAL; -ENODEV
 * tracefs is not mounted; -EACCES; -ENOMEM.
 */
int kcatch_tracepoints_find(const char *const *asked, size_t nr_asked,
			    bool (*is_event)(void *arg, const char *name), void *arg,
			    struct kcatch_event_name **names, size_t *nr);

/**
 * kcatch_tracepoints_free - forget them
 * @names: may be NULL
 * @nr: how many
 */
void kcatch_tracepoints_free(struct kcatch_event_name *names, size_t nr);

#endif
