/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of x86, by what they mean. All functions: any context.
 *
 * "Slot" is what tells one call from another while both are under way: here the address of the
 * stack's word that holds the return address, to which SP points where a function begins.
 */
#ifndef _KCATCH_COMPAT_REGS_H
#define _KCATCH_COMPAT_REGS_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/segment.h>
#include <uapi/kcatch.h>

/** kcatch_regs_ip() - the instruction that was reached */
static __always_inline unsigned long kcatch_regs_ip(const struct pt_regs *regs)
{
	return regs->ip;
}

static __always_inline void kcatch_regs_set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->ip = ip;
}

/** kcatch_regs_sp() - the stack pointer */
static __always_inline unsigned long kcatch_regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/** kcatch_regs_frame() - the register that code with frame pointers has for them */
static __always_inline unsigned long kcatch_regs_frame(const struct pt_regs *regs)
{
	return regs->bp;
}

/** kcatch_regs_flags() - as raw_local_save_flags() has them */
static __always_inline unsigned long kcatch_regs_flags(const struct pt_regs *regs)
{
	return regs->flags;
}

/** kcatch_irqs_off() - KCATCH_CONTEXT_IRQS_OFF or 0, of flags. The interrupt flag is shifted to
 * the bit of the context, which takes fewer instructions than a test */
static __always_inline u32 kcatch_irqs_off(unsigned long flags)
{
	return ~flags / (X86_EFLAGS_IF / KCATCH_CONTEXT_IRQS_OFF) & KCATCH_CONTEXT_IRQS_OFF;
}

/** kcatch_frame_caller() - the return address of a function, by its frame: the second word */
static __always_inline unsigned long kcatch_frame_caller(const unsigned long *frame)
{
	return frame[1];
}

/** kcatch_frame_slot() - the slot of the call, by the frame of the function */
static __always_inline unsigned long kcatch_frame_slot(const unsigned long *frame)
{
	return (unsigned long)&frame[1];
}

/* ---- where a function begins -------------------------------------------------- */

/** kcatch_regs_slot() - the slot of the call */
static __always_inline unsigned long kcatch_regs_slot(const struct pt_regs *regs)
{
	return regs->sp;
}

/** kcatch_regs_caller() - the return address, which a tracer may have replaced */
static __always_inline unsigned long kcatch_regs_caller(const struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

/** kcatch_regs_set_caller() - replace it. @slot: of @regs */
static __always_inline void kcatch_regs_set_caller(struct pt_regs *regs, unsigned long slot,
						   unsigned long address)
{
	WRITE_ONCE(*(unsigned long *)slot, address);
}

/** kcatch_slot_sp() - the stack pointer that the caller will have again. There its arguments
 * begin that are in no register */
static __always_inline unsigned long kcatch_slot_sp(unsigned long slot)
{
	return slot + sizeof(long);
}

/** kcatch_slot_of_sp() - the slot of a call that returns to this stack pointer */
static __always_inline unsigned long kcatch_slot_of_sp(unsigned long sp)
{
	return sp - sizeof(long);
}

/** kcatch_regs_caller_sp() - kcatch_slot_sp() of these registers */
static __always_inline unsigned long kcatch_regs_caller_sp(const struct pt_regs *regs)
{
	return kcatch_slot_sp(kcatch_regs_slot(regs));
}

/** kcatch_regs_at_entry() - what a walk from a function's entry needs, made at its return
 * @made: slot and frame are set, nothing else
 * @slot: of the call
 * @regs: at the return, which has the frame of the entry again
 */
static __always_inline void kcatch_regs_at_entry(struct pt_regs *made, unsigned long slot,
						 const struct pt_regs *regs)
{
	made->sp = slot;
	made->bp = regs->bp;
}

/* ---- where it returns --------------------------------------------------------- */

/** kcatch_regs_result() - the value that is returned, or its first word */
static __always_inline u64 kcatch_regs_result(const struct pt_regs *regs)
{
	return regs->ax;
}

/* ---- user mode ---------------------------------------------------------------- */

/* Above all user memory. */
#define KCATCH_USER_END	TASK_SIZE_MAX

/** kcatch_regs_are_compat() - are they of a 32-bit program, also of one with a local descriptor
 * table? */
static __always_inline bool kcatch_regs_are_compat(const struct pt_regs *regs)
{
	return regs->cs == __USER32_CS || (regs->cs & SEGMENT_TI_MASK);
}

/** kcatch_regs_keep() - what is kept of them in struct kcatch_user and struct kcatch_task. @to:
 * KCATCH_USER_REGS words */
static __always_inline void kcatch_regs_keep(u64 *to, const struct pt_regs *regs)
{
	BUILD_BUG_ON(sizeof(*regs) != KCATCH_USER_REGS * sizeof(*to));
	memcpy(to, regs, sizeof(*regs));
}

/** kcatch_task_sp() - where a task that does not run left its stack */
static inline unsigned long kcatch_task_sp(const struct task_struct *task)
{
	return READ_ONCE(task->thread.sp);
}

#endif
