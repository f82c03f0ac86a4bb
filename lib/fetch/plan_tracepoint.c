/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * plan_tracepoint.c - makes plans for tracepoints that are passed struct pt_regs, and for switches
 *
 * The values of the former are in the registers: those of system calls and of page faults. System
 * calls are by far the most frequent events, so two items fetch a whole entry. The module has a
 * hook of its own for switches of tasks.
 */
#include <string.h>

#include <kcatch_text.h>
#include "fetch/plan_data.h"

#define COMM_SIZE	16	/* bytes of a task's name */
#define PID_SIZE	4	/* bytes of its number */

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
	return kcatch_plan_word(list, (struct kcatch_item){ .from = KCATCH_ITEM_ARG,
							    .put = KCATCH_ITEM_VALUE,
							    .index = arg });
}

/* Fetch one register of the struct pt_regs that argument @arg points to. */
static uint8_t put_register(struct kcatch_plan_list *list, uint8_t arg, uint16_t size,
			    int32_t offset)
{
	return kcatch_plan_word(list, (struct kcatch_item){ .from = KCATCH_ITEM_ARG,
							    .put = KCATCH_ITEM_WORD, .index = arg,
							    .size = size, .offset = offset });
}

/*
 * sys_enter(regs, id): fetch the number, and all arguments by one item. The plan has an
 * item for each word, which describes the same bytes.
 */
static void plan_enter(struct kcatch_plan *plan, struct kcatch_type id, struct kcatch_type type)
{
	static const char *const names[] = { "a0", "a1", "a2", "a3", "a4", "a5" };
	const struct kcatch_arch_syscall *call = &plan->arch->syscall;
	struct kcatch_plan_list *list = &plan->entry;
	uint8_t i, first;

	set_value(&plan->args[0], "id", id, put_arg(list, 1));
	first = kcatch_plan_word(list, (struct kcatch_item){ .from = KCATCH_ITEM_ARG,
							     .put = KCATCH_ITEM_MEMORY,
							     .size = 8 * call->block_words,
							     .offset = call->block });
	for (i = 1; i < call->block_words; i++) {
		list->items[list->nr_items++] = list->items[first];
		list->size += 8;
	}
	plan->shape = KCATCH_SHAPE_ENTER;
	for (i = 0; i < KCATCH_ARCH_CALL_ARGS; i++)
		set_value(&plan->args[i + 1], names[i], type, first + call->places[i]);
}

static void plan_exit(struct kcatch_plan *plan, struct kcatch_type type)
{
	const struct kcatch_arch_syscall *call = &plan->arch->syscall;

	set_value(&plan->args[0], "id", type,
		  put_register(&plan->entry, 0, call->number_size, call->number));
	set_value(&plan->args[1], "ret", type, put_arg(&plan->entry, 1));
	plan->shape = KCATCH_SHAPE_EXIT;
}

/* page_fault_user(address, regs, error_code) */
static void plan_fault(struct kcatch_plan *plan, struct kcatch_type type)
{
	set_value(&plan->args[0], "address", type, put_arg(&plan->entry, 0));
	set_value(&plan->args[1], "ip", type,
		  put_register(&plan->entry, 1, 8, plan->arch->syscall.ip));
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

static bool is_called(const struct kcatch_plan_value *arg, const char *name)
{
	return arg->name && !strcmp(arg->name, name);
}

enum kcatch_plan_calls kcatch_plan_calls(const struct kcatch_plan *plan)
{
	if (!plan || plan->nr_args < 2 || !is_called(&plan->args[0], "id"))
		return KCATCH_PLAN_NO_CALLS;
	if (plan->nr_args == 7 && is_called(&plan->args[1], "a0"))
		return KCATCH_PLAN_ENTERS;
	return plan->nr_args == 2 && is_called(&plan->args[1], "ret") ? KCATCH_PLAN_EXITS :
									KCATCH_PLAN_NO_CALLS;
}

bool kcatch_plan_call_is_wide(const struct kcatch_plan *plan, const uint8_t *data, size_t size)
{
	const struct kcatch_arch_syscall *call = &plan->arch->syscall;
	const uint32_t first = (uint32_t)plan->args[1].words - call->places[0];
	uint64_t word;
	uint32_t i;

	for (i = 0; i < call->block_words && 8 * (first + i + 1) <= size; i++) {
		memcpy(&word, data + 8 * (first + i), sizeof(word));
		if (i != call->not_its && word >> 32)
			return true;
	}
	return false;
}

/* Offsets of the name and the number in the struct task_struct that an argument points to. */
static bool find_task(const struct kcatch_plan_value *arg, int32_t *comm, int32_t *pid)
{
	struct kcatch_type task = kcatch_type_target(arg->type);
	struct kcatch_member name, number;

	if (!kcatch_type_is_pointer(arg->type) || arg->words == KCATCH_NO_ITEM ||
	    strcmp(kcatch_type_name(kcatch_type_strip(task)), "task_struct") ||
	    kcatch_type_find(task, "comm", &name) || kcatch_type_find(task, "pid", &number) ||
	    kcatch_type_size(name.type) != COMM_SIZE || kcatch_type_size(number.type) != PID_SIZE)
		return false;
	*comm = (int32_t)(name.bit_offset / 8);
	*pid = (int32_t)(number.bit_offset / 8);
	return true;
}

/* The two parts of its summary. */
static int put_task(struct kcatch_plan *plan, uint8_t index, int32_t comm, int32_t pid)
{
	struct kcatch_plan_value *arg = &plan->args[index];
	struct kcatch_plan_pointee *pointee = kcatch_plan_pointee_create(arg->type);
	struct kcatch_item read = { .from = KCATCH_ITEM_ARG, .put = KCATCH_ITEM_MEMORY,
				    .index = index, .size = COMM_SIZE, .offset = comm };

	arg->pointee = pointee;
	if (!pointee)
		return kcatch_error_memory();
	pointee->summary = kcatch_summary_find(pointee->type);
	pointee->parts[0] = kcatch_plan_put(&plan->entry, read,
					    (struct kcatch_plan_item){ .size = COMM_SIZE });
	read.put = KCATCH_ITEM_WORD;
	read.size = PID_SIZE;
	read.offset = pid;
	pointee->parts[1] = kcatch_plan_word(&plan->entry, read);
	return 0;
}

int kcatch_plan_switch(struct kcatch_plan *plan, bool *done)
{
	static const char *const names[] = { "preempt", "prev", "next", "prev_state" };
	int32_t comm, pid;
	uint32_t i;
	int ret;

	*done = false;
	for (i = 0; i < 4 && plan->nr_args == 4; i++) {
		if (strcmp(plan->args[i].name, names[i]) || plan->args[i].words != i)
			return 0;
	}
	if (plan->nr_args != 4 || !find_task(&plan->args[1], &comm, &pid) ||
	    !find_task(&plan->args[2], &comm, &pid))
		return 0;
	*done = true;
	kcatch_plan_no_return(plan);
	if (plan->cgroup == KCATCH_NO_ITEM && plan->latency == KCATCH_NO_ITEM)
		plan->shape = KCATCH_SHAPE_SWITCH;
	ret = put_task(plan, 1, comm, pid);
	return ret ? ret : put_task(plan, 2, comm, pid);
}
