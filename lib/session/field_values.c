/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* field_values.c - the values that the fields of an event have in a record */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/event_fields.h"
#include "condition/recorded.h"
#include "fetch/decode_data.h"
#include "fetch/plan_data.h"
#include "session/field_values.h"
#include "session/handle.h"

/* A field that the records have. */
struct shown_field {
	const struct kcatch_event_field *field;
	uint32_t argument; /* its index, if the field is an argument; else ~0 */
	struct kcatch_recorded_expression *value; /* of the others */
	struct kcatch_part_type type;
};

/**
 * struct kcatch_slot_fields - the fields of one probe
 * @event: "SYSTEM:NAME" of a tracepoint that has fields; else ""
 * @all: those that the kernel has; NULL: none
 * @own: those that the user has added; NULL: none
 * @shown: those that the records have
 * @nr_shown: number of entries in @shown
 * @placed: it was looked where the records have them
 * @covered: arguments that the fields tell of, a bit each
 */
struct kcatch_slot_fields {
	char event[200];
	struct kcatch_event_fields *all, *own;
	struct shown_field *shown;
	uint32_t nr_shown;
	bool placed;
	uint64_t covered;
};

/* Return: 0, with slot->fields, unless the table has no such event; -ENOMEM. */
static int know(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_probe_slot *slot = session->slots[number];
	const struct kcatch_probe *probe;
	char event[200];

	if (slot->fields_known)
		return 0;
	if (kcatch_session_probe(session, number, &probe) || !probe->module || !probe->function ||
	    probe->mechanism != KCATCH_BY_TRACEPOINT || slot->syscall)
		return 0;
	slot->fields_known = true;
	snprintf(event, sizeof(event), "%s:%s", probe->module, probe->function);
	if (!kcatch_event_rows(event))
		return 0;
	slot->fields = calloc(1, sizeof(*slot->fields));
	if (!slot->fields)
		return kcatch_error_memory();
	memcpy(slot->fields->event, event, sizeof(event));
	return 0;
}

const char *kcatch_session_event_of(struct kcatch_session *session, uint32_t probe)
{
	const struct kcatch_slot_fields *fields;

	if (know(session, probe))
		return NULL;
	fields = session->slots[probe]->fields;
	return fields && *fields->event ? fields->event : NULL;
}

int kcatch_session_fields(struct kcatch_session *session, uint32_t probe, struct kcatch_type proto,
			  const struct kcatch_event_fields **out)
{
	int ret = know(session, probe);
	struct kcatch_slot_fields *fields = session->slots[probe]->fields;

	*out = NULL;
	if (!ret && fields && *fields->event && !fields->all)
		ret = kcatch_event_fields_create(session->types, proto, fields->event,
						 &fields->all);
	if (!ret && fields)
		*out = fields->all;
	return ret;
}

static bool is_tracepoint(struct kcatch_session *session, uint32_t number)
{
	const struct kcatch_probe *probe;

	return !kcatch_session_probe(session, number, &probe) &&
	       probe->mechanism == KCATCH_BY_TRACEPOINT;
}

/* ---- where the records have them ---------------------------------------------------------- */

static bool uses(const struct kcatch_expression_node *it, const char *name)
{
	if (!it)
		return false;
	if (it->op == KCATCH_EX_MEMBER && it->left->op == KCATCH_EX_NAME &&
	    !strcmp(it->left->text, "arg"))
		return !strcmp(it->text, name);
	return (it->op == KCATCH_EX_NAME && !strcmp(it->text, name)) ||
	       uses(it->left, name) || uses(it->right, name) || uses(it->third, name);
}

/* The argument of that name. ~0: there is none. */
static uint32_t argument_of(const struct kcatch_plan *plan, const char *name)
{
	uint32_t i;

	for (i = 0; name && i < plan->nr_args; i++)
		if (!strcmp(plan->args[i].name, name))
			return i;
	return ~0U;
}

/* Return: 0; -ENOENT or -EINVAL the records lack something of it; -ENOMEM. */
static int place(struct kcatch_session *session, const struct kcatch_plan *plan, bool event,
		 const struct kcatch_event_field *field, struct shown_field *shown)
{
	const struct kcatch_recorded_probe probe = {
		.types = session->types, .plan = plan, .tracepoint = event, .is_field = true
	};

	shown->field = field;
	shown->argument = argument_of(plan, field->argument);
	if (shown->argument != ~0U)
		return 0;
	return kcatch_recorded_expression_create(field->expression, &probe, &shown->type,
						 &shown->value);
}

static void cover(struct kcatch_slot_fields *fields, const struct kcatch_plan *plan,
		  const struct kcatch_event_field *field)
{
	uint32_t i;

	for (i = 0; i < plan->nr_args && i < 64; i++)
		if (uses(kcatch_expression_root(field->expression), plan->args[i].name))
			fields->covered |= 1ULL << i;
}

static int place_all(struct kcatch_session *session, const struct kcatch_plan *plan, bool event,
		     struct kcatch_slot_fields *fields, const struct kcatch_event_fields *all)
{
	uint32_t i;
	int ret;

	for (i = 0; all && i < all->nr; i++) {
		if (all->fields[i].row->more)
			continue;
		ret = place(session, plan, event, &all->fields[i],
			    &fields->shown[fields->nr_shown]);
		if (ret == -ENOMEM)
			return ret;
		if (ret)
			continue;
		fields->nr_shown++;
		/* What the user has added is beside the arguments. */
		if (all != fields->own)
			cover(fields, plan, &all->fields[i]);
	}
	return 0;
}

static int find_fields(struct kcatch_session *session, uint32_t probe,
		       struct kcatch_slot_fields *fields)
{
	const struct kcatch_plan *plan = session->slots[probe]->plan;
	const bool event = is_tracepoint(session, probe);
	uint32_t unused_bits;
	const struct kcatch_event_fields *unused;
	int ret = kcatch_session_fields(session, probe, plan->proto, &unused);

	if (!ret && plan->nr_own)
		ret = kcatch_own_fields_create(session->types, plan->proto, event, plan->own,
					       plan->nr_own, &unused_bits, &fields->own);
	if (!ret)
		fields->shown = calloc((fields->all ? fields->all->nr : 0) + plan->nr_own + 1,
				       sizeof(*fields->shown));
	if (!ret && !fields->shown)
		ret = kcatch_error_memory();
	if (!ret)
		ret = place_all(session, plan, event, fields, fields->all);
	return ret ? ret : place_all(session, plan, event, fields, fields->own);
}

/* The fields of a probe, and where its records have them. NULL: there are none. */
static struct kcatch_slot_fields *placed(struct kcatch_session *session, uint32_t probe)
{
	struct kcatch_probe_slot *slot = session->slots[probe];

	if (!slot->plan || !slot->plan->proto.id || know(session, probe))
		return NULL;
	if (!slot->fields && slot->plan->nr_own)
		slot->fields = calloc(1, sizeof(*slot->fields));
	if (!slot->fields)
		return NULL;
	if (!slot->fields->placed) {
		slot->fields->placed = true;
		if (find_fields(session, probe, slot->fields))
			return NULL;
	}
	return slot->fields;
}

uint32_t kcatch_session_nr_fields(struct kcatch_session *session, uint32_t probe)
{
	const struct kcatch_slot_fields *fields = placed(session, probe);

	return fields ? fields->nr_shown : 0;
}

/* ---- values --------------------------------------------------------------------------------- */

static void show(struct kcatch_session *session, const struct kcatch_event_field *field,
		 struct kcatch_value *value)
{
	char text[KCATCH_NUMBER_TEXT];
	size_t length;

	if (field->row->form.kind == KCATCH_NUMBER_SYMBOL) {
		value->kind = KCATCH_VALUE_FUNCTION;
		if (value->number && !session->decoder->symbol(session->decoder->symbol_arg,
							       value->number, text, sizeof(text)))
			kcatch_decode_text(session->decoder, value, text, strlen(text));
		return;
	}
	length = kcatch_number_text(&field->row->form, value->number, text, sizeof(text));
	if (!length)
		return;
	value->kind = KCATCH_VALUE_ENUM;
	kcatch_decode_text(session->decoder, value, text, length);
}

static void set_value(struct kcatch_session *session, const struct shown_field *shown,
		      const struct kcatch_recorded_event *event, struct kcatch_value *value)
{
	struct kcatch_recorded_value found;
	char text[KCATCH_NUMBER_TEXT];

	kcatch_recorded_expression_evaluate(shown->value, event, &found);
	value->name = shown->field->row->name;
	value->number = found.number;
	value->fault = found.unreadable;
	if (shown->type.is_text || shown->type.is_comm) {
		value->type = "char[]";
		value->kind = KCATCH_VALUE_STRING;
		if (!found.missing && !found.unreadable)
			kcatch_decode_text(session->decoder, value, found.text, found.length);
		return;
	}
	if (shown->type.is_ip) {
		value->type = "struct in6_addr";
		value->kind = found.missing ? KCATCH_VALUE_UNKNOWN : KCATCH_VALUE_ENUM;
		value->number = 0;
		kcatch_ip_text(shown->field->row->form.kind, found.number, found.low, text,
			       sizeof(text));
		if (!found.missing && !found.unreadable)
			kcatch_decode_text(session->decoder, value, text, strlen(text));
		return;
	}
	value->bytes = shown->type.is_narrow ? 4 : 8;
	value->is_signed = shown->type.is_signed;
	value->kind = shown->type.is_pointer ? KCATCH_VALUE_POINTER : KCATCH_VALUE_INTEGER;
	value->type = shown->type.is_pointer ? "void *" :
		      shown->type.is_narrow  ? (value->is_signed ? "int" : "unsigned int") :
		      value->is_signed       ? "long" :
					       "unsigned long";
	if (found.missing || found.unreadable)
		value->kind = KCATCH_VALUE_UNKNOWN;
	else
		show(session, shown->field, value);
}

int kcatch_session_add_fields(struct kcatch_session *session, const struct kcatch_fetched *fetched)
{
	const struct kcatch_slot_fields *fields = placed(session, session->view.event.probe);
	const struct kcatch_recorded_event event = { .event = &session->view.event,
						     .fetched = fetched };
	uint32_t nr = session->view.nr_args, i;
	struct kcatch_value *values;

	if (!fields || !fields->nr_shown)
		return 0;
	values = kcatch_decode_take(session->decoder, (nr + fields->nr_shown) * sizeof(*values));
	if (!values)
		return kcatch_error_memory();
	memcpy(values, session->view.args, nr * sizeof(*values));
	for (i = 0; i < nr && i < 64; i++)
		values[i].is_raw = fields->covered >> i & 1;
	for (i = 0; i < fields->nr_shown; i++) {
		const struct shown_field *shown = &fields->shown[i];
		struct kcatch_value *value = &values[nr + i];

		if (shown->argument < nr) {
			*value = values[shown->argument];
			value->name = shown->field->row->name;
			value->is_raw = false;
			show(session, shown->field, value);
		} else {
			set_value(session, shown, &event, value);
		}
	}
	session->view.args = values;
	session->view.nr_args = nr + fields->nr_shown;
	return 0;
}

void kcatch_slot_fields_destroy(struct kcatch_slot_fields *fields)
{
	uint32_t i;

	if (!fields)
		return;
	for (i = 0; i < fields->nr_shown; i++)
		kcatch_recorded_expression_destroy(fields->shown[i].value);
	free(fields->shown);
	kcatch_event_fields_destroy(fields->all);
	kcatch_event_fields_destroy(fields->own);
	free(fields);
}
