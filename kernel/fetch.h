/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetching: lists of steps that read arguments and what they point to
 * (struct kcatch_step of the uapi, where the meaning of each is told).
 *
 * No kernel address is followed that is not memory: those in the vmalloc area are
 * looked up in the page tables first, for reading a device's registers can
 * have effects. (What a process has mapped is not looked at that closely.) All
 * reads go through the kernel's fault-tolerant copies.
 */
#ifndef _KCATCH_FETCH_H
#define _KCATCH_FETCH_H

#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <uapi/kcatch.h>

/*
 * Register arguments, in the order in which struct pt_regs has them, so that those
 * of a function's entry need not be copied: r9 r8 ax cx dx si di.
 */
#define KCATCH_ARGS		7

/** kcatch_args_place() - where argument @nr, 0..5, is among the words */
static __always_inline u32 kcatch_args_place(u32 nr)
{
	return nr < 3 ? 6 - nr : nr == 3 ? 3 : 5 - nr;
}

/** kcatch_args_of() - the words of an entry */
static __always_inline const u64 *kcatch_args_of(const struct pt_regs *regs)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) - offsetof(struct pt_regs, r9) !=
		     (KCATCH_ARGS - 1) * sizeof(u64));
	return (const u64 *)&regs->r9;
}

/* Most arguments that a list may put and be plain. */
#define KCATCH_PLAIN_MAX	6

/* Most items of a list whose items are all direct: two tasks with name and number. */
#define KCATCH_DIRECT_MAX	12

enum kcatch_direct_how {
	KCATCH_DIRECT_ARG,	/* the argument itself */
	KCATCH_DIRECT_WORDS,	/* as they are */
	KCATCH_DIRECT_VALUE,	/* 1, 2 or 4 bytes, zero-extended */
};

/**
 * struct kcatch_direct - an item that is an argument, or what one points to
 * @place: of the argument
 * @how: enum kcatch_direct_how
 * @size: bytes that are read
 * @offset: from where it points to
 * @low: the lowest offset of all items of the same argument
 * @span: from there to the end of the highest; 0: an item before has looked at it
 */
struct kcatch_direct {
	u8 place;
	u8 how;
	u16 size;
	s32 offset;
	s32 low;
	u32 span;
};

/**
 * struct kcatch_steps - a checked list
 * @nr: steps
 * @items: what they put
 * @size_max: most bytes they put
 * @saved: bytes from the front of the entry's data that a list for the return
 *	looks at
 * @plain: nothing but arguments is put: they are in @places
 * @pure: nothing it puts can be faulty or cut
 * @words: all it puts has its size in words, wherever it comes from
 * @nr_direct: all its items are such, in @direct; 0: they are not
 * @places: where each is among the words of the arguments
 * @steps: the list; in a SAVED step, arg is the number of the item it means; in an
 *	ARG step, its place among the words
 */
struct kcatch_steps {
	u32 nr;
	u32 items;
	u32 size_max;
	u32 saved;
	bool plain;
	bool pure;
	bool words;
	u8 nr_direct;
	u8 places[KCATCH_PLAIN_MAX];
	struct kcatch_direct direct[KCATCH_DIRECT_MAX];
	struct kcatch_step *steps;
};

/**
 * struct kcatch_fetch - one run of a list
 * @args: of the entry: KCATCH_ARGS words
 * @stack: of the entry: where the seventh argument is
 * @ret: return value, two words
 * @saved: what the entry put
 * @saved_faults: its faulty items
 * @to: where it is put, room for size_max
 * @size: out: bytes
 * @faults: out
 * @cut: out
 */
struct kcatch_fetch {
	const u64 *args;
	unsigned long stack;
	u64 ret[2];
	const u8 *saved;
	u64 saved_faults;
	u8 *to;
	u32 size;
	u64 faults;
	u64 cut;
};

/* Which list of a program is checked. */
enum kcatch_steps_kind { KCATCH_STEPS_ENTRY, KCATCH_STEPS_RETURN, KCATCH_STEPS_FIELDS };

/**
 * kcatch_steps_check() - is a list as the uapi says? Fills in what is derived
 * @steps: nr and steps set, its own copy
 * @kind: what it is for
 * @entry: for a list of the return: the checked list of the entry
 * @bad: out: first bad step
 *
 * Return: 0, -EINVAL, -E2BIG
 */
int kcatch_steps_check(struct kcatch_steps *steps, enum kcatch_steps_kind kind,
		       const struct kcatch_steps *entry, u32 *bad);

/**
 * kcatch_fetch_run() - do what a list says
 *
 * Context: any, inside a hook. Never faults, never waits.
 */
void kcatch_fetch_run(const struct kcatch_steps *steps, struct kcatch_fetch *fetch);

/**
 * kcatch_fetch_user() - copy the current task's memory
 * @to: where
 * @from: user address
 * @size: bytes
 *
 * Context: any, inside a hook. Return: bytes copied, up to the first place
 * that is not in memory
 */
u32 kcatch_fetch_user(u8 *to, unsigned long from, u32 size);

/**
 * kcatch_fetch_words() - do what a list of words says
 * @args: as in struct kcatch_fetch, as @stack
 * @to: has room for its size_max, which is what it puts
 *
 * Context: as kcatch_fetch_run(). Return: items that are faulty
 */
u64 kcatch_fetch_words(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to);

/** kcatch_fetch_plain() - do what a plain list says; @to has room for its size_max */
static __always_inline void kcatch_fetch_plain(const struct kcatch_steps *steps,
					       const u64 *args, void *to)
{
	const u8 *place = steps->places, *end = place + steps->items;
	u64 *word = to;

	while (place < end)
		*word++ = args[*place++];
}

/** kcatch_fetch_init() - find out whether paths come out as the kernel's own do */
void kcatch_fetch_init(void);

#endif
