/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * pairs.h - pairs of events: kcatch_request.pair
 *
 * The probes of first events are armed before those of second ones. What is asked of a session
 * without pairs, @pairs being NULL, is false or 0.
 */
#ifndef LIB_SESSION_PAIRS_H
#define LIB_SESSION_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include "condition/count_parts.h"

struct kcatch_pair_state;

/**
 * kcatch_pairs_create - parse the keys of a pair
 * @request: the pair
 * @pairs: receives it; free with kcatch_pairs_destroy()
 *
 * Return: 0; -EINVAL a key is invalid, or there is too much room; -ENOMEM.
 */
int kcatch_pairs_create(const struct kcatch_pair_request *request,
			struct kcatch_pair_state **pairs);
void kcatch_pairs_destroy(struct kcatch_pair_state *pairs);

/**
 * kcatch_pairs_begin - make the table for pairs; programs are those of first events from now on
 * kcatch_pairs_go_on - they are those of second events from now on
 * @session: it has pairs, and no probes yet
 *
 * Return: 0 or -errno.
 */
int kcatch_pairs_begin(struct kcatch_session *session);
void kcatch_pairs_go_on(struct kcatch_session *session);

/** kcatch_pairs_is_first, kcatch_pairs_is_second - whether a probe that is given a program now is
 * of a first or second event */
bool kcatch_pairs_is_first(const struct kcatch_pair_state *pairs);
bool kcatch_pairs_is_second(const struct kcatch_pair_state *pairs);

/** kcatch_pairs_key - the key of such an event; NULL: there are no pairs */
const struct kcatch_expression *kcatch_pairs_key(const struct kcatch_pair_state *pairs);

/** kcatch_pairs_is_off_cpu - a pair is a time that a thread is off the CPU */
bool kcatch_pairs_is_off_cpu(const struct kcatch_pair_state *pairs);

/** kcatch_pairs_sleeps - whether a thread that leaves the CPU sleeps; NULL: no program that is made
 * now is of such an event */
const struct kcatch_expression *kcatch_pairs_sleeps(const struct kcatch_pair_state *pairs);

/** kcatch_pairs_first - the first event, as it was asked for; NULL: there are no pairs */
const char *kcatch_pairs_first(const struct kcatch_pair_state *pairs);

/** kcatch_pairs_nr_first - number of probes of first events, which are the first ones */
size_t kcatch_pairs_nr_first(const struct kcatch_pair_state *pairs);

/**
 * kcatch_pairs_requests - make two requests of one with a pair
 * @request: the request
 * @pair: its pair; that of times off the CPU is filled in
 * @first: receives the request of the first event
 * @second: receives that of the second one. Both refer to @pair
 *
 * Return: 0; -EINVAL it asks for what pairs do not have.
 */
int kcatch_pairs_requests(const struct kcatch_request *request, struct kcatch_pair_request *pair,
			  struct kcatch_request *first, struct kcatch_request *second);

/** kcatch_pairs_first_program - let a program of first events count. Return: 0 or -errno */
int kcatch_pairs_first_program(struct kcatch_session *session, uint32_t number);

/** kcatch_pairs_program - give a program its part in pairs, if there are any. @wants: with the code
 * of the key. Return: 0 or -errno */
int kcatch_pairs_program(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_count_wants *wants);

#endif
