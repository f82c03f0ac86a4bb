/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wait_reason.h - the kind of object that a thread waits for, by the functions on its stack */
#ifndef LIB_STUCK_WAIT_REASON_H
#define LIB_STUCK_WAIT_REASON_H

/* Kinds of objects for which wait_detail.h can find details. */
enum kcatch_stuck_what {
	KCATCH_STUCK_OTHER,
	KCATCH_STUCK_WEAK,	/* callers may tell more */
	KCATCH_STUCK_COMPLETION,	/* those that wait by completions may tell more */
	KCATCH_STUCK_FUSE,
	KCATCH_STUCK_PAGE,
	KCATCH_STUCK_BUFFER,
	KCATCH_STUCK_DIRECT,	/* input or output without the page cache */
	KCATCH_STUCK_THAW,	/* a percpu rwsem, which may be that of a frozen file system */
	KCATCH_STUCK_CHILD,
	KCATCH_STUCK_VFORK,
	KCATCH_STUCK_FILE_LOCK,
	KCATCH_STUCK_PIPE_DATA,
	KCATCH_STUCK_PIPE_ROOM,
	KCATCH_STUCK_UNIX,	/* a socket of any type */
	KCATCH_STUCK_UNIX_QUEUE,	/* room at another unix socket */
	KCATCH_STUCK_TCP,
	KCATCH_STUCK_EVENTFD,
	KCATCH_STUCK_POLL,	/* poll() or select() */
	KCATCH_STUCK_EPOLL,
	KCATCH_STUCK_STOPPED,	/* frozen with its cgroup, or stopped */
};

/**
 * kcatch_stuck_reason - get the object that a thread in a kernel function waits for
 * @function: name of the function
 * @what: in: what the functions that it called told, KCATCH_STUCK_OTHER if nothing; out: the kind
 *	of the object. Unchanged if there is none
 *
 * Return: the object in words, as "data in a pipe"; NULL: the function does not tell more.
 */
const char *kcatch_stuck_reason(const char *function, enum kcatch_stuck_what *what);

#endif
