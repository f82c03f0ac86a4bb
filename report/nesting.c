/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nesting.c - the time that a call's inner calls took
 *
 * Two generations: a full young table becomes the old one, and the entries of the previous
 * old table are forgotten. A lookup copies an entry to the young table, so an outer call is
 * kept as long as its inner calls are being read.
 */
#include <stdlib.h>
#include <string.h>

#include "nesting.h"

#define ROOM_FIRST 256U	/* places of a new table */

/* Numbers that follow each other, as those of events do, have places near each other. */
static uint32_t place_of(uint64_t call, uint32_t room)
{
	uint64_t mix = (call >> 4) * 0x9e3779b97f4a7c15ULL >> 32;

	return (uint32_t)(mix << 4 | (call & 15)) & (room - 1);
}

/* The call's entry, or the free place at which to insert it. */
static struct nesting_call *find(const struct nesting_table *table, uint64_t call)
{
	uint32_t at = place_of(call, table->room);

	while (table->calls[at].call && table->calls[at].call != call)
		at = (at + 1) & (table->room - 1);
	return &table->calls[at];
}

/* Double the table: at least half of the places are free. Return: 0; -1: out of memory. */
static int grow(struct nesting_table *table)
{
	struct nesting_table more = { .room = table->room ? 2 * table->room : ROOM_FIRST,
				      .count = table->count };
	uint32_t i;

	more.calls = calloc(more.room, sizeof(*more.calls));
	if (!more.calls)
		return -1;
	for (i = 0; i < table->room; i++) {
		if (table->calls[i].call)
			*find(&more, table->calls[i].call) = table->calls[i];
	}
	free(table->calls);
	*table = more;
	return 0;
}

struct nesting_call *nesting_call(struct nesting *nesting, uint64_t call)
{
	struct nesting_table *young = &nesting->young;
	struct nesting_call *entry;

	if (young->count == NESTING_CALLS) {
		free(nesting->old.calls);
		nesting->old = *young;
		memset(young, 0, sizeof(*young));
	}
	if (2 * young->count >= young->room && grow(young))
		return NULL;
	entry = find(young, call);
	if (entry->call)
		return entry;
	if (nesting->old.room)
		*entry = *find(&nesting->old, call);
	entry->call = call;
	young->count++;
	return entry;
}

void nesting_deinit(struct nesting *nesting)
{
	free(nesting->young.calls);
	free(nesting->old.calls);
	memset(nesting, 0, sizeof(*nesting));
}
