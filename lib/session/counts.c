/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * counts.c - counting instead of recording: keys of a request, and the table in the kernel
 *
 * The first program that counts decides how many words a key has; the others must agree. Rows are
 * read by count_rows.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_counts.h>
#include <kcatch_text.h>
#include "base/struct_size.h"
#include "condition/expression.h"
#include "debuginfo/user_stack.h"
#include "session/count_state.h"
#include "session/counts.h"
#include "session/handle.h"
#include "session/pairs.h"

#define TABLE_SIZE (1U << 20)	/* bytes of a log */

/* ---- the request ------------------------------------------------------------------------- */

static int parse_key(struct kcatch_count_state *state, const char *text)
{
	static const struct {
		const char *name;
		enum count_field_kind kind;
	} names[] = { { "caller", FIELD_CALLER }, { "function", FIELD_FUNCTION },
		      { "event", FIELD_FUNCTION }, { "stack", FIELD_STACK },
		      { "user_stack", FIELD_USER_STACK } };
	struct count_field *field = &state->fields[state->nr_fields];
	size_t i;
	int ret;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, text) != 0)
			continue;
		field->kind = names[i].kind;
		field->word = names[i].name;
		state->nr_fields++;
		return 0;
	}
	ret = kcatch_expression_parse_as("key", text, &field->expression);
	if (ret)
		return ret;
	state->nr_fields++;
	state->at_return |= kcatch_expression_uses_return(field->expression);
	state->may_fail |= kcatch_count_may_fail(field->expression);
	return 0;
}

static int parse_value(struct kcatch_count_state *state, const char *text,
		       struct kcatch_expression **expression)
{
	int ret = kcatch_expression_parse_as("value", text, expression);

	if (ret)
		return ret;
	state->at_return |= kcatch_expression_uses_return(*expression);
	state->may_fail |= kcatch_count_may_fail(*expression);
	return 0;
}

static int check_fields(const struct kcatch_count_state *state)
{
	uint32_t i, j;

	for (i = 0; i < state->nr_fields; i++)
		for (j = 0; j < i; j++)
			if (state->fields[i].kind >= FIELD_STACK &&
			    state->fields[i].kind == state->fields[j].kind)
				return kcatch_error_set(EINVAL, "the same stack twice is no key");
	return 0;
}

static void note_wanted(struct kcatch_count_state *state)
{
	uint32_t i;

	for (i = 0; i < state->nr_fields; i++)
		state->wanted[i] = state->fields[i].expression;
	state->nr_wanted = state->nr_fields;
	if (state->stats) {
		state->stats_at = state->nr_wanted;
		state->wanted[state->nr_wanted++] = state->stats;
	}
	if (state->hist) {
		state->hist_at = state->nr_wanted;
		state->wanted[state->nr_wanted++] = state->hist;
	}
	if (!state->stats)
		state->stats_at = state->hist_at;
	state->value_may_fail = state->nr_wanted > state->nr_fields &&
				kcatch_count_may_fail(state->wanted[state->stats_at]);
}

static int parse(struct kcatch_count_state *state, const struct kcatch_count_request *request)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < request->nr_keys && !ret; i++)
		ret = parse_key(state, request->keys[i]);
	if (!ret)
		ret = check_fields(state);
	if (!ret && request->stats)
		ret = parse_value(state, request->stats, &state->stats);
	if (!ret && request->hist)
		ret = parse_value(state, request->hist, &state->hist);
	return ret;
}

int kcatch_count_create(const struct kcatch_count_request *given,
			struct kcatch_count_state **result)
{
	struct kcatch_count_state *state;
	struct kcatch_count_request own;
	int ret = kcatch_struct_copy(&own, sizeof(own), given, "kcatch_count_request");

	if (ret)
		return ret;
	if (own.nr_keys > KCATCH_PARTS_MAX - 1)
		return kcatch_error_set(EINVAL, "%zu keys are too many: at most %u", own.nr_keys,
					KCATCH_PARTS_MAX - 1);
	if (own.table_size && (own.table_size < KCATCH_TABLE_SIZE_MIN ||
			       own.table_size > KCATCH_TABLE_SIZE_MAX))
		return kcatch_error_set(EINVAL, "a table has 8K to 256M for each CPU");
	state = calloc(1, sizeof(*state));
	if (state)
		state->fields = calloc(own.nr_keys + 1, sizeof(*state->fields));
	if (!state || !state->fields) {
		free(state);
		return kcatch_error_memory();
	}
	state->size = own.table_size ? own.table_size : TABLE_SIZE;
	state->entries = own.entries;
	state->by_sum = own.by_sum;
	ret = parse(state, &own);
	if (ret) {
		kcatch_count_destroy(state);
		return ret;
	}
	note_wanted(state);
	*result = state;
	return 0;
}

void kcatch_count_destroy(struct kcatch_count_state *state)
{
	uint32_t i;

	if (!state)
		return;
	for (i = 0; i < state->nr_fields; i++)
		kcatch_expression_destroy(state->fields[i].expression);
	kcatch_expression_destroy(state->stats);
	kcatch_expression_destroy(state->hist);
	count_forget_rows(state);
	kcatch_user_stacks_destroy(state->user_stacks);
	free(state->fields);
	free(state->log);
	free(state->key.at);
	free(state->shown);
	free(state->shown_buckets);
	free(state);
}

bool kcatch_count_at_return(const struct kcatch_count_state *state)
{
	return state->at_return;
}

bool kcatch_count_entries(const struct kcatch_count_state *state)
{
	return state->entries;
}

bool count_has_field(const struct kcatch_count_state *state, enum count_field_kind kind)
{
	uint32_t i;

	for (i = 0; i < state->nr_fields; i++)
		if (state->fields[i].kind == kind)
			return true;
	return false;
}

bool kcatch_count_has_stack(const struct kcatch_count_state *state)
{
	return count_has_field(state, FIELD_STACK);
}

void kcatch_count_wants(const struct kcatch_count_state *state, struct kcatch_count_wants *wants)
{
	uint32_t i;

	wants->expressions = state->wanted;
	wants->nr = state->nr_wanted;
	for (i = 0; i < state->nr_fields; i++)
		wants->words[i] = state->fields[i].word;
}

/* ---- programs ---------------------------------------------------------------------------- */

static uint32_t words_of(const struct count_field *field, const struct kcatch_count_code *code)
{
	if (field->kind >= FIELD_STACK)
		return 0;
	if (field->kind != FIELD_EXPRESSION)
		return 1;
	if (code->type.is_ip)
		return 2;
	if (code->type.is_comm)
		return KCATCH_COMM_LEN / 8;
	return code->type.is_text ? KCATCH_PART_TEXT_MAX / 8 : 1;
}

void count_note_kind(struct kcatch_count_state *state, uint32_t index,
		     const struct kcatch_part_type *type, bool first)
{
	const struct kcatch_expression_node *root = kcatch_expression_root(state->wanted[index]);
	/* Of a function whose return is not hooked, no type says so. */
	const bool is_time = root->op == KCATCH_EX_NAME && kcatch_expression_is_time(root->text);
	enum kcatch_number_kind kind = is_time ? KCATCH_NUMBER_TIME : type->form.kind;

	state->kinds[index] = first || state->kinds[index] == kind ? kind : KCATCH_NUMBER_PLAIN;
}

static int make_table(struct kcatch_session *session, struct kcatch_count_state *state,
		      const struct kcatch_count_wants *wants)
{
	struct kcatch_new_table *table = &state->table;
	uint32_t i, words = state->may_fail, parts = words;
	int ret;

	for (i = 0; i < state->nr_fields; i++) {
		struct count_field *field = &state->fields[i];

		field->words = words_of(field, &wants->codes[i]);
		field->type = wants->codes[i].type;
		words += field->words;
		parts += 1 + field->type.is_ip;
	}
	for (; i < state->nr_wanted; i++)
		count_note_kind(state, i, &wants->codes[i].type, true);
	if (words > KCATCH_KEY_WORDS_MAX || parts > KCATCH_PARTS_MAX)
		return kcatch_error_set(EINVAL, "the key is too large: at most %u bytes",
					KCATCH_KEY_WORDS_MAX * 8);
	table->size = (uint32_t)state->size;
	table->words = (uint16_t)words;
	table->flags = (state->nr_wanted > state->nr_fields ? KCATCH_TABLE_VALUES : 0) |
		       (state->hist ? KCATCH_TABLE_BUCKETS : 0) |
		       (count_has_field(state, FIELD_STACK) ? KCATCH_TABLE_STACK : 0) |
		       (count_has_field(state, FIELD_USER_STACK) ? KCATCH_TABLE_USER_STACK : 0);
	ret = kcatch_session_ioctl(session, KCATCH_IOC_TABLE, table);
	return ret ? kcatch_error_system(ret, "make a table for the counts") : 0;
}

/* Numbers may be of other types in another function. */
static int join_table(struct kcatch_count_state *state, const struct kcatch_count_wants *wants)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < state->nr_fields && !ret; i++)
		ret = kcatch_part_type_join(&state->fields[i].type, &wants->codes[i].type);
	for (; i < state->nr_wanted && !ret; i++)
		count_note_kind(state, i, &wants->codes[i].type, false);
	return ret;
}

int kcatch_count_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants, bool always)
{
	struct kcatch_count_state *state = session->count;
	struct kcatch_part parts[KCATCH_PARTS_MAX + 2];
	struct kcatch_count call = { .program = number, .parts = (uintptr_t)parts,
				     .flags = always ? KCATCH_COUNT_ALWAYS : 0 };
	uint32_t i, nr = 0;
	int ret = state->table.number ? join_table(state, wants) :
					make_table(session, state, wants);

	if (ret)
		return ret;
	memset(parts, 0, sizeof(parts));
	for (i = 0; i < state->nr_fields; i++) {
		if (state->fields[i].kind == FIELD_EXPRESSION)
			parts[nr++] = wants->codes[i].part;
		if (state->fields[i].type.is_ip)
			parts[nr++] = wants->codes[i].low;
		if (state->fields[i].kind == FIELD_CALLER)
			parts[nr++].kind = KCATCH_PART_CALLER;
		else if (state->fields[i].kind == FIELD_FUNCTION)
			parts[nr++].kind = KCATCH_PART_PROBE;
	}
	if (state->may_fail)
		parts[nr++] = wants->marks;
	call.nr_parts = nr;
	call.table = state->table.number;
	if (state->table.flags & KCATCH_TABLE_VALUES)
		parts[nr++] = wants->codes[state->stats_at].part;
	if (state->table.flags & KCATCH_TABLE_BUCKETS) {
		if (state->stats)
			parts[nr++] = wants->codes[state->hist_at].part;
		else
			parts[nr++].kind = KCATCH_PART_SAME;
	}
	if (!nr)
		call.parts = 0;
	for (i = 0; i < nr; i++)
		if (parts[i].kind == KCATCH_PART_CODE)
			call.code = (struct kcatch_list){ .at = (uintptr_t)wants->code,
							  .nr = wants->nr_code };
	for (i = call.nr_parts; i < nr; i++)
		if (parts[i].kind == KCATCH_PART_COMM || parts[i].kind == KCATCH_PART_TEXT)
			return kcatch_error_set(EINVAL, "a text has no sum and no histogram");
	ret = kcatch_session_ioctl(session, KCATCH_IOC_COUNT, &call);
	return ret ? kcatch_error_system(ret, "tell the kcatch module what to count") :
		     kcatch_pairs_program(session, number, wants);
}
