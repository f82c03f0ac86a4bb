/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_json.c - counts as JSON: an object a row, as kcatch-count(1) describes */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "count_show.h"
#include "render.h"
#include "value_json.h"
#include "value_text.h"

/* NULL: it must not be shown. */
static struct json_object *address_of(uint64_t address)
{
	char text[VALUE_ADDRESS_ROOM];

	if (value_is_hidden(address))
		return NULL;
	return json_object_new_string(value_text_address(address, text, sizeof(text)));
}

/* "symbol+0x1f", "/usr/lib/file+0x1f", or an address. */
static struct json_object *user_frame_of(const struct kcatch_frame *frame)
{
	const char *name = frame->symbol ? frame->symbol : frame->module;
	struct json_object *value;
	char *text;
	int length;

	if (!name)
		return address_of(frame->address);
	length = asprintf(&text, "%s+0x%" PRIx32, name, frame->offset);
	if (length < 0)
		return NULL;
	value = value_json_string(text, (size_t)length);
	free(text);
	return value;
}

static int stack_of(struct kcatch_session *session, const struct kcatch_count_key *key,
		    struct json_object **value)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	*value = json_object_new_array();
	for (i = 0; i < key->nr_frames && !ret; i++) {
		if (key->kind == KCATCH_KEY_USER_STACK) {
			json_object_array_add(*value, user_frame_of(&key->user_frames[i]));
			continue;
		}
		ret = kcatch_session_name(session, key->frames[i],
					  kcatch_count_key_is_return(key, i), &frame);
		if (ret)
			break;
		if (frame.self)
			json_object_array_add(*value, json_object_new_string("[kcatch]"));
		else if (frame.symbol)
			json_object_array_add(*value, value_json_string(frame.symbol,
									strlen(frame.symbol)));
		else
			json_object_array_add(*value, address_of(frame.address));
	}
	return ret;
}

static int key_of(struct kcatch_session *session, const struct kcatch_count_key *key,
		  struct json_object **value)
{
	*value = NULL;
	if (key->unreadable ||
	    (key->kind == KCATCH_KEY_TEXT && value_hides_string(key->text, key->length)))
		return 0;
	if (key->kind == KCATCH_KEY_STACK || key->kind == KCATCH_KEY_USER_STACK)
		return stack_of(session, key, value);
	if (key->kind == KCATCH_KEY_TEXT)
		*value = value_json_string(key->text, key->length);
	else if (key->kind == KCATCH_KEY_ADDRESS)
		*value = address_of(key->number);
	else if (!key->is_narrow && value_hides_bits(key->number, key->is_signed))
		;
	else if (key->is_signed)
		*value = json_object_new_int64((int64_t)key->number);
	else
		*value = json_object_new_uint64(key->number);
	return 0;
}

static int add_keys(struct json_object *object, struct kcatch_session *session,
		    const struct kcatch_counts *counts, const struct kcatch_count_row *row,
		    const struct counts_view *view)
{
	struct json_object *keys = json_object_new_object(), *value;
	size_t i;
	int ret = 0;

	for (i = 0; i < counts->nr_keys && !ret; i++) {
		ret = key_of(session, &row->keys[i], &value);
		json_object_object_add(keys, view->names[i], value);
	}
	json_object_object_add(object, "key", keys);
	for (i = 0; i < counts->nr_keys; i++)
		if (row->keys[i].end)
			json_object_object_add(object,
				row->keys[i].kind == KCATCH_KEY_STACK ? "stack_end" :
									"user_stack_end",
				json_object_new_string(value_json_stack_end(row->keys[i].end)));
	return ret;
}

static void add_values(struct json_object *object, const struct kcatch_count_row *row)
{
	double mean;

	json_object_object_add(object, "values", json_object_new_uint64(row->nr_values));
	if (!row->nr_values)
		return;
	json_object_object_add(object, "sum", json_object_new_int64(row->sum));
	json_object_object_add(object, "min", json_object_new_int64(row->min));
	json_object_object_add(object, "max", json_object_new_int64(row->max));
	json_object_object_add(object, "mean",
			       counts_mean(row, &mean) ? json_object_new_double(mean) : NULL);
}

static void add_histogram(struct json_object *object, const struct kcatch_count_row *row)
{
	struct json_object *hist = json_object_new_array(), *bucket;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		bucket = json_object_new_array();
		json_object_array_add(bucket, json_object_new_int64(row->buckets[i].least));
		json_object_array_add(bucket, json_object_new_int64(row->buckets[i].most));
		json_object_array_add(bucket, json_object_new_uint64(row->buckets[i].count));
		json_object_array_add(hist, bucket);
	}
	json_object_object_add(object, "hist", hist);
}

int counts_print_json(struct kcatch_session *session, const struct kcatch_counts *counts,
		      FILE *out, const struct counts_view *view)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < counts->nr_rows && !ret; i++) {
		const struct kcatch_count_row *row = &counts->rows[i];
		struct json_object *object = json_object_new_object();

		if (row->is_other)
			json_object_object_add(object, "other", json_object_new_boolean(1));
		else
			ret = add_keys(object, session, counts, row, view);
		json_object_object_add(object, "count", json_object_new_uint64(row->count));
		if (counts->has_values)
			add_values(object, row);
		if (counts->has_buckets && !row->is_other)
			add_histogram(object, row);
		value_json_print(out, object, JSON_C_TO_STRING_NOSLASHESCAPE);
		fputs(view->end, out);
		json_object_put(object);
	}
	return ret;
}
