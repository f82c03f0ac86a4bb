/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack(9) for kernel modules: save the stack of a thread, print it.
 *
 * The functions are those of FreeBSD's stack(9), by name and meaning, with Linux's
 * types: a thread is a struct task_struct, an sbuf a struct seq_buf, flags are
 * gfp_t, errors are negative. They are exported by the module kcatch (GPL only)
 * with the prefix kcatch_; the short names below are stack(9)'s own. Define
 * KCATCH_STACK_PREFIX_ONLY before the include to go without them.
 *
 *	struct stack *st = stack_create(GFP_KERNEL);
 *
 *	stack_save(st);
 *	stack_print(st);
 *	stack_destroy(st);
 *
 * What may be called where (the manual page kcatch_stack(9) says why):
 *
 *	may sleep                     stack_print, stack_print_short, stack_sbuf_print,
 *	                              stack_sbuf_print_growing; stack_create, as its
 *	                              flags say
 *	not in NMI                    stack_destroy, stack_save_td_running
 *	anywhere, no lock is taken    all others: stack_put, stack_copy, stack_zero,
 *	                              stack_save, stack_save_td, and the three _ddb
 *
 * A struct stack belongs to its caller, who sees to it that no two use it at once.
 */
#ifndef _KCATCH_STACK_H_PUBLIC
#define _KCATCH_STACK_H_PUBLIC

#include <linux/gfp.h>
#include <linux/types.h>

struct seq_buf;
struct task_struct;

#define STACK_MAX	64	/* frames of a trace */

/* struct stack.flags: how a saved trace ends. None: it was made by stack_put(). */
#define STACK_COMPLETE	(1U << 0)	/* at user mode or the thread's first function */
#define STACK_CUT	(1U << 1)	/* there were more than STACK_MAX frames */
#define STACK_BROKEN	(1U << 2)	/* the unwinder gave up after the last frame */

/**
 * struct stack - a trace
 * @depth: frames in @pcs
 * @flags: STACK_*
 * @interrupted: bit N: frame N was interrupted there, and did not call
 * @pcs: innermost first: return addresses, or where the frame was interrupted
 */
struct stack {
	int depth;
	unsigned int flags;
	u64 interrupted;
	unsigned long pcs[STACK_MAX];
};

/**
 * kcatch_stack_create() - storage for a trace, empty
 * @flags: for the allocator: GFP_KERNEL, GFP_ATOMIC, ...
 *
 * Return: a trace, or NULL. Context: as @flags say; not NMI.
 */
struct stack *kcatch_stack_create(gfp_t flags);

/** kcatch_stack_destroy() - free it; NULL is fine. Context: any but NMI. */
void kcatch_stack_destroy(struct stack *st);

/**
 * kcatch_stack_put() - append one frame
 * @pc: a return address
 *
 * Context: any. Return: 0, or -ENOSPC: there is no room, nothing was changed.
 */
int kcatch_stack_put(struct stack *st, unsigned long pc);

/** kcatch_stack_copy() - make @dst the same as @src. Context: any. */
void kcatch_stack_copy(const struct stack *src, struct stack *dst);

/** kcatch_stack_zero() - make it empty. Context: any. */
void kcatch_stack_zero(struct stack *st);

/**
 * kcatch_stack_print() - to the kernel log, a line a frame: #0 symbol+0x12/0x34
 *
 * A last line says so when the trace is cut or broken.
 *
 * Context: may sleep.
 */
void kcatch_stack_print(const struct stack *st);

/** kcatch_stack_print_short() - all in one line; what a line of the log cannot hold is
 * counted at its end. Context: may sleep. */
void kcatch_stack_print_short(const struct stack *st);

/**
 * kcatch_stack_print_ddb() - as kcatch_stack_print(), and takes no lock
 *
 * The lines are in the log when it returns; consoles show them when they can.
 *
 * Context: any: NMI, panic, with the locks of scheduler or console held.
 */
void kcatch_stack_print_ddb(const struct stack *st);

/** kcatch_stack_print_short_ddb() - as kcatch_stack_print_short(), and takes no lock.
 * Context: any. */
void kcatch_stack_print_short_ddb(const struct stack *st);

/**
 * kcatch_stack_sbuf_print() - append it as text to @sb, a line a frame
 * @sb: as seq_buf_init() left it or a print before; when it is too small,
 *	seq_buf_has_overflowed() is true afterwards
 *
 * Context: may sleep.
 */
void kcatch_stack_sbuf_print(struct seq_buf *sb, const struct stack *st);

/** kcatch_stack_sbuf_print_ddb() - the same, and takes no lock. Context: any. */
void kcatch_stack_sbuf_print_ddb(struct seq_buf *sb, const struct stack *st);

/**
 * kcatch_stack_sbuf_print_growing() - the same, into a buffer that grows
 * @sb: its buffer is from kmalloc(), or NULL with size 0; it is made larger as needed.
 *	The caller frees it with kfree(sb->buffer)
 *
 * Not in stack(9), where a struct sbuf knows of itself whether it grows.
 *
 * Context: may sleep. Return: 0, -ENOMEM: nothing was appended
 */
int kcatch_stack_sbuf_print_growing(struct seq_buf *sb, const struct stack *st);

/**
 * kcatch_stack_save() - the current thread, from the caller of this on
 *
 * In an interrupt or NMI that is the whole stack: the handler's, then what it
 * interrupted.
 *
 * Context: any.
 */
void kcatch_stack_save(struct stack *st);

/**
 * kcatch_stack_save_td() - another thread, that is not running
 * @td: the caller holds it (get_task_struct(), or RCU)
 *
 * Nobody has to keep it from running meanwhile: when it did, what was saved is
 * thrown away. It starts where the thread called the scheduler. The current thread is
 * saved as kcatch_stack_save() does.
 *
 * Context: any. Takes no lock.
 * Return: 0; or, with @st empty, -EBUSY: it runs, or ran meanwhile; -ESRCH: it has
 * ended and has no stack any more; -EOPNOTSUPP: this kernel's tables are unknown to
 * kcatch (/dev/kcatch says so in KCATCH_FEATURE_ORC) and a return is hooked in it
 */
int kcatch_stack_save_td(struct stack *st, struct task_struct *td);

/**
 * kcatch_stack_save_td_running() - another thread, that is running now
 * @td: the caller holds it
 *
 * Interrupts its CPU, whichever that is, by an NMI: it need not have interrupts on.
 * It starts where the thread was interrupted. A thread that stops running before that
 * is saved as kcatch_stack_save_td() does.
 *
 * Context: any but NMI; interrupts may be off, spinlocks held. Waits, spinning, until
 * the CPU answers: microseconds; at most one second.
 * Return: 0; or, with @st empty, -EAGAIN: it was in user mode; -ETIMEDOUT: its CPU did
 * not answer; -EBUSY: it came and went too often; -ESRCH: it has ended; -EOPNOTSUPP: no
 * NMI can be sent on this machine, or the caller is itself in NMI
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

/* A trace starts at the caller of what is exported: so this must be no function
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
