/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* backlog.h - records that were taken out of a ring buffer and wait to be read */
#ifndef LIB_RING_BACKLOG_H
#define LIB_RING_BACKLOG_H

#include <stddef.h>

#include <uapi/kcatch.h>

struct kcatch_backlog_chunk;

/**
 * struct kcatch_backlog - a queue of records; all zeros when empty
 * @first: chunk of the oldest record
 * @last: chunk of the newest record
 */
struct kcatch_backlog {
	struct kcatch_backlog_chunk *first, *last;
};

/**
 * kcatch_backlog_room - get room for one more record at the end
 * @backlog: the queue
 * @size: bytes that the record may have
 * @left: bytes that all queues of a reader may still allocate; what is allocated is taken off
 *
 * Return: the room, at which the record is written before kcatch_backlog_push(); NULL: the bound
 * is reached, or there is no memory.
 */
struct kcatch_record *kcatch_backlog_room(struct kcatch_backlog *backlog, size_t size,
					  size_t *left);

/** kcatch_backlog_push - add the record of @size bytes that was written at the room */
void kcatch_backlog_push(struct kcatch_backlog *backlog, size_t size);

/** kcatch_backlog_first - the oldest record; NULL: the queue is empty */
struct kcatch_record *kcatch_backlog_first(const struct kcatch_backlog *backlog);

/**
 * kcatch_backlog_pop - remove the oldest record
 * @backlog: the queue, not empty
 * @left: bytes that all queues may still allocate; what is freed is added
 */
void kcatch_backlog_pop(struct kcatch_backlog *backlog, size_t *left);

/** kcatch_backlog_clear - remove all records */
void kcatch_backlog_clear(struct kcatch_backlog *backlog, size_t *left);

#endif
