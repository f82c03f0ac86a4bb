/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs: the values to fetch at a probe, and the conditions on recording. A program is
 * created while its session is stopped, never changes, and is freed with the session.
 */
#ifndef _KCATCH_PROGRAM_H
#define _KCATCH_PROGRAM_H

#include <linux/filter.h>
#include "program/condition_key.h"
#include "program/condition_range.h"
#include "program/fetch.h"

struct kcatch_counting;

/* Register arguments that may be tasks: struct kcatch_program.tasks. */
#define KCATCH_TASK_ARGS	6

/* struct kcatch_program_code.needs: parts of struct kcatch_condition that the
 * conditions look at. */
#define KCATCH_NEEDS_TASK	(1U << 0)	/* pid tid cpu uid comm */
#define KCATCH_NEEDS_ANY	(1U << 1)	/* there is a condition */
#define KCATCH_NEEDS_MORE	(1U << 2)	/* more than an entry condition over the arguments:
						 * struct kcatch_condition is filled in and kept */
#define KCATCH_NEEDS_COUNT	(1U << 3)	/* entries are counted, not recorded */
#define KCATCH_NEEDS_KEEP	(1U << 4)	/* nothing is read at the entry but arguments, and
						 * the only condition is on the return */

/* struct kcatch_condition as we have it: the arguments stand as in struct pt_regs, so
 * that a condition over nothing else is run over those. */
struct kcatch_condition_input {
	u64 args[KCATCH_ARGS];
	u64 faults;
	u64 ret;
	u64 latency;
	u32 pid;
	u32 tid;
	u32 cpu;
	u32 uid;
	char comm[KCATCH_COMM_LEN];
	u8 fields[KCATCH_FIELDS_MAX];
};

/* Lists of the most frequent tracepoints, which have hooks of their own: hook_tracepoint.c. All is
 * at offsets that are known when the module is built. */
enum kcatch_event_shape {
	KCATCH_SHAPE_NONE,
	KCATCH_SHAPE_ARG,	/* argument 0 (softirqs, interrupts) */
	KCATCH_SHAPE_ENTER,	/* argument 1, the words of struct pt_regs from R10 to DI behind
				 * argument 0: the entry of a system call */
	KCATCH_SHAPE_EXIT,	/* the word ORIG_AX behind argument 0, argument 1: its exit */
	KCATCH_SHAPE_CALL,	/* the first KCATCH_CALL_WORDS_MAX or fewer arguments of a system
				 * call, behind argument 0; then nothing or one item of fixed size
				 * that one of them points to */
	KCATCH_SHAPE_RET,	/* argument 1: what a system call returns */
	KCATCH_SHAPE_SWITCH,	/* arguments 0 to 3, of which 1 and 2 are tasks, then the name and
				 * the number of each: a switch of tasks */
};
#define KCATCH_SHAPE_WORDS	8	/* of ENTER */
#define KCATCH_CALL_WORDS_MAX	6

/* What records an entry at a site whose only probe has the program (call.h). */
enum kcatch_call_path {
	KCATCH_CALL_PLAIN,	/* no condition; only register arguments are fetched */
	KCATCH_CALL_CONDITION,	/* a condition over arguments alone (KCATCH_NEEDS_ANY) */
	KCATCH_CALL_COUNT,	/* entries are counted */
	KCATCH_CALL_WORDS,	/* no condition; a list of words is fetched */
	KCATCH_CALL_MORE,	/* all other programs */
};

/**
 * struct kcatch_program_code - a checked program
 * @entry: list for the entry
 * @at_return: list for the return
 * @fields: list for the conditions
 * @entry_condition: condition on the entry, or NULL
 * @range: the same as a range of one argument; scale is 0: it is none
 * @key: the value that it asks for first
 * @return_condition: condition on the return, or NULL
 * @needs: KCATCH_NEEDS_*
 * @path: enum kcatch_call_path
 * @flags: KCATCH_PROGRAM_*
 * @tasks: arguments that are tasks, of which the gate may let one pass
 * @simple: the entry's list is plain, and no user stack is copied
 * @user_stack: bytes of the user stack to copy
 * @charged: bytes charged to the memory limit
 * @number: number in its session
 * @bound: it was given to a probe
 * @counting: how it counts; NULL: it records
 * @record_size: bytes of an event's record, without a stack; 0: its size is known at the hit
 * @event_size: the same; 0: it is not made in the fast path, or there is a condition
 * @event_kind: kind of that record
 * @own_size: bytes of the record that the hook of a tracepoint makes itself, of @event_shape
 * @own_kind: its kind
 * @event_shape: enum kcatch_event_shape of the entry's list; with a condition CALL and RET, if that
 *	is a key alone (@key.whole), else NONE
 * @call_words: of CALL the number of words
 */
struct kcatch_program_code {
	u32 event_size;
	u32 record_size;
	u32 own_size;
	u16 event_kind;
	u16 own_kind;
	u8 event_shape;
	u8 call_words;
	struct kcatch_steps entry;
	struct kcatch_steps at_return;
	struct kcatch_steps fields;
	struct bpf_prog *entry_condition;
	struct kcatch_range range;
	struct kcatch_key key;
	struct bpf_prog *return_condition;
	u32 needs;
	u32 path;
	u32 flags;
	u32 tasks;
	bool simple;
	u32 user_stack;
	u64 charged;
	u32 number;
	bool bound;
	struct kcatch_counting *counting;
};

/* The program of a probe without one whose return is hooked. */
extern const struct kcatch_program_code kcatch_no_program;

/**
 * kcatch_program_create() - take a program from user space and check it
 * @user: as the uapi says; bad_list and bad_item are set
 * @code: result
 *
 * Context: may sleep. Return: 0 or -errno as for KCATCH_IOC_PROGRAM
 */
int kcatch_program_create(struct kcatch_program *user, struct kcatch_program_code **code);

/** kcatch_program_set_path() - to be called when @needs has changed. Context: may sleep; no hook
 * uses the program yet */
void kcatch_program_set_path(struct kcatch_program_code *code);

void kcatch_program_destroy(struct kcatch_program_code *code);

/**
 * kcatch_condition_take() - take and check the instructions of a condition
 * @list: user's; without instructions @prog stays as it is
 * @prog: result
 * @end: raised to the end of what is read of struct kcatch_condition, bytes
 * @task: set if members about the task are read
 * @range: the range it accepts; or NULL
 * @demands: what it demands; or NULL
 *
 * Context: may sleep, as long as user memory takes. Return: 0 or -errno
 */
int kcatch_condition_take(const struct kcatch_list *list, struct bpf_prog **prog, u32 *end,
			  bool *task, struct kcatch_range *range,
			  struct kcatch_demands *demands);

/** kcatch_condition_place() - where byte @k of struct kcatch_condition is in struct
 * kcatch_condition_input */
u32 kcatch_condition_place(u32 k);

/** kcatch_condition_reads_task() - are any of @size bytes at byte @k of struct kcatch_condition
 * members about the task? */
static inline bool kcatch_condition_reads_task(u32 k, u32 size)
{
	return k + size > offsetof(struct kcatch_condition, pid) &&
	       k < offsetof(struct kcatch_condition, fields);
}

/** kcatch_condition_answer() - run a condition over @input: arguments, or a struct
 * kcatch_condition_input. bpf_prog_run() without the statistics, which nobody can read of a
 * program that has no descriptor. Context: any, inside a hook. Return: 0: it does not hold;
 * KCATCH_CONDITION_UNDECIDED; else it holds */
static __always_inline u32 kcatch_condition_answer(const struct bpf_prog *condition,
						   const void *input)
{
	return condition->bpf_func(input, condition->insnsi);
}

static __always_inline bool kcatch_answer_holds(u32 answer)
{
	return answer && likely(answer != KCATCH_CONDITION_UNDECIDED);
}

/** kcatch_condition_admits() - kcatch_condition_answer() of the condition on the entry, over
 * nothing but arguments */
static __always_inline u32 kcatch_condition_admits(const struct kcatch_program_code *code,
						    const u64 *args)
{
	if (likely(code->range.scale))
		return kcatch_range_has(&code->range, args);
	return kcatch_condition_answer(code->entry_condition, args);
}

/** kcatch_program_gates_late() - does the gate need the arguments of a hit? @code: or NULL */
static __always_inline bool kcatch_program_gates_late(const struct kcatch_program_code *code)
{
	return code && (code->flags & KCATCH_PROGRAM_KEYED || code->tasks);
}

/** kcatch_program_is_keyed() - are hits with another key none of the probe's? @code: or NULL */
static __always_inline bool kcatch_program_is_keyed(const struct kcatch_program_code *code)
{
	return code && code->flags & KCATCH_PROGRAM_KEYED;
}

/** kcatch_program_record_max() - bytes of its largest record, stack apart; @payload: most
 * bytes of what takes the place of the entry list's data */
u32 kcatch_program_record_max(const struct kcatch_program_code *code, u32 payload);

#endif
