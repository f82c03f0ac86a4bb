/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_json.h - stores plans with a recording
 *
 * Fetched items can be decoded only by the plan that fetched them. Another release may make
 * another plan from the same types, so the plan itself is stored.
 */
#ifndef LIB_FETCH_PLAN_JSON_H
#define LIB_FETCH_PLAN_JSON_H

#include "fetch/plan.h"

struct json_object;

/**
 * kcatch_plan_to_json - a plan as an object
 * @plan: the plan
 * @types: where its types are from; NULL: it has none
 * @object: the object, to be given back with json_object_put()
 *
 * Return: 0; -EINVAL its types are not of @types; -ENOMEM.
 */
int kcatch_plan_to_json(const struct kcatch_plan *plan, const struct kcatch_types *types,
			struct json_object **object);

/**
 * kcatch_plan_from_json - a plan from an object, which is not believed
 * @object: the object
 * @types: a copy of those; NULL: there are none
 * @plan: the new plan, which needs @types as long as it is there. It has no steps
 *
 * Return: 0; -EINVAL no plan could be like that; -ENOENT a type is missing; -ENOMEM.
 */
int kcatch_plan_from_json(struct json_object *object, struct kcatch_types *types,
			  struct kcatch_plan **plan);

#endif
