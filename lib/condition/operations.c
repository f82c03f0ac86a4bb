/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * operations.c - collects the operations of a code, with labels for its exits
 *
 * An exit to an operation that only goes on elsewhere leads there at once, and operations that
 * nothing leads to are dropped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "condition/operations.h"

static void too_complicated(struct emitter *e)
{
	if (!e->error)
		e->error = kcatch_expression_error(e->condition->expression, EINVAL, e->at,
			"too complicated from here on; break it into smaller parts");
}

static void no_memory(struct emitter *e)
{
	if (!e->error)
		e->error = kcatch_error_memory();
}

void emit_begin(struct emitter *e, struct condition *c)
{
	int i;

	*e = (struct emitter){ .condition = c, .labelled = UINT32_MAX, .unknown = EMIT_UNKNOWN };
	for (i = 0; i < EMIT_RESULTS; i++)
		emit_label(e);
}

static struct emitted *next(struct emitter *e)
{
	uint32_t room = e->room ? 2 * e->room : 64;
	void *grown;

	if (!e->error && e->nr == EMIT_MAX)
		too_complicated(e);
	if (e->error)
		return NULL;
	if (e->nr == e->room) {
		grown = realloc(e->emitted, room * sizeof(*e->emitted));
		if (!grown) {
			no_memory(e);
			return NULL;
		}
		e->emitted = grown;
		e->room = room;
	}
	return &e->emitted[e->nr++];
}

void emit(struct emitter *e, struct kcatch_op op, int yes, int no, int unknown)
{
	struct emitted *emitted = next(e);

	if (emitted)
		*emitted = (struct emitted){ .op = op, .yes = yes, .no = no, .unknown = unknown };
}

void emit_go(struct emitter *e, int label)
{
	emit(e, (struct kcatch_op){ .op = KCATCH_OP_GO }, label, EMIT_NONE, EMIT_NONE);
}

int emit_label(struct emitter *e)
{
	uint32_t room = e->labels_room ? 2 * e->labels_room : 64;
	void *grown;

	if (e->nr_labels == e->labels_room) {
		grown = realloc(e->labels, room * sizeof(*e->labels));
		if (!grown) {
			no_memory(e);
			return EMIT_NO;
		}
		e->labels = grown;
		e->labels_room = room;
	}
	e->labels[e->nr_labels] = 0;
	return (int)e->nr_labels++;
}

void emit_here(struct emitter *e, int label)
{
	if (e->error)
		return;
	e->labels[label] = e->nr;
	e->labelled = e->nr;
}

bool emit_is_used(const struct emitter *e, int label)
{
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		if (e->emitted[i].yes == label || e->emitted[i].no == label ||
		    e->emitted[i].unknown == label)
			return true;
	return false;
}

struct kcatch_op *emit_last(struct emitter *e)
{
	return e->error || !e->nr || e->labelled == e->nr ? NULL : &e->emitted[e->nr - 1].op;
}

uint8_t emit_save(struct emitter *e)
{
	uint8_t word = (uint8_t)__builtin_ctz(~e->saved);

	if (word >= KCATCH_SAVED_MAX) {
		too_complicated(e);
		return 0;
	}
	e->saved |= 1U << word;
	emit(e, (struct kcatch_op){ .op = KCATCH_OP_SAVE, .index = word }, EMIT_NONE, EMIT_NONE,
	     EMIT_NONE);
	return word;
}

void emit_free(struct emitter *e, uint8_t word)
{
	e->saved &= ~(1U << word);
}

uint32_t emit_text(struct emitter *e, const char *text, size_t length)
{
	struct condition *c = e->condition;
	char *found = length ? memmem(c->texts, c->nr_texts, text, length) : c->texts;

	if (found)
		return (uint32_t)(found - c->texts);
	if (length > sizeof(c->texts) - c->nr_texts) {
		too_complicated(e);
		return 0;
	}
	memcpy(c->texts + c->nr_texts, text, length);
	c->nr_texts += (uint32_t)length;
	return c->nr_texts - (uint32_t)length;
}

/* ---- resolving labels ----------------------------------------------------------- */

static bool is_go(const struct emitted *it)
{
	return it->op.op == KCATCH_OP_GO;
}

static bool ends(const struct emitted *it)
{
	return it->yes != EMIT_NONE;
}

/* The label where an exit comes to in the end. All exits go forward. */
static int follow(const struct emitter *e, int label)
{
	while (label >= EMIT_RESULTS && is_go(&e->emitted[e->labels[label]]))
		label = e->emitted[e->labels[label]].yes;
	return label;
}

static void need(struct emitter *e, int *label)
{
	if (*label == EMIT_NONE)
		return;
	*label = follow(e, *label);
	if (*label >= EMIT_RESULTS)
		e->emitted[e->labels[*label]].needed = true;
}

/* Return: the number of operations that something leads to. */
static uint32_t find_needed(struct emitter *e)
{
	uint32_t i, nr = 0;

	e->emitted[0].needed = true;
	for (i = 0; i < e->nr; i++) {
		struct emitted *it = &e->emitted[i];

		if (!it->needed)
			continue;
		it->position = nr++;
		need(e, &it->yes);
		need(e, &it->no);
		need(e, &it->unknown);
		if (!ends(it))
			e->emitted[i + 1].needed = true;
	}
	return nr;
}

static uint8_t exit_of(const struct emitter *e, int label)
{
	if (label < EMIT_RESULTS)
		return label == EMIT_NONE ? 0 : (uint8_t)label;
	return (uint8_t)(KCATCH_EXIT_OP + e->emitted[e->labels[label]].position);
}

static int write_code(struct emitter *e, struct kcatch_op **code, uint32_t *nr)
{
	const struct kcatch_expression *own = e->condition->expression;
	uint32_t i, size = find_needed(e);

	if (size > KCATCH_OPS_MAX)
		return kcatch_expression_error(
			own ? own : count_parts_first(e->condition), EINVAL, 0,
			"it takes %u operations; the limit is %u; make it smaller", size,
			KCATCH_OPS_MAX);
	*code = calloc(size, sizeof(**code));
	if (!*code)
		return kcatch_error_memory();
	*nr = size;
	for (i = 0; i < e->nr; i++) {
		const struct emitted *it = &e->emitted[i];
		struct kcatch_op *out = *code + it->position;

		if (!it->needed)
			continue;
		*out = it->op;
		out->yes = exit_of(e, it->yes);
		out->no = exit_of(e, it->no);
		out->unknown = exit_of(e, it->unknown);
	}
	return 0;
}

int emit_finish(struct emitter *e, struct kcatch_op **code, uint32_t *nr)
{
	int ret = e->error;

	*code = NULL;
	*nr = 0;
	if (!ret)
		ret = write_code(e, code, nr);
	free(e->emitted);
	free(e->labels);
	return ret;
}
