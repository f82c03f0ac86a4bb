// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tables.c - requests about counts: tables, programs that count, and reading rows
 */
#include "fuzz.h"

#include <string.h>

int fuzz_table(struct worker *worker, struct slot *slot)
{
	struct kcatch_new_table *table = take(worker, sizeof(*table));

	table->size = KCATCH_TABLE_SIZE_MIN << below(worker, 5);
	table->words = below(worker, 4);
	table->flags = below(worker, 16);
	mutate(worker, table, sizeof(*table), 12);
	if (request(worker, slot, KCATCH_IOC_TABLE, table, sizeof(*table)))
		return -1;
	slot->nr_tables = table->number;
	return 0;
}

static void make_part(struct worker *worker, struct kcatch_part *part)
{
	part->kind = KCATCH_PART_WORD + below(worker, 7);
	if (part->kind == KCATCH_PART_WORD) {
		part->from = KCATCH_FROM_ARG + below(worker, KCATCH_FROMS - KCATCH_FROM_ARG);
		part->index = part->from == KCATCH_FROM_ARG ? below(worker, 6) : 0;
		part->left = below(worker, 3) ? 0 : 32;
		part->right = part->left;
	} else if (part->kind == KCATCH_PART_CODE) {
		part->index = below(worker, 6);
	} else if (part->kind == KCATCH_PART_TEXT) {
		part->size = 8 * below(worker, 9);
		part->offset = 8 * below(worker, 3);
	}
}

/* A program without lists for entry and return, and its parts: as many as most tables want. */
int fuzz_count(struct worker *worker, struct slot *slot)
{
	struct kcatch_program *program = take(worker, sizeof(*program));
	struct kcatch_count *count = take(worker, sizeof(*count));
	uint32_t nr = below(worker, 4), i;
	struct kcatch_part *parts = take(worker, (nr + 2) * sizeof(*parts));

	if (!once_in(worker, 4))
		fuzz_stop(worker, slot);
	if (once_in(worker, 3))
		make_condition(worker, &program->return_condition);
	if (once_in(worker, 3))
		make_condition(worker, &program->entry_condition);
	if (request(worker, slot, KCATCH_IOC_PROGRAM, program, sizeof(*program)))
		return -1;
	slot->nr_programs = program->number;
	for (i = 0; i < nr + 2; i++)
		make_part(worker, &parts[i]);
	mutate(worker, parts, (nr + 2) * sizeof(*parts), 12);
	count->program = program->number;
	count->table = 1 + below(worker, slot->nr_tables + 1);
	count->nr_parts = nr;
	count->flags = below(worker, 2);
	count->parts = (uintptr_t)parts;
	if (once_in(worker, 2))
		make_condition(worker, &count->code);
	mutate(worker, count, sizeof(*count), 12);
	return request(worker, slot, KCATCH_IOC_COUNT, count, sizeof(*count));
}

int fuzz_swap(struct worker *worker, struct slot *slot)
{
	struct kcatch_swap *swap = take(worker, sizeof(*swap));

	swap->table = 1 + below(worker, slot->nr_tables + 1);
	mutate(worker, swap, sizeof(*swap), 12);
	return request(worker, slot, KCATCH_IOC_SWAP, swap, sizeof(*swap));
}

int fuzz_rows(struct worker *worker, struct slot *slot)
{
	struct kcatch_rows *rows = take(worker, sizeof(*rows));

	rows->table = 1 + below(worker, slot->nr_tables + 1);
	rows->cpu = below(worker, 2);
	rows->offset = once_in(worker, 2) ? 0 : 8 * below(worker, 1000);
	rows->size = 16384;
	rows->buffer = (uintptr_t)take(worker, rows->size);
	mutate(worker, rows, sizeof(*rows), 12);
	return request(worker, slot, KCATCH_IOC_ROWS, rows, sizeof(*rows));
}
