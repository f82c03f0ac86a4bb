/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack(9) for kernel modules: save and print the stack of a thread.
 *
 * The functions have the names and meanings of FreeBSD's stack(9), with Linux's types:
 * a thread is a struct task_struct, an sbuf a struct seq_buf, flags are gfp_t, errors
 * are negative. The module kcatch exports them (GPL only) with the prefix kcatch_; this
 * header defines the short names, unless KCATCH_STACK_PREFIX_ONLY is defined before it
 * is included.
 *
 *	struct stack *st = stack_create(GFP_KERNEL);
 *
 *	stack_save(st);
 *	stack_print(st);
 *	stack_destroy(st);
 *
 * Contexts (the manual page kcatch_stack(9) has the reasons):
 *
 *	process, may sleep            stack_print, stack_print_short, stack_sbuf_print,
 *	                              stack_sbuf_print_growing; stack_create, depending
 *	                              on its flags
 *	any but NMI                   stack_destroy, stack_save_td_running
 *	any, take no lock             all others: stack_put, stack_copy, stack_zero,
 *	                              stack_save, stack_save_td, and the three _ddb
 *
 * A struct stack belongs to its caller, who must prevent concurrent use.
 */
#ifndef _KCATCH_STACK_H_PUBLIC
#define _KCATCH_STACK_H_PUBLIC

#include <linux/gfp.h>
#include <linux/types.h>

struct seq_buf;
struct task_struct;

#define STACK_MAX	64	/* frames of a trace */

/* struct stack.flags: how a saved trace ends. 0: it was made by stack_put(). */
#define STACK_COMPLETE	(1U << 0)	/* it reaches user mode or the thread's first function */
#define STACK_CUT	(1U << 1)	/* it has more than STACK_MAX frames */
#define STACK_BROKEN	(1U << 2)	/* the unwinder gave up after the last frame */

/* A frame whose return another tracer has hooked, where the true return address could not be found.
 * The trace ends there, as STACK_BROKEN. */
#define STACK_HOOKED	2UL

/**
 * struct stack - a trace
 * @depth: number of frames in @pcs, 0..STACK_MAX
 * @flags: STACK_*
 * @interrupted: bit N: frame N is an interrupted instruction, not a return address
 * @pcs: innermost first: return addresses, or addresses of interrupted instructions; STACK_HOOKED
 */
struct stack {
	int depth;
	unsigned int flags;
	u64 interrupted;
	unsigned long pcs[STACK_MAX];
};

/**
 * kcatch_stack_create() - allocate an empty trace
 * @flags: for the allocator: GFP_KERNEL, GFP_ATOMIC, ...
 *
 * Context: any but NMI; sleeps if @flags allow it. On a kernel for real time
 * (CONFIG_PREEMPT_RT) only where the thread can be preempted, whatever @flags.
 * Return: a trace, or NULL.
 */
struct stack *kcatch_stack_create(gfp_t flags);

/**
 * kcatch_stack_destroy() - free a trace
 * @st: the trace; may be NULL
 *
 * Context: any but NMI; on a kernel for real time as kcatch_stack_create().
 */
void kcatch_stack_destroy(struct stack *st);

/**
 * kcatch_stack_put() - append one frame
 * @st: the trace
 * @pc: a return address
 *
 * Context: any.
 * Return: 0, or -ENOSPC: no room, nothing was changed.
 */
int kcatch_stack_put(struct stack *st, unsigned long pc);

/**
 * kcatch_stack_copy() - copy a trace
 * @src: the trace to copy
 * @dst: overwritten with the copy
 *
 * Context: any.
 */
void kcatch_stack_copy(const struct stack *src, struct stack *dst);

/**
 * kcatch_stack_zero() - empty a trace
 * @st: the trace
 *
 * Context: any.
 */
void kcatch_stack_zero(struct stack *st);

/**
 * kcatch_stack_print() - print a trace to the kernel log
 * @st: the trace
 *
 * Each frame is one line, such as "#0 symbol+0x12/0x34". If the trace is cut or broken,
 * a last line says so.
 *
 * Context: process; may sleep.
 */
void kcatch_stack_print(const struct stack *st);

/**
 * kcatch_stack_print_short() - print a trace to the kernel log, in one line
 * @st: the trace
 *
 * If the line cannot hold all frames, it ends with the number of those left out.
 *
 * Context: process; may sleep.
 */
void kcatch_stack_print_short(const struct stack *st);

/**
 * kcatch_stack_print_ddb() - kcatch_stack_print() without taking a lock
 * @st: the trace
 *
 * The lines are in the log on return; consoles show them when they can.
 *
 * Context: any: NMI, panic, with scheduler or console locks held.
 */
void kcatch_stack_print_ddb(const struct stack *st);

/**
 * kcatch_stack_print_short_ddb() - kcatch_stack_print_short() without taking a lock
 * @st: the trace
 *
 * Context: any: NMI, panic, with scheduler or console locks held.
 */
void kcatch_stack_print_short_ddb(const struct stack *st);

/**
 * kcatch_stack_sbuf_print() - append a trace as text, one frame a line
 * @sb: an initialized buffer; if it is too small, seq_buf_has_overflowed() is true
 *	afterwards
 * @st: the trace
 *
 * Context: process; may sleep.
 */
void kcatch_stack_sbuf_print(struct seq_buf *sb, const struct stack *st);

/**
 * kcatch_stack_sbuf_print_ddb() - kcatch_stack_sbuf_print() without taking a lock
 * @sb: an initialized buffer
 * @st: the trace
 *
 * Context: any: NMI, panic, with scheduler or console locks held.
 */
void kcatch_stack_sbuf_print_ddb(struct seq_buf *sb, const struct stack *st);

/**
 * kcatch_stack_sbuf_print_growing() - append a trace as text to a buffer that grows
 * @sb: its buffer is from kmalloc(), or NULL with size 0, and is enlarged as needed.
 *	The caller frees it with kfree(sb->buffer)
 * @st: the trace
 *
 * FreeBSD's stack(9) does not have this function, because a struct sbuf can grow by
 * itself.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: nothing was appended; -EINVAL: @sb had overflowed before.
 */
int kcatch_stack_sbuf_print_growing(struct seq_buf *sb, const struct stack *st);

/**
 * kcatch_stack_save() - save the current thread's stack, starting with the caller
 * @st: overwritten with the trace
 *
 * In an interrupt or NMI the trace has the frames of the handler, then those of the
 * interrupted code.
 *
 * Context: any. Takes no lock.
 */
void kcatch_stack_save(struct stack *st);

/**
 * kcatch_stack_save_td() - save the stack of a thread that is not running
 * @st: overwritten with the trace
 * @td: the thread; the caller holds a reference (get_task_struct(), or RCU)
 *
 * The thread may start to run meanwhile: the frames are then discarded. The trace starts
 * where the thread called the scheduler. The current thread is saved as by
 * kcatch_stack_save().
 *
 * Context: any. Takes no lock.
 * Return: 0; or, with @st empty, -EBUSY: it runs, or ran meanwhile; -ESRCH: it has
 * ended and has no stack; -EOPNOTSUPP: kcatch does not understand this kernel's unwind
 * tables (INFO lacks KCATCH_FEATURE_ORC) and one of the thread's returns is hooked.
 */
int kcatch_stack_save_td(struct stack *st, struct task_struct *td);

/**
 * kcatch_stack_save_td_running() - save the stack of a thread that runs on another CPU
 * @st: overwritten with the trace
 * @td: the thread; the caller holds a reference (get_task_struct(), or RCU)
 *
 * Interrupts the thread's CPU by an NMI, even if interrupts are off there. The trace
 * starts at the interrupted instruction. If the thread stops running before that, it is
 * saved as by kcatch_stack_save_td().
 *
 * Context: any but NMI; interrupts may be off, spinlocks held. Spins until the CPU
 * answers: usually microseconds, at most two seconds.
 * Return: 0; or, with @st empty, -EAGAIN: it was in user mode; -ETIMEDOUT: its CPU did
 * not answer; -EBUSY: it started and stopped too often; -ESRCH: it has ended;
 * -EOPNOTSUPP: no NMI can be sent on this machine, or the caller is in NMI.
 */
int kcatch_stack_save_td_running(struct stack *st, struct task_struct *td);

#ifndef KCATCH_STACK_PREFIX_ONLY

static inline struct stack *stack_create(gfp_t flags)
{
	return kcatch_stack_create(flags);
}

static inline void stack_destroy(struct stack *st)
{
	kcatch_stack_destroy(st);
}

static inline int stack_put(struct stack *st, unsigned long pc)
{
	return kcatch_stack_put(st, pc);
}

static inline void stack_copy(const struct stack *src, struct stack *dst)
{
	kcatch_stack_copy(src, dst);
}

static inline void stack_zero(struct stack *st)
{
	kcatch_stack_zero(st);
}

static inline void stack_print(const struct stack *st)
{
	kcatch_stack_print(st);
}

static inline void stack_print_short(const struct stack *st)
{
	kcatch_stack_print_short(st);
}

static inline void stack_print_ddb(const struct stack *st)
{
	kcatch_stack_print_ddb(st);
}

static inline void stack_print_short_ddb(const struct stack *st)
{
	kcatch_stack_print_short_ddb(st);
}

static inline void stack_sbuf_print(struct seq_buf *sb, const struct stack *st)
{
	kcatch_stack_sbuf_print(sb, st);
}

static inline void stack_sbuf_print_ddb(struct seq_buf *sb, const struct stack *st)
{
	kcatch_stack_sbuf_print_ddb(sb, st);
}

static inline int stack_sbuf_print_growing(struct seq_buf *sb, const struct stack *st)
{
	return kcatch_stack_sbuf_print_growing(sb, st);
}

/* A trace starts with the caller of kcatch_stack_save(), so this must not be a function
 * of its own. */
#define stack_save(st)	kcatch_stack_save(st)

static inline int stack_save_td(struct stack *st, struct task_struct *td)
{
	return kcatch_stack_save_td(st, td);
}

static inline int stack_save_td_running(struct stack *st, struct task_struct *td)
{
	return kcatch_stack_save_td_running(st, td);
}

#endif

#endif
