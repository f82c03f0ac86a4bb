/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs: the values to fetch at a probe, and the conditions on recording. A program is
 * created while its session is stopped, never changes, and is freed with the session.
 */
#ifndef _KCATCH_PROGRAM_H
#define _KCATCH_PROGRAM_H

#include <linux/filter.h>
#include "fetch.h"

/* struct kcatch_program_code.needs: parts of struct kcatch_condition that the
 * conditions look at. */
#define KCATCH_NEEDS_TASK	(1U << 0)	/* pid tid cpu uid comm */
#define KCATCH_NEEDS_ANY	(1U << 1)	/* there is a condition */
#define KCATCH_NEEDS_MORE	(1U << 2)	/* more than an entry condition over the arguments:
						 * struct kcatch_condition is filled in and kept */

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

/* Lists of the most frequent tracepoints, that have code of their own in their hook. What
 * is pointed to is on this stack, or it is not had so. */
enum kcatch_event_shape {
	KCATCH_SHAPE_NONE,
	KCATCH_SHAPE_ARG,	/* argument 0 (softirqs, interrupts) */
	KCATCH_SHAPE_ARG_WORDS,	/* argument 1, 8 words behind argument 0 (entry of a system call) */
	KCATCH_SHAPE_WORD_ARG,	/* a word behind argument 0, argument 1 (its exit) */
};
#define KCATCH_SHAPE_WORDS	8

/**
 * struct kcatch_program_code - a checked program
 * @entry: list for the entry
 * @at_return: list for the return
 * @fields: list for the conditions
 * @entry_condition: condition on the entry, or NULL
 * @return_condition: condition on the return, or NULL
 * @needs: KCATCH_NEEDS_*
 * @flags: KCATCH_PROGRAM_*
 * @user_stack: bytes of the user stack to copy
 * @charged: bytes charged to the memory limit
 * @number: number in its session
 * @event_size: bytes of an event's record, without a stack; 0: it is not made in the fast path
 * @event_kind: kind of that record
 * @event_shape: enum kcatch_event_shape of the entry's list
 * @event_offset: of a shape that has an argument point to something
 */
struct kcatch_program_code {
	u32 event_size;
	u16 event_kind;
	u16 event_shape;
	s32 event_offset;
	struct kcatch_steps entry;
	struct kcatch_steps at_return;
	struct kcatch_steps fields;
	struct bpf_prog *entry_condition;
	struct bpf_prog *return_condition;
	u32 needs;
	u32 flags;
	u32 user_stack;
	u64 charged;
	u32 number;
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
void kcatch_program_destroy(struct kcatch_program_code *code);

/** kcatch_condition_holds() - run a condition over @input: arguments, or a struct
 * kcatch_condition_input. bpf_prog_run() without the statistics, which nobody can read of a
 * program that has no descriptor. Context: any, inside a hook */
static __always_inline bool kcatch_condition_holds(const struct bpf_prog *condition,
						   const void *input)
{
	return condition->bpf_func(input, condition->insnsi);
}

/** kcatch_program_record_max() - bytes of its largest record, stack apart; @payload: most
 * bytes of what takes the place of the entry list's data */
u32 kcatch_program_record_max(const struct kcatch_program_code *code, u32 payload);

#endif
