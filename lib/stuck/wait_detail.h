/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * wait_detail.h - details of the object that a thread waits for: which page, which child,
 * which FUSE server, whose file lock
 *
 * They come from structures on the thread's own stack, which the kernel's types locate and
 * whose function pointers identify them, and from /proc. Nothing here accesses a file system,
 * because that may be what is stuck.
 */
#ifndef LIB_STUCK_WAIT_DETAIL_H
#define LIB_STUCK_WAIT_DETAIL_H

#include <kcatch_containers.h>
#include "stuck/stuck_threads.h"
#include "stuck/wait_reason.h"

struct kcatch_stuck_fuse;
struct kcatch_stuck_files;
struct kcatch_stuck_tcp;

/**
 * struct kcatch_stuck_details - inputs and caches of the search for details
 * @session: an open session
 * @types: the kernel's types; NULL: not available
 * @list: all threads of the machine
 * @fuse: cache of fuse_waits.c; NULL: not needed yet
 * @files: cache of open_files.c; NULL: not needed yet
 * @tcp: cache of tcp_peers.c; NULL: not needed yet
 * @first_child: by index of a process's first thread in @list, index of its first child;
 *	UINT32_MAX: none. NULL: not needed yet
 * @next_child: by index of a child, index of the next child of the same parent; UINT32_MAX:
 *	none. NULL: not needed yet
 * @texts: memory of the texts made by kcatch_stuck_say()
 */
struct kcatch_stuck_details {
	struct kcatch_session *session;
	struct kcatch_types *types;
	const struct kcatch_task_list *list;
	struct kcatch_stuck_fuse *fuse;
	struct kcatch_stuck_files *files;
	struct kcatch_stuck_tcp *tcp;
	uint32_t *first_child;
	uint32_t *next_child;
	struct kcatch_arena texts;
};

/** kcatch_stuck_details_deinit - free the caches and all texts */
void kcatch_stuck_details_deinit(struct kcatch_stuck_details *details);

/**
 * kcatch_stuck_detail_find - find details of the object that a thread waits for
 * @details: inputs and caches
 * @at: index of the thread in the list; it must be off the CPU
 * @what: kind of object, from the functions on the thread's stack
 * @thread: its reason is replaced by a longer text; waits_for and certain may be set
 *
 * If no details are found, @thread is unchanged.
 */
void kcatch_stuck_detail_find(struct kcatch_stuck_details *details, uint32_t at,
			      enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread);

/**
 * kcatch_stuck_entry_find - find the wait queue entry on a thread's stack
 * @details: inputs and caches
 * @task: the thread
 * @private: offset in bytes of the entry's pointer to the thread's task_struct
 * @func: offset in bytes of the entry's pointer to the wake function
 * @function: beginning of the wake function's name
 *
 * Return: kernel address of the entry; 0: there is none.
 */
uint64_t kcatch_stuck_entry_find(const struct kcatch_stuck_details *details,
				 const struct kcatch_task *task, uint32_t private, uint32_t func,
				 const char *function);

/**
 * kcatch_stuck_queue_find - find the wait queue that a thread is in
 * @details: inputs and caches
 * @task: the thread, which has an entry on its own stack
 * @function: beginning of the name of the entry's wake function
 *
 * Return: kernel address of the struct wait_queue_head, the one link that is on no thread's stack;
 * 0: there is none.
 */
uint64_t kcatch_stuck_queue_find(const struct kcatch_stuck_details *details,
				 const struct kcatch_task *task, const char *function);

/** kcatch_stuck_is_named - true: the kernel's symbol at @address begins with @name */
bool kcatch_stuck_is_named(const struct kcatch_stuck_details *details, uint64_t address,
			   const char *name);

/** kcatch_stuck_word - read a word (8 bytes) of kernel memory; 0 if it cannot be read */
uint64_t kcatch_stuck_word(const struct kcatch_stuck_details *details, uint64_t address);

/**
 * struct kcatch_stuck_place - where a member of a kernel structure is
 * @type: "struct NAME"
 * @member: name of the member
 * @offset: bytes from the start of the structure, set by kcatch_stuck_learn()
 */
struct kcatch_stuck_place {
	const char *type, *member;
	uint32_t offset;
};

/** kcatch_stuck_learn - find all @places; false: one of them is not in this kernel's types */
bool kcatch_stuck_learn(const struct kcatch_stuck_details *details,
			struct kcatch_stuck_place *places, size_t nr);

/** kcatch_stuck_text - read a name of the kernel, escaped; "" if it cannot be read */
void kcatch_stuck_text(const struct kcatch_stuck_details *details, uint64_t address, char *shown,
		       size_t room);

#define KCATCH_STUCK_NAME_ROOM 96	/* for kcatch_stuck_task_name() */

/** kcatch_stuck_task_name - write "name(TID)" of a thread, escaped */
void kcatch_stuck_task_name(const struct kcatch_task *task, char *text, size_t room);

/** kcatch_stuck_say - format a text that lives as long as @details; NULL if memory is short */
const char *kcatch_stuck_say(struct kcatch_stuck_details *details, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* fuse_waits.c */

/**
 * kcatch_stuck_fuse_find - find the FUSE server that has not answered a thread's request
 * @details: inputs and caches
 * @at: index of the thread in the list
 * @thread: its reason, waits_for and certain are set
 */
void kcatch_stuck_fuse_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread);

/** kcatch_stuck_fuse_destroy - free the list of servers; NULL is ignored */
void kcatch_stuck_fuse_destroy(struct kcatch_stuck_fuse *fuse);

/** kcatch_stuck_zombie_find - say for whom the first thread of a process waits that has ended */
void kcatch_stuck_zombie_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread);

/* cpu_waits.c */

/**
 * kcatch_stuck_runnable_find - find for how long a thread has had no CPU, and why
 * @details: inputs and caches
 * @at: index of the thread in the list, which is in state R and off the CPU
 * @thread: its reason and runnable_ns are set
 */
void kcatch_stuck_runnable_find(struct kcatch_stuck_details *details, uint32_t at,
				struct kcatch_stuck_thread *thread);

/** kcatch_stuck_freezer_find - say of a thread that is frozen or stopped which of both it is */
void kcatch_stuck_freezer_find(struct kcatch_stuck_details *details, uint32_t at,
			       struct kcatch_stuck_thread *thread);

/* poll_waits.c */

/**
 * struct kcatch_polled - the one file that a thread polls
 * @file: kernel address of its struct file
 * @events: what it waits for: EPOLLIN and the like
 * @fd: the descriptor it was given for; -1: not known
 */
struct kcatch_polled {
	uint64_t file;
	uint32_t events;
	int fd;
};

/**
 * kcatch_stuck_polled_find - find the file that a thread in poll() or select() waits for
 * kcatch_stuck_epolled_find - find the file that an epoll instance has
 * @details: inputs and caches
 * @task: the thread
 * @eventpoll: kernel address of the struct eventpoll
 * @polled: receives the file
 *
 * Return: whether there is exactly one.
 */
bool kcatch_stuck_polled_find(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			      struct kcatch_polled *polled);
bool kcatch_stuck_epolled_find(struct kcatch_stuck_details *details, uint64_t eventpoll,
			       struct kcatch_polled *polled);

/* tcp_peers.c */

/**
 * kcatch_stuck_tcp_peer - find the other end of a TCP connection inside the machine
 * @details: inputs and caches
 * @task: a thread in the network namespace of the connection
 * @inode: number of the socket's inode
 *
 * Reads all TCP connections of a namespace when it is asked for another one than before.
 *
 * Return: number of the other end's inode; 0: it is in another machine or namespace, or not known.
 */
uint64_t kcatch_stuck_tcp_peer(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			       uint64_t inode);

/** kcatch_stuck_tcp_destroy - free the list of connections; NULL is ignored */
void kcatch_stuck_tcp_destroy(struct kcatch_stuck_tcp *tcp);

/* other_ends.c */

/**
 * kcatch_stuck_end_find - find who has the other end of the pipe or socket that a thread waits for
 * @details: inputs and caches
 * @at: index of the thread in the list
 * @what: kind of object; others than pipes, sockets, eventfds and polls are left as they are
 * @thread: its reason is replaced by a longer text; waits_for is set if one process has that end
 *
 * Reads the tables of open files of all processes, the first time.
 */
void kcatch_stuck_end_find(struct kcatch_stuck_details *details, uint32_t at,
			   enum kcatch_stuck_what what, struct kcatch_stuck_thread *thread);

/* file_waits.c */

/**
 * kcatch_stuck_suspended_find - find the block devices of the device mapper that are suspended
 * @details: inputs and caches
 *
 * Return: their names, "dm-0 (data)"; NULL: there is none.
 */
const char *kcatch_stuck_suspended_find(struct kcatch_stuck_details *details);

/**
 * kcatch_stuck_page_find - find the page, and its file, that a thread waits for
 * kcatch_stuck_buffer_find - find the block that a thread waits for
 * kcatch_stuck_direct_find - find the file that a thread reads or writes past the page cache
 * kcatch_stuck_thaw_find - find the frozen file system that a thread waits for
 * @details: inputs and caches
 * @at: index of the thread in the list
 * @thread: its reason is replaced by a longer text
 */
void kcatch_stuck_page_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread);
void kcatch_stuck_buffer_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread);
void kcatch_stuck_direct_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread);
void kcatch_stuck_thaw_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread);

/** kcatch_stuck_file_lock_find - find the owner of the file lock waited for, in /proc/locks */
void kcatch_stuck_file_lock_find(struct kcatch_stuck_details *details, uint32_t at,
				 struct kcatch_stuck_thread *thread);

#endif
