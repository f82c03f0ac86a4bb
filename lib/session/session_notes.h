/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* session_notes.h - what the user of a session is to be told of the requests, beside errors */
#ifndef LIB_SESSION_SESSION_NOTES_H
#define LIB_SESSION_SESSION_NOTES_H

#include "condition/condition_notes.h"

struct kcatch_session;

/**
 * kcatch_session_note_left_out - note that a function that was asked for by name is left out
 * @session: the session
 * @function: its name
 * @why: the error text, of which the first line is noted
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_note_left_out(struct kcatch_session *session, const char *function,
				 const char *why);

/**
 * kcatch_session_note_condition - note what is to be told of a condition, a key or a value
 * @session: the session
 * @notes: what is to be told; the same of another function is noted once
 * @function: name of the function or event
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_note_condition(struct kcatch_session *session,
				  const struct kcatch_condition_notes *notes, const char *function);

/**
 * kcatch_session_note_text - note a sentence
 * @session: the session
 * @text: the sentence, copied
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_note_text(struct kcatch_session *session, const char *text);

/** kcatch_session_notes_deinit - free the notes */
void kcatch_session_notes_deinit(struct kcatch_session *session);

#endif
