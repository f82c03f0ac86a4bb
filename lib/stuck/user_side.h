/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_side.h - what only the memory and the files of processes tell: locks, stacks, arguments
 *
 * They may lie on a server that does not answer, which may be what the process waits for. So a
 * helper process reads them. A process on which the helper blocks is marked KCATCH_TASK_UNREAD
 * with all its threads, and left alone from then on.
 */
#ifndef LIB_STUCK_USER_SIDE_H
#define LIB_STUCK_USER_SIDE_H

#include <kcatch_stuck.h>

#include "stuck/task_list.h"

struct kcatch_user_side;

/**
 * kcatch_user_side_create - create the object; no process is read yet
 * @stuck: the findings: kcatch_stuck_thread.unread and kcatch_stuck.nr_unread are set there
 * @list: all threads of the machine, those of @stuck; flags are set there
 * @side: the new object
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_user_side_create(struct kcatch_stuck *stuck, struct kcatch_task_list *list,
			    struct kcatch_user_side **side);

/**
 * kcatch_user_side_destroy - free the object
 * @side: may be NULL
 */
void kcatch_user_side_destroy(struct kcatch_user_side *side);

/**
 * kcatch_user_side_find_locks - find the locks of all threads that wait for none of the kernel
 * @side: the object; kcatch_stuck_thread.user_lock is set
 */
void kcatch_user_side_find_locks(struct kcatch_user_side *side);

/**
 * kcatch_user_side_look_again - exchange the list in which kcatch_user_side_find_again() looks
 * @side: the object
 * @list: all threads of the machine, as they are now; NULL: none
 */
void kcatch_user_side_look_again(struct kcatch_user_side *side,
				 const struct kcatch_task_list *list);

/**
 * kcatch_user_side_find_again - find the lock of a thread as it is now
 * @side: the object
 * @task: a thread of the list of kcatch_user_side_look_again()
 * @lock: the lock, not yet proven; KCATCH_USER_LOCK_NONE if it cannot be read
 */
void kcatch_user_side_find_again(struct kcatch_user_side *side, const struct kcatch_task *task,
				 struct kcatch_user_lock *lock);

/**
 * kcatch_user_side_prove - prove a thread's lock
 * @side: the object
 * @thread: index in @stuck->threads; updates its user_lock
 * @may_unwind: the thread's user stack may be examined, if nothing else proves the lock
 *
 * Return: whether that was examined.
 */
bool kcatch_user_side_prove(struct kcatch_user_side *side, uint32_t thread, bool may_unwind);

/**
 * kcatch_user_side_stack - unwind a thread's user stack
 * @side: the object
 * @thread: index in @stuck->threads
 * @frames: frames, innermost first; strings live until the next call
 * @room: number of entries that fit in @frames
 *
 * Return: number of entries in @frames.
 */
uint32_t kcatch_user_side_stack(struct kcatch_user_side *side, uint32_t thread,
				struct kcatch_frame *frames, uint32_t room);

/**
 * kcatch_user_side_syscall - a thread's system call with its arguments
 * @side: the object
 * @thread: index in @stuck->threads, with a system call and registers
 * @text: receives the text, as of kcatch_syscall_text()
 * @room: bytes at @text
 */
void kcatch_user_side_syscall(struct kcatch_user_side *side, uint32_t thread, char *text,
			      size_t room);

#endif
