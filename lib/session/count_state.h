/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* count_state.h - keys and rows of a count, shared by counts of the kernel and of recordings */
#ifndef LIB_SESSION_COUNT_STATE_H
#define LIB_SESSION_COUNT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include <kcatch_containers.h>
#include <kcatch_counts.h>
#include "condition/count_parts.h"
#include "session/handle.h"

#define COUNT_NAME_MAX (KCATCH_NAME_LEN + 96)	/* "function@0x... [module]" */

enum count_field_kind {
	FIELD_EXPRESSION, FIELD_CALLER, FIELD_FUNCTION, FIELD_STACK, FIELD_USER_STACK
};

/* A key, as the request asks for it. */
struct count_field {
	enum count_field_kind kind;
	struct kcatch_expression *expression;
	const char *word;	/* of the language; NULL: @expression */
	uint32_t words;		/* in a row's key; known with the table */
	struct kcatch_part_type type; /* of an expression: joined of all functions */
};

struct count_bucket {
	int32_t number;
	uint64_t count;
};

/* A row, with what is not the caller's. */
struct count_merged {
	struct kcatch_count_row row;
	struct count_bucket *buckets;
	size_t nr_buckets;
};

/* The bytes by which a row is known. */
struct count_bytes {
	char *at;
	size_t size, room;
};

struct kcatch_count_state {
	struct count_field *fields;
	uint32_t nr_fields;
	struct kcatch_expression *stats, *hist;
	const struct kcatch_expression *wanted[KCATCH_COUNT_WANTS_MAX];
	uint32_t nr_wanted, stats_at, hist_at;
	enum kcatch_number_kind kinds[KCATCH_COUNT_WANTS_MAX]; /* of @wanted, the same of all */
	bool may_fail, value_may_fail, at_return, entries, by_sum;
	uint64_t size;
	bool recorded;		/* of a recording: there is no table in the kernel */

	struct kcatch_new_table table;	/* number 0: not made yet */
	uint8_t *log;
	bool unread;		/* rows are still in the reader's logs, from here on: */
	uint32_t unread_cpu, unread_at;
	struct kcatch_arena arena;
	struct kcatch_table texts;	/* names in user stacks, in the arena: their addresses */
	struct kcatch_user_stacks *user_stacks;	/* NULL: not needed yet */
	struct kcatch_table index;	/* bytes of a key: row */
	struct count_merged **rows;
	size_t nr_rows;
	struct count_merged other;
	struct count_bytes key;
	struct kcatch_count_row *shown;
	struct kcatch_count_bucket *shown_buckets;
	struct kcatch_counts counts;
};

/* Whether a key of this kind is asked for. */
bool count_has_field(const struct kcatch_count_state *state, enum count_field_kind kind);

/* Note what a value (@index in wanted) is in a function; @first: in the first one. */
void count_note_kind(struct kcatch_count_state *state, uint32_t index,
		     const struct kcatch_part_type *type, bool first);

/* Forget all rows, and what their keys point to. */
void count_forget_rows(struct kcatch_count_state *state);

/* Set a key to a text, which is not copied. */
void count_text_key(struct kcatch_count_key *key, const char *text, size_t length);

/*
 * Name the function of a return address, 0: none; and that of a probe. @text: COUNT_NAME_MAX bytes.
 * Return: 0 or -errno.
 */
int count_caller_key(struct kcatch_session *session, uint64_t address, char *text, size_t room);
int count_function_key(struct kcatch_session *session, uint64_t number, char *text, size_t room);

/*
 * Set a key, all zeros, to such a name, which is in @text; to the address of a function without a
 * name, which whoever shows it may hide. @kind: FIELD_CALLER or FIELD_FUNCTION. Return: as above.
 */
int count_code_key(struct kcatch_session *session, enum count_field_kind kind, uint64_t word,
		   struct kcatch_count_key *key, char *text, size_t room);

/*
 * Set a key, all zeros, to a number, or to what it means, which is in @text: COUNT_NAME_MAX bytes.
 * @low: the rest of an address of IPv6.
 * Where one of the functions may give an address, an address is no signed number: whoever shows the
 * key may hide it. Return: as above.
 */
int count_number_key(struct kcatch_session *session, struct kcatch_count_key *key,
		     const struct kcatch_part_type *type, uint64_t number, uint64_t low, char *text,
		     size_t room);

/* Set a key, all zeros but for its frames, to a stack of the kernel's that ends so. */
void count_stack_key(struct kcatch_count_key *key, enum kcatch_event_stack end);

/* Append what makes a key different from others, to find its row by. Return: 0 or -ENOMEM. */
int count_put_key(struct count_bytes *bytes, const struct kcatch_count_key *key);

/*
 * Find or make the row of @keys, which are in state->key as bytes; they are copied. Without room
 * it is state->other. Return: 0 or -ENOMEM.
 */
int count_find_row(struct kcatch_count_state *state, const struct kcatch_count_key *keys,
		   struct count_merged **result);

/* Add calls to a bucket of a row; and a sum, minimum and maximum (@values). */
int count_add_bucket(struct count_merged *row, int32_t number, uint64_t count);
void count_add_values(struct kcatch_count_row *row, uint64_t count, const uint64_t *values);

#endif
