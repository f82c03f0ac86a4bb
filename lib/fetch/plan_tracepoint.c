/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_tracepoint.c - makes plans for tracepoints that are passed struct pt_regs
 *
 * Their values are in the registers: those of system calls and of page faults. System calls are by
 * far the most frequent events, so two items fetch a whole entry. The offsets are those of struct
 * pt_regs on x86-64.
 */
#include <string.h>

#include "fetch/plan_data.h"

#define REGS_R10	56	/* first of r10 r9 r8 ax cx dx si di, which are adjacent */
#define REGS_WORDS	8	/* number of those */
#define REGS_CALL	120	/* orig_ax: number of the system call */
#define REGS_IP		128	/* instruction pointer */

static const struct kcatch_plan_item word = { .size = 8 };

static bool is_registers(struct kcatch_type type)
{
	return kcatch_type_is_pointer(type) &&
	       !strcmp(kcatch_type_name(kcatch_type_strip(kcatch_type_target(type))), "pt_regs");
}

static void set_value(struct kcatch_plan_value *value, const char *name, struct kcatch_type type,
		      uint8_t item)
{
	*value = (struct kcatch_plan_value){ .name = name, .type = type, .words = item,
					     .nr_words = 1, .bytes = 8 };
}

static uint8_t put_arg(struct kcatch_plan_list *list, uint8_t arg)
{
	kcatch_plan_step(list, (struct kcatch_step){ .op = KCATCH_STEP_ARG, .arg = arg });
	return kcatch_plan_item(list, (struct kcatch_step){ .op = KCATCH_STEP_PUT }, word);
}

/* Fetch one register of the struct pt_regs that argument @arg points to. */
static uint8_t put_register(struct kcatch_plan_list *list, uint8_t arg, int32_t offset)
{
	kcatch_plan_step(list, (struct kcatch_step){ .op = KCATCH_STEP_ARG, .arg = arg });
	kcatch_plan_step(
		list, (struct kcatch_step){ .op = KCATCH_STEP_LOAD, .size = 8, .offset = offset });
	return kcatch_plan_item(list, (struct kcatch_step){ .op = KCATCH_STEP_PUT }, word);
}

/*
 * sys_enter(regs, id): fetch the number, and all arguments by one PUT_MEMORY. For the module that
 * is one item of 64 bytes; the plan has an item for each word, which describes the same bytes.
 */
static void plan_enter(struct kcatch_plan *plan, struct kcatch_type id, struct kcatch_type type)
{
	/* Indexes of a0..a5 among the words from r10 on. */
	static const uint8_t places[] = { 7, 6, 5, 0, 2, 1 };
	static const char *const names[] = { "a0", "a1", "a2", "a3", "a4", "a5" };
	struct kcatch_plan_list *list = &plan->entry;
	uint8_t i, first;

	set_value(&plan->args[0], "id", id, put_arg(list, 1));
	kcatch_plan_step(list, (struct kcatch_step){ .op = KCATCH_STEP_ARG, .arg = 0 });
	first = kcatch_plan_item(list, (struct kcatch_step){ .op = KCATCH_STEP_PUT_MEMORY,
				 .size = 8 * REGS_WORDS, .offset = REGS_R10 }, word);
	for (i = 1; i < REGS_WORDS; i++) {
		list->items[list->nr_items++] = word;
		list->size += 8;
	}
	for (i = 0; i < 6; i++)
		set_value(&plan->args[i + 1], names[i], type, first + places[i]);
}

static void plan_exit(struct kcatch_plan *plan, struct kcatch_type type)
{
	set_value(&plan->args[0], "id", type, put_register(&plan->entry, 0, REGS_CALL));
	set_value(&plan->args[1], "ret", type, put_arg(&plan->entry, 1));
}

/* page_fault_user(address, regs, error_code) */
static void plan_fault(struct kcatch_plan *plan, struct kcatch_type type)
{
	set_value(&plan->args[0], "address", type, put_arg(&plan->entry, 0));
	set_value(&plan->args[1], "ip", type, put_register(&plan->entry, 1, REGS_IP));
	set_value(&plan->args[2], "error_code", type, put_arg(&plan->entry, 2));
}

bool kcatch_plan_create_special(struct kcatch_types *types, struct kcatch_type proto,
				struct kcatch_plan_room *room, struct kcatch_plan **plan)
{
	struct kcatch_member first, second, third;
	struct kcatch_type type;
	uint32_t nr = kcatch_type_nr_members(proto);

	*plan = NULL;
	if (nr < 3 || nr > 4 || kcatch_type_member(proto, 1, &first) ||
	    kcatch_type_member(proto, 2, &second) ||
	    kcatch_types_struct(types, "long unsigned int", &type))
		return false;
	if (nr == 3 && is_registers(first.type) && !strcmp(second.name, "id")) {
		*plan = kcatch_plan_alloc(7, room);
		if (*plan)
			plan_enter(*plan, second.type, type);
	} else if (nr == 3 && is_registers(first.type) && !strcmp(second.name, "ret")) {
		*plan = kcatch_plan_alloc(2, room);
		if (*plan)
			plan_exit(*plan, second.type);
	} else if (nr == 4 && is_registers(second.type) && !strcmp(first.name, "address") &&
		   !kcatch_type_member(proto, 3, &third) && !strcmp(third.name, "error_code")) {
		*plan = kcatch_plan_alloc(3, room);
		if (*plan)
			plan_fault(*plan, type);
	} else {
		return false;
	}
	if (*plan) {
		(*plan)->proto = proto;
		(*plan)->ret.words = KCATCH_NO_ITEM;
	}
	return true;
}
