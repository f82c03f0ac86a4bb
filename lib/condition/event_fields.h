/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event_fields.h - the fields that tracefs has of an event, as expressions over its raw arguments
 *
 * A field has the value that the kernel's own event gives it (TP_fast_assign), or it is not here.
 * The table is in event_fields.c; event_resolve.c finds what of it this kernel has.
 */
#ifndef LIB_CONDITION_EVENT_FIELDS_H
#define LIB_CONDITION_EVENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "condition/expression.h"
#include "fetch/number_text.h"
#include "fetch/plan.h"
#include "types/types.h"

/**
 * struct kcatch_field_row - a row of the table
 * @name: name of the field, as tracefs calls it; without @expression: events, "SYSTEM:NAME NAME",
 *	of which the rows below are
 * @expression: its value, in the language of conditions, over the raw arguments; NULL: see @name.
 *	Rows of the same name follow each other: the first that this kernel can answer is taken
 *	for conditions, and the first without @more is shown
 * @form: what its numbers mean, where no type says so; PLAIN: by its type
 * @more: it is not read to be shown, but for who asks for it (a condition, a key)
 */
struct kcatch_field_row {
	const char *name;
	const char *expression;
	struct kcatch_number_form form;
	bool more;
};

/**
 * kcatch_event_rows - find the rows of an event
 * @event: "SYSTEM:NAME"; NULL: none
 *
 * Return: the first row, behind which its others are, up to one without an expression; NULL: the
 * table does not have the event.
 */
const struct kcatch_field_row *kcatch_event_rows(const char *event);

/** kcatch_event_table - all rows, up to one without a name */
const struct kcatch_field_row *kcatch_event_table(void);

/**
 * struct kcatch_event_field - a field that this kernel has
 * @row: its row
 * @expression: the row's expression, parsed
 * @is_text: it is a text; else a number of 64 bits
 * @is_signed: the number is signed
 * @is_pointer: the number is an address
 * @argument: the raw argument that it is; NULL: it is none
 */
struct kcatch_event_field {
	const struct kcatch_field_row *row;
	struct kcatch_expression *expression;
	bool is_text;
	bool is_signed;
	bool is_pointer;
	const char *argument;
};

/**
 * struct kcatch_event_fields - the fields of an event
 * @nr: number of entries in @fields
 * @is_whole: this kernel has all fields of the table's event
 * @nr_leaves: number of entries in @leaves
 * @leaves: what is read for those that are shown
 * @own: rows of fields that are the user's own; NULL: they are of the table
 * @fields: the fields, in the order of the table
 */
struct kcatch_event_fields {
	uint32_t nr;
	bool is_whole;
	uint32_t nr_leaves;
	struct kcatch_leaf *leaves;
	struct kcatch_field_row *own;
	struct kcatch_event_field fields[];
};

/**
 * kcatch_event_fields_create - find out which fields this kernel has of an event
 * @types: the kernel's types
 * @proto: prototype of the function that calls the tracepoint's probes
 * @event: "SYSTEM:NAME"
 * @fields: receives them; NULL: the table has none of the event, or the kernel has none of those.
 *	Free it with kcatch_event_fields_destroy()
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_event_fields_create(struct kcatch_types *types, struct kcatch_type proto,
			       const char *event, struct kcatch_event_fields **fields);

/**
 * kcatch_own_fields_create - find out what fields of the user's own are made of
 * @types: the kernel's types
 * @proto: prototype of the function, or of the one that calls a tracepoint's probes
 * @event: it is a tracepoint
 * @own: the fields
 * @nr: number of entries in @own, 1 at least
 * @applies: receives those that apply to it, a bit each
 * @fields: receives these; free it with kcatch_event_fields_destroy()
 *
 * Why one does not apply is the error text then.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_own_fields_create(struct kcatch_types *types, struct kcatch_type proto, bool event,
			     const struct kcatch_own_field *own, uint32_t nr, uint32_t *applies,
			     struct kcatch_event_fields **fields);

/** kcatch_event_fields_destroy - free them. @fields: may be NULL */
void kcatch_event_fields_destroy(struct kcatch_event_fields *fields);

#endif
