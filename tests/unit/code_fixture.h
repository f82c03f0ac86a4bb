/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of conditions and counts, checked and run as the module does it. */
#ifndef TESTS_UNIT_CODE_FIXTURE_H
#define TESTS_UNIT_CODE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "condition/condition.h"
#include "condition/count_parts.h"

/* What code looks at: as kernel/code/input.h, with the arguments in their order. */
struct code_input {
	uint64_t args[6];
	uint64_t faults;
	uint64_t ret;
	uint64_t latency;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t uid;
	char comm[KCATCH_COMM_LEN];
	uint64_t oncpu;
	uint64_t runnable;
	uint64_t blocked;
	uint64_t switches;
	uint8_t fields[KCATCH_FIELDS_MAX];
};

/*
 * Each function fails the test when the module would refuse the code.
 *
 * code_result: run a code. @texts: may be NULL. Return: KCATCH_EXIT_*
 */
int code_result(const struct kcatch_op *ops, uint32_t nr, const char *texts, uint32_t nr_texts,
		const struct code_input *input);
/* What comes of the conditions on the entry and the return: '1', '0'; '?': undecided */
char code_says(const struct kcatch_condition_code *code, const struct code_input *input);
/* The value of part @index of a count, which is a number; and the marks of all. */
uint64_t code_part(const struct kcatch_count_wants *wants, uint32_t index,
		   const struct code_input *input);
uint64_t code_marks(const struct kcatch_count_wants *wants, const struct code_input *input);

#endif
