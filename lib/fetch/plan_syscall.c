/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_syscall.c - makes the plan for one system call, an event or a function
 *
 * The arguments are in the struct pt_regs that the first argument points to. The
 * pointees of texts and socket addresses are in the process's memory, and are fetched if they are
 * not paged out at that moment.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"
#include "fetch/syscall_event.h"

static void put_arg(struct kcatch_plan *plan, uint32_t index, struct kcatch_type type)
{
	struct kcatch_plan_value *arg = &plan->args[index];
	int64_t bytes = kcatch_type_size(type);

	arg->words = kcatch_plan_word(&plan->entry, (struct kcatch_item){
		.from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_WORD, .size = 8,
		.offset = kcatch_syscall_event_register(index) });
	arg->nr_words = 1;
	arg->bytes = bytes > 0 && bytes < 8 ? (uint32_t)bytes : 8;
	arg->type = type;
}

/* Are there nothing but the arguments, or these and memory that one of them points to? */
static bool has_shape(const struct kcatch_plan *plan)
{
	const struct kcatch_plan_list *list = &plan->entry;
	const struct kcatch_item *last = &list->reads[plan->nr_args];

	return plan->cgroup == KCATCH_NO_ITEM && plan->latency == KCATCH_NO_ITEM && !plan->shape &&
	       !plan->nr_leaves &&
	       (list->nr_reads == plan->nr_args ||
		(list->nr_reads == plan->nr_args + 1 && last->put == KCATCH_ITEM_MEMORY &&
		 last->nr_hops == 1));
}

/* The type of an argument from its C text; unsigned long if a register cannot hold that. */
static int type_of(struct kcatch_types *types, const char *text, struct kcatch_type *type)
{
	int kind;

	if (!kcatch_types_written(types, text, type)) {
		kind = kcatch_type_kind(*type);
		if (kind == BTF_KIND_INT || kind == BTF_KIND_PTR || kind == BTF_KIND_ENUM ||
		    kind == BTF_KIND_ENUM64)
			return 0;
	}
	return kcatch_types_written(types, "unsigned long", type);
}

int kcatch_plan_create_syscall(struct kcatch_types *types, struct kcatch_type proto,
			       const struct kcatch_syscall_event *event,
			       const struct kcatch_plan_options *options,
			       struct kcatch_plan **result)
{
	uint32_t i, nr = event->is_exit ? 1 : event->nr_args;
	struct kcatch_plan_room room;
	struct kcatch_plan *plan = kcatch_plan_alloc(nr, &room);
	struct kcatch_type type;
	int ret = 0;

	if (!plan)
		return kcatch_error_memory();
	plan->proto = proto;
	plan->owns_names = true;
	plan->ret.words = KCATCH_NO_ITEM;
	if (event->is_function) {
		plan->ret.type = kcatch_type_target(proto);
		plan->ret.nr_words = 1;
		plan->ret.bytes = 8;
	}
	for (i = 0; i < nr && !ret; i++) {
		plan->args[i].name = strdup(event->is_exit ? "ret" : event->args[i].name);
		ret = plan->args[i].name ?
			      type_of(types, event->is_exit ? "long" : event->args[i].type, &type) :
			      kcatch_error_memory();
		if (!ret && !event->is_exit)
			put_arg(plan, i, type);
	}
	if (!ret && event->is_exit) {
		plan->args[0].words = kcatch_plan_word(&plan->entry, (struct kcatch_item){
			.from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_VALUE, .index = 1 });
		plan->shape = KCATCH_SHAPE_RET;
		plan->args[0].nr_words = 1;
		plan->args[0].bytes = 8;
		plan->args[0].type = type;
	}
	if (!ret)
		kcatch_plan_add_own(plan, options);
	if (!ret)
		ret = kcatch_plan_keep_own(plan, options->own, options->nr_own);
	if (!ret)
		ret = kcatch_plan_leaves(plan, options);
	if (!ret && !event->is_exit)
		ret = kcatch_plan_pointers(plan, options);
	if (!ret && has_shape(plan))
		plan->shape = KCATCH_SHAPE_CALL;
	return kcatch_plan_finish(plan, ret, result);
}
