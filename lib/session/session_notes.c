/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* session_notes.c - what the user of a session is to be told of the requests, beside errors */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "base/printable.h"
#include "session/handle.h"
#include "session/session_notes.h"

#define NOTES_MAX 16U	/* of a session: who is told more reads none of it */

/* @key: what is the same in notes about several functions. */
struct kcatch_session_note {
	char *key;
	char *text;
};

static bool is_noted(const struct kcatch_session *session, const char *key)
{
	size_t i;

	for (i = 0; i < session->armed.nr_notes; i++)
		if (!strcmp(session->armed.notes[i].key, key))
			return true;
	return session->armed.nr_notes >= NOTES_MAX;
}

static int add(struct kcatch_session *session, const char *key, const char *text)
{
	struct kcatch_session_note *notes, note;

	if (is_noted(session, key))
		return 0;
	notes = kcatch_array_grow(session->armed.notes, session->armed.nr_notes, sizeof(*notes));
	if (!notes)
		return kcatch_error_memory();
	session->armed.notes = notes;
	note = (struct kcatch_session_note){ .key = strdup(key), .text = strdup(text) };
	if (!note.key || !note.text) {
		free(note.key);
		free(note.text);
		return kcatch_error_memory();
	}
	notes[session->armed.nr_notes++] = note;
	return 0;
}

int kcatch_session_note_text(struct kcatch_session *session, const char *text)
{
	return add(session, text, text);
}

int kcatch_session_note_left_out(struct kcatch_session *session, const char *function,
				 const char *why)
{
	static const char *const bad[] = { "bad condition: ", "bad key: ", "bad value: " };
	char text[1000];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!strncmp(why, bad[i], strlen(bad[i])))
			why += strlen(bad[i]);
	snprintf(text, sizeof(text), "%s is left out: %.*s", SHOWN(function),
		 (int)strcspn(why, "\n"), why);
	return add(session, text, text);
}

int kcatch_session_note_condition(struct kcatch_session *session,
				  const struct kcatch_condition_notes *notes, const char *function)
{
	char key[600], text[600];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < notes->nr && !ret; i++) {
		kcatch_condition_note_text(&notes->of[i], "", key, sizeof(key));
		kcatch_condition_note_text(&notes->of[i], function, text, sizeof(text));
		ret = add(session, key, text);
	}
	return ret;
}

const char *kcatch_session_note(const struct kcatch_session *session, size_t index)
{
	return index < session->armed.nr_notes ? session->armed.notes[index].text : NULL;
}

void kcatch_session_notes_deinit(struct kcatch_session *session)
{
	size_t i;

	for (i = 0; i < session->armed.nr_notes; i++) {
		free(session->armed.notes[i].key);
		free(session->armed.notes[i].text);
	}
	free(session->armed.notes);
}
