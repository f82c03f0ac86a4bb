/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs: the values to fetch at a probe, and the conditions on recording. A program is
 * created while its session is stopped, never changes, and is freed with the session.
 */
#ifndef _KCATCH_PROGRAM_H
#define _KCATCH_PROGRAM_H

#include "program/condition_input.h"
#include "program/fetch.h"

struct kcatch_counting;
struct kcatch_pair_part;

/* Register arguments that may be tasks: struct kcatch_program.tasks. */
#define KCATCH_TASK_ARGS	6

/* Words in front of the data of a KCATCH_RECORD_MARKED: faults and cut. */
#define KCATCH_MARKS		2

/* struct kcatch_program_code.needs: what the conditions look at. */
#define KCATCH_NEEDS_TASK	(1U << 0)	/* pid tid cpu uid comm */
#define KCATCH_NEEDS_ANY	(1U << 1)	/* there is a condition */
#define KCATCH_NEEDS_MORE	(1U << 2)	/* more than an entry condition over the arguments:
						 * struct kcatch_condition_input is filled in and
						 * kept */
#define KCATCH_NEEDS_COUNT	(1U << 3)	/* entries are counted, not recorded */
#define KCATCH_NEEDS_KEEP	(1U << 4)	/* nothing is read at the entry but words, and the
						 * only condition is on the return */
#define KCATCH_NEEDS_OFF_CPU	(1U << 5)	/* oncpu runnable blocked switches */

/**
 * struct kcatch_range - a condition on the entry that is one comparison of an argument with
 *	constants, done without its code: (argument * scale) - low <= span
 * @scale: shifts the bits that count to the top; 0: it is no such condition
 * @low: the least, scaled
 * @span: the distance from the least to the largest, scaled
 * @place: index of the argument among the words
 */
struct kcatch_range {
	u64 scale;
	u64 low;
	u64 span;
	u32 place;
};

/** kcatch_range_has() - does a range with a scale accept these arguments? @args: KCATCH_ARGS words.
 * Context: any, inside a hook */
static __always_inline bool kcatch_range_has(const struct kcatch_range *range, const u64 *args)
{
	return args[range->place] * range->scale - range->low <= range->span;
}

/**
 * struct kcatch_key - a value that must equal a constant, if that is the first operation of a
 *	condition: the number of a system call. It chooses among the probes of a place
 *	(site_choice.h)
 * @known: it holds only if the value is this
 * @whole: it holds then, if the task's flags are as below, and asks for nothing more
 * @behind: the value is in memory, 8 bytes behind the pointer that is the argument
 * @place: index of the argument among the words
 * @offset: from the pointer to the value, bytes
 * @value: what it must be
 * @task_offset: a word of struct task_struct, in bytes
 * @task_mask: bits of that word, none of which may be set; 0: it is not asked for
 */
struct kcatch_key {
	bool known;
	bool whole;
	bool behind;
	u8 place;
	s32 offset;
	u64 value;
	u32 task_offset;
	u32 task_mask;
};

/** kcatch_key_task_holds() - are the task's flags as the key asks? Context: any */
static __always_inline bool kcatch_key_task_holds(const struct kcatch_key *key)
{
	return !(*(const u32 *)((const void *)current + key->task_offset) & key->task_mask);
}

#define KCATCH_SHAPE_WORDS	8	/* of KCATCH_SHAPE_ENTER */
#define KCATCH_CALL_WORDS_MAX	6	/* of KCATCH_SHAPE_CALL */

/* struct kcatch_probe.event_shape of a group with KCATCH_ADD_IN_CALL: any list, but nearly all hits
 * are refused. Tasks: argument 0, or 1 and 2, as far as any argument is one. */
#define KCATCH_SHAPE_IN_CALL		0xfe
#define KCATCH_SHAPE_IN_CALL_SWITCH	0xff

/* What records an entry at a site whose only probe has the program (call.h). */
enum kcatch_call_path {
	KCATCH_CALL_WORDS,	/* no condition; a list of words is fetched */
	KCATCH_CALL_CONDITION,	/* a condition over arguments alone (KCATCH_NEEDS_ANY) */
	KCATCH_CALL_COUNT,	/* entries are counted */
	KCATCH_CALL_MORE,	/* all other programs */
};

/**
 * struct kcatch_program_code - a checked program
 * @entry: list for the entry
 * @at_return: list for the return
 * @fields: list for the conditions
 * @hops: those of their items
 * @texts: what the conditions compare texts with
 * @entry_condition: condition on the entry, or NULL
 * @range: the same as a range of one argument; scale is 0: it is none
 * @field: the same as one RANGE or BITS of the only item of @fields; NULL: it is none
 * @key: the value that it asks for first
 * @return_condition: condition on the return, or NULL
 * @needs: KCATCH_NEEDS_*
 * @path: enum kcatch_call_path
 * @flags: KCATCH_PROGRAM_*
 * @tasks: arguments that are tasks, of which the gate may let one pass
 * @user_stack: bytes of the user stack to copy
 * @user_maps: with it, bytes for the mappings of the process; 0: none
 * @charged: bytes charged to the memory limit
 * @number: number in its session
 * @bound: it was given to a probe
 * @counting: how it counts; NULL: it records
 * @pair: the part that it has in pairs; NULL: none
 * @record_size: bytes of an event's record, without a stack; 0: its size is known at the hit
 * @event_size: the same; 0: it is not made in the fast path, or there is a condition
 * @event_kind: kind of that record
 * @event_shape: KCATCH_SHAPE_* of the entry's list; with a condition CALL and RET, if that is a key
 *	alone (@key.whole), else NONE
 * @call_words: of CALL the number of words; an item behind them is memory that one of them, number
 *	@call_pointer, points to
 */
struct kcatch_program_code {
	u32 event_size;
	u32 record_size;
	u16 event_kind;
	u8 event_shape;
	u8 call_words;
	u8 call_pointer;
	struct kcatch_items entry;
	struct kcatch_items at_return;
	struct kcatch_items fields;
	s32 *hops;
	char *texts;
	struct kcatch_code *entry_condition;
	struct kcatch_range range;
	const struct kcatch_op *field;
	struct kcatch_key key;
	struct kcatch_code *return_condition;
	u32 needs;
	u32 path;
	u32 flags;
	u32 tasks;
	u32 user_stack;
	u32 user_maps;
	u64 charged;
	u32 number;
	bool bound;
	struct kcatch_counting *counting;
	struct kcatch_pair_part *pair;
};

/* The program of a probe without one whose return is hooked. */
extern const struct kcatch_program_code kcatch_no_program;

/** kcatch_program_user_size() - bytes of a record for the user-mode state. Context: any */
static __always_inline u32 kcatch_program_user_size(const struct kcatch_program_code *code)
{
	return code->user_stack ? sizeof(struct kcatch_user) + code->user_stack + code->user_maps :
				  0;
}

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
 * kcatch_code_take() - take and check the code of a condition or a count
 * @list: user's; without operations @code stays as it is
 * @limits: what it may look at
 * @texts: limits->texts bytes, which must outlive it
 * @code: result; free it with kfree()
 * @bad: receives the index of the operation that is refused
 *
 * Context: may sleep, as long as user memory takes. Return: 0 or -errno
 */
int kcatch_code_take(const struct kcatch_list *list, const struct kcatch_code_limits *limits,
		     const char *texts, struct kcatch_code **code, u32 *bad);

static __always_inline bool kcatch_answer_holds(u32 answer)
{
	return answer && likely(answer != KCATCH_EXIT_UNKNOWN);
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

/** kcatch_program_has_tail() - does a list of KCATCH_SHAPE_CALL have memory behind its words? */
static __always_inline bool kcatch_program_has_tail(const struct kcatch_program_code *code)
{
	return code->entry.nr > code->call_words;
}

/** kcatch_program_record_max() - bytes of its largest record, stack apart; @payload: most
 * bytes of what takes the place of the entry list's data */
u32 kcatch_program_record_max(const struct kcatch_program_code *code, u32 payload);

#endif
