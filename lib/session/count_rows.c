/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * count_rows.c - the rows of a count: from the table in the kernel to the caller's view
 *
 * Rows are read by emptying the kernel's tables. Equal keys of all CPUs and of all readings become
 * one row here. What the kernel hands out is checked before it is used.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_counts.h>
#include <kcatch_machine.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/syscall_name.h"
#include "base/timing.h"
#include "debuginfo/user_stack.h"
#include "fetch/syscall_event.h"
#include "session/count_state.h"
#include "session/handle.h"

#define ROWS_MAX (1U << 20)	/* rows that are kept; further keys are (other) */

static int damaged(void)
{
	return kcatch_error_set(EPROTO, "the kcatch module's counts are damaged");
}

/* ---- keys of rows ------------------------------------------------------------------------- */

static int put(struct count_bytes *bytes, const void *at, size_t size)
{
	if (bytes->room - bytes->size < size) {
		size_t room = (bytes->size + size) * 2;
		char *more = realloc(bytes->at, room);

		if (!more)
			return kcatch_error_memory();
		bytes->at = more;
		bytes->room = room;
	}
	memcpy(bytes->at + bytes->size, at, size);
	bytes->size += size;
	return 0;
}

void count_text_key(struct kcatch_count_key *key, const char *text, size_t length)
{
	key->kind = KCATCH_KEY_TEXT;
	key->text = text;
	key->length = length;
}

int count_number_key(struct kcatch_session *session, struct kcatch_count_key *key,
		     const struct kcatch_part_type *type, uint64_t number, uint64_t low, char *text,
		     size_t room)
{
	bool is_address = type->is_pointer || (type->is_signed && type->may_be_address &&
					       kcatch_number_may_be_address(number, true));
	size_t length = 0;

	if (type->is_ip) {
		kcatch_ip_text(type->form.kind, number, low, text, room);
		count_text_key(key, text, strlen(text));
		return 0;
	}
	/* A return address is looked up by the byte before it. */
	if (type->form.kind == KCATCH_NUMBER_SYMBOL && number)
		return count_code_key(session, FIELD_CALLER, number + 1, key, text, room);
	if (!is_address)
		length = kcatch_number_text(&type->form, number, text, room);
	if (length) {
		count_text_key(key, text, length);
		return 0;
	}
	key->kind = is_address ? KCATCH_KEY_ADDRESS : KCATCH_KEY_NUMBER;
	key->is_signed = type->is_signed;
	key->is_narrow = type->is_narrow;
	key->number = number;
	return 0;
}

void count_stack_key(struct kcatch_count_key *key, enum kcatch_event_stack end)
{
	key->kind = KCATCH_KEY_STACK;
	key->end = end;
}

/* "function", "function@0x... [module]", or the address; @text has room for @room bytes. */
static void name_text(char *text, size_t room, const char *symbol, const char *which,
		      const char *module, uint64_t address)
{
	if (!symbol && address >> 63 && kcatch_machine_hides_addresses())
		snprintf(text, room, "<hidden>");
	else if (!symbol)
		snprintf(text, room, "0x%llx", (unsigned long long)address);
	else if (module)
		snprintf(text, room, "%s%s [%s]", symbol, which ? which : "", module);
	else
		snprintf(text, room, "%s%s", symbol, which ? which : "");
}

/* @nameless: set to the address if the function has no name, else to 0 */
static int name_caller(struct kcatch_session *session, uint64_t address, char *text, size_t room,
		       uint64_t *nameless)
{
	bool hooked = address == KCATCH_FRAME_HOOKED;
	struct kcatch_name name;
	int ret = 0;

	memset(&name, 0, sizeof(name));
	if (address && !hooked)
		ret = kcatch_symbols_find(session->symbols, address - 1, &name);
	if (hooked)
		snprintf(text, room, KCATCH_HOOKED_TEXT);
	else if (!ret)
		name_text(text, room, name.symbol, NULL, name.module, address);
	*nameless = ret || hooked || name.symbol ? 0 : address;
	return ret;
}

int count_caller_key(struct kcatch_session *session, uint64_t address, char *text, size_t room)
{
	uint64_t nameless;

	return name_caller(session, address, text, room, &nameless);
}

static int name_function(struct kcatch_session *session, uint64_t number, char *text, size_t room,
			 uint64_t *nameless)
{
	const struct kcatch_probe *probe;
	int ret = 0;

	*nameless = 0;
	if (number >= session->nr_slots)
		ret = kcatch_session_learn(session);
	if (!ret)
		ret = kcatch_session_probe(session, (uint32_t)number, &probe);
	if (ret)
		return ret;
	if (probe->mechanism == KCATCH_BY_TRACEPOINT || probe->mechanism == KCATCH_BY_EVENT)
		snprintf(text, room, "%s:%s", probe->module ? probe->module : "?",
			 probe->function ? probe->function : "?");
	else
		name_text(text, room, probe->function, probe->which, probe->module,
			  probe->address);
	if (probe->mechanism != KCATCH_BY_TRACEPOINT && probe->mechanism != KCATCH_BY_EVENT &&
	    !probe->function)
		*nameless = probe->address;
	return 0;
}

int count_function_key(struct kcatch_session *session, uint64_t number, char *text, size_t room)
{
	uint64_t nameless;

	return name_function(session, number, text, room, &nameless);
}

int count_code_key(struct kcatch_session *session, enum count_field_kind kind, uint64_t word,
		   struct kcatch_count_key *key, char *text, size_t room)
{
	uint64_t nameless;
	int ret = kind == FIELD_CALLER ? name_caller(session, word, text, room, &nameless) :
					 name_function(session, word, text, room, &nameless);

	if (!ret && nameless) {
		key->kind = KCATCH_KEY_ADDRESS;
		key->number = nameless;
	} else if (!ret) {
		count_text_key(key, text, strlen(text));
	}
	return ret;
}

/* A stack of the log at an offset that the kernel gave. */
static const struct kcatch_row *find_stack(const struct kcatch_count_state *state, uint64_t offset,
					   uint32_t size)
{
	const struct kcatch_row *row = (const void *)(state->log + offset);

	if (offset & 7 || offset > size - sizeof(*row) || row->kind != KCATCH_ROW_IS_STACK ||
	    !row->words || offset + sizeof(*row) + row->words * 8ULL > size)
		return NULL;
	return row;
}

static void stack_key(struct kcatch_count_key *key, enum count_field_kind kind,
		      const struct kcatch_row *stack)
{
	uint32_t low = (uint32_t)stack->key[0], high = (uint32_t)(stack->key[0] >> 32);

	if (kind == FIELD_STACK) {
		count_stack_key(key, kcatch_stack_state((uint16_t)low));
		memcpy(key->interrupted, &high, sizeof(high));
	} else {
		key->kind = KCATCH_KEY_USER_STACK;
		key->number = low;
		if (high & KCATCH_STACK_BROKEN)
			key->end = KCATCH_STACK_LOST_TRACK;
		else if (high & KCATCH_STACK_DEPTH)
			key->end = KCATCH_STACK_CUT;
	}
	key->frames = (const uint64_t *)stack->key + 1;
	key->nr_frames = stack->words - 1;
}

/* The number of a system call, as syscall_key() of a condition makes it. */
static bool call_key(struct kcatch_count_key *key, uint64_t number, char *text, size_t room)
{
	const char *name = kcatch_syscall_name(number);

	if (number >> KCATCH_SYSCALL_COMPAT_BIT) {
		snprintf(text, room, "%u (32-bit)", (uint32_t)number);
		name = text;
	}
	if (!name)
		return false;
	count_text_key(key, name, strlen(name));
	return true;
}

static int word_key(struct kcatch_session *session, const struct count_field *field,
		    const uint64_t *words, struct kcatch_count_key *key, char *text, size_t room)
{
	const struct kcatch_part_type *type = &field->type;
	const char *bytes = (const char *)words;
	int ret = 0;

	if (field->kind != FIELD_EXPRESSION) {
		ret = count_code_key(session, field->kind, *words, key, text, room);
	} else if (type->is_cgroup) {
		ret = kcatch_session_cgroup(session, *words, &bytes);
		count_text_key(key, bytes, ret ? 0 : strlen(bytes));
	} else if (type->is_comm || type->is_text) {
		count_text_key(key, bytes, strnlen(bytes, field->words * 8));
	} else if (!type->is_call || !call_key(key, *words, text, room)) {
		ret = count_number_key(session, key, type, *words, type->is_ip ? words[1] : 0, text,
				       room);
	}
	return ret;
}

int count_put_key(struct count_bytes *bytes, const struct kcatch_count_key *key)
{
	uint32_t marks = key->unreadable | (uint32_t)key->end << 1;
	uint32_t head[4] = { key->kind, marks, key->nr_frames, (uint32_t)key->length };
	int ret = put(bytes, head, sizeof(head));

	if (!ret)
		ret = put(bytes, &key->number, sizeof(key->number));
	if (!ret && key->nr_frames)
		ret = put(bytes, key->interrupted, sizeof(key->interrupted));
	if (!ret && key->nr_frames)
		ret = put(bytes, key->frames, key->nr_frames * sizeof(*key->frames));
	if (!ret && key->length)
		ret = put(bytes, key->text, key->length);
	return ret;
}

/* A text that many rows may have, once. NULL: no memory. */
static const char *keep_text(struct kcatch_count_state *state, const char *text)
{
	size_t length = strlen(text), *known = kcatch_table_find(&state->texts, text, length);
	char *own;

	if (known)
		return (const char *)*known;
	own = kcatch_arena_take(&state->arena, length + 1);
	if (!own)
		return NULL;
	memcpy(own, text, length);
	return kcatch_table_add(&state->texts, own, length, (size_t)own) < 0 ? NULL : own;
}

/* Names what the process has mapped now: soon it may be gone. */
static int name_user_stack(struct kcatch_count_state *state, struct kcatch_count_key *key)
{
	struct kcatch_frame *frames;
	uint32_t i;
	int ret;

	frames = kcatch_arena_take(&state->arena, (key->nr_frames + 1) * sizeof(*frames));
	if (!frames)
		return kcatch_error_memory();
	if (!state->user_stacks &&
	    kcatch_user_stacks_create(true, kcatch_arch_running(), &state->user_stacks))
		return -ENOMEM;
	ret = kcatch_user_stack_name(state->user_stacks, (uint32_t)key->number, key->frames,
				     key->nr_frames, frames);
	if (ret == -ENOMEM)
		return ret;
	for (i = 0; i < key->nr_frames; i++) {
		struct kcatch_frame *frame = &frames[i];

		if (frame->symbol)
			frame->symbol = keep_text(state, frame->symbol);
		if (frame->module)
			frame->module = keep_text(state, frame->module);
	}
	key->user_frames = frames;
	return 0;
}

/* What a key points to is copied: it stays as long as the row. */
static int keep_keys(struct kcatch_count_state *state, struct kcatch_count_key *keys)
{
	uint32_t i;

	for (i = 0; i < state->nr_fields; i++) {
		size_t size = keys[i].nr_frames * sizeof(*keys[i].frames);
		char *text = keys[i].text ? kcatch_arena_take(&state->arena, keys[i].length + 1) :
					    NULL;
		uint64_t *frames = size ? kcatch_arena_take(&state->arena, size) : NULL;

		if ((keys[i].text && !text) || (size && !frames))
			return kcatch_error_memory();
		if (text)
			memcpy(text, keys[i].text, keys[i].length);
		if (frames)
			memcpy(frames, keys[i].frames, size);
		keys[i].text = text;
		keys[i].frames = frames;
		if (keys[i].kind == KCATCH_KEY_USER_STACK && frames) {
			int ret = name_user_stack(state, &keys[i]);

			if (ret)
				return ret;
		}
	}
	return 0;
}

/* The row of a key; @keys are copied when it is new. */
int count_find_row(struct kcatch_count_state *state, const struct kcatch_count_key *keys,
		       struct count_merged **result)
{
	struct count_merged **rows, *row;
	struct kcatch_count_key *own;
	size_t *found;
	char *bytes;
	int ret;

	found = kcatch_table_find(&state->index, state->key.at, state->key.size);
	if (found) {
		*result = state->rows[*found];
		return 0;
	}
	*result = &state->other;
	if (state->nr_rows == ROWS_MAX)
		return 0;
	row = kcatch_arena_take(&state->arena, sizeof(*row));
	own = kcatch_arena_take(&state->arena, (state->nr_fields + 1) * sizeof(*own));
	bytes = kcatch_arena_take(&state->arena, state->key.size + 1);
	rows = kcatch_array_grow(state->rows, state->nr_rows, sizeof(*rows));
	if (rows)
		state->rows = rows;
	if (!rows || !row || !own || !bytes)
		return kcatch_error_memory();
	memcpy(own, keys, state->nr_fields * sizeof(*own));
	if (state->key.size)
		memcpy(bytes, state->key.at, state->key.size);
	ret = keep_keys(state, own);
	if (ret)
		return ret;
	row->row.keys = own;
	if (kcatch_table_add(&state->index, bytes, state->key.size, state->nr_rows) < 0)
		return kcatch_error_memory();
	rows[state->nr_rows++] = row;
	*result = row;
	return 0;
}

/* ---- rows --------------------------------------------------------------------------------- */

void count_forget_rows(struct kcatch_count_state *state)
{
	size_t i;

	for (i = 0; i < state->nr_rows; i++)
		free(state->rows[i]->buckets);
	free(state->rows);
	state->rows = NULL;
	state->nr_rows = 0;
	memset(&state->other, 0, sizeof(state->other));
	kcatch_table_deinit(&state->index);
	memset(&state->index, 0, sizeof(state->index));
	kcatch_table_deinit(&state->texts);
	memset(&state->texts, 0, sizeof(state->texts));
	kcatch_arena_deinit(&state->arena);
	memset(&state->arena, 0, sizeof(state->arena));
}

int count_add_bucket(struct count_merged *row, int32_t number, uint64_t count)
{
	size_t low = 0, high = row->nr_buckets;
	struct count_bucket *buckets;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (row->buckets[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < row->nr_buckets && row->buckets[low].number == number) {
		row->buckets[low].count += count;
		return 0;
	}
	buckets = kcatch_array_grow(row->buckets, row->nr_buckets, sizeof(*buckets));
	if (!buckets)
		return kcatch_error_memory();
	row->buckets = buckets;
	memmove(buckets + low + 1, buckets + low, (row->nr_buckets - low) * sizeof(*buckets));
	buckets[low] = (struct count_bucket){ .number = number, .count = count };
	row->nr_buckets++;
	return 0;
}

void count_add_values(struct kcatch_count_row *row, uint64_t count, const uint64_t *values)
{
	int64_t min = (int64_t)values[1], max = (int64_t)values[2];

	row->sum = (int64_t)((uint64_t)row->sum + values[0]);
	if (!row->nr_values || min < row->min)
		row->min = min;
	if (!row->nr_values || max > row->max)
		row->max = max;
	row->nr_values += count;
}

/* The keys of a row, and the bytes by which they are known. @names: room for their texts */
static int read_keys(struct kcatch_session *session, const struct kcatch_row *row, uint32_t size,
		     uint64_t marks, char (*names)[KCATCH_NAME_LEN + 72],
		     struct kcatch_count_key *keys)
{
	struct kcatch_count_state *state = session->count;
	const bool direct = !state->table.words && !state->hist && state->nr_fields == 1;
	const uint64_t *words = (const uint64_t *)row->key;
	uint32_t stack_at = state->table.words + !!state->hist, i;
	int ret = 0;

	state->key.size = 0;
	for (i = 0; i < state->nr_fields && !ret; i++) {
		const struct count_field *field = &state->fields[i];
		const struct kcatch_row *stack = row;

		memset(&keys[i], 0, sizeof(keys[i]));
		if (field->kind >= FIELD_STACK) {
			/* The kernel's stack comes first in a row. */
			uint32_t at = stack_at + (field->kind == FIELD_USER_STACK &&
						  count_has_field(state, FIELD_STACK));

			if (!direct)
				stack = find_stack(state, row->key[at], size);
			if (!stack)
				return damaged();
			stack_key(&keys[i], field->kind, stack);
		} else if (marks >> i & 1) {
			keys[i].unreadable = true;
		} else {
			ret = word_key(session, field, words, &keys[i], names[i], sizeof(names[i]));
		}
		words += field->words;
		if (!ret)
			ret = count_put_key(&state->key, &keys[i]);
	}
	return ret;
}

/* All of a row, or nothing after an error. */
static int add_row(struct kcatch_session *session, const struct kcatch_row *row, uint32_t size)
{
	char names[KCATCH_PARTS_MAX][KCATCH_NAME_LEN + 72];
	struct kcatch_count_key keys[KCATCH_PARTS_MAX];
	struct kcatch_count_state *state = session->count;
	const uint64_t *behind = (const uint64_t *)row->key + row->words;
	struct count_merged *merged = &state->other;
	uint64_t marks = 0;
	int ret = 0;

	/* The kernel adds all values of (other), and does not say which could not be read. */
	if (row->kind == KCATCH_ROW_IS_OTHER && state->value_may_fail)
		marks = 1ULL << state->stats_at;
	if (row->kind == KCATCH_ROW_IS_KEY) {
		if (state->may_fail)
			marks = row->key[state->table.words - 1];
		ret = read_keys(session, row, size, marks, names, keys);
		if (!ret)
			ret = count_find_row(state, keys, &merged);
		if (!ret && state->hist && merged != &state->other &&
		    !(marks >> state->hist_at & 1))
			ret = count_add_bucket(merged, (int32_t)row->key[state->table.words],
					       row->count);
		if (ret)
			return ret;
	}
	merged->row.count += row->count;
	if (state->table.flags & KCATCH_TABLE_VALUES && !(marks >> state->stats_at & 1))
		count_add_values(&merged->row, row->count, behind);
	return 0;
}

/* Does the row of a key have the words that the table says? */
static bool is_sound(const struct kcatch_count_state *state, const struct kcatch_row *row)
{
	uint32_t words = state->table.words + !!state->hist;
	uint32_t stacks = count_has_field(state, FIELD_STACK) +
			  count_has_field(state, FIELD_USER_STACK);

	if (row->kind != KCATCH_ROW_IS_KEY)
		return true;
	return !words && stacks == 1 ? row->words >= 1 : row->words == words + stacks;
}

static int add_log(struct kcatch_session *session, uint32_t size)
{
	struct kcatch_count_state *state = session->count;
	uint32_t length;
	int ret;

	for (; state->unread_at + sizeof(struct kcatch_row) <= size; state->unread_at += length) {
		const struct kcatch_row *row = (const void *)(state->log + state->unread_at);

		length = kcatch_row_size(row, state->table.flags);
		if (length > size - state->unread_at || row->kind > KCATCH_ROW_IS_STACK ||
		    !is_sound(state, row))
			return damaged();
		ret = row->count ? add_row(session, row, size) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

/* Read a CPU's log on from state->unread_at. */
static int read_log(struct kcatch_session *session)
{
	const struct kcatch_count_state *state = session->count;
	struct kcatch_rows rows = { .table = state->table.number, .cpu = state->unread_cpu,
				    .size = state->table.size, .buffer = (uintptr_t)state->log };
	int ret = kcatch_session_ioctl(session, KCATCH_IOC_ROWS, &rows);

	if (ret == -EINVAL)	/* the number of a CPU that cannot exist */
		return 0;
	if (ret)
		return kcatch_error_system(ret, "read the counts of a CPU");
	return rows.size > state->table.size ? damaged() : add_log(session, rows.size);
}

/* Where memory was short, the next call goes on with the row that failed. */
static int read_logs(struct kcatch_session *session)
{
	struct kcatch_count_state *state = session->count;
	int ret = 0;

	while (state->unread && !ret) {
		ret = read_log(session);
		if (!ret) {
			state->unread_cpu++;
			state->unread_at = KCATCH_ROW_OTHER;
		}
		if ((ret && ret != -ENOMEM) || state->unread_cpu >= session->info.nr_cpus)
			state->unread = false;
	}
	return ret;
}

static int take(struct kcatch_session *session)
{
	struct kcatch_count_state *state = session->count;
	struct kcatch_swap swap = { .table = state->table.number };
	int ret;

	if (!state->log)
		state->log = malloc(state->table.size);
	if (!state->log)
		return kcatch_error_memory();
	/* Another module may be at an address by now, and nobody tells. */
	kcatch_symbols_forget_modules(session->symbols);
	/* The exchange clears what is not read yet. */
	ret = read_logs(session);
	if (ret)
		return ret;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_SWAP, &swap);
	if (ret == -ETIMEDOUT)
		return kcatch_error_set(ETIMEDOUT, "a CPU takes no interrupts, so the counts cannot be "
					"taken out of the kernel: 'kcatch stuck' names it");
	if (ret)
		return kcatch_error_system(ret, "take the counts from the kcatch module");
	session->cgroups.since = kcatch_timing_now_ns();
	state->unread = true;
	state->unread_cpu = 0;
	state->unread_at = KCATCH_ROW_OTHER;
	return read_logs(session);
}

/* ---- the caller's view ----------------------------------------------------------------------- */

static void bucket_range(int32_t number, struct kcatch_count_bucket *bucket)
{
	uint32_t size = (uint32_t)(number < 0 ? ~number : number);
	uint64_t low = kcatch_bucket_lowest(size), high = kcatch_bucket_lowest(size + 1) - 1;

	if (number < 0) {
		bucket->least = (int64_t)~high;
		bucket->most = (int64_t)~low;
	} else {
		bucket->least = (int64_t)low;
		bucket->most = (int64_t)high;
	}
}

static int by_count(const void *left, const void *right)
{
	const struct kcatch_count_row *a = left, *b = right;

	if (a->is_other != b->is_other)
		return a->is_other ? 1 : -1;
	return a->count > b->count ? -1 : a->count < b->count;
}

static int by_sum(const void *left, const void *right)
{
	const struct kcatch_count_row *a = left, *b = right;

	if (a->is_other != b->is_other || a->sum == b->sum)
		return by_count(left, right);
	return a->sum > b->sum ? -1 : 1;
}

static size_t show_buckets(struct kcatch_count_state *state, const struct count_merged *row,
			   size_t at)
{
	size_t i;

	for (i = 0; i < row->nr_buckets; i++, at++) {
		bucket_range(row->buckets[i].number, &state->shown_buckets[at]);
		state->shown_buckets[at].count = row->buckets[i].count;
	}
	return at;
}

static enum kcatch_count_unit unit_of(enum kcatch_number_kind kind)
{
	return kind == KCATCH_NUMBER_TIME ? KCATCH_UNIT_NANOSECONDS :
	       kind == KCATCH_NUMBER_SIZE ? KCATCH_UNIT_BYTES :
					    KCATCH_UNIT_NONE;
}

static int show(struct kcatch_count_state *state)
{
	size_t i, nr = 0, at = 0;

	for (i = 0; i < state->nr_rows; i++)
		nr += state->rows[i]->nr_buckets;
	free(state->shown);
	free(state->shown_buckets);
	state->shown = calloc(state->nr_rows + 1, sizeof(*state->shown));
	state->shown_buckets = calloc(nr + 1, sizeof(*state->shown_buckets));
	if (!state->shown || !state->shown_buckets)
		return kcatch_error_memory();
	state->counts = (struct kcatch_counts){
		.rows = state->shown,
		.nr_keys = state->nr_fields,
		.has_values = state->table.flags & KCATCH_TABLE_VALUES,
		.has_buckets = state->hist,
		.unit = unit_of(state->kinds[state->stats_at]),
		.bucket_unit = unit_of(state->kinds[state->hist_at]),
	};
	for (i = 0; i < state->nr_rows; i++) {
		const struct count_merged *row = state->rows[i];

		state->shown[i] = row->row;
		state->shown[i].buckets = &state->shown_buckets[at];
		state->shown[i].nr_buckets = row->nr_buckets;
		at = show_buckets(state, row, at);
		state->counts.total += row->row.count;
	}
	if (state->other.row.count) {
		state->shown[i] = state->other.row;
		state->shown[i++].is_other = true;
		state->counts.total += state->other.row.count;
	}
	state->counts.nr_rows = i;
	qsort(state->shown, i, sizeof(*state->shown), state->by_sum ? by_sum : by_count);
	return 0;
}

int kcatch_session_count(struct kcatch_session *session, const struct kcatch_counts **counts)
{
	struct kcatch_count_state *state = session->count;
	int taken, ret;

	if (!state || (!state->table.number && !state->recorded))
		return kcatch_error_set(EINVAL, "this session does not count");
	taken = state->recorded ? 0 : take(session);
	ret = taken && taken != -ETIMEDOUT ? taken : show(state);
	*counts = &state->counts;
	return ret ? ret : taken;
}

void kcatch_session_count_reset(struct kcatch_session *session)
{
	if (session->count)
		count_forget_rows(session->count);
}

int kcatch_session_name(struct kcatch_session *session, uint64_t address, bool is_return,
			struct kcatch_frame *frame)
{
	struct kcatch_name name;
	int ret;

	memset(frame, 0, sizeof(*frame));
	if (kcatch_frame_stands_for(address, frame))
		return 0;
	frame->address = address;
	ret = kcatch_symbols_find(session->symbols, address - is_return, &name);
	if (ret)
		return ret;
	frame->module = name.module;
	frame->symbol = name.symbol;
	if (name.symbol)
		frame->offset = name.offset + is_return;
	return 0;
}
