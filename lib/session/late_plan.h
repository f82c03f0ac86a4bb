/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * late_plan.h - plans that are made when the first call of a function is shown or recorded
 *
 * What is fetched of a call depends on the class of its function's types (fetch/plan.h), and the
 * program of another function of the class is used for it. The names and types of what is fetched
 * are looked up here, for functions that are hit.
 */
#ifndef LIB_SESSION_LATE_PLAN_H
#define LIB_SESSION_LATE_PLAN_H

#include "fetch/plan.h"

struct kcatch_session;

/**
 * struct kcatch_late_plan - a plan that may not be made yet, for all functions of one type
 * @proto: prototype of the functions
 * @options: how much to fetch; owned by the session
 * @like: the plan whose items are used for them
 * @plan: the plan; NULL: not made yet
 */
struct kcatch_late_plan {
	struct kcatch_type proto;
	const struct kcatch_plan_options *options;
	const struct kcatch_plan *like;
	const struct kcatch_plan *plan;
};

/**
 * kcatch_session_make_plan - make a probe's plan, unless it is made or there is none
 * @session: the session
 * @number: number of the probe; its slot's @plan is set
 *
 * Where arguments were not asked for, the plan has the type of the return value alone.
 *
 * Return: 0; -ENOMEM; -EPROTO the items would not be those that are used (a fault of kcatch's).
 */
int kcatch_session_make_plan(struct kcatch_session *session, uint32_t number);

#endif
