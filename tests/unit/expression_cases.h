/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expression_cases.h - expressions, and what they mean by C's rules */
#ifndef TESTS_UNIT_EXPRESSION_CASES_H
#define TESTS_UNIT_EXPRESSION_CASES_H

#include <stdbool.h>

#include "code_fixture.h"
#include "condition/expression.h"

#define EXPRESSION_CASE_ROOM (KCATCH_EXPRESSION_LENGTH + 1000)

/* What a condition may see: arguments, ret, latency, pid, uid. */
void expression_case_data(struct code_input *data);

/*
 * An expression about arg0..arg5, ret, pid, uid and (@latency) latency, from random().
 * Return: whether it holds for @data: '1', '0'; '?': it divides by zero, and is unknown.
 */
char expression_case_make(const struct code_input *data, bool latency,
			  char text[EXPRESSION_CASE_ROOM]);

#endif
