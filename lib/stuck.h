/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * stuck.h - what does not move, why, and for whom it waits
 *
 * Everything is looked at in a machine that goes on meanwhile. A circle is told only
 * when none of its threads has run between a first look at all of it and a second.
 */
#ifndef LIB_STUCK_H
#define LIB_STUCK_H

#include "kcatch.h"
#include "kernel_locks.h"
#include "tasks.h"
#include "user_locks.h"
#include "wait_graph.h"

/**
 * struct kcatch_stuck_options - what counts
 * @pid: threads of this process, whatever they do; 0: those of all that are stuck
 * @limit_ns: blocked at least as long
 * @sleeping: threads in interruptible sleep as well
 */
struct kcatch_stuck_options {
	uint32_t pid;
	uint64_t limit_ns;
	bool sleeping;
};

/**
 * struct kcatch_stuck_thread - a thread, by its place in the list
 * @syscall: name of the system call it is in; NULL: none, or not known
 * @reason: what it waits for, in words; NULL: not known
 * @lock: a lock of the kernel
 * @user_lock: a lock of its process
 * @waits_for: the thread that it waits for, a place in the list; or KCATCH_WAITS_FOR_NONE
 * @named: the reason says so already
 * @certain: nothing else ends its wait: it can be part of a circle
 * @circle: number of the circle it is in; 0: none
 * @shown: it is among what was asked for
 */
struct kcatch_stuck_thread {
	const char *syscall;
	const char *reason;
	struct kcatch_lock lock;
	struct kcatch_user_lock user_lock;
	uint32_t waits_for;
	uint32_t circle;
	bool named;
	bool certain;
	bool shown;
};

/**
 * struct kcatch_stuck_group - threads with the same kernel stack
 * @members: their places in the list, longest blocked first
 * @nr: how many
 */
struct kcatch_stuck_group {
	const uint32_t *members;
	uint32_t nr;
};

/**
 * struct kcatch_stuck_cpu - a CPU that has not scheduled for long
 * @cpu: its number
 * @thread: what runs there, a place in the list
 * @interrupts_off: it takes no interrupts either
 */
struct kcatch_stuck_cpu {
	uint32_t cpu;
	uint32_t thread;
	bool interrupts_off;
};

/**
 * struct kcatch_stuck - what was found
 * @list: all threads of the machine
 * @threads: as many
 * @groups: those shown, most numerous first
 * @nr_groups: how many
 * @nr_shown: threads in them
 * @nr_circles: circles
 * @cpus: CPUs that do not schedule
 * @nr_cpus: how many
 * @apart: this process numbers processes in another way: none of them was looked into
 */
struct kcatch_stuck {
	struct kcatch_task_list *list;
	struct kcatch_stuck_thread *threads;
	struct kcatch_stuck_group *groups;
	uint32_t nr_groups;
	uint32_t nr_shown;
	uint32_t nr_circles;
	struct kcatch_stuck_cpu *cpus;
	uint32_t nr_cpus;
	bool apart;
};

/**
 * kcatch_stuck_create - look
 * @session: an open session
 * @options: what counts
 * @stuck: what was found
 *
 * Memory: 2 KB a thread of the machine.
 *
 * Return: 0; -ESRCH no such process; -ENOMEM; another -errno.
 */
int kcatch_stuck_create(struct kcatch_session *session, const struct kcatch_stuck_options *options,
			const struct kcatch_stuck **stuck);

/** kcatch_stuck_destroy - forget it; NULL is fine */
void kcatch_stuck_destroy(const struct kcatch_stuck *stuck);

/** kcatch_stuck_age - how long a thread has not run, ns */
uint64_t kcatch_stuck_age(const struct kcatch_stuck *stuck, uint32_t thread);

/**
 * kcatch_stuck_frame - a frame of a thread's kernel stack
 * @stuck: what was found
 * @thread: its place
 * @index: which
 * @frame: the frame
 */
void kcatch_stuck_frame(const struct kcatch_stuck *stuck, uint32_t thread, uint32_t index,
			struct kcatch_frame *frame);

/**
 * kcatch_stuck_user_stack - the user stack of a thread, as it is now
 * @stuck: what was found
 * @thread: its place
 * @frames: innermost first; the strings live until the next call
 * @room: most frames
 *
 * Return: how many; 0: it has none, or it cannot be read.
 */
uint32_t kcatch_stuck_user_stack(const struct kcatch_stuck *stuck, uint32_t thread,
				 struct kcatch_frame *frames, uint32_t room);

/**
 * kcatch_stuck_prove - is it a mutex that a thread waits for in its process
 * @stuck: what was found
 * @thread: its place: its user_lock becomes what is proven
 *
 * Looks at the thread's user stack, unless the same is known from another thread. Of
 * hundreds of different ones some are left as they are: unproven.
 */
void kcatch_stuck_prove(const struct kcatch_stuck *stuck, uint32_t thread);

/** kcatch_stuck_name - the symbol an address lies in; NULL when nobody knows it */
const char *kcatch_stuck_name(const struct kcatch_stuck *stuck, uint64_t address,
			      uint32_t *offset);

#endif
