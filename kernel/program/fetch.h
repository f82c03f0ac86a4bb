/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetching: runs lists of steps that read arguments and the memory behind them (struct
 * kcatch_step of the uapi header describes each step).
 *
 * A kernel address is followed only if it is memory: addresses in the vmalloc area are
 * looked up in the page tables first, because reading a device's registers can have side
 * effects. (Mappings of user memory are not checked that closely.) All reads go through
 * the kernel's fault-tolerant copies.
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

/** kcatch_args_place() - index of argument @nr, 0..5, among the KCATCH_ARGS words */
static __always_inline u32 kcatch_args_place(u32 nr)
{
	return nr < 3 ? 6 - nr : nr == 3 ? 3 : 5 - nr;
}

/** kcatch_args_of() - the KCATCH_ARGS words of a function's entry, inside its pt_regs */
static __always_inline const u64 *kcatch_args_of(const struct pt_regs *regs)
{
	BUILD_BUG_ON(offsetof(struct pt_regs, di) - offsetof(struct pt_regs, r9) !=
		     (KCATCH_ARGS - 1) * sizeof(u64));
	return (const u64 *)&regs->r9;
}

/* Maximum number of arguments that a plain list puts. */
#define KCATCH_PLAIN_MAX	6

/* Maximum number of items of a list whose items are all direct, with the pointers that they lie
 * behind: two tasks with name and number. */
#define KCATCH_DIRECT_MAX	12

enum kcatch_direct_how {
	KCATCH_DIRECT_ARG,	/* the argument itself */
	KCATCH_DIRECT_WORD,
	KCATCH_DIRECT_TWO,	/* words: the name of a task or a device */
	KCATCH_DIRECT_WORDS,	/* three and more */
	KCATCH_DIRECT_INT,	/* 4 bytes, zero-extended */
	KCATCH_DIRECT_SMALL,	/* 1 or 2 bytes, zero-extended */
	KCATCH_DIRECT_ROW,	/* this and some items after it: a word each, behind one pointer */
	KCATCH_DIRECT_POINTER,	/* puts nothing: the pointer that the item after it lies behind */
};

/* @place of an item after a pointer. */
#define KCATCH_DIRECT_BEHIND	255

/* What reads @size bytes: 1, 2, 4 or a multiple of 8. */
static inline enum kcatch_direct_how kcatch_direct_how(u32 size)
{
	if (size < sizeof(u64))
		return size == 4 ? KCATCH_DIRECT_INT : KCATCH_DIRECT_SMALL;
	return size == 8 ? KCATCH_DIRECT_WORD : size == 16 ? KCATCH_DIRECT_TWO :
							     KCATCH_DIRECT_WORDS;
}

/**
 * struct kcatch_direct - an item that is an argument, or memory that an argument points to, or a
 *	pointer there
 * @place: index of the argument among the words, or KCATCH_DIRECT_BEHIND
 * @how: enum kcatch_direct_how
 * @size: bytes to read; of a row its items
 * @offset: offset from the pointer, in bytes
 * @low: the lowest offset of all items of the same argument
 * @span: bytes from @low to the end of the highest item; 0: an earlier item checked the range
 */
struct kcatch_direct {
	u8 place;
	u8 how;
	u16 size;
	s32 offset;
	s32 low;
	u32 span;
};

/* Bytes of the length in front of a text. */
#define KCATCH_ITEM_HEAD	8

/*
 * What kcatch_steps_join() makes of some steps in a row: op, behind those of the uapi. @arg is as
 * in the first of them, @offset that of the last but a PUT.
 */
enum kcatch_joined {
	KCATCH_JOINED = 128,
	KCATCH_JOINED_ARG_MEMORY = KCATCH_JOINED,	/* ARG, PUT_MEMORY of whole words */
	KCATCH_JOINED_ARG_PATH,		/* ARG, ADD, PUT_PATH; KCATCH_JOINED_WHOLE in @arg */
	KCATCH_JOINED_ARG_VALUE,	/* ARG, LOAD, PUT; the value stays in the accumulator */
	KCATCH_JOINED_ARG_LOAD,		/* ARG, LOAD of a word */
	KCATCH_JOINED_SAVED_MEMORY,	/* SAVED, PUT_MEMORY of whole words; @arg: saved word */
};
#define KCATCH_JOINED_WHOLE	8

/**
 * struct kcatch_steps - a checked list of steps
 * @nr: number of steps
 * @items: number of items that the steps put
 * @size_max: maximum bytes that the steps put
 * @saved: bytes at the front of the entry's data that a list for the return reads
 * @plain: every item is an argument
 * @nr_plain: number of items at the front that are arguments; their indexes are in @places, and
 *	kcatch_steps_join() has taken their steps away
 * @pure: no item can be faulty or cut
 * @fixed: the list always puts size_max bytes, and writes nothing behind them
 * @words: the size of every item is a fixed number of words, whatever its source, and nothing is
 *	written behind them
 * @nr_direct: number of items in @direct, pointers too; 0: not all items are direct
 * @nr_front: number of direct items at the front of a list that has others, too; in @direct, none
 *	of them behind a pointer
 * @behind_front: number of the steps of these, in @steps
 * @tail_size: bytes of the only item behind the front, if that is memory that one of the words
 *	points to (a socket address of a system call); else 0
 * @tail_word: index of that word
 * @tail_offset: from the pointer to the memory, bytes
 * @places: index of each argument among the words
 * @steps: the steps; in a SAVED step, arg is the number of the saved item, in a MISSED step, size
 *	is, and arg that of the item that could not be read; in an ARG step,
 *	the index among the words, in a RET step that behind ax in struct pt_regs; in a CGROUP
 *	step, offset is for kcatch_cgroup_current()
 */
struct kcatch_steps {
	u32 nr;
	u32 items;
	u32 size_max;
	u32 saved;
	bool plain;
	bool pure;
	bool fixed;
	bool words;
	u8 nr_plain;
	u8 nr_direct;
	u8 nr_front;
	u8 behind_front;
	u8 tail_word;
	u16 tail_size;
	s32 tail_offset;
	u8 places[KCATCH_PLAIN_MAX];
	struct kcatch_direct direct[KCATCH_DIRECT_MAX];
	struct kcatch_step *steps;
};

/**
 * struct kcatch_fetch - one run of a list
 * @args: arguments at the entry: KCATCH_ARGS words
 * @stack: address of the seventh argument at the entry
 * @ret: ax in struct pt_regs at the return: the return value is ax and dx
 * @saved: data that the entry list put
 * @saved_faults: faulty items of @saved, one bit each
 * @to: destination, room for size_max bytes and KCATCH_FETCH_SPILL
 * @size: out: bytes put
 * @faults: out: faulty items, one bit each
 * @cut: out: truncated items, one bit each
 */
struct kcatch_fetch {
	const u64 *args;
	unsigned long stack;
	const u64 *ret;
	const u8 *saved;
	u64 saved_faults;
	u8 *to;
	u32 size;
	u64 faults;
	u64 cut;
};

/* Bytes behind those of a list that fetching may write to: what is copied by words. */
#define KCATCH_FETCH_SPILL	8

/* Which list of a program is checked. */
enum kcatch_steps_kind { KCATCH_STEPS_ENTRY, KCATCH_STEPS_RETURN, KCATCH_STEPS_FIELDS };

/**
 * kcatch_steps_check() - validate a list of steps, and fill in the derived fields
 * @steps: nr and steps set; a copy in kernel memory
 * @kind: use of the list
 * @entry: for a list of the return: the checked list of the entry
 * @bad: out: index of the first invalid step
 *
 * Return: 0, -EINVAL, -E2BIG
 */
int kcatch_steps_check(struct kcatch_steps *steps, enum kcatch_steps_kind kind,
		       const struct kcatch_steps *entry, u32 *bad);

/** kcatch_steps_distrust() - lists that are checked from now on are run in the full way. Context:
 * while the module is loaded */
void kcatch_steps_distrust(void);

/**
 * kcatch_steps_join() - make fewer steps of a checked list
 * @steps: list; no other list is checked against it from then on
 */
void kcatch_steps_join(struct kcatch_steps *steps);

/**
 * kcatch_fetch_run() - run a list of the entry, or of fields
 *
 * Context: any, inside a hook. Never faults, never waits.
 */
void kcatch_fetch_run(const struct kcatch_steps *steps, struct kcatch_fetch *fetch);

/** kcatch_fetch_return() - kcatch_fetch_run() of a list of the return: @args and @stack of @fetch
 * are not used */
void kcatch_fetch_return(const struct kcatch_steps *steps, struct kcatch_fetch *fetch);

/**
 * kcatch_fetch_user() - the current task in user mode: registers and the top of its stack
 * @user: result; its flags name the parts that could not be read
 * @room: bytes for the copy of the stack
 *
 * Context: any, inside a hook.
 */
void kcatch_fetch_user(struct kcatch_user *user, u32 room);

/**
 * kcatch_fetch_quick() - run a list with @words set, as long as all is at hand and nothing faults
 * @args: as in struct kcatch_fetch, like @stack
 * @to: receives exactly size_max bytes
 *
 * Context: as kcatch_fetch_run(). Return: 0; else some of @to are anything: kcatch_fetch_marked()
 */
u64 kcatch_fetch_quick(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to);

/** kcatch_fetch_marked() - what kcatch_fetch_quick() does, whatever faults. Context: the same.
 * Return: faulty items, one bit each */
u64 kcatch_fetch_marked(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
			void *to);

/**
 * kcatch_fetch_tail() - fetch the item behind the front of a list that has one
 * @words: what the front has put
 * @to: where the item goes
 *
 * Context: as kcatch_fetch_run(). Return: true; false: it cannot be read, and zeros are put
 */
bool kcatch_fetch_tail(const struct kcatch_steps *steps, const u64 *words, u64 *to);

/** kcatch_fetch_words() - kcatch_fetch_quick(), or if it must be kcatch_fetch_marked() */
static inline u64 kcatch_fetch_words(const struct kcatch_steps *steps, const u64 *args,
				     unsigned long stack, void *to)
{
	if (likely(!kcatch_fetch_quick(steps, args, stack, to)))
		return 0;
	return kcatch_fetch_marked(steps, args, stack, to);
}

/** kcatch_fetch_fixed() - run a list with @fixed set. What has no fixed size is not in it, so that
 * nothing is cut; parameters, context and result as of kcatch_fetch_words() */
u64 kcatch_fetch_fixed(const struct kcatch_steps *steps, const u64 *args, unsigned long stack,
		       void *to);

/**
 * kcatch_fetch_return_words() - run a list of the return with @words set
 * @ret: as in struct kcatch_fetch, like @saved and @saved_faults
 * @to: receives exactly size_max bytes
 *
 * Context: as kcatch_fetch_run(). Return: faulty items, one bit each
 */
u64 kcatch_fetch_return_words(const struct kcatch_steps *steps, const u64 *ret, const void *saved,
			      u64 saved_faults, void *to);

/** kcatch_fetch_plain() - run a plain list; @to has room for size_max bytes */
static __always_inline void kcatch_fetch_plain(const struct kcatch_steps *steps,
					       const u64 *args, void *to)
{
	u64 *word = to, *end = to + steps->size_max;
	const u8 *place = steps->places;

	while (word < end)
		*word++ = args[*place++];
}

/** kcatch_fetch_init() - test whether our paths equal those of the kernel, and whether the quick
 * ways give what the full one does */
void kcatch_fetch_init(void);

#endif
