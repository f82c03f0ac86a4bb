/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * poll_waits.c - finds the file that a thread in poll(), select() or epoll_wait() waits for, if it
 * is one
 *
 * Who polls has an entry for each queue that it waits in on its own kernel stack, and those say of
 * which file they are. An epoll instance has a tree of its files.
 */
#include "stuck/wait_detail.h"

bool kcatch_stuck_polled_find(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			      struct kcatch_polled *polled)
{
	enum { TABLE, TASK, USED, ENTRIES, FILE, KEY, WAIT, PRIVATE, FUNC };
	struct kcatch_stuck_place p[] = {
		[TABLE] = { "struct poll_wqueues", "table", 0 },
		[TASK] = { "struct poll_wqueues", "polling_task", 0 },
		[USED] = { "struct poll_wqueues", "inline_index", 0 },
		[ENTRIES] = { "struct poll_wqueues", "inline_entries", 0 },
		[FILE] = { "struct poll_table_entry", "filp", 0 },
		[KEY] = { "struct poll_table_entry", "key", 0 },
		[WAIT] = { "struct poll_table_entry", "wait", 0 },
		[PRIVATE] = { "struct wait_queue_entry", "private", 0 },
		[FUNC] = { "struct wait_queue_entry", "func", 0 },
	};
	uint32_t wait, nr, i;
	struct kcatch_type type;
	uint64_t at, file;
	int64_t size;

	if (!kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])) ||
	    kcatch_types_struct(details->types, "struct poll_table_entry", &type))
		return false;
	size = kcatch_type_size(type);
	wait = p[ENTRIES].offset + p[WAIT].offset;
	at = kcatch_stuck_entry_find(details, task, p[TASK].offset, wait + p[FUNC].offset,
				     "pollwake");
	/* The entry leads back, and there are no others elsewhere. */
	if (!at || size <= 0 || kcatch_stuck_word(details, at + wait + p[PRIVATE].offset) != at ||
	    kcatch_stuck_word(details, at + p[TABLE].offset))
		return false;
	nr = (uint32_t)kcatch_stuck_word(details, at + p[USED].offset);
	*polled = (struct kcatch_polled){ .fd = -1 };
	at += p[ENTRIES].offset;
	for (i = 0; i < nr; i++, at += (uint64_t)size) {
		file = kcatch_stuck_word(details, at + p[FILE].offset);
		if (!file || (polled->file && file != polled->file))
			return false;
		polled->file = file;
		polled->events |= (uint32_t)kcatch_stuck_word(details, at + p[KEY].offset);
	}
	return polled->file;
}

bool kcatch_stuck_epolled_find(struct kcatch_stuck_details *details, uint64_t eventpoll,
			       struct kcatch_polled *polled)
{
	enum { TREE, ROOT, NODE, LEFT, RIGHT, LINK, KEY, EVENT, EVENTS, FILE, FD };
	struct kcatch_stuck_place p[] = {
		[TREE] = { "struct eventpoll", "rbr", 0 },
		[ROOT] = { "struct rb_root_cached", "rb_root", 0 },
		[NODE] = { "struct rb_root", "rb_node", 0 },
		[LEFT] = { "struct rb_node", "rb_left", 0 },
		[RIGHT] = { "struct rb_node", "rb_right", 0 },
		[LINK] = { "struct epitem", "rbn", 0 },
		[KEY] = { "struct epitem", "ffd", 0 },
		[EVENT] = { "struct epitem", "event", 0 },
		[EVENTS] = { "struct epoll_event", "events", 0 },
		[FILE] = { "struct epoll_filefd", "file", 0 },
		[FD] = { "struct epoll_filefd", "fd", 0 },
	};
	struct kcatch_type type;
	uint64_t item;

	/* Newer kernels have another name for it. */
	if (details->types && kcatch_types_struct(details->types, p[FILE].type, &type))
		p[FILE].type = p[FD].type = "struct epoll_key";
	if (!kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])))
		return false;
	item = kcatch_stuck_word(details, eventpoll + p[TREE].offset + p[ROOT].offset +
						  p[NODE].offset);
	if (!item || kcatch_stuck_word(details, item + p[LEFT].offset) ||
	    kcatch_stuck_word(details, item + p[RIGHT].offset))
		return false;
	item -= p[LINK].offset;
	*polled = (struct kcatch_polled){
		.file = kcatch_stuck_word(details, item + p[KEY].offset + p[FILE].offset),
		.events = (uint32_t)kcatch_stuck_word(details, item + p[EVENT].offset +
								       p[EVENTS].offset),
		.fd = (int)kcatch_stuck_word(details, item + p[KEY].offset + p[FD].offset),
	};
	return polled->file;
}
