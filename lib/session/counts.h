/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* counts.h - counting instead of recording: keys, tables in the kernel, rows */
#ifndef LIB_SESSION_COUNTS_H
#define LIB_SESSION_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include <kcatch.h>
#include "condition/count_parts.h"

struct kcatch_count_state;

/**
 * kcatch_count_create - parse the keys and values of a request
 * @request: the keys and values
 * @state: receives them; free with kcatch_count_destroy()
 *
 * Return: 0; -EINVAL a key or value is invalid; -ENOMEM.
 */
int kcatch_count_create(const struct kcatch_count_request *request,
			struct kcatch_count_state **state);
void kcatch_count_destroy(struct kcatch_count_state *state);

/** kcatch_count_at_return - whether a key or value uses ret, failure or latency */
bool kcatch_count_at_return(const struct kcatch_count_state *state);

/** kcatch_count_entries - whether what does not return counts too: kcatch_count_request.entries */
bool kcatch_count_entries(const struct kcatch_count_state *state);

/** kcatch_count_has_stack - whether the kernel's stack is a key */
bool kcatch_count_has_stack(const struct kcatch_count_state *state);

/**
 * kcatch_count_wants - get the expressions to compile for each function
 * @state: the keys
 * @wants: receives the expressions
 */
void kcatch_count_wants(const struct kcatch_count_state *state, struct kcatch_count_wants *wants);

/**
 * kcatch_count_program - let a program count
 * @session: the session; its table is made by the first program
 * @number: number of the program
 * @wants: the compiled keys and values
 * @always: the program's condition on the return holds always
 *
 * Return: 0; -EINVAL a key is a text here and a number in another function; another -errno.
 */
int kcatch_count_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants, bool always);

#endif
