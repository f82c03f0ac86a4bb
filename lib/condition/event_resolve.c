/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* event_resolve.c - which fields of the table this kernel has, and what is read for them */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/count_parts.h"
#include "condition/event_fields.h"

#define LEAVES_MAX 40U /* of the fields of one event; a plan puts at most KCATCH_ITEMS_MAX */

static bool same_leaf(const struct kcatch_leaf *one, const struct kcatch_leaf *other)
{
	return !memcmp(&one->item, &other->item, sizeof(one->item)) &&
	       !memcmp(one->hops, other->hops, sizeof(one->hops));
}

/* Note what the module would fetch for the expression. False: it is too much. */
static bool add_leaves(struct kcatch_event_fields *fields, const char *name,
		       const struct kcatch_condition_code *code)
{
	uint32_t i, at;

	for (i = 0; i < code->nr_fields; i++) {
		struct kcatch_leaf leaf = { .item = code->fields[i], .name = name };

		/* An argument itself is there anyway. */
		if (leaf.item.put == KCATCH_ITEM_VALUE && !leaf.item.nr_hops)
			continue;
		if (leaf.item.nr_hops > KCATCH_LEAF_HOPS)
			return false;
		if (leaf.item.nr_hops)
			memcpy(leaf.hops, code->hops + leaf.item.first_hop,
			       leaf.item.nr_hops * sizeof(*leaf.hops));
		leaf.item.first_hop = 0;
		for (at = 0; at < fields->nr_leaves; at++)
			if (same_leaf(&fields->leaves[at], &leaf))
				break;
		if (at == LEAVES_MAX)
			return false;
		if (at == fields->nr_leaves)
			fields->leaves[fields->nr_leaves++] = leaf;
	}
	return true;
}

static const char *argument_of(struct kcatch_type proto, const struct kcatch_expression *expression)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(expression);
	struct kcatch_member member;
	uint32_t i;

	if (root->op != KCATCH_EX_NAME)
		return NULL;
	for (i = 1; !kcatch_type_member(proto, i, &member); i++)
		if (!strcmp(member.name, root->text))
			return root->text;
	return NULL;
}

/* @what: for messages. Return: 0 or -errno. */
static int resolve(struct kcatch_types *types, struct kcatch_type proto, bool event,
		   const char *what, const struct kcatch_field_row *row,
		   struct kcatch_event_fields *fields)
{
	struct kcatch_event_field *field = &fields->fields[fields->nr];
	struct kcatch_expression *expression;
	struct kcatch_condition_code code;
	struct kcatch_count_wants wants = { .nr = 1 };
	const struct kcatch_count_source source = {
		.types = types, .proto = proto, .event = event, .is_field = true
	};
	int ret = kcatch_expression_parse_as(what, row->expression, &expression);
	bool is_text;

	if (ret)
		return ret;
	wants.expressions = (const struct kcatch_expression *const *)&expression;
	ret = kcatch_condition_compile_count(&source, &wants, &code);
	if (!ret && !row->more && !add_leaves(fields, row->name, &code))
		ret = kcatch_error_set(
			E2BIG, "%s: too many fields, or too many pointers lead there", row->name);
	/* A text is behind the argument. */
	is_text = !ret && wants.codes[0].type.is_text;
	if (!ret)
		*field = (struct kcatch_event_field){
			.row = row,
			.expression = expression,
			.is_text = is_text,
			.is_signed = wants.codes[0].type.is_signed,
			.is_pointer = wants.codes[0].type.is_pointer,
			.argument = is_text ? NULL : argument_of(proto, expression)
		};
	else
		kcatch_expression_destroy(expression);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	return ret;
}

static int resolve_all(struct kcatch_types *types, struct kcatch_type proto,
		       const struct kcatch_field_row *row, struct kcatch_event_fields *fields)
{
	int ret;

	while (row->expression) {
		const char *name = row->name;
		bool any = false, shown = false;

		for (; row->expression && !strcmp(row->name, name); row++) {
			if (shown || (any && row->more))
				continue;
			ret = resolve(types, proto, true, "field", row, fields);
			if (ret == -ENOMEM)
				return ret;
			if (ret)
				continue;
			fields->nr++;
			any = true;
			shown = !row->more;
		}
		fields->is_whole &= any;
	}
	return 0;
}

static struct kcatch_event_fields *fields_alloc(uint32_t nr)
{
	struct kcatch_event_fields *fields = calloc(1, sizeof(*fields) +
							       nr * sizeof(fields->fields[0]));

	if (!fields)
		return NULL;
	fields->is_whole = true;
	fields->leaves = calloc(LEAVES_MAX, sizeof(*fields->leaves));
	if (fields->leaves)
		return fields;
	free(fields);
	return NULL;
}

int kcatch_event_fields_create(struct kcatch_types *types, struct kcatch_type proto,
			       const char *event, struct kcatch_event_fields **out)
{
	const struct kcatch_field_row *rows = kcatch_event_rows(event);
	struct kcatch_event_fields *fields;
	uint32_t nr = 0;
	int ret;

	*out = NULL;
	if (!rows || !types || !proto.id)
		return 0;
	while (rows[nr].expression)
		nr++;
	fields = fields_alloc(nr);
	if (!fields)
		return kcatch_error_memory();
	ret = resolve_all(types, proto, rows, fields);
	if (ret || !fields->nr)
		kcatch_event_fields_destroy(fields);
	else
		*out = fields;
	return ret;
}

int kcatch_own_fields_create(struct kcatch_types *types, struct kcatch_type proto, bool event,
			     const struct kcatch_own_field *own, uint32_t nr, uint32_t *applies,
			     struct kcatch_event_fields **out)
{
	struct kcatch_event_fields *fields = fields_alloc(nr);
	uint32_t i;
	int ret;

	*out = NULL;
	*applies = 0;
	if (fields)
		fields->own = calloc(nr, sizeof(*fields->own));
	if (!fields || !fields->own) {
		kcatch_event_fields_destroy(fields);
		return kcatch_error_memory();
	}
	for (i = 0; i < nr; i++) {
		struct kcatch_field_row *row = &fields->own[i];

		row->name = own[i].name;
		row->expression = own[i].expression;
		ret = resolve(types, proto, event, "--with", row, fields);
		if (ret == -ENOMEM) {
			kcatch_event_fields_destroy(fields);
			return ret;
		}
		*applies |= ret ? 0 : 1U << i;
		fields->nr += !ret;
	}
	*out = fields;
	return 0;
}

void kcatch_event_fields_destroy(struct kcatch_event_fields *fields)
{
	uint32_t i;

	if (!fields)
		return;
	for (i = 0; i < fields->nr; i++)
		kcatch_expression_destroy(fields->fields[i].expression);
	free(fields->leaves);
	free(fields->own);
	free(fields);
}
