/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * condition_notes.h - what is right by the rules of the language, and perhaps not what was meant
 *
 * A condition that can never hold, or that means another value than the argument of that name, is
 * compiled. Who wrote it is told.
 */
#ifndef LIB_CONDITION_CONDITION_NOTES_H
#define LIB_CONDITION_CONDITION_NOTES_H

#include <stddef.h>
#include <stdint.h>

#define KCATCH_CONDITION_NOTES 8U	/* of one condition and its keys; the others are not told */

enum kcatch_condition_note_kind {
	KCATCH_NOTE_HIDES,	/* @name is a name of the language, and an argument's */
	KCATCH_NOTE_POSITIVE,	/* @other is compared with the positive errno @name */
	KCATCH_NOTE_NEVER,	/* @name, a number, is outside of what @other can be */
};

/**
 * struct kcatch_condition_note - something to be told
 * @kind: KCATCH_NOTE_*
 * @name: as the kind says; lives as long as the expression
 * @other: the same
 * @number: KCATCH_NOTE_NEVER: the number
 * @least: KCATCH_NOTE_NEVER: the smallest value of the other side
 * @most: KCATCH_NOTE_NEVER: the largest one
 */
struct kcatch_condition_note {
	enum kcatch_condition_note_kind kind;
	const char *name;
	const char *other;
	int64_t number;
	int64_t least;
	int64_t most;
};

/* All of one function. */
struct kcatch_condition_notes {
	struct kcatch_condition_note of[KCATCH_CONDITION_NOTES];
	uint32_t nr;
};

struct condition;

/* Note that a name of the language hides an argument, if there is one of that name. */
void note_hidden(struct condition *c, const char *name);
/* Note something, once. */
void note_once(struct condition *c, const struct kcatch_condition_note *it);

/**
 * kcatch_condition_note_text - a note as a sentence
 * @it: the note
 * @function: name of the function or event
 * @text: receives it
 * @room: size of @text, bytes; 600 suffice
 */
void kcatch_condition_note_text(const struct kcatch_condition_note *it, const char *function,
				char *text, size_t room);

/**
 * kcatch_condition_note_same - whether two notes are about the same, whatever their functions are
 * @a: one
 * @b: the other
 *
 * Return: whether they are.
 */
int kcatch_condition_note_same(const struct kcatch_condition_note *a,
			       const struct kcatch_condition_note *b);

#endif
