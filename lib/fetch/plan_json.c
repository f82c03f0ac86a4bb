/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* plan_json.c - converts plans to and from the JSON that a recording keeps */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_json.h>
#include <kcatch_text.h>
#include "base/json_object.h"
#include "fetch/plan_data.h"
#include "fetch/plan_json.h"

#define ARGS_MAX 256U		/* arguments of one plan */
#define DEPTH_MAX 8		/* levels of pointees within pointees */
#define POINTEES_MAX 4096U	/* pointees of one plan */
#define WORDS_MAX 16U		/* words of one argument, as in plan_abi.c */

/* ---- writing ---------------------------------------------------------------- */

struct writer {
	struct json_writer *json;
	const struct kcatch_types *types;
	const char *where;	/* kernel or module that all types belong to; NULL: no type yet */
	bool foreign;		/* types belong to different modules, or not to @types */
};

static void add_flag(struct json_writer *json, const char *name, bool value)
{
	if (value)
		json_add_bool(json, name, true);
}

static void add_type(struct writer *writer, struct kcatch_type type)
{
	const char *where;

	if (!type.btf)
		return;
	where = writer->types ? kcatch_types_where(writer->types, type.btf) : NULL;
	if (!where || (writer->where && strcmp(where, writer->where)))
		writer->foreign = true;
	else
		writer->where = where;
	json_add_number(writer->json, "type", type.id);
}

static void add_list(struct json_writer *json, const char *name,
		     const struct kcatch_plan_list *list)
{
	uint32_t i;

	json_add_begin(json, name, false);
	/* A negative size marks a text. */
	for (i = 0; i < list->nr_items; i++)
		json_put_signed(json, list->items[i].is_text ? -(int)list->items[i].size :
							       (int)list->items[i].size);
	json_put_end(json);
}

static void put_pointee(struct writer *writer, const struct kcatch_plan_pointee *pointee)
{
	struct json_writer *json = writer->json;
	const struct kcatch_plan_pointee *inside;
	uint32_t i;

	json_put_begin(json, true);
	json_add_number(json, "offset", pointee->offset);
	add_type(writer, pointee->type);
	json_add_number(json, "kind", pointee->kind);
	if (pointee->summary) {
		json_add_word(json, "shape", pointee->summary->type);
		json_add_begin(json, "parts", false);
		for (i = 0; i < KCATCH_SUMMARY_PARTS; i++)
			json_put_signed(json, pointee->parts[i]);
		json_put_end(json);
	}
	json_add_number(json, "object", pointee->object);
	json_add_number(json, "again", pointee->again);
	json_add_number(json, "form", pointee->form);
	if (pointee->count >= 0)
		json_add_number(json, "count", (uint64_t)pointee->count);
	add_flag(json, "left_out", pointee->left_out);
	add_flag(json, "output", pointee->is_output);
	if (pointee->inside) {
		json_add_begin(json, "inside", false);
		for (inside = pointee->inside; inside; inside = inside->next)
			put_pointee(writer, inside);
		json_put_end(json);
	}
	json_put_end(json);
}

static void put_value(struct writer *writer, const struct kcatch_plan_value *value)
{
	struct json_writer *json = writer->json;

	json_put_begin(json, true);
	if (value->name)
		json_add_word(json, "name", value->name);
	add_type(writer, value->type);
	json_add_number(json, "words", value->words);
	json_add_number(json, "nr", value->nr_words);
	json_add_number(json, "bytes", value->bytes);
	if (value->pointee) {
		json_add(json, "target");
		put_pointee(writer, value->pointee);
	}
	json_put_end(json);
}

static void put_leaves(struct json_writer *json, const struct kcatch_plan *plan)
{
	uint32_t i, hop;

	json_add_begin(json, "leaves", false);
	for (i = 0; i < plan->nr_leaves; i++) {
		const struct kcatch_plan_leaf *leaf = &plan->leaves[i];

		json_put_begin(json, true);
		json_add_word(json, "name", leaf->name);
		json_add_number(json, "item", leaf->item);
		json_add_number(json, "arg", leaf->arg);
		add_flag(json, "text", leaf->is_text);
		json_add_number(json, "size", leaf->size);
		/* The last one is no hop, but the offset behind them. */
		json_add_begin(json, "way", false);
		for (hop = 0; hop < leaf->nr_hops; hop++)
			json_put_signed(json, leaf->hops[hop]);
		json_put_signed(json, leaf->offset);
		json_put_end(json);
		json_put_end(json);
	}
	json_put_end(json);
}

static void put_own(struct json_writer *json, const struct kcatch_plan *plan)
{
	uint32_t i;

	json_add_begin(json, "fields", false);
	for (i = 0; i < plan->nr_own; i++) {
		json_put_begin(json, true);
		json_add_word(json, "name", plan->own[i].name);
		json_add_word(json, "expression", plan->own[i].expression);
		json_put_end(json);
	}
	json_put_end(json);
}

int kcatch_plan_to_json(const struct kcatch_plan *plan, const struct kcatch_types *types,
			struct json_writer *json, const char **where)
{
	struct writer writer = { .json = json, .types = types };
	uint32_t i;

	*where = NULL;
	json_put_begin(json, true);
	add_list(json, "entry", &plan->entry);
	add_list(json, "return", &plan->at_return);
	json_add_begin(json, "args", false);
	for (i = 0; i < plan->nr_args; i++)
		put_value(&writer, &plan->args[i]);
	json_put_end(json);
	if (plan->nr_leaves)
		put_leaves(json, plan);
	if (plan->nr_own)
		put_own(json, plan);
	json_add(json, "ret");
	put_value(&writer, &plan->ret);
	add_flag(json, "only_return", plan->only_return);
	if (plan->cgroup != KCATCH_NO_ITEM)
		json_add_number(json, "cgroup", plan->cgroup);
	if (plan->proto.id) {
		add_type(&writer, plan->proto);
		*where = writer.where;
		if (writer.where)
			json_add_word(json, "types", writer.where);
	}
	json_put_end(json);
	if (json->failed)
		return kcatch_error_memory();
	if (writer.foreign)
		return kcatch_error_set(EINVAL, "the plan has types of several modules");
	return 0;
}

/* ---- reading ---------------------------------------------------------------- */

struct reader {
	struct kcatch_types *types;
	const char *where;
	struct kcatch_plan *plan;
	uint32_t nr_pointees;
};

static int bad_plan(void)
{
	return kcatch_error_set(EINVAL, "its description of the arguments is invalid");
}

static int read_type(const struct reader *reader, const struct json_object *object,
		     struct kcatch_type *type)
{
	uint64_t id;

	memset(type, 0, sizeof(*type));
	if (!kcatch_json_number(object, "type", UINT32_MAX, &id))
		return 0;
	if (!reader->types || !reader->where)
		return kcatch_error_set(ENOENT, "the types of arguments are missing");
	return kcatch_types_at(reader->types, reader->where, (uint32_t)id, type);
}

static int read_list(const struct json_object *object, const char *name,
		     struct kcatch_plan_list *list)
{
	struct json_object *array = kcatch_json_array(object, name);
	size_t nr = array ? json_object_array_length(array) : 0, i;

	if (nr > KCATCH_ITEMS_MAX)
		return bad_plan();
	list->items = calloc(nr + 1, sizeof(*list->items));
	if (!list->items)
		return kcatch_error_memory();
	for (i = 0; i < nr; i++) {
		struct json_object *item = json_object_array_get_idx(array, i);
		int size = json_object_get_int(item);

		if (!json_object_is_type(item, json_type_int) || size < -(int)KCATCH_DATA_MAX ||
		    size > (int)KCATCH_DATA_MAX)
			return bad_plan();
		list->items[i].is_text = size < 0;
		list->items[i].size = (uint16_t)(size < 0 ? -size : size);
	}
	list->nr_items = (uint32_t)nr;
	return 0;
}

static uint8_t read_item(const struct json_object *object, const char *name)
{
	uint64_t item = KCATCH_NO_ITEM;

	kcatch_json_number(object, name, KCATCH_NO_ITEM, &item);
	return (uint8_t)item;
}

/* Read the parts of a summary, if this release has a summary of that name for the type. */
static int read_summary(const struct kcatch_plan_list *list, const struct json_object *object,
			struct kcatch_plan_pointee *pointee)
{
	const char *name = kcatch_json_text(object, "shape");
	struct json_object *array = kcatch_json_array(object, "parts");
	uint32_t i;

	memset(pointee->parts, KCATCH_NO_ITEM, sizeof(pointee->parts));
	if (!name || !array)
		return 0;
	pointee->summary = kcatch_summary_find(pointee->type);
	if (!pointee->summary || strcmp(pointee->summary->type, name)) {
		pointee->summary = NULL;
		return 0;
	}
	for (i = 0; i < KCATCH_SUMMARY_PARTS && i < json_object_array_length(array); i++) {
		int item = json_object_get_int(json_object_array_get_idx(array, i));

		if (item < 0 || item > KCATCH_NO_ITEM)
			return bad_plan();
		pointee->parts[i] = (uint8_t)item;
		if (kcatch_summary_is_word(pointee->summary->parts[i].kind) &&
		    (uint32_t)item < list->nr_items &&
		    (list->items[item].is_text || list->items[item].size != 8))
			return bad_plan();
	}
	return 0;
}

static int read_pointee(struct reader *reader, const struct kcatch_plan_list *list,
			const struct json_object *object, int depth,
			struct kcatch_plan_pointee **out);

static int read_inside(struct reader *reader, const struct kcatch_plan_list *list,
		       struct json_object *array, int depth, struct kcatch_plan_pointee *pointee)
{
	struct kcatch_plan_pointee **last = &pointee->inside;
	size_t i, nr = array ? json_object_array_length(array) : 0;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		ret = read_pointee(reader, list, json_object_array_get_idx(array, i), depth - 1,
				   last);
		if (*last)
			last = &(*last)->next;
	}
	return ret;
}

static int read_pointee(struct reader *reader, const struct kcatch_plan_list *list,
			const struct json_object *object, int depth,
			struct kcatch_plan_pointee **out)
{
	struct kcatch_plan_pointee *pointee;
	uint64_t number;
	int ret;

	if (depth <= 0 || reader->nr_pointees++ >= POINTEES_MAX ||
	    !json_object_is_type(object, json_type_object))
		return bad_plan();
	pointee = calloc(1, sizeof(*pointee));
	if (!pointee)
		return kcatch_error_memory();
	*out = pointee;
	pointee->count = -1;
	ret = read_type(reader, object, &pointee->type);
	if (!ret)
		ret = read_summary(list, object, pointee);
	if (ret)
		return ret;
	if (!kcatch_json_number(object, "kind", KCATCH_POINTEE_HARDWARE, &number))
		return bad_plan();
	pointee->kind = (enum kcatch_pointee_kind)number;
	if (kcatch_json_number(object, "offset", UINT32_MAX, &number))
		pointee->offset = (uint32_t)number;
	pointee->object = read_item(object, "object");
	pointee->again = read_item(object, "again");
	pointee->form = read_item(object, "form");
	if (kcatch_json_number(object, "count", UINT32_MAX, &number)) {
		if (number >= reader->plan->nr_args || number > INT8_MAX)
			return bad_plan();
		pointee->count = (int8_t)number;
	}
	pointee->left_out = kcatch_json_bool(object, "left_out");
	pointee->is_output = kcatch_json_bool(object, "output");
	if (pointee->count < 0 && (pointee->kind == KCATCH_POINTEE_BYTES || pointee->is_output))
		return bad_plan();
	return read_inside(reader, list, kcatch_json_array(object, "inside"), depth, pointee);
}

/* Whether all words of a value are items of 8 bytes that follow each other. */
static bool words_are_there(const struct kcatch_plan_list *list,
			    const struct kcatch_plan_value *value)
{
	uint32_t i;

	if (value->words == KCATCH_NO_ITEM)
		return true;
	for (i = 0; i < value->nr_words; i++) {
		if (value->words + i >= list->nr_items || list->items[value->words + i].is_text ||
		    list->items[value->words + i].size != 8)
			return false;
	}
	return true;
}

static int read_value(struct reader *reader, struct kcatch_plan_list *list,
		      const struct json_object *object, uint32_t most_words,
		      struct kcatch_plan_value *value)
{
	struct json_object *pointee = kcatch_json_object(object, "target");
	const char *name = kcatch_json_text(object, "name");
	uint64_t nr, bytes;
	int ret;

	value->words = read_item(object, "words");
	if (!kcatch_json_number(object, "nr", most_words, &nr) ||
	    !kcatch_json_number(object, "bytes", 8 * nr, &bytes))
		return bad_plan();
	value->nr_words = (uint8_t)nr;
	value->bytes = (uint32_t)bytes;
	if (!words_are_there(list, value))
		return bad_plan();
	ret = read_type(reader, object, &value->type);
	if (ret)
		return ret;
	if (name) {
		value->name = strdup(name);
		if (!value->name)
			return kcatch_error_memory();
	}
	return pointee ? read_pointee(reader, list, pointee, DEPTH_MAX, &value->pointee) : 0;
}

/* It is found without a walk over the items: all up to it are words. */
static int read_cgroup(struct reader *reader, const struct json_object *object)
{
	struct kcatch_plan *plan = reader->plan;
	uint32_t i;

	plan->cgroup = read_item(object, "cgroup");
	for (i = 0; plan->cgroup != KCATCH_NO_ITEM && i <= plan->cgroup; i++)
		if (i >= plan->entry.nr_items || plan->entry.items[i].is_text ||
		    plan->entry.items[i].size != 8)
			return bad_plan();
	return 0;
}

static int read_leaf(const struct kcatch_plan *plan, const struct json_object *object,
		     struct kcatch_plan_leaf *leaf)
{
	struct json_object *way = kcatch_json_array(object, "way");
	size_t nr = way ? json_object_array_length(way) : 0, i;
	const char *name = kcatch_json_text(object, "name");
	const struct kcatch_plan_item *item;
	uint64_t arg, size;

	leaf->item = read_item(object, "item");
	leaf->is_text = kcatch_json_bool(object, "text");
	if (!nr || nr > KCATCH_LEAF_HOPS + 1 || leaf->item >= plan->entry.nr_items ||
	    !kcatch_json_number(object, "arg", KCATCH_LEAF_TASK, &arg) ||
	    (arg != KCATCH_LEAF_TASK && arg >= plan->nr_args) ||
	    !kcatch_json_number(object, "size", 8, &size))
		return bad_plan();
	item = &plan->entry.items[leaf->item];
	/* A number is decoded as a 64-bit word. */
	if (!leaf->is_text && (item->is_text || item->size != 8))
		return bad_plan();
	leaf->arg = (uint8_t)arg;
	leaf->size = (uint16_t)size;
	leaf->nr_hops = (uint32_t)nr - 1;
	for (i = 0; i + 1 < nr; i++)
		leaf->hops[i] = json_object_get_int(json_object_array_get_idx(way, i));
	leaf->offset = json_object_get_int(json_object_array_get_idx(way, i));
	snprintf(leaf->name, sizeof(leaf->name), "%s", name ? name : "");
	return 0;
}

static int read_leaves(struct reader *reader, const struct json_object *object)
{
	struct json_object *leaves = kcatch_json_array(object, "leaves");
	size_t nr = leaves ? json_object_array_length(leaves) : 0, i;
	struct kcatch_plan *plan = reader->plan;
	int ret = 0;

	if (!nr)
		return 0;
	if (nr > KCATCH_ITEMS_MAX)
		return bad_plan();
	plan->leaves = calloc(nr, sizeof(*plan->leaves));
	if (!plan->leaves)
		return kcatch_error_memory();
	plan->nr_leaves = (uint32_t)nr;
	for (i = 0; !ret && i < nr; i++)
		ret = read_leaf(plan, json_object_array_get_idx(leaves, i), &plan->leaves[i]);
	return ret;
}

static int read_own(struct reader *reader, const struct json_object *object)
{
	struct json_object *fields = kcatch_json_array(object, "fields"), *field;
	size_t nr = fields ? json_object_array_length(fields) : 0, i;
	struct kcatch_own_field *own;
	int ret = 0;

	if (nr > KCATCH_ITEMS_MAX)
		return bad_plan();
	own = nr ? calloc(nr, sizeof(*own)) : NULL;
	if (nr && !own)
		return kcatch_error_memory();
	for (i = 0; !ret && i < nr; i++) {
		field = json_object_array_get_idx(fields, i);
		own[i].name = kcatch_json_text(field, "name");
		own[i].expression = kcatch_json_text(field, "expression");
		ret = own[i].name && own[i].expression ? 0 : bad_plan();
	}
	if (!ret)
		ret = kcatch_plan_keep_own(reader->plan, own, (uint32_t)nr);
	free(own);
	return ret;
}

static int read_values(struct reader *reader, struct json_object *object, struct json_object *args)
{
	struct kcatch_plan *plan = reader->plan;
	uint32_t i;
	int ret = read_list(object, "entry", &plan->entry);

	if (!ret)
		ret = read_list(object, "return", &plan->at_return);
	if (!ret)
		ret = read_cgroup(reader, object);
	if (!ret)
		ret = read_leaves(reader, object);
	if (!ret)
		ret = read_own(reader, object);
	if (!ret)
		ret = read_type(reader, object, &plan->proto);
	for (i = 0; !ret && i < plan->nr_args; i++) {
		ret = read_value(reader, &plan->entry, json_object_array_get_idx(args, i),
				 WORDS_MAX, &plan->args[i]);
		if (!ret && !plan->args[i].name)
			ret = bad_plan();
	}
	return ret ? ret :
		     read_value(reader, &plan->at_return, kcatch_json_object(object, "ret"), 2,
				&plan->ret);
}

int kcatch_plan_from_json(struct json_object *object, const struct kcatch_arch *arch,
			  struct kcatch_types *types, struct kcatch_plan **out)
{
	struct json_object *args = kcatch_json_array(object, "args");
	size_t nr = args ? json_object_array_length(args) : 0;
	struct reader reader = { .types = types, .where = kcatch_json_text(object, "types") };
	struct kcatch_plan *plan;
	int ret;

	*out = NULL;
	if (!args || nr > ARGS_MAX)
		return bad_plan();
	plan = calloc(1, sizeof(*plan) + nr * sizeof(plan->args[0]));
	if (!plan)
		return kcatch_error_memory();
	plan->arch = arch;
	plan->nr_args = (uint32_t)nr;
	plan->cgroup = plan->latency = KCATCH_NO_ITEM;
	plan->owns_names = true;
	plan->only_return = !nr && kcatch_json_bool(object, "only_return");
	reader.plan = plan;
	ret = read_values(&reader, object, args);
	if (ret)
		kcatch_plan_destroy(plan);
	else
		*out = plan;
	return ret;
}
