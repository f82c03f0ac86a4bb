/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the code of a condition looks at in the module, and running it over that.
 */
#ifndef _KCATCH_CONDITION_INPUT_H
#define _KCATCH_CONDITION_INPUT_H

#include <uapi/kcatch.h>
#include "code/code.h"
#include "program/items.h"

/**
 * struct kcatch_condition_input - what a condition looks at
 * @args: register arguments, as struct pt_regs has them: a code that needs nothing else is run over
 *	those
 * @faults: one bit for each item in @fields that could not be read
 * @ret: return value; 0 at the entry
 * @latency: nanoseconds; 0 at the entry
 * @pid: process ID
 * @tid: thread ID
 * @cpu: the CPU
 * @uid: user ID of the thread
 * @comm: the command
 * @oncpu: nanoseconds of the latency that it was on a CPU; this and the next are 0 at the entry
 * @runnable: nanoseconds that it waited for one
 * @blocked: nanoseconds that it was blocked
 * @switches: how often it was switched out; KCATCH_SWITCHES_UNKNOWN: the last four are not known
 * @fields: what the program's fields put
 */
struct kcatch_condition_input {
	u64 args[KCATCH_ARGS];
	u64 faults;
	u64 ret;
	u64 latency;
	u64 pid;
	u64 tid;
	u64 cpu;
	u64 uid;
	char comm[KCATCH_COMM_LEN];
	u64 oncpu;
	u64 runnable;
	u64 blocked;
	u64 switches;
	u8 fields[KCATCH_FIELDS_MAX];
};

/**
 * struct kcatch_code - a checked code
 * @texts: what it compares texts with; not its own
 * @texts_size: bytes of @texts
 * @sources: a bit for each KCATCH_FROM_* that it takes values from, and KCATCH_CODE_LOADS
 * @nr: number of operations
 * @ops: as user space gave them; but @offset of each source from KCATCH_FROM_ARG on is that in
 *	struct kcatch_condition_input, as is that of a LOAD
 */
struct kcatch_code {
	const char *texts;
	u32 texts_size;
	u32 sources;
	u32 nr;
	struct kcatch_op ops[];
};

/** kcatch_code_place() - where the value of a source from KCATCH_FROM_ARG on is in struct
 * kcatch_condition_input, bytes. @offset: of a FIELD */
static inline u32 kcatch_code_place(u32 from, u32 index, u32 offset)
{
	switch (from) {
	case KCATCH_FROM_ARG:
		return kcatch_args_place(index) * sizeof(u64);
	case KCATCH_FROM_FIELD:
		return offsetof(struct kcatch_condition_input, fields) + offset;
	case KCATCH_FROM_RET:
		return offsetof(struct kcatch_condition_input, ret);
	case KCATCH_FROM_LATENCY:
		return offsetof(struct kcatch_condition_input, latency);
	case KCATCH_FROM_PID:
		return offsetof(struct kcatch_condition_input, pid);
	case KCATCH_FROM_TID:
		return offsetof(struct kcatch_condition_input, tid);
	case KCATCH_FROM_CPU:
		return offsetof(struct kcatch_condition_input, cpu);
	case KCATCH_FROM_UID:
		return offsetof(struct kcatch_condition_input, uid);
	case KCATCH_FROM_ONCPU:
		return offsetof(struct kcatch_condition_input, oncpu);
	case KCATCH_FROM_RUNNABLE:
		return offsetof(struct kcatch_condition_input, runnable);
	case KCATCH_FROM_BLOCKED:
		return offsetof(struct kcatch_condition_input, blocked);
	case KCATCH_FROM_SWITCHES:
		return offsetof(struct kcatch_condition_input, switches);
	default:
		return offsetof(struct kcatch_condition_input, comm);
	}
}

/* Sources that are there without a struct kcatch_condition_input. */
#define KCATCH_CODE_ARGS_ALONE	(1U << KCATCH_FROM_NONE | 1U << KCATCH_FROM_CONST | \
				 1U << KCATCH_FROM_ACC | 1U << KCATCH_FROM_SAVED | \
				 1U << KCATCH_FROM_ARG)

/* Sources that are about the task. */
#define KCATCH_CODE_TASK	(1U << KCATCH_FROM_PID | 1U << KCATCH_FROM_TID | \
				 1U << KCATCH_FROM_CPU | 1U << KCATCH_FROM_UID | \
				 1U << KCATCH_FROM_COMM)

/* Sources that are about the time of a call off the CPU. */
#define KCATCH_CODE_OFF_CPU                                                                 \
	(1U << KCATCH_FROM_ONCPU | 1U << KCATCH_FROM_RUNNABLE | 1U << KCATCH_FROM_BLOCKED | \
	 1U << KCATCH_FROM_SWITCHES)

/**
 * kcatch_condition_answer() - run the code of a condition
 * @code: the code
 * @input: a struct kcatch_condition_input; arguments alone, if the code needs no more
 *
 * Context: any, inside a hook. Return: KCATCH_EXIT_*
 */
u32 kcatch_condition_answer(const struct kcatch_code *code, const void *input);

/** kcatch_condition_again() - run the code of a condition on the entry at the return. @input: as it
 * was at the entry, but for user memory that was read again. Context: any, inside a hook. Return:
 * KCATCH_EXIT_* */
u32 kcatch_condition_again(const struct kcatch_code *code, struct kcatch_condition_input *input);

/** kcatch_code_put() - run a code that puts words. @out: @nr words, zeroed first. Context: any,
 * inside a hook */
void kcatch_code_put(const struct kcatch_code *code, const void *input, u64 *out, u32 nr);

#endif
