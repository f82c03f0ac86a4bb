/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * backlog.c - records that were taken out of a ring buffer and wait to be read
 *
 * A list of chunks, filled one after the other. A chunk is freed when its last record has been
 * read, so only a chunk that is the only one can be empty.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "ring/backlog.h"

#define CHUNK_SIZE ((size_t)1 << 20)

struct kcatch_backlog_chunk {
	struct kcatch_backlog_chunk *next;
	size_t size;	/* bytes of data[] */
	size_t read;	/* bytes before the oldest record */
	size_t filled;
	uint64_t data[];
};

static struct kcatch_record *record_at(struct kcatch_backlog_chunk *chunk, size_t offset)
{
	return (struct kcatch_record *)((char *)chunk->data + offset);
}

struct kcatch_record *kcatch_backlog_room(struct kcatch_backlog *backlog, size_t size,
					  size_t *left)
{
	struct kcatch_backlog_chunk *chunk = backlog->last;

	if (!chunk || chunk->size - chunk->filled < size) {
		size_t room = size < CHUNK_SIZE ? CHUNK_SIZE : size;

		if (*left < room)
			return NULL;
		chunk = malloc(sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		*chunk = (struct kcatch_backlog_chunk){ .size = room };
		*left -= room;
		if (backlog->last)
			backlog->last->next = chunk;
		else
			backlog->first = chunk;
		backlog->last = chunk;
	}
	return record_at(chunk, chunk->filled);
}

void kcatch_backlog_push(struct kcatch_backlog *backlog, size_t size)
{
	backlog->last->filled += size;
}

/* The first chunk has nothing left to read. */
static bool is_read(const struct kcatch_backlog_chunk *chunk)
{
	return chunk->read == chunk->filled;
}

static void drop_first(struct kcatch_backlog *backlog, size_t *left)
{
	struct kcatch_backlog_chunk *chunk = backlog->first;

	backlog->first = chunk->next;
	if (!backlog->first)
		backlog->last = NULL;
	*left += chunk->size;
	free(chunk);
}

struct kcatch_record *kcatch_backlog_first(const struct kcatch_backlog *backlog)
{
	struct kcatch_backlog_chunk *chunk = backlog->first;

	return chunk && !is_read(chunk) ? record_at(chunk, chunk->read) : NULL;
}

void kcatch_backlog_pop(struct kcatch_backlog *backlog, size_t *left)
{
	struct kcatch_backlog_chunk *chunk = backlog->first;

	chunk->read += record_at(chunk, chunk->read)->size;
	if (is_read(chunk))
		drop_first(backlog, left);
}

void kcatch_backlog_clear(struct kcatch_backlog *backlog, size_t *left)
{
	while (backlog->first)
		drop_first(backlog, left);
}
