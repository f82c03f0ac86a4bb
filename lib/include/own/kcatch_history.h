/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_history.h - libkcatch: which modules were loaded when, for a flight recorder; user stacks
 * of a recording that are not always wanted
 *
 * For kcatch's own programs: not installed. One thread at a time uses a history.
 */
#ifndef KCATCH_HISTORY_H
#define KCATCH_HISTORY_H

#include <kcatch_recording.h>

/**
 * kcatch_module_history_create - begin to look at the modules that are loaded, and at the clocks
 * @session: the session, not started yet; must stay open as long as the history
 * @history: the new history, with a first look
 *
 * A snapshot of a flight recorder, which holds records of earlier times, needs the modules of
 * those times, and the time of day. Memory: 30 bytes for each function of a loaded module, up to
 * 8 MB for modules that have gone, of the oldest of which nothing is known then, and 1.5 MB for the
 * clocks.
 *
 * Return: 0, -ENOMEM.
 */
int kcatch_module_history_create(struct kcatch_session *session,
					    struct kcatch_module_history **history);

/**
 * kcatch_module_history_look - look at the modules that are loaded, and at the clocks; once a
 *	second
 * @history: the history
 *
 * Return: 0; -ENOMEM: the next look finds the change; another -errno: the directory of
 *	kcatch_recorder_prepare() cannot be written, and is given up.
 */
int kcatch_module_history_look(struct kcatch_module_history *history);

/**
 * kcatch_module_history_destroy - forget the history
 * @history: the history, or NULL
 */
void kcatch_module_history_destroy(struct kcatch_module_history *history);

/**
 * kcatch_recording_defer_user - unwind no user stack of a recording before it is asked for
 * @session: a session of a recording, of which no event was read
 *
 * It takes a millisecond and more. Until kcatch_recording_unwind_user() is called for it, an event
 * has no user stack.
 */
void kcatch_recording_defer_user(struct kcatch_session *session);

/**
 * kcatch_recording_unwind_user - unwind the current event's user stack
 * @session: the session; its event's nr_user_frames is set
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_recording_unwind_user(struct kcatch_session *session);

#endif
