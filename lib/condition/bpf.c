/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * bpf.c - emits classic BPF: instructions, scratch memory M[], labels
 *
 * All jumps go forward. A conditional jump reaches at most 255 instructions. If its label is
 * farther away, it jumps to an unconditional jump right behind it. Which jumps need that is
 * computed after the last instruction.
 */
#include <errno.h>
#include <stdlib.h>

#include <kcatch_text.h>
#include "condition/bpf.h"

void emit_too_complicated(struct emitter *e)
{
	if (!e->error)
		e->error = kcatch_expression_error(e->condition->expression, EINVAL, e->at,
			"too complicated from here on; break it into smaller parts");
}

static struct emitted *next(struct emitter *e)
{
	if (e->error)
		return NULL;
	if (e->nr == EMIT_MAX) {
		emit_too_complicated(e);
		return NULL;
	}
	if (e->nr == e->room) {
		uint32_t room = e->room ? 2 * e->room : 64;
		void *grown = realloc(e->emitted, room * sizeof(*e->emitted));

		if (!grown) {
			e->error = kcatch_error_memory();
			return NULL;
		}
		e->emitted = grown;
		e->room = room;
	}
	return &e->emitted[e->nr++];
}

void emit_jump(struct emitter *e, uint16_t code, uint32_t k, int yes, int no)
{
	struct emitted *emitted = next(e);

	if (emitted)
		*emitted = (struct emitted){ .code = code, .k = k, .yes = yes, .no = no };
}

void emit(struct emitter *e, uint16_t code, uint32_t k)
{
	emit_jump(e, code, k, -1, -1);
}

void emit_go(struct emitter *e, int label)
{
	emit_jump(e, BPF_JMP | BPF_JA, 0, label, -1);
}

int emit_label(struct emitter *e)
{
	if (e->nr_labels == e->labels_room) {
		uint32_t room = e->labels_room ? 2 * e->labels_room : 64;
		void *grown = realloc(e->labels, room * sizeof(*e->labels));

		if (!grown) {
			if (!e->error)
				e->error = kcatch_error_memory();
			return 0;
		}
		e->labels = grown;
		e->labels_room = room;
	}
	e->labels[e->nr_labels] = 0;
	return (int)e->nr_labels++;
}

void emit_here(struct emitter *e, int label)
{
	if (!e->error)
		e->labels[label] = e->nr;
}

/* ---- A, X and M[] ------------------------------------------------------------ */

void load_a(struct emitter *e, struct half half)
{
	if (half.kind == HALF_CONST)
		emit(e, BPF_LD | BPF_IMM, half.k);
	else if (half.kind == HALF_DATA)
		emit(e, BPF_LD | BPF_W | BPF_ABS, half.k);
	else
		emit(e, BPF_LD | BPF_MEM, half.k);
}

void load_x(struct emitter *e, struct half half)
{
	if (half.kind == HALF_CONST) {
		emit(e, BPF_LDX | BPF_IMM, half.k);
	} else if (half.kind == HALF_DATA) {
		load_a(e, half);
		emit(e, BPF_MISC | BPF_TAX, 0);
	} else {
		emit(e, BPF_LDX | BPF_MEM, half.k);
	}
}

void apply(struct emitter *e, uint16_t op, struct half half)
{
	if (half.kind == HALF_CONST) {
		emit(e, BPF_ALU | op | BPF_K, half.k);
		return;
	}
	load_x(e, half);
	emit(e, BPF_ALU | op | BPF_X, 0);
}

struct half take_scratch(struct emitter *e)
{
	uint32_t i = (uint32_t)__builtin_ctz(~e->scratch | 1U << BPF_MEMWORDS);

	if (i == BPF_MEMWORDS) {
		emit_too_complicated(e);
		return half_const(0);
	}
	e->scratch |= 1U << i;
	return (struct half){ .kind = HALF_SCRATCH, .k = i };
}

struct half store_a(struct emitter *e)
{
	struct half half = take_scratch(e);

	if (half.kind == HALF_SCRATCH)
		emit(e, BPF_ST, half.k);
	return half;
}

void drop(struct emitter *e, struct half half)
{
	if (half.kind == HALF_SCRATCH)
		e->scratch &= ~(1U << half.k);
}

void drop_number(struct emitter *e, struct number number)
{
	drop(e, number.low);
	drop(e, number.high);
}

/* ---- resolving jumps ------------------------------------------------------------ */

static bool is_go(const struct emitted *it)
{
	return it->code == (BPF_JMP | BPF_JA);
}

static uint32_t target(const struct emitter *e, int label)
{
	return e->emitted[e->labels[label]].position;
}

/* Set all positions, with the far jumps known so far. Returns the number of instructions. */
static uint32_t place(struct emitter *e)
{
	uint32_t i, position = 0;

	for (i = 0; i < e->nr; i++) {
		struct emitted *it = &e->emitted[i];

		it->position = position;
		position += 1U + it->far_yes + it->far_no;
	}
	return position;
}

static bool is_far(const struct emitter *e, const struct emitted *it, int label)
{
	return target(e, label) - (it->position + 1) > 255;
}

/* A far jump adds an instruction, which can make other jumps far: repeat until none changes. */
static uint32_t place_all(struct emitter *e)
{
	uint32_t i, size;
	bool changed;

	do {
		size = place(e);
		changed = false;
		for (i = 0; i < e->nr; i++) {
			struct emitted *it = &e->emitted[i];

			if (it->yes < 0 || is_go(it))
				continue;
			if (!it->far_yes && is_far(e, it, it->yes))
				changed = it->far_yes = true;
			if (!it->far_no && is_far(e, it, it->no))
				changed = it->far_no = true;
		}
	} while (changed);
	return size;
}

static void write_jump(const struct emitter *e, const struct emitted *it, struct sock_filter *out)
{
	uint32_t at = it->position, go = 0;

	out->jt = (uint8_t)(target(e, it->yes) - (at + 1));
	out->jf = (uint8_t)(target(e, it->no) - (at + 1));
	if (it->far_yes) {
		out->jt = (uint8_t)go++;
		out[go] = (struct sock_filter){ .code = BPF_JMP | BPF_JA,
						.k = target(e, it->yes) - (at + go + 1) };
	}
	if (it->far_no) {
		out->jf = (uint8_t)go++;
		out[go] = (struct sock_filter){ .code = BPF_JMP | BPF_JA,
						.k = target(e, it->no) - (at + go + 1) };
	}
}

int emit_finish(struct emitter *e, struct sock_filter **code, uint32_t *nr)
{
	uint32_t i, size;

	if (e->error)
		return e->error;
	size = place_all(e);
	if (size > KCATCH_BPF_MAX)
		return kcatch_expression_error(e->condition->expression, EINVAL, 0,
			"it takes %u instructions; the limit is %u; make the condition smaller",
			size, KCATCH_BPF_MAX);
	*code = calloc(size, sizeof(**code));
	if (!*code)
		return kcatch_error_memory();
	*nr = size;
	for (i = 0; i < e->nr; i++) {
		const struct emitted *it = &e->emitted[i];
		struct sock_filter *out = *code + it->position;

		*out = (struct sock_filter){ .code = it->code, .k = it->k };
		if (is_go(it))
			out->k = target(e, it->yes) - (it->position + 1);
		else if (it->yes >= 0)
			write_jump(e, it, out);
	}
	return 0;
}
