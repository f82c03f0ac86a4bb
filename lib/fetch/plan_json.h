/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_json.h - converts plans to and from the JSON that a recording keeps
 *
 * Fetched items can be decoded only with the plan that fetched them. Another release may make
 * a different plan from the same types, so the recording keeps the plan itself, without what
 * the module reads for it.
 */
#ifndef LIB_FETCH_PLAN_JSON_H
#define LIB_FETCH_PLAN_JSON_H

#include "fetch/plan.h"

struct json_object;
struct kcatch_arch;
struct json_writer;

/**
 * kcatch_plan_to_json - write a plan as a JSON object
 * @plan: the plan
 * @types: the types that the plan was made from; NULL: a plan without types
 * @json: receives the object
 * @where: receives the module that its types are of, or "vmlinux"; NULL: it has none
 *
 * Return: 0; -EINVAL the plan's types are not of @types, or not all of one module or the
 * kernel; -ENOMEM.
 */
int kcatch_plan_to_json(const struct kcatch_plan *plan, const struct kcatch_types *types,
			struct json_writer *json, const char **where);

/**
 * kcatch_plan_from_json - convert a JSON object to a plan
 * @object: the object, untrusted; stays the caller's
 * @arch: machine that it was made on
 * @types: a copy of the types that the plan was made from, which must outlive the plan; NULL:
 *	there are none
 * @plan: receives the new plan, without what is read; free it with kcatch_plan_destroy(). NULL on
 *	failure
 *
 * Return: 0; -EINVAL the object does not describe a valid plan; -ENOENT @types lack a type of
 * the plan; -ENOMEM.
 */
int kcatch_plan_from_json(struct json_object *object, const struct kcatch_arch *arch,
			  struct kcatch_types *types, struct kcatch_plan **plan);

#endif
