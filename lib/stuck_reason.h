/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stuck_reason.h - what a thread waits for, by the functions on its stack */
#ifndef LIB_STUCK_REASON_H
#define LIB_STUCK_REASON_H

/* Of what more can be found out. */
enum kcatch_stuck_what {
	KCATCH_STUCK_OTHER,
	KCATCH_STUCK_WEAK,	/* callers may tell more */
	KCATCH_STUCK_FUSE,
	KCATCH_STUCK_PAGE,
	KCATCH_STUCK_BUFFER,
	KCATCH_STUCK_CHILD,
	KCATCH_STUCK_VFORK,
	KCATCH_STUCK_FILE_LOCK,
};

/**
 * kcatch_stuck_reason - what who is in a function of the kernel waits for
 * @function: its name
 * @what: of which kind that is
 *
 * Return: in words, as "data in a pipe"; NULL: the name does not tell.
 */
const char *kcatch_stuck_reason(const char *function, enum kcatch_stuck_what *what);

#endif
