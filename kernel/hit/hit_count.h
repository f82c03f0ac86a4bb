/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting: hits are added to rows of a table instead of making records. uapi/kcatch_count.h is
 * the contract.
 *
 * Each CPU has two logs of rows, of which hits use one. The memory of a log is an array of slots,
 * each the place of a row in the log or 0, and the rows. A row is complete before a slot names it,
 * and it never moves. A hit that interrupts another one finishes first, so everything is done by
 * single instructions of this CPU, without a lock and without the bus lock: a row is allocated by
 * one exchange of `used`, named by one exchange of a slot, and its numbers are added to in memory.
 *
 * Memory: two logs of struct kcatch_new_table.size bytes for each CPU, charged to the limit of all
 * sessions.
 */
#ifndef _KCATCH_HIT_COUNT_H
#define _KCATCH_HIT_COUNT_H

#include <linux/mutex.h>
#include <linux/percpu.h>
#include "program/program.h"

struct kcatch_probe;
struct kretprobe_instance;
struct kcatch_stack;
struct kcatch_session;

/**
 * struct kcatch_count_log - rows of one CPU, with all their memory
 * @mask: number of slots less one
 * @seed: start of the hash
 * @first: place of the first row. A place is counted in words from the struct's beginning
 * @used: words that are taken
 * @end: words of the memory
 * @whole: the row of a table without a key; else NULL
 * @other: the row of hits whose key found no room
 * @slots: place of each row, found by the hash of the key. 0: free. The rows are behind them
 */
struct kcatch_count_log {
	u32 mask;
	u32 seed;
	u32 first;
	u32 used;
	u32 end;
	struct kcatch_row *whole;
	struct kcatch_row *other;
	u32 slots[];
};

static __always_inline struct kcatch_row *kcatch_count_row(const struct kcatch_count_log *log,
							   u32 place)
{
	return (void *)((u64 *)log + place);
}

/* Where a reader finds place 0 of its offsets. */
static __always_inline u8 *kcatch_count_base(const struct kcatch_count_log *log)
{
	return (u8 *)log + log->first * sizeof(u64) - KCATCH_ROW_OTHER;
}

/**
 * struct kcatch_count_cpu - what one CPU has of a table
 * @active: the log that hits use; NULL: the CPU has never been online
 * @logs: both logs; NULL where @active is
 */
struct kcatch_count_cpu {
	struct kcatch_count_log *active;
	struct kcatch_count_log *logs[2];
};

/**
 * struct kcatch_count_table - a table
 * @cpu: its logs
 * @lock: serialises SWAP and ROWS; innermost but for those of kcatch_quiesce()
 * @size: bytes of a log
 * @words: words of the parts of a key
 * @flags: KCATCH_TABLE_*
 * @number: its number in the session
 * @turn: how often it was swapped; @lock
 */
struct kcatch_count_table {
	struct kcatch_count_cpu __percpu *cpu;
	struct mutex lock;
	u32 size;
	u32 words;
	u32 flags;
	u32 number;
	u32 turn;
};

/* A WORD that is told by the running task alone, so that no condition's input is filled in. */
enum kcatch_count_task {
	KCATCH_COUNT_NO_TASK,	/* another one */
	KCATCH_COUNT_PID,
	KCATCH_COUNT_TID,
	KCATCH_COUNT_CPU,
	KCATCH_COUNT_CGROUP,
};

/**
 * struct kcatch_count_part - a checked struct kcatch_part
 * @kind: KCATCH_PART_*
 * @task: enum kcatch_count_task
 * @size: bytes of a TEXT
 * @left: WORD: as in struct kcatch_op
 * @right: likewise
 * @index: CODE: the number of the word
 * @offset: WORD, TEXT: bytes in struct kcatch_condition_input
 */
struct kcatch_count_part {
	u8 kind;
	u8 task;
	u8 size;
	u8 left;
	u8 right;
	u8 index;
	u32 offset;
};

#define KCATCH_COUNT_TASK_WORDS	4

/* Keys that have code of their own, as most counts are by one of them. */
enum kcatch_count_shape {
	KCATCH_COUNT_OTHER,
	KCATCH_COUNT_PLAIN,	/* no key and no value: a hit is one more in the only row */
	KCATCH_COUNT_CALLER,	/* the caller, no value */
	KCATCH_COUNT_COMM,	/* the command, no value */
	KCATCH_COUNT_STACK,	/* the kernel's stack, no value */
	KCATCH_COUNT_TASK,	/* up to KCATCH_COUNT_TASK_WORDS words that the running task, the
				 * caller and the probe tell, no value */
	KCATCH_COUNT_BUCKET,	/* at every return: the bucket of a word, and its values or none */
};

/**
 * struct kcatch_counting - how a program counts
 * @table: where
 * @shape: enum kcatch_count_shape. At the entry there is no condition then
 * @always: the condition on the return holds for every call
 * @args_only: all that is read is among the arguments
 * @caller: a part of the key is the caller
 * @stack: the kernel's stack is part of the key
 * @user_stack: the user's stack is
 * @direct: the stack is the whole key: rows have it themselves
 * @nr_parts: parts of the key
 * @value: the part behind them whose sum, minimum and maximum are kept; NULL: none
 * @bucket: the part whose bucket is part of the key; NULL: none
 * @sources: a bit for each KCATCH_FROM_* that the parts and the code take values from
 * @code: puts the words of parts of kind CODE; NULL: there is none
 * @outs: number of these words
 * @charged: bytes charged to the memory limit
 * @parts: the parts of the key, then the values
 */
struct kcatch_counting {
	struct kcatch_count_table *table;
	u32 shape;
	bool always;
	bool args_only;
	bool caller;
	bool stack;
	bool user_stack;
	bool direct;
	u32 nr_parts;
	const struct kcatch_count_part *value;
	const struct kcatch_count_part *bucket;
	u32 sources;
	struct kcatch_code *code;
	u32 outs;
	u64 charged;
	struct kcatch_count_part parts[KCATCH_PARTS_MAX + 2];
};

/**
 * struct kcatch_count_hit - a hit that passed its gate and its conditions
 * @input: what parts read; only its arguments if the program is args_only
 * @caller: address for KCATCH_PART_CALLER
 * @stack: the kernel's stack, if the program wants it
 * @level: level of the guard
 */
struct kcatch_count_hit {
	const struct kcatch_condition_input *input;
	unsigned long caller;
	const struct kcatch_stack *stack;
	int level;
};

/**
 * kcatch_count_hit() - add a hit to its row
 * @probe: its probe, whose program counts; the hit is counted as recorded or lost
 * @hit: the hit
 * @mode: KCATCH_GROUP_*
 *
 * Takes its share of the budget if the hit is in a row of its key.
 *
 * Context: any, inside a hook.
 */
void kcatch_count_hit(const struct kcatch_probe *probe, const struct kcatch_count_hit *hit,
		      u32 mode);

/**
 * kcatch_count_entry() - count the entry of a function whose site has one probe, that counts
 * @probe: passed its gate
 * @caller: return address
 * @where: from kcatch_where_fast()
 * @regs: arguments, SP and BP
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_count_entry(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			struct pt_regs *regs);

/**
 * kcatch_count_returned() - the return of a call whose probe counts and needs no more
 * @instance: the call
 * @regs: at the return
 * @where: from kcatch_where_fast()
 *
 * Context: any, inside a hook; leaves the guard. Return: 0
 */
int kcatch_count_returned(struct kretprobe_instance *instance, const struct pt_regs *regs,
			  u32 where);

/* ---- process context: count_table.c ------------------------------------------------- */

/** kcatch_count_table_create() - make a table for the CPUs that are online. @user: as the uapi
 * says. Context: may sleep. Return: 0 or -errno */
int kcatch_count_table_create(struct kcatch_session *session, struct kcatch_new_table *user);

/** kcatch_count_cpu_comes() - make a CPU's logs in all tables of a session. Context: may sleep,
 * ring_lock not held. Return: 0 or -ENOMEM */
int kcatch_count_cpu_comes(struct kcatch_session *session, unsigned int cpu);

/** kcatch_counts_destroy() - free what counts in a session that no hook uses */
void kcatch_counts_destroy(struct kcatch_session *session);

/** kcatch_count_program() - let a program count. @count: as the uapi says; user memory is read.
 * Context: may sleep. Return: 0 or -errno */
int kcatch_count_program(struct kcatch_session *session, const struct kcatch_count *count);

/** kcatch_count_swap() - exchange the logs of a table. Context: may sleep. Return: 0 or -errno */
int kcatch_count_swap(struct kcatch_session *session, u32 number);

/** kcatch_count_rows() - copy rows to user space. @rows: as the uapi says. Context: may sleep.
 * Return: 0 or -errno */
int kcatch_count_rows(struct kcatch_session *session, struct kcatch_rows *rows);

#endif
