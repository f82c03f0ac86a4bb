/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* tracepoints.h - resolves names and patterns to tracepoints and DO_TRACE events */
#ifndef LIB_TARGET_TRACEPOINTS_H
#define LIB_TARGET_TRACEPOINTS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct kcatch_event_name - the name of an event to arm
 * @system: name of the system, as "sched"; "ktrace" for DO_TRACE events
 * @name: name in @system; may be a pattern for DO_TRACE events
 * @is_ktrace: a DO_TRACE event
 * @is_syscall: an event of one system call, armed as a part of raw_syscalls
 * @by_pattern: a tracepoint found by a pattern or set: it may be left out
 * @asked: index of the first text that names the event
 * @order: position in the order of finding
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
 * kcatch_tracepoints_find - find the events that texts name
 * @asked: "core", "SYSTEM:NAME" and "NAME", both parts may be patterns; "ktrace:NAME";
 *	"syscalls:sys_enter_NAME", too, where the system is written out
 * @nr_asked: number of entries in @asked
 * @is_event: true if there is a DO_TRACE event of this name; called for a NAME that is no
 *	tracepoint
 * @arg: passed to @is_event
 * @names: the events, each once; free with kcatch_tracepoints_free()
 * @nr: number of entries in @names
 * @nr_unknown: number of system calls that patterns mean and this kcatch does not know
 *
 * Return: 0; -ENOENT no event has that name, the error text suggests names; -EINVAL; -ENODEV
 * tracefs is not mounted; -EACCES; -ENOMEM.
 */
int kcatch_tracepoints_find(const char *const *asked, size_t nr_asked,
			    bool (*is_event)(void *arg, const char *name), void *arg,
			    struct kcatch_event_name **names, size_t *nr, size_t *nr_unknown);

/**
 * kcatch_tracepoints_free - free the result of kcatch_tracepoints_find()
 * @names: the events; may be NULL
 * @nr: number of entries in @names
 */
void kcatch_tracepoints_free(struct kcatch_event_name *names, size_t nr);

#endif
