/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event_names.c - looks up the names that a condition on an event can use
 *
 * Besides its arguments, a tracepoint has names like those that tracefs gives to members of
 * their structs: ARGUMENT_MEMBER, and MEMBER if only one argument has it. A DO_TRACE event has
 * the names in front of its format's conversions ("count" of "count=%d"). The fields of well-known
 * tracepoints have expressions of their own (event_fields.c).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "base/suggest.h"
#include "condition/event_fields.h"
#include "condition/typing.h"
#include "fetch/decode_event.h"
#include "fetch/plan_data.h"

#define SEEN_MAX 48U	/* bytes of a payload that a condition sees: kcatch_condition.args */

/* Names of tracefs that differ from the member's name. */
static const struct {
	const char *type, *name, *member;
} aliases[] = {
	{ "task_struct", "code", "exit_code" },
	{ "pt_regs", "id", NULL }, /* as the machine calls it */
};

/* ---- tracepoints ------------------------------------------------------------------ */

static bool has_member(struct kcatch_type pointer, const char *name, struct kcatch_member *member)
{
	struct kcatch_type type = kcatch_type_target(pointer);
	size_t i;

	if (!kcatch_type_is_pointer(pointer) || kcatch_type_kind(type) != BTF_KIND_STRUCT)
		return false;
	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(aliases[i].name, name) &&
		    !strcmp(aliases[i].type, kcatch_type_name(kcatch_type_strip(type))))
			name = aliases[i].member ? aliases[i].member :
						   kcatch_arch_running()->syscall.number_member;
	return !kcatch_type_find(type, name, member);
}

/* Find the argument and its member that a name means. Returns whether there is exactly one. */
static bool find_member(struct condition *c, const char *name, struct kcatch_member *argument,
			struct kcatch_member *member)
{
	uint32_t i, nr = kcatch_type_nr_members(c->proto), count = 0;
	struct kcatch_member arg, found;
	size_t length;

	for (i = 1; i < nr && !kcatch_type_member(c->proto, i, &arg); i++) {
		length = strlen(arg.name);
		if (length && !strncmp(name, arg.name, length) && name[length] == '_' &&
		    has_member(arg.type, name + length + 1, member)) {
			*argument = arg;
			return true;
		}
	}
	for (i = 1; i < nr && !kcatch_type_member(c->proto, i, &arg); i++) {
		if (!has_member(arg.type, name, &found))
			continue;
		*argument = arg;
		*member = found;
		count++;
	}
	return count == 1;
}

bool event_has_member(struct condition *c, const char *name)
{
	struct kcatch_member argument, member;

	return find_member(c, name, &argument, &member);
}

static int member_term(struct condition *c, uint32_t at, const struct kcatch_member *argument,
		       const struct kcatch_member *member, struct term *term)
{
	const struct chain *chain;
	int ret;

	if (!lookup_find_argument(c, argument->name, term))
		return -ENOENT;
	ret = term_address(c, term, &chain);
	if (ret)
		return ret;
	*term = (struct term){ .kind = TERM_PLACE, .at = at, .type = member->type,
			       .place = { .kind = PLACE_MEMORY, .chain = chain,
					  .bit_offset = member->bit_offset,
					  .bit_size = member->bit_size } };
	return 0;
}

/* ---- DO_TRACE ----------------------------------------------------------------------- */

/* The word of the payload at byte @offset, a multiple of 8, shifted. */
static const struct ir *word(struct condition *c, uint32_t offset, enum ir_op op, uint32_t bits)
{
	const struct ir *load = ir_make(c, (struct ir){
		.op = IR_LOAD, .wide = true, .item = IR_NO_ITEM,
		.offset = offsetof(struct kcatch_condition, args) + offset });

	return ir_binary(c, op, load, ir_const(c, bits, false, false));
}

/* Load @size bytes of the payload, which may lie in two words. NULL: no memory. */
static const struct ir *field(struct condition *c, uint32_t offset, uint32_t size, bool is_signed)
{
	uint32_t bits = 8 * (offset % 8), first = offset - offset % 8;
	const struct ir *ir = word(c, first, IR_SHR, bits);

	if (bits + 8 * size > 64)
		ir = ir_binary(c, IR_OR, ir, word(c, first + 8, IR_SHL, 64 - bits));
	if (size == 8)
		return ir_convert(c, ir, true, is_signed);
	/* What is smaller than an int becomes one. */
	return ir_convert(c, ir_extend(c, ir, 8 * size, is_signed), false,
			  size < 4 || is_signed);
}

static int field_term(struct condition *c, const struct kcatch_expression_node *it,
		      struct term *term)
{
	uint32_t i, offset = 0;

	for (i = 0; i < c->info->nr_args; i++) {
		uint32_t size = c->info->args[i] & KCATCH_EVENT_ARG_SIZE;
		bool is_text = c->info->args[i] & KCATCH_EVENT_ARG_STRING;
		char name[64];

		kcatch_event_field_name(c->info->format, i, name, sizeof(name));
		if (c->recorded && !strcmp(name, it->text))
			return recorded_field(c, i, term);
		if (strcmp(name, it->text)) {
			/* The offset of a field behind a text is not fixed. */
			offset = is_text ? SEEN_MAX : offset + size;
			continue;
		}
		if (is_text)
			return term_error(c, EOPNOTSUPP, it->at, "%s is a text; texts of DO_TRACE "
					  "events cannot be compared", name);
		if (offset + size > SEEN_MAX)
			return term_error(c, EOPNOTSUPP, it->at, "%s cannot be compared: it "
					  "follows a text, or is too far from the beginning", name);
		term->kind = TERM_NUMBER;
		term->ir = field(c, offset, size, c->info->args[i] & KCATCH_EVENT_ARG_SIGNED);
		return term->ir ? 0 : -ENOMEM;
	}
	return 1;
}

/* ---- fields of tracepoints -------------------------------------------------------------- */

/* Type a row's expression. What it has left behind is taken back if this kernel lacks something. */
static int type_row(struct condition *c, const struct kcatch_field_row *row, uint32_t at,
		    struct term *term)
{
	const bool unknown = c->unknown_name;
	const uint32_t nr_items = c->nr_items, nr_notes = c->notes.nr;
	const struct kcatch_expression_node *root;
	int ret = kcatch_expression_parse_into(row->expression, &c->pieces, at, &root);

	if (ret)
		return ret;
	c->in_field = true;
	ret = condition_term(c, root, term);
	c->in_field = false;
	c->unknown_name = unknown;
	c->notes.nr = nr_notes;
	if (ret)
		c->nr_items = nr_items;
	return ret;
}

/* A field that the user added to the recording. Its expression is over what was recorded. */
static bool lookup_own(struct condition *c, const struct kcatch_expression_node *it,
		       struct term *term, int *ret)
{
	const struct kcatch_plan *plan = c->recorded && !c->in_field ? c->plan : NULL;
	uint32_t i;

	for (i = 0; plan && i < plan->nr_own; i++) {
		const struct kcatch_field_row row = { .name = plan->own[i].name,
						      .expression = plan->own[i].expression };

		if (strcmp(row.name, it->text) != 0)
			continue;
		*term = (struct term){ .at = it->at };
		*ret = type_row(c, &row, it->at, term);
		return true;
	}
	return false;
}

static bool is_row_of(const struct kcatch_field_row *row, const char *name)
{
	return row && row->expression && !strcmp(row->name, name);
}

void offer_fields(struct condition *c, struct kcatch_suggest *suggest, char *list, size_t room)
{
	const struct kcatch_field_row *row = c->in_field ? NULL : kcatch_event_rows(c->event);
	const char *last = "";
	struct term term;
	size_t used = 0;

	*list = '\0';
	for (; row && row->expression && used + 80 < room; row++) {
		term = (struct term){ .at = 0 };
		if (!strcmp(row->name, last) || type_row(c, row, 0, &term))
			continue;
		last = row->name;
		kcatch_suggest_offer(suggest, last, strlen(last));
		used += (size_t)snprintf(list + used, room - used, "%s%s", used ? ", " : "", last);
	}
}

bool lookup_field(struct condition *c, const struct kcatch_expression_node *it, struct term *term,
		  int *ret)
{
	const struct kcatch_field_row *row = c->in_field ? NULL : kcatch_event_rows(c->event);
	struct kcatch_suggest unused;
	char list[600];

	if (lookup_own(c, it, term, ret))
		return true;
	while (row && row->expression && strcmp(row->name, it->text) != 0)
		row++;
	if (!is_row_of(row, it->text))
		return false;
	for (; is_row_of(row, it->text); row++) {
		*term = (struct term){ .at = it->at };
		*ret = type_row(c, row, it->at, term);
		if (kcatch_number_has_form(&row->form))
			term->form = &row->form;
		if (!*ret || *ret == -ENOMEM)
			return true;
	}
	kcatch_suggest_init(&unused, it->text);
	offer_fields(c, &unused, list, sizeof(list));
	*ret = term_error(c, ENOENT, it->at,
			  "this kernel's %s has no field %s that is known; it "
			  "has %s",
			  c->event, it->text, *list ? list : "none");
	return true;
}

/* ---- any event ---------------------------------------------------------------------- */

bool lookup_event(struct condition *c, const struct kcatch_expression_node *it, struct term *term,
		  int *ret)
{
	struct kcatch_member argument, member;

	if (c->info) {
		*ret = field_term(c, it, term);
		return *ret <= 0;
	}
	if (!c->proto.id || !find_member(c, it->text, &argument, &member))
		return false;
	*ret = member_term(c, it->at, &argument, &member, term);
	return true;
}

int lookup_no_event(struct condition *c, const struct kcatch_expression_node *it)
{
	char list[700] = "", name[64];
	size_t used = 0;
	uint32_t i;

	for (i = 0; i < c->info->nr_args; i++) {
		kcatch_event_field_name(c->info->format, i, name, sizeof(name));
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
					 name);
	}
	if (!used)
		return term_error(c, ENOENT, it->at,
				  "there is no %s here; the event has no arguments", it->text);
	return term_error(c, ENOENT, it->at, "there is no %s here; the arguments are %s", it->text,
			  list);
}
