/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Returns that the function graph tracer has hooked, and fprobes where the kernel makes them of it:
 * the kernel keeps the true return addresses on a stack of its own for each task. It exports no
 * function that looks one up. The stack is read as the headers describe it, without trust: what
 * does not look like it is not there. All functions: any context; the task may run.
 */
#ifndef _KCATCH_COMPAT_GRAPH_RETURNS_H
#define _KCATCH_COMPAT_GRAPH_RETURNS_H

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

/**
 * struct kcatch_graph_return - a hooked return
 * @slot: address of the word that held the return address
 * @address: the return address; that of a trampoline if the return was hooked before
 */
struct kcatch_graph_return {
	unsigned long slot;
	unsigned long address;
};

/**
 * struct kcatch_graph_walk - a place in a task's stack of hooked returns
 * @stack: its beginning
 * @next: behind the next one: index of an element where the stack is an array of returns (until
 *	6.9), of a word where each has more words behind it
 */
struct kcatch_graph_walk {
	const void *stack;
	long next;
};

#ifdef KCATCH_HAVE_GRAPH_RETURNS
/* Is it a stack of words? */
#define KCATCH_GRAPH_WORDS \
	__builtin_types_compatible_p(typeof(((struct task_struct *)0)->ret_stack), unsigned long *)
/* The word behind a return, or the last behind it, has the number of words back to the beginning in
 * these bits: kernel/trace/fgraph.c. */
#define KCATCH_GRAPH_BACK	1023UL
/* No stack is larger: a page of words, some 50 returns. */
#define KCATCH_GRAPH_MAX	((long)(PAGE_SIZE / sizeof(long)))

/** kcatch_graph_begin() - begin at the innermost hooked return of a task */
static inline void kcatch_graph_begin(struct kcatch_graph_walk *walk,
				      const struct task_struct *task)
{
	walk->stack = READ_ONCE(task->ret_stack);
	walk->next = READ_ONCE(task->curr_ret_stack) + !KCATCH_GRAPH_WORDS;
	if (!walk->stack || walk->next > KCATCH_GRAPH_MAX)
		walk->next = 0;
}

/** kcatch_graph_next() - take the next one, outwards. Return: false: there are no more */
static inline bool kcatch_graph_next(struct kcatch_graph_walk *walk,
				     struct kcatch_graph_return *hook)
{
	const long least = DIV_ROUND_UP(sizeof(struct ftrace_ret_stack), sizeof(long));
	struct ftrace_ret_stack entry;
	const void *from;
	unsigned long word;
	long back;

	if (walk->next <= 0)
		return false;
	walk->next--;
	if (KCATCH_GRAPH_WORDS) {
		from = (const unsigned long *)walk->stack + walk->next;
		if (copy_from_kernel_nofault(&word, from, sizeof(word)))
			return false;
		back = word & KCATCH_GRAPH_BACK;
		if (back < least || back > walk->next)
			return false;
		walk->next -= back;
		from = (const unsigned long *)walk->stack + walk->next;
	} else {
		from = (const struct ftrace_ret_stack *)walk->stack + walk->next;
	}
	if (copy_from_kernel_nofault(&entry, from, sizeof(entry)))
		return false;
	hook->slot = (unsigned long)entry.retp;
	hook->address = entry.ret;
	return true;
}
#else
static inline void kcatch_graph_begin(struct kcatch_graph_walk *walk,
				      const struct task_struct *task)
{
}

static inline bool kcatch_graph_next(struct kcatch_graph_walk *walk,
				     struct kcatch_graph_return *hook)
{
	return false;
}
#endif

#endif
