/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of 64-bit Arm, by what they mean. All functions: any context.
 *
 * "Slot" is what tells one call from another while both are under way: here the frame pointer at
 * the function's entry, which is the address of its caller's frame record. A function that calls
 * another one has a frame record of its own.
 */
#ifndef _KCATCH_COMPAT_REGS_H
#define _KCATCH_COMPAT_REGS_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/memory.h>
#include <asm/processor.h>
#include <uapi/kcatch.h>

/* Numbers of the frame pointer and the link register among the registers. */
#define KCATCH_FP	29
#define KCATCH_LR	30

/** kcatch_regs_ip() - the instruction that was reached */
static __always_inline unsigned long kcatch_regs_ip(const struct pt_regs *regs)
{
	return regs->pc;
}

static __always_inline void kcatch_regs_set_ip(struct pt_regs *regs, unsigned long ip)
{
	regs->pc = ip;
}

/** kcatch_regs_sp() - the stack pointer */
static __always_inline unsigned long kcatch_regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/** kcatch_regs_frame() - the register that code with frame pointers has for them */
static __always_inline unsigned long kcatch_regs_frame(const struct pt_regs *regs)
{
	return regs->regs[KCATCH_FP];
}

/** kcatch_regs_flags() - as raw_local_save_flags() has them */
static __always_inline unsigned long kcatch_regs_flags(const struct pt_regs *regs)
{
	return regs->pstate;
}

/** kcatch_irqs_off() - KCATCH_CONTEXT_IRQS_OFF or 0, of flags */
static __always_inline u32 kcatch_irqs_off(unsigned long flags)
{
	return flags & PSR_I_BIT ? KCATCH_CONTEXT_IRQS_OFF : 0;
}

/**
 * kcatch_code_address() - a return address without its signature
 * @address: a word of a frame record, or a link register
 *
 * Code signs return addresses (PACIASP) in the bits that all addresses of code have in common:
 * those of the kernel's image and modules begin at _PAGE_END(VA_BITS_MIN). What was no address of
 * the kernel stays as it is.
 */
static __always_inline unsigned long kcatch_code_address(unsigned long address)
{
	return address & BIT(55) ? address | _PAGE_END(VA_BITS_MIN) : address;
}

/** kcatch_frame_caller() - the return address in the frame record of a function */
static __always_inline unsigned long kcatch_frame_caller(const unsigned long *frame)
{
	return kcatch_code_address(frame[1]);
}

/** kcatch_frame_slot() - the slot of the call that made the frame record */
static __always_inline unsigned long kcatch_frame_slot(const unsigned long *frame)
{
	return frame[0];
}

/* ---- where a function begins -------------------------------------------------- */

/** kcatch_regs_slot() - the slot of the call */
static __always_inline unsigned long kcatch_regs_slot(const struct pt_regs *regs)
{
	return regs->regs[KCATCH_FP];
}

/** kcatch_regs_caller() - the return address, which a tracer may have replaced. It is not signed
 * yet */
static __always_inline unsigned long kcatch_regs_caller(const struct pt_regs *regs)
{
	return regs->regs[KCATCH_LR];
}

/** kcatch_regs_set_caller() - replace it. @slot: of @regs */
static __always_inline void kcatch_regs_set_caller(struct pt_regs *regs, unsigned long slot,
						   unsigned long address)
{
	regs->regs[KCATCH_LR] = address;
}

/** kcatch_slot_sp() - an address on the stack of a call, below its caller's frame record */
static __always_inline unsigned long kcatch_slot_sp(unsigned long slot)
{
	return slot;
}

/** kcatch_regs_caller_sp() - the stack pointer that the caller will have again. There its arguments
 * begin that are in no register */
static __always_inline unsigned long kcatch_regs_caller_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/** kcatch_regs_at_entry() - what a walk from a function's entry needs, made at its return
 * @made: slot and frame are set, nothing else
 * @slot: of the call
 * @regs: at the return, which has the frame of the entry again
 */
static __always_inline void kcatch_regs_at_entry(struct pt_regs *made, unsigned long slot,
						 const struct pt_regs *regs)
{
	made->sp = regs->sp;
	made->regs[KCATCH_FP] = slot;
}

/* ---- where it returns --------------------------------------------------------- */

/** kcatch_regs_result() - the value that is returned, or its first word */
static __always_inline u64 kcatch_regs_result(const struct pt_regs *regs)
{
	return regs->regs[0];
}

/* ---- user mode ---------------------------------------------------------------- */

/* Above all user memory. */
#define KCATCH_USER_END	TASK_SIZE_MAX

/** kcatch_regs_are_compat() - are they of a 32-bit program? */
static __always_inline bool kcatch_regs_are_compat(const struct pt_regs *regs)
{
	return compat_user_mode(regs);
}

/** kcatch_regs_keep() - what is kept of them in struct kcatch_user and struct kcatch_task. @to:
 * KCATCH_USER_REGS words: those of struct user_pt_regs, and the number of the system call */
static __always_inline void kcatch_regs_keep(u64 *to, const struct pt_regs *regs)
{
	const size_t words = sizeof(regs->user_regs) / sizeof(*to);

	BUILD_BUG_ON(words + 1 != KCATCH_USER_REGS);
	memcpy(to, &regs->user_regs, sizeof(regs->user_regs));
	to[words] = (s64)regs->syscallno;
}

/** kcatch_task_sp() - where a task that does not run left its stack */
static inline unsigned long kcatch_task_sp(const struct task_struct *task)
{
	return READ_ONCE(task->thread.cpu_context.sp);
}

#endif
