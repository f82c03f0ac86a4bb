/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorded_counts.c - counts the events of a recording by keys, as the kernel counts calls
 *
 * At the beginning each key is prepared for each probe, so that what the recording cannot answer
 * is refused before any event is read. Rows are those of live counts (session/count_rows.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "recording/recorded_probes.h"
#include "recording/recording.h"
#include "ring/calls.h"
#include "session/count_state.h"
#include "session/counts.h"

/* The keys and values of a probe, from its first event on; NULL: no expression. */
struct slot {
	struct kcatch_recorded_expression *wanted[KCATCH_COUNT_WANTS_MAX];
	bool is_ready;
};

struct kcatch_recorded_counts {
	struct kcatch_recorded_probes probes;
	struct slot *slots;
	bool typed;		/* the fields have the types of a first probe */
};

/* ---- the keys of a probe ------------------------------------------------------------------ */

static void forget_slot(struct slot *slot)
{
	size_t i;

	for (i = 0; i < KCATCH_COUNT_WANTS_MAX; i++)
		kcatch_recorded_expression_destroy(slot->wanted[i]);
	memset(slot->wanted, 0, sizeof(slot->wanted));
	slot->is_ready = false;
}

/* As join_table() of counts.c: a probe's types join those of the others. */
static int join(struct kcatch_count_state *state, const struct kcatch_part_type *types, bool typed)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < state->nr_fields && !ret; i++) {
		struct count_field *field = &state->fields[i];

		if (field->kind != FIELD_EXPRESSION)
			continue;
		if (typed)
			ret = kcatch_part_type_join(&field->type, &types[i]);
		else
			field->type = types[i];
	}
	for (; i < state->nr_wanted && !ret; i++) {
		if (types[i].is_text || types[i].is_comm)
			return kcatch_error_set(EINVAL, "a text has no sum and no histogram");
		count_note_kind(state, i, &types[i], !typed);
	}
	return ret;
}

static int prepare(const struct kcatch_count_state *state, struct slot *slot,
		   const struct kcatch_recorded_probe *probe, struct kcatch_part_type *types)
{
	uint32_t i;
	int ret = 0;

	memset(types, 0, KCATCH_COUNT_WANTS_MAX * sizeof(*types));
	for (i = 0; i < state->nr_wanted && !ret; i++)
		if (state->wanted[i])
			ret = kcatch_recorded_expression_create(state->wanted[i], probe, &types[i],
								&slot->wanted[i]);
	for (i = 0; i < state->nr_fields && probe->notes && !ret; i++)
		if (state->fields[i].word)
			ret = kcatch_recorded_word(probe, state->fields[i].word);
	slot->is_ready = true;
	if (ret)
		forget_slot(slot);
	return ret;
}

static int try_probe(void *arg, size_t number, const struct kcatch_recorded_probe *probe)
{
	struct kcatch_session *session = arg;
	struct kcatch_recorded_counts *counts = kcatch_recording_of(session)->counts;
	struct kcatch_part_type types[KCATCH_COUNT_WANTS_MAX];
	struct slot slot = { .is_ready = false };
	int ret = prepare(session->count, &slot, probe, types);

	(void)number;
	if (ret)
		return ret;
	ret = join(session->count, types, counts->typed);
	forget_slot(&slot);
	counts->typed = true;
	return ret;
}

void kcatch_recorded_counts_destroy(struct kcatch_recorded_counts *counts)
{
	size_t i;

	if (!counts)
		return;
	for (i = 0; counts->slots && i < counts->probes.nr; i++)
		forget_slot(&counts->slots[i]);
	free(counts->slots);
	kcatch_recorded_probes_deinit(&counts->probes);
	free(counts);
}

int kcatch_recording_count(struct kcatch_session *session,
			   const struct kcatch_count_request *request,
			   const char *(*name)(void *arg, uint32_t probe), void *arg)
{
	struct kcatch_recording *recording = kcatch_recording_of(session);
	struct kcatch_count_state *state;
	int ret;

	if (!recording || session->count)
		return kcatch_error_set(EINVAL, "the session is no recording, or counts already");
	ret = kcatch_count_create(request, &state);
	if (ret)
		return ret;
	session->count = state;
	state->recorded = true;
	state->table.flags = (state->nr_wanted > state->nr_fields ? KCATCH_TABLE_VALUES : 0) |
			     (state->hist ? KCATCH_TABLE_BUCKETS : 0);
	if (count_has_field(state, FIELD_USER_STACK))
		return kcatch_error_set(EINVAL, "user stacks are not in recordings");
	recording->counts = calloc(1, sizeof(*recording->counts));
	if (!recording->counts)
		return kcatch_error_memory();
	recording->counts->slots = calloc(session->nr_slots + 1, sizeof(struct slot));
	if (!recording->counts->slots)
		return kcatch_error_memory();
	return kcatch_recorded_probes_init(&recording->counts->probes, session, name, arg,
					   try_probe, session);
}

/* ---- the event at hand ---------------------------------------------------------------------- */

/* The frames as they are in the record, without those that were inlined. */
static int stack_key(const struct kcatch_session *session, struct kcatch_count_key *key)
{
	const struct kcatch_hit *hit = session->view.hit;

	if (!hit || session->view.event.stack == KCATCH_STACK_ABSENT)
		return kcatch_error_set(ENOENT, "callers and stacks are not in this recording; record "
					"with --stack");
	count_stack_key(key, session->view.event.stack);
	key->frames = (const uint64_t *)hit->frames;
	key->nr_frames = hit->nr_frames;
	memcpy(key->interrupted, hit->interrupted, sizeof(key->interrupted));
	return 0;
}

/* @text: COUNT_NAME_MAX bytes, in which the key's text may be */
static int value_key(struct kcatch_session *session, const struct count_field *field,
		     const struct kcatch_recorded_value *value, struct kcatch_count_key *key,
		     char *text)
{
	const char *path;
	int ret = 0;

	key->unreadable = value->unreadable;
	if (value->unreadable)
		return 0;
	if (field->type.is_cgroup) {
		ret = kcatch_session_cgroup(session, value->number, &path);
		if (!ret)
			count_text_key(key, path, strlen(path));
	} else if (field->type.is_text || field->type.is_comm) {
		count_text_key(key, value->text, value->length);
	} else {
		ret = count_number_key(session, key, &field->type, value->number, value->low, text,
				       COUNT_NAME_MAX);
	}
	return ret;
}

/* @text: as above */
static int make_key(struct kcatch_session *session, const struct count_field *field,
		    const struct kcatch_recorded_value *value, struct kcatch_count_key *key,
		    char *text)
{
	struct kcatch_count_key stack = { .nr_frames = 0 };
	int ret;

	memset(key, 0, sizeof(*key));
	*text = '\0';
	switch (field->kind) {
	case FIELD_EXPRESSION:
		return value_key(session, field, value, key, text);
	case FIELD_STACK:
		return stack_key(session, key);
	case FIELD_CALLER:
		ret = stack_key(session, &stack);
		if (!ret)
			ret = count_caller_key(session, stack.nr_frames ? stack.frames[0] : 0, text,
					       COUNT_NAME_MAX);
		break;
	default:
		ret = count_function_key(session, session->view.event.probe, text, COUNT_NAME_MAX);
		break;
	}
	count_text_key(key, text, strlen(text));
	return ret;
}

static int find_row(struct kcatch_session *session, const struct kcatch_recorded_value *values,
		    struct count_merged **row)
{
	char texts[KCATCH_PARTS_MAX][COUNT_NAME_MAX];
	struct kcatch_count_key keys[KCATCH_PARTS_MAX];
	struct kcatch_count_state *state = session->count;
	uint32_t i;
	int ret = 0;

	state->key.size = 0;
	for (i = 0; i < state->nr_fields && !ret; i++) {
		ret = make_key(session, &state->fields[i], &values[i], &keys[i], texts[i]);
		if (!ret)
			ret = count_put_key(&state->key, &keys[i]);
	}
	return ret ? ret : count_find_row(state, keys, row);
}

static int add(struct kcatch_count_state *state, struct count_merged *row,
	       const struct kcatch_recorded_value *values)
{
	const struct kcatch_recorded_value *stats = &values[state->stats_at];
	const struct kcatch_recorded_value *hist = &values[state->hist_at];

	row->row.count++;
	if (state->table.flags & KCATCH_TABLE_VALUES && !stats->unreadable)
		count_add_values(&row->row, 1,
				 (uint64_t[]){ stats->number, stats->number, stats->number });
	if (!state->hist || hist->unreadable || row == &state->other)
		return 0;
	return count_add_bucket(row, kcatch_bucket_of((int64_t)hist->number), 1);
}

/* Without a function that wants the return, live counts are of entries. */
static bool lacks_return(const struct kcatch_session *session)
{
	return session->count->at_return && !session->view.event.is_event &&
	       session->view.event.returned != KCATCH_RETURN_SEEN;
}

int kcatch_recording_count_event(struct kcatch_session *session)
{
	struct kcatch_recorded_value values[KCATCH_COUNT_WANTS_MAX];
	struct kcatch_part_type types[KCATCH_COUNT_WANTS_MAX];
	struct kcatch_recording *recording = kcatch_recording_of(session);
	struct kcatch_recorded_counts *counts = recording ? recording->counts : NULL;
	uint32_t number = session->view.event.probe, i;
	struct kcatch_recorded_event at_hand;
	struct kcatch_recorded_probe probe;
	struct kcatch_fetched fetched;
	struct count_merged *row;
	struct slot *slot;
	int ret = 0;

	if (!counts || number >= counts->probes.nr)
		return 0;
	if (!kcatch_recorded_probes_has(&counts->probes, number))
		return KCATCH_COUNT_LEFT_OUT;
	if (lacks_return(session))
		return 0;
	slot = &counts->slots[number];
	if (!slot->is_ready) {
		probe = kcatch_recorded_probes_get(&counts->probes, number);
		ret = prepare(session->count, slot, &probe, types);
		if (ret)
			return ret;
	}
	kcatch_recorded_probes_event(&counts->probes, &fetched, &at_hand);
	memset(values, 0, sizeof(values));
	for (i = 0; i < session->count->nr_wanted; i++) {
		if (slot->wanted[i])
			kcatch_recorded_expression_evaluate(slot->wanted[i], &at_hand, &values[i]);
		if (values[i].missing)
			return 0;
	}
	ret = find_row(session, values, &row);
	if (!ret)
		ret = add(session->count, row, values);
	return ret ? ret : 1;
}
