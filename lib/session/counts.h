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

/** kcatch_count_is_first, kcatch_count_is_second - whether a probe that is given a program now is
 * of a first or second event of pairs */
bool kcatch_count_is_first(const struct kcatch_count_state *state);
bool kcatch_count_is_second(const struct kcatch_count_state *state);

/**
 * kcatch_pairs_begin - make the table for pairs; programs are those of first events from now on
 * kcatch_pairs_go_on - they are those of second events from now on
 * @session: its count has pairs, and no probes yet
 *
 * Return: 0 or -errno.
 */
int kcatch_pairs_begin(struct kcatch_session *session);
void kcatch_pairs_go_on(struct kcatch_session *session);

/**
 * kcatch_pairs_requests - make two requests of one that counts pairs
 * @request: the request
 * @count: what it counts
 * @first: receives the request of the first event
 * @second: receives that of the second one. Both refer to @count
 *
 * Return: 0; -EINVAL it asks for what pairs do not have.
 */
int kcatch_pairs_requests(const struct kcatch_request *request,
			  const struct kcatch_count_request *count, struct kcatch_request *first,
			  struct kcatch_request *second);

/** kcatch_pairs_program - give a program that counts its part in pairs, if there are any. Return: 0
 * or -errno */
int kcatch_pairs_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants);

/** kcatch_pairs_first_program - let a program of first events count. Return: 0 or -errno */
int kcatch_pairs_first_program(struct kcatch_session *session, uint32_t number);

/** kcatch_pairs_nr_first - number of probes of first events, which are the first ones. @state: or
 * NULL */
size_t kcatch_pairs_nr_first(const struct kcatch_count_state *state);

/** kcatch_count_has_stack - whether the kernel's stack is a key */
bool kcatch_count_has_stack(const struct kcatch_count_state *state);

/**
 * kcatch_count_wants - get the expressions to compile for each function
 * @state: the keys
 * @wants: receives the expressions; the rest becomes zeros
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
