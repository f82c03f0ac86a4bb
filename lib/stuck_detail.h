/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * stuck_detail.h - more than the name of what a thread waits for: which page, which
 * child, which FUSE server, whose file lock
 *
 * From structures on the thread's own stack, whose places the kernel's types tell and
 * whose function pointers prove what they are; and from /proc. Nothing here touches a file
 * system: that may be what is stuck.
 */
#ifndef LIB_STUCK_DETAIL_H
#define LIB_STUCK_DETAIL_H

#include "arena.h"
#include "stuck.h"
#include "stuck_reason.h"

struct kcatch_stuck_fuse;

/**
 * struct kcatch_stuck_details - where to look
 * @session: an open session
 * @types: the kernel's; NULL: there are none
 * @list: threads, all of the machine
 * @fuse: of stuck_fuse.c; NULL: not yet needed
 * @first_child: of each process's first thread its first child; @next_child: the next
 *	of the same parent; places in the list, UINT32_MAX: none. NULL: not yet needed
 * @texts: what was said
 */
struct kcatch_stuck_details {
	struct kcatch_session *session;
	struct kcatch_types *types;
	const struct kcatch_task_list *list;
	struct kcatch_stuck_fuse *fuse;
	uint32_t *first_child;
	uint32_t *next_child;
	struct kcatch_arena texts;
};

/** kcatch_stuck_details_deinit - free what was taken */
void kcatch_stuck_details_deinit(struct kcatch_stuck_details *details);

/**
 * kcatch_stuck_detail_find - look closer
 * @details: where
 * @at: the thread's place in the list; it stands
 * @what: what the functions on its stack say
 * @thread: its reason becomes the longer one; waits_for and certain may be set
 *
 * What cannot be found leaves it as it is.
 */
void kcatch_stuck_detail_find(struct kcatch_stuck_details *details, uint32_t at,
			      enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread);

/**
 * kcatch_stuck_entry_find - a structure on a thread's stack that is to wake it
 * @details: where
 * @task: the thread
 * @private: where in the structure the thread's task_struct is
 * @func: where in it the function that wakes is
 * @function: beginning of that one's name
 *
 * Return: its address, 0: there is none.
 */
uint64_t kcatch_stuck_entry_find(const struct kcatch_stuck_details *details,
				 const struct kcatch_task *task, uint32_t private, uint32_t func,
				 const char *function);

/** kcatch_stuck_offset - bytes from the start of a struct to a member; false: not known */
bool kcatch_stuck_offset(struct kcatch_types *types, const char *type, const char *member,
			 uint32_t *offset);

/** kcatch_stuck_word - a word of the kernel's memory; 0 when it cannot be read */
uint64_t kcatch_stuck_word(const struct kcatch_stuck_details *details, uint64_t address);

/** kcatch_stuck_say - a text that lives as long as @details; NULL without memory */
const char *kcatch_stuck_say(struct kcatch_stuck_details *details, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* stuck_fuse.c */

/**
 * kcatch_stuck_fuse_find - which server has not answered
 * @details: where
 * @at: the thread's place
 * @thread: its reason, waits_for and certain are set
 */
void kcatch_stuck_fuse_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread);

/** kcatch_stuck_fuse_destroy - forget the servers; NULL is fine */
void kcatch_stuck_fuse_destroy(struct kcatch_stuck_fuse *fuse);

/* stuck_file.c */

/** kcatch_stuck_page_find - which page of which file; kcatch_stuck_buffer_find - which block */
void kcatch_stuck_page_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread);
void kcatch_stuck_buffer_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread);

/** kcatch_stuck_file_lock_find - whose lock on a file it waits for: /proc/locks */
void kcatch_stuck_file_lock_find(struct kcatch_stuck_details *details, uint32_t at,
				 struct kcatch_stuck_thread *thread);

#endif
