/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_json.c - counts as JSON: an object a row, as kcatch-count(1) describes */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_show.h"
#include "value_json.h"
#include "value_text.h"

/* "symbol+0x1f", "/usr/lib/file+0x1f", or an address. */
static void put_user_frame(struct json_writer *json, const struct kcatch_frame *frame)
{
	const char *name = frame->symbol ? frame->symbol : frame->module;
	char *text;

	if (!name) {
		value_json_address(json, frame->address);
	} else if (asprintf(&text, "%s+0x%" PRIx32, name, frame->offset) < 0) {
		json_put_null(json);
	} else {
		json_put_word(json, text);
		free(text);
	}
}

static int put_stack(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_count_key *key)
{
	struct kcatch_frame frame;
	uint32_t i;
	int ret = 0;

	json_put_begin(json, false);
	for (i = 0; i < key->nr_frames && !ret; i++) {
		if (key->kind == KCATCH_KEY_USER_STACK) {
			put_user_frame(json, &key->user_frames[i]);
			continue;
		}
		ret = kcatch_session_name(session, key->frames[i],
					  kcatch_count_key_is_return(key, i), &frame);
		if (ret)
			break;
		if (frame.self || frame.symbol)
			json_put_word(json, frame.self ? "[kcatch]" : frame.symbol);
		else
			value_json_address(json, frame.address);
	}
	json_put_end(json);
	return ret;
}

static int put_key(struct json_writer *json, struct kcatch_session *session,
		   const struct kcatch_count_key *key)
{
	if (key->unreadable ||
	    (key->kind == KCATCH_KEY_TEXT && value_hides_string(key->text, key->length)))
		json_put_null(json);
	else if (key->kind == KCATCH_KEY_STACK || key->kind == KCATCH_KEY_USER_STACK)
		return put_stack(json, session, key);
	else if (key->kind == KCATCH_KEY_TEXT)
		json_put_string(json, key->text, key->length);
	else if (key->kind == KCATCH_KEY_ADDRESS)
		value_json_address(json, key->number);
	else if (!key->is_narrow && value_hides_bits(key->number, key->is_signed))
		json_put_null(json);
	else
		value_json_number(json, key->number, key->is_signed);
	return 0;
}

static int put_keys(struct json_writer *json, struct kcatch_session *session,
		    const struct kcatch_counts *counts, const struct kcatch_count_row *row,
		    const struct counts_view *view)
{
	size_t i;
	int ret = 0;

	json_add_begin(json, "key", true);
	for (i = 0; i < counts->nr_keys && !ret; i++) {
		json_add(json, view->names[i]);
		ret = put_key(json, session, &row->keys[i]);
	}
	json_put_end(json);
	for (i = 0; i < counts->nr_keys; i++)
		if (row->keys[i].end)
			json_add_word(json, row->keys[i].kind == KCATCH_KEY_STACK ? "stack_end" :
				      "user_stack_end", value_json_stack_end(row->keys[i].end));
	return ret;
}

static void put_values(struct json_writer *json, const struct kcatch_count_row *row)
{
	double mean;

	json_add_number(json, "values", row->nr_values);
	if (!row->nr_values)
		return;
	json_add(json, "sum");
	value_json_number(json, (uint64_t)row->sum, true);
	json_add(json, "min");
	value_json_number(json, (uint64_t)row->min, true);
	json_add(json, "max");
	value_json_number(json, (uint64_t)row->max, true);
	json_add(json, "mean");
	if (counts_mean(row, &mean))
		json_put_double(json, mean);
	else
		json_put_null(json);
}

static void put_histogram(struct json_writer *json, const struct kcatch_count_row *row)
{
	size_t i;

	json_add_begin(json, "hist", false);
	for (i = 0; i < row->nr_buckets; i++) {
		json_put_begin(json, false);
		value_json_number(json, (uint64_t)row->buckets[i].least, true);
		value_json_number(json, (uint64_t)row->buckets[i].most, true);
		json_put_number(json, row->buckets[i].count);
		json_put_end(json);
	}
	json_put_end(json);
}

int counts_print_json(struct kcatch_session *session, const struct kcatch_counts *counts,
		      FILE *out, const struct counts_view *view)
{
	struct json_writer json = { .length = 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < counts->nr_rows && !ret; i++) {
		const struct kcatch_count_row *row = &counts->rows[i];

		json_writer_reset(&json);
		json_put_begin(&json, true);
		if (row->is_other)
			json_add_bool(&json, "other", true);
		else
			ret = put_keys(&json, session, counts, row, view);
		json_add_number(&json, "count", row->count);
		if (counts->has_values)
			put_values(&json, row);
		if (counts->has_buckets && !row->is_other)
			put_histogram(&json, row);
		json_put_end(&json);
		ret = ret ? ret : json_print(&json, out, view->end);
	}
	json_writer_deinit(&json);
	return ret;
}
