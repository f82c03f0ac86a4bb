/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * syscall_number.c - conditions on the event of one system call
 *
 * All system calls share one tracepoint, so the condition begins with a comparison of the system
 * call's number. 32-bit programs use other numbers: their calls are rejected.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/suggest.h"
#include "base/syscall_name.h"
#include "condition/typing.h"
#include "fetch/plan_data.h"
#include "fetch/syscall_event.h"

#define COMPAT 2		/* thread_info.status: TS_COMPAT */

/* Load @size bytes at @offset behind the address that a link gives. */
static const struct ir *load(struct condition *c, uint8_t kind, uint16_t size, int32_t offset)
{
	const struct chain *chain = chain_link(c, NULL, kind, 0, 0, 0);
	int item;

	if (chain)
		chain = chain_link(c, chain, LINK_LOAD, 0, size, offset);
	item = item_find(c, chain);
	if (item < 0)
		return NULL;
	return ir_make(c, (struct ir){ .op = IR_LOAD, .item = item,
				       .wide = size == 8 });
}

/* Offset in struct task_struct of the flag for a 32-bit system call, bytes; -1: unknown. */
static int32_t status_offset(struct condition *c)
{
	struct kcatch_member info, status;
	struct kcatch_type task;

	if (kcatch_types_struct(c->types, "struct task_struct", &task) ||
	    kcatch_type_find(task, "thread_info", &info) ||
	    kcatch_type_find(info.type, "status", &status))
		return -1;
	return (int32_t)((info.bit_offset + status.bit_offset) / 8);
}

/* The flag of a thread that is in a system call of a 32-bit program; else 0. */
static const struct ir *compat_flag(struct condition *c)
{
	return ir_binary(c, IR_AND, load(c, LINK_TASK, 4, status_offset(c)),
			 ir_const(c, COMPAT, false, false));
}

static const struct ir *is_wide(struct condition *c)
{
	return ir_compare(c, KCATCH_EX_EQ, compat_flag(c), ir_const(c, 0, false, false));
}

int condition_syscall(struct condition *c, const struct ir **truth)
{
	const struct kcatch_arch_syscall *call = &kcatch_arch_running()->syscall;
	const struct ir *number;

	/* sys_exit passes no number: it is in the registers. */
	if (c->syscall->is_exit)
		number = load(c, LINK_ARG, call->number_size, call->number);
	else
		number = ir_make(
			c, (struct ir){ .op = IR_LOAD,
					.item = IR_NO_ITEM,
					.wide = true,
					.offset = offsetof(struct kcatch_condition, args[1]) });
	*truth = ir_compare(c, KCATCH_EX_EQ, number, ir_const(c, c->syscall->number, true, false));
	if (status_offset(c) >= 0)
		*truth = ir_truth(c, IR_ALL, *truth, is_wide(c));
	return *truth ? 0 : -ENOMEM;
}

/* ---- the number of any system call ------------------------------------------------------ */

bool syscall_is_number(const struct condition *c, const struct kcatch_expression_node *it)
{
	struct kcatch_member regs, other;

	if (it->op != KCATCH_EX_NAME || strcmp(it->text, "id") || c->syscall || c->info)
		return false;
	if (c->recorded)
		return kcatch_plan_calls(c->plan) != KCATCH_PLAN_NO_CALLS;
	if (!c->tracepoint || !c->proto.id || kcatch_type_nr_members(c->proto) != 3 ||
	    kcatch_type_member(c->proto, 1, &regs) || kcatch_type_member(c->proto, 2, &other))
		return false;
	return !strcmp(kcatch_type_name(kcatch_type_strip(kcatch_type_target(regs.type))),
		       "pt_regs") &&
	       (!strcmp(other.name, "id") || !strcmp(other.name, "ret"));
}

bool syscall_find(const char *name, int64_t *number)
{
	const char *other;
	uint32_t i;

	for (i = 0; i < KCATCH_SYSCALL_NUMBERS; i++) {
		other = kcatch_syscall_name(i);
		if (other && !strcmp(other, name)) {
			*number = i;
			return true;
		}
	}
	return false;
}

void syscall_offer(struct kcatch_suggest *suggest)
{
	const char *name;
	uint32_t i;

	for (i = 0; i < KCATCH_SYSCALL_NUMBERS; i++) {
		name = kcatch_syscall_name(i);
		if (name)
			kcatch_suggest_offer(suggest, name, strlen(name));
	}
}

const struct ir *syscall_compare(struct condition *c, enum kcatch_expression_op op,
				 const struct ir *truth)
{
	if (c->recorded || status_offset(c) < 0 || (op != KCATCH_EX_EQ && op != KCATCH_EX_NE))
		return truth;
	/* "is not openat" holds for all calls of 32-bit programs. */
	if (op == KCATCH_EX_EQ)
		return ir_truth(c, IR_ALL, truth, is_wide(c));
	return ir_truth(c, IR_ANY, truth, ir_truth(c, IR_NOT, is_wide(c), NULL));
}

const struct ir *syscall_key(struct condition *c, const struct ir *number)
{
	const struct ir *flag;

	if (status_offset(c) < 0)
		return number;
	flag = ir_convert(c, compat_flag(c), true, false);
	/* The flag has bit 1. */
	flag = ir_binary(c, IR_SHL, flag, ir_const(c, KCATCH_SYSCALL_COMPAT_BIT - 1, false, false));
	return ir_binary(c, IR_OR, ir_convert(c, number, true, false), flag);
}

bool lookup_syscall(struct condition *c, const struct kcatch_expression_node *it, struct term *term)
{
	uint32_t i;

	for (i = 0; !c->syscall->is_exit && i < c->plan->nr_args; i++) {
		if (strcmp(it->text, c->plan->args[i].name))
			continue;
		*term = (struct term){
			.kind = TERM_PLACE,
			.at = it->at,
			.type = c->plan->args[i].type,
			.place = { .kind = PLACE_MEMORY,
				   .chain = chain_link(c, NULL, LINK_ARG, 0, 0, 0),
				   .bit_offset = 8 * kcatch_syscall_event_register(i) }
		};
		return term->place.chain;
	}
	return false;
}

void offer_syscall(const struct condition *c, struct kcatch_suggest *suggest, char *list,
		   size_t room)
{
	size_t used = 0;
	uint32_t i;

	*list = '\0';
	for (i = 0; i < c->plan->nr_args && used + 80 < room; i++) {
		kcatch_suggest_offer(suggest, c->plan->args[i].name, strlen(c->plan->args[i].name));
		used += (size_t)snprintf(list + used, room - used, "%s%.60s", used ? ", " : "",
					 c->plan->args[i].name);
	}
}
