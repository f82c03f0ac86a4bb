/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls: hits of probes that have a program or whose return is hooked. At the entry: gate,
 * fetch, condition, budget, record; at the return: condition, fetch, record. The parts
 * shared with plain hits are in hit.h.
 */
#ifndef _KCATCH_CALL_H
#define _KCATCH_CALL_H

#include "compat/rethook.h"
#include "core/guard.h"
#include "ring/record_encoder.h"

struct kcatch_group;
struct kcatch_probe;
struct kcatch_program_code;
struct kretprobe_instance;
struct pt_regs;

/**
 * kcatch_call_answer() - what the condition on the entry says, as kcatch_condition_answer()
 * @program: has a condition on the entry or the return that needs more than arguments
 * @args: KCATCH_ARGS words
 * @stack: address of the seventh argument
 * @level: level of the guard
 *
 * The condition input is kept for kcatch_call_entry(), which is called next.
 *
 * Context: any, inside a hook.
 */
u32 kcatch_call_answer(const struct kcatch_program_code *program, const u64 *args,
		       unsigned long stack, int level);

/**
 * kcatch_call_entry() - record the entry of a call at a live probe with a program
 * @probe: probe that was hit
 * @caller: as in struct kcatch_place, as @regs
 * @where: the rest of it, kcatch_where_pack()
 * @answer: of the condition on the entry; if that is undecided, kcatch_call_may_defer()
 * @stack: walked to depth @walked, when that is not 0
 *
 * Context: any, inside a hook.
 */
void kcatch_call_entry(const struct kcatch_probe *probe, unsigned long caller,
		       struct pt_regs *regs, u32 where, u32 answer, struct kcatch_stack *stack,
		       u32 *walked);

/**
 * kcatch_call_words() - record the entry of a call at a site whose only probe has a program
 * @probe: the only probe of a site at a function's entry; its gate has been passed
 * @caller: its return address
 * @where: from kcatch_where_fast()
 * @regs: arguments, SP and BP
 *
 * Of a program with the path KCATCH_CALL_WORDS; each of the following is for another one.
 *
 * Context: any, inside a hook; leaves the guard.
 */
void kcatch_call_words(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		       struct pt_regs *regs);

/** kcatch_call_condition() - kcatch_call_words() for KCATCH_CALL_CONDITION */
void kcatch_call_condition(const struct kcatch_probe *probe, unsigned long caller, u32 where,
			   struct pt_regs *regs);

/** kcatch_call_more() - kcatch_call_words() for KCATCH_CALL_MORE */
void kcatch_call_more(const struct kcatch_probe *probe, unsigned long caller, u32 where,
		      struct pt_regs *regs);

/**
 * kcatch_call_wanted() - may this call's return be wanted, before the entry is handled?
 * @data: the probe, in place
 *
 * Counts nothing. Context: any, inside a hook.
 */
bool kcatch_call_wanted(const void *data, struct pt_regs *regs, u32 context);

/**
 * kcatch_call_is_under() - is this thread in a call of the group's root group?
 * @group: with KCATCH_ADD_UNDER
 * @context: KCATCH_CONTEXT_* now
 */
bool kcatch_call_is_under(const struct kcatch_group *group, u32 context);

/** kcatch_call_whole() - what comes of a call with a condition on the return, at its return. The
 * caller has filled in the return value and the latency that the condition sees. Context: any,
 * inside a hook */
void kcatch_call_whole(struct kretprobe_instance *instance, const struct pt_regs *regs, int level);

/** kcatch_call_returned - what the kernel calls at a hooked return. Context: any */
extern const kcatch_rethook_handler_t kcatch_call_returned;

/** kcatch_call_returned_alone() - the same for a kretprobe of one function */
int kcatch_call_returned_alone(struct kretprobe_instance *instance, struct pt_regs *regs);

#endif
