/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition_fixture.h - a condition as instructions of the kernel, and over a record
 *
 * The calls are those of condition_cases.h.
 */
#ifndef TESTS_UNIT_CONDITION_FIXTURE_H
#define TESTS_UNIT_CONDITION_FIXTURE_H

#include <kcatch.h>

#include "condition/expression.h"
#include "condition_cases.h"
#include "fetch/plan.h"
#include "items_fixture.h"
#include "types/types.h"

/**
 * struct condition_world - the types of condition_cases.h, and plans of their function
 * @types: the types
 * @proto: the function
 * @plan: follows pointers in structs
 * @flat: little of structs and texts
 * @raw: of a function without types
 */
struct condition_world {
	struct kcatch_types *types;
	struct kcatch_type proto;
	struct kcatch_plan *plan, *flat, *raw;
};

void condition_world_init(struct condition_world *world);
void condition_world_deinit(struct condition_world *world);

/* A call: what its function was given, and what every record has. */
struct condition_call {
	struct items_input input;
	struct kcatch_event event;
};

void condition_call_raw(const struct condition_raw_env *env, struct condition_call *call);
void condition_call_typed(const struct condition_typed_env *env, struct condition_call *call);

/* As the kernel has it: '1', '0'; '?': undecided; '-': it is refused. */
char condition_kernel_says(const struct condition_world *world,
			   const struct kcatch_expression *expression, bool typed,
			   const struct condition_call *call);

/* Over a record: '1', '0'; '?': undecided; '-': it is refused. */
char condition_record_says(const struct condition_world *world,
			   const struct kcatch_expression *expression,
			   const struct kcatch_plan *plan, const struct condition_call *call);

#endif
