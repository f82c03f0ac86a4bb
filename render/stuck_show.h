/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stuck_show.h - show the findings of kcatch stuck as text or JSON */
#ifndef RENDER_STUCK_SHOW_H
#define RENDER_STUCK_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include <kcatch_stuck.h>

/**
 * struct stuck_view - what is shown
 * @stuck: the findings
 * @options: the options they were made with
 * @user: show user stacks
 */
struct stuck_view {
	const struct kcatch_stuck *stuck;
	const struct kcatch_stuck_options *options;
	bool user;
};

/** stuck_text - write the findings as text; in stuck_text.c */
void stuck_text(FILE *out, const struct stuck_view *view);

/** stuck_json - write the findings as JSON, one object per line; in stuck_json.c */
void stuck_json(FILE *out, const struct stuck_view *view);

/* stuck_words.c */

/** stuck_is - check whether anything is stuck; with -p, a blocked thread alone is not */
bool stuck_is(const struct stuck_view *view);

/**
 * stuck_verdict - write the first line: a summary of the findings
 * @out: the output
 * @view: the findings
 */
void stuck_verdict(FILE *out, const struct stuck_view *view);

/**
 * stuck_waits_for - write what a thread waits for and who holds it: "mutex m1 held by b(102)"
 * @out: the output
 * @view: the findings
 * @thread: index in @stuck->threads
 *
 * Return: whether that is known; otherwise nothing was written.
 */
bool stuck_waits_for(FILE *out, const struct stuck_view *view, uint32_t thread);

/** stuck_lock_name - write which kernel lock a thread waits for: "rwsem kt_s1" */
void stuck_lock_name(FILE *out, const struct stuck_view *view, uint32_t thread);

/** stuck_waits_alike - true: stuck_waits_for() writes the same for both threads */
bool stuck_waits_alike(const struct stuck_view *view, uint32_t a, uint32_t b);

/**
 * stuck_holders - find the threads that others wait for and that the options leave out
 * @view: the findings; the threads that the options select were shown already
 * @show: shows such a thread, whatever its state, and has it proven: what it waits for itself comes
 *	next, unless it was shown
 * @arg: passed to @show
 */
void stuck_holders(const struct stuck_view *view, void (*show)(void *arg, uint32_t thread),
		   void *arg);

/**
 * stuck_syscall - a thread's system call with its arguments, as text
 * @view: the findings
 * @thread: index in @stuck->threads
 *
 * Return: the text, to be freed; NULL: not in a system call, or out of memory.
 */
char *stuck_syscall(const struct stuck_view *view, uint32_t thread);

/** stuck_seconds - write @ns nanoseconds as "0.031 s", "12.3 s" or "3 h 12 min" to @text */
void stuck_seconds(char *text, size_t room, uint64_t ns);

#endif
