/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a hit that has a program, or whose return is hooked: from the gate
 * on, fetch, condition, budget, capture, commit; and the return. What is shared
 * with plain hits is in hit.h.
 */
#ifndef _KCATCH_CALL_H
#define _KCATCH_CALL_H

#include "context.h"
#include "record.h"

struct kcatch_group;
struct kcatch_probe;
struct kcatch_program_code;
struct kcatch_site;
struct pt_regs;

/**
 * kcatch_call_refused() - does the condition on the entry not hold?
 * @program: that has one, or one on the return, and needs more than arguments
 * @args: KCATCH_ARGS words
 * @stack: where the seventh argument is
 * @level: of the guard
 *
 * What the conditions look at stays for kcatch_call_entry(), which is next.
 *
 * Context: any, inside a hook.
 */
bool kcatch_call_refused(const struct kcatch_program_code *program, const u64 *args,
			 unsigned long stack, int level);

/**
 * kcatch_call_entry() - a probe with a program was hit and is live
 * @probe: which
 * @caller: as in struct kcatch_place, as @regs
 * @where: the rest of it, kcatch_where_pack()
 * @stack: walked to depth @walked, when that is not 0
 *
 * Context: any, inside a hook.
 */
void kcatch_call_entry(const struct kcatch_probe *probe, unsigned long caller,
		       struct pt_regs *regs, u32 where, struct kcatch_stack *stack, u32 *walked);

/**
 * kcatch_call_quick() - the only probe of a site, which has a program, was hit
 * @site: which, at a function's entry
 * @probe: its only one
 * @caller: as in struct kcatch_place, as @regs
 * @where: the rest of it, kcatch_where_pack()
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_call_quick(const struct kcatch_site *site, const struct kcatch_probe *probe,
		       unsigned long caller, struct pt_regs *regs, u32 where);

/** kcatch_call_condition() - the same where its program has a condition over arguments
 * alone (KCATCH_NEEDS_ANY) */
void kcatch_call_condition(const struct kcatch_site *site, const struct kcatch_probe *probe,
			   unsigned long caller, struct pt_regs *regs, u32 where);

/**
 * kcatch_call_is_under() - is this thread in a call of the group's root group?
 * @group: with KCATCH_ADD_UNDER
 * @context: KCATCH_CONTEXT_* now
 */
bool kcatch_call_is_under(const struct kcatch_group *group, u32 context);

/**
 * kcatch_call_prepare() - slots for the returns of a group, before it goes live
 * @group: stopped, no arrival; its session's lock held, kcatch_sites_lock not
 *
 * Context: may sleep. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_call_prepare(struct kcatch_group *group);

/** kcatch_call_record_fits() - does its largest record fit into a packet? */
bool kcatch_call_record_fits(const struct kcatch_probe *probe, u32 packet_size);

int kcatch_call_init(void);
void kcatch_call_exit(void);

#endif
