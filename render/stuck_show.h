/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stuck_show.h - the forms in which `kcatch stuck` tells what it found */
#ifndef RENDER_STUCK_SHOW_H
#define RENDER_STUCK_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include <kcatch_stuck.h>

/**
 * struct stuck_view - what is shown
 * @stuck: what was found
 * @options: what was asked for
 * @user: user stacks, too
 */
struct stuck_view {
	const struct kcatch_stuck *stuck;
	const struct kcatch_stuck_options *options;
	bool user;
};

/* stuck_text.c */
void stuck_text(FILE *out, const struct stuck_view *view);
/* stuck_json.c */
void stuck_json(FILE *out, const struct stuck_view *view);

/* stuck_words.c */

/** stuck_is - is anything stuck */
bool stuck_is(const struct stuck_view *view);

/**
 * stuck_verdict - all in one sentence
 * @out: where to
 * @view: what was found; the proofs of its threads have been made
 */
void stuck_verdict(FILE *out, const struct stuck_view *view);

/**
 * stuck_waits_for - what a thread waits for and who has it: "mutex m1 held by b(102)"
 * @out: where to
 * @view: what was found
 * @thread: its place
 *
 * Return: whether there was something to say.
 */
bool stuck_waits_for(FILE *out, const struct stuck_view *view, uint32_t thread);

/** stuck_waits_alike - would stuck_waits_for() say the same of two threads, for sure */
bool stuck_waits_alike(const struct stuck_view *view, uint32_t a, uint32_t b);

/** stuck_syscall - the system call of a thread with its arguments, to be freed; NULL: none */
char *stuck_syscall(const struct stuck_view *view, uint32_t thread);

/** stuck_seconds - a time: "0.031 s", "12.3 s", "3 h 12 min" */
void stuck_seconds(char *text, size_t room, uint64_t ns);

#endif
