/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_rows.c - the rows of a page's table, chosen over the whole time
 */
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "table_rows.h"

/* A small table has fewer parts, so that there is a part with two rows when it is full. */
static unsigned int nr_parts(const struct table_rows *table)
{
	unsigned int count = 2;

	while (count < TIMELINE_SPANS && 4 * (size_t)count <= table->most)
		count *= 2;
	return count;
}

static unsigned int part_of(const struct table_rows *table, const struct timeline *line,
			    uint64_t time_ns)
{
	return timeline_span(line, time_ns) / (TIMELINE_SPANS / nr_parts(table));
}

/* Two neighbours become one part, which takes as few events as the one that takes fewer. */
static void join_parts(struct table_rows *table)
{
	unsigned int half = nr_parts(table) / 2, i;

	for (i = 0; i < half; i++) {
		const struct table_part *first = &table->parts[2 * i], *second = first + 1;

		table->parts[i] = (struct table_part){
			.level = first->level > second->level ? first->level : second->level,
			.seen = first->seen + second->seen,
		};
	}
	memset(table->parts + half, 0, half * sizeof(*table->parts));
}

/* The parts that hold more than half as many rows as the fullest one give up every other row. */
static void thin(struct table_rows *table, const struct timeline *line)
{
	size_t held[TIMELINE_SPANS] = { 0 }, passed[TIMELINE_SPANS] = { 0 }, most = 0, kept = 0, i;

	for (i = 0; i < table->nr_rows; i++) {
		unsigned int part = part_of(table, line, table->rows[i].time_ns);

		if (++held[part] > most)
			most = held[part];
	}
	table->was_full = true;
	if (most < 2)
		return;
	for (i = 0; i < TIMELINE_SPANS; i++)
		table->parts[i].level += held[i] > most / 2;
	for (i = 0; i < table->nr_rows; i++) {
		unsigned int part = part_of(table, line, table->rows[i].time_ns);

		if (held[part] > most / 2 && passed[part]++ % 2)
			free(table->rows[i].text);
		else
			table->rows[kept++] = table->rows[i];
	}
	table->nr_rows = kept;
}

/*
 * A part is likely to have as many events as the one before it. To make all its rows, only to drop
 * most of them, would take time: it begins with twice its share of the table.
 */
static unsigned int first_level(const struct table_rows *table, unsigned int part)
{
	uint64_t likely = part ? table->parts[part - 1].seen : 0;
	unsigned int level = 0;

	while (table->was_full && likely >> level > 2 * table->most / nr_parts(table))
		level++;
	return level;
}

bool table_rows_takes(struct table_rows *table, const struct timeline *line, uint64_t time_ns)
{
	unsigned int part = part_of(table, line, time_ns);

	if (!table->span_ns)
		table->span_ns = line->span_ns;
	for (; table->span_ns < line->span_ns; table->span_ns *= 2)
		join_parts(table);
	if (!table->parts[part].seen)
		table->parts[part].level = first_level(table, part);
	if (table->parts[part].seen++ & ((1ULL << table->parts[part].level) - 1))
		return false;
	if (table->nr_rows == table->most)
		thin(table, line);
	return table->nr_rows < table->most;
}

int table_rows_add(struct table_rows *table, uint64_t time_ns, uint32_t node, char *text)
{
	if (!table->rows)
		table->rows = calloc(table->most, sizeof(*table->rows));
	if (!table->rows) {
		free(text);
		return kcatch_error_memory();
	}
	table->rows[table->nr_rows++] =
		(struct table_row){ .time_ns = time_ns, .node = node, .text = text };
	return 0;
}

void table_rows_deinit(struct table_rows *table)
{
	size_t i;

	for (i = 0; i < table->nr_rows; i++)
		free(table->rows[i].text);
	free(table->rows);
}
