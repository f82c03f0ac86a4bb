/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Counting: the calls TABLE, COUNT, SWAP and ROWS; of pairs PAIRS, PAIR and PAIRED. Part of the
 * contract in uapi/kcatch.h, which includes this header.
 *
 * A hit of a probe whose program counts makes no record: it is added to a row of a table, which
 * its key selects. TABLE makes a table, COUNT turns a program into one that counts.
 *
 * Tables
 *   Each CPU has two logs of rows. Hits add to one of them; the other one is the reader's.
 *   SWAP empties the reader's log, exchanges the two on every CPU and waits until no hit uses
 *   the log that is now the reader's. ROWS copies it. No hit is lost or counted twice, and hits
 *   never wait. A number is therefore the sum over all SWAPs and all CPUs.
 *   A CPU may have two rows of the same key: a hit that interrupts the hit which makes a row
 *   does not wait for it.
 *
 * The log of one CPU
 *   The row at byte KCATCH_ROW_OTHER has the kind KCATCH_ROW_IS_OTHER. It counts the hits whose
 *   key found no room. Rows follow one another, each of kcatch_row_size() bytes.
 *
 * Keys
 *   The key of a row has `words` words of the parts of the program, in their order. With
 *   KCATCH_TABLE_BUCKETS one word more: the number of the value's bucket. With
 *   KCATCH_TABLE_STACK and KCATCH_TABLE_USER_STACK one word more for each: the offset in bytes
 *   of a row of kind KCATCH_ROW_IS_STACK in the same log, whose key is the stack. Such a row
 *   counts nothing. If one of the stacks is the whole key, a row's key is the stack itself.
 *
 * Pairs
 *   PAIRS makes a table of first events, PAIR turns programs that count into those of first events,
 *   and programs that count or record into those of second events. A first event puts its key and
 *   the time into the table. A second event takes that of its key out, and has the time between as
 *   its latency: for its condition on the return, which is evaluated at once, and for what it
 *   counts or records (KCATCH_ITEM_LATENCY). So the condition chooses pairs, and the
 *   return of a function is not hooked. Where a first event is at the same address as a second one,
 *   that which was added last comes first: with the second one, the time between two hits of one
 *   function. What is in the table at STOP stays there.
 *   With KCATCH_PAIRS_OFF_CPU a pair is a time that a thread was off the CPU: a first event comes
 *   in the thread that leaves it, a second one in the thread that has come back. Second events
 *   know KCATCH_FROM_RUNNABLE and KCATCH_FROM_BLOCKED then, which sum to the latency. An event
 *   whose key is 0, as that of the kernel's idle threads, is of no pair: a first one is `filtered`,
 *   a second one `unmatched`.
 *       hits of first events  = paired + restarted + open + overflow + undecided_first
 *                               + filtered + missed + over_budget
 *       hits of second events = paired + unmatched + undecided_second + filtered by an entry
 *                               condition + missed
 *
 * Counters
 *   Of a pair's programs, a first event without room is `undecided` at its probe, and a second
 *   event without a first one is `filtered`.
 *   At a probe whose program counts, `recorded` is the number of hits in rows of their key, and
 *   `lost` of those in the row OTHER, which take nothing from the budget.
 */
#ifndef _UAPI_KCATCH_COUNT_H
#define _UAPI_KCATCH_COUNT_H

#include <linux/types.h>

#define KCATCH_TABLES_MAX	64U	/* tables of one session */
#define KCATCH_TABLE_SIZE_MIN	8192U	/* bytes of a log */
#define KCATCH_TABLE_SIZE_MAX	(256U << 20)
#define KCATCH_KEY_WORDS_MAX	32U	/* words of the parts of a key */
#define KCATCH_PARTS_MAX	16U	/* parts of a key */

/* struct kcatch_new_table.flags */
#define KCATCH_TABLE_VALUES	(1U << 0)	/* rows have sum, minimum and maximum of a value */
#define KCATCH_TABLE_BUCKETS	(1U << 1)	/* a row for each bucket of a value */
#define KCATCH_TABLE_STACK	(1U << 2)	/* the kernel stack is part of the key */
#define KCATCH_TABLE_USER_STACK	(1U << 3)	/* the user stack is, by its frame pointers */

/**
 * struct kcatch_new_table - make a table
 * @size: bytes of each log, KCATCH_TABLE_SIZE_MIN..KCATCH_TABLE_SIZE_MAX; two for each CPU
 * @words: words of the key's parts, 0..KCATCH_KEY_WORDS_MAX
 * @flags: KCATCH_TABLE_*
 * @number: out: number of the table in the session, from 1
 * @reserved: 0
 *
 * After SETUP. The table goes with the session.
 *
 * Errors: EINVAL a value is out of range, or there was no SETUP; E2BIG KCATCH_TABLES_MAX;
 * ENOMEM memory is short, or all sessions would hold more than a quarter of it.
 */
struct kcatch_new_table {
	__u32 size;
	__u16 words;
	__u16 flags;
	__u32 number;
	__u32 reserved;
};

/* struct kcatch_part.kind */
#define KCATCH_PART_WORD	1	/* the value of a source, KCATCH_FROM_ARG to _UID, cut as
					 * that of an operation is (struct kcatch_op). One that
					 * could not be read is 0 */
#define KCATCH_PART_COMM	2	/* the command, two words; behind its null byte may be
					 * anything: one command may have several rows */
#define KCATCH_PART_CALLER	3	/* the address that the innermost frame has; one word */
#define KCATCH_PART_PROBE	4	/* the number of the probe; one word */
#define KCATCH_PART_CODE	5	/* word @index that the code puts; 0 if it did not */
#define KCATCH_PART_SAME	6	/* the value of the table's other number; for the bucket */
#define KCATCH_PART_TEXT	7	/* @size bytes at byte @offset of what the program's
					 * `fields` put, both a multiple of 8 */

#define KCATCH_PART_TEXT_MAX	64U	/* bytes */

/**
 * struct kcatch_part - a part of a key, or a value
 * @kind: KCATCH_PART_*
 * @from: WORD: KCATCH_FROM_*; else 0
 * @index: WORD, CODE: a number; else 0
 * @left: WORD: as in struct kcatch_op; else 0
 * @right: likewise
 * @size: TEXT: bytes, 8..KCATCH_PART_TEXT_MAX; else 0
 * @reserved: 0
 * @offset: TEXT, and WORD from KCATCH_FROM_FIELD: bytes; else 0
 */
struct kcatch_part {
	__u16 kind;
	__u8  from;
	__u8  index;
	__u8  left;
	__u8  right;
	__u8  size;
	__u8  reserved;
	__u32 offset;
};

/* struct kcatch_count.flags */
#define KCATCH_COUNT_ALWAYS	(1U << 0)	/* the condition on the return is only there so that
						 * returns are counted: it need not be evaluated */

/**
 * struct kcatch_count - let a program count
 * @program: number of a program that is bound to no probe yet. It has no lists for entry and
 *	return and no user stack. With a condition on the return it counts at the return, else
 *	at the entry, where ret and latency are 0
 * @table: number of the table
 * @nr_parts: number of parts of the key, 0..KCATCH_PARTS_MAX. Their words are the table's
 * @flags: KCATCH_COUNT_*
 * @parts: user pointer to the parts. With KCATCH_TABLE_VALUES one more follows: the value.
 *	With KCATCH_TABLE_BUCKETS one more after that: the value whose bucket is taken. Both
 *	are one word, a signed number
 * @code: struct kcatch_op, whose words (KCATCH_OP_OUT, _MARK) are parts; it is run after the
 *	conditions, and how it ends is of no interest
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL a part or the code does not conform to this page, or
 * their words are not the table's; E2BIG more than KCATCH_OPS_MAX operations; EBUSY the session
 * runs, or the program is bound or counts.
 */
struct kcatch_count {
	__u32 program;
	__u32 table;
	__u32 nr_parts;
	__u32 flags;
	__u64 parts;
	struct kcatch_list code;
};

/**
 * struct kcatch_swap - exchange the logs of a table
 * @table: number of the table
 * @reserved: 0
 *
 * Errors: EINVAL no such table; ETIMEDOUT a CPU takes no interrupts, EINTR killed: the logs
 * are as they were.
 */
struct kcatch_swap {
	__u32 table;
	__u32 reserved;
};

/**
 * struct kcatch_rows - copy rows of the reader's log of one CPU
 * @table: number of the table
 * @cpu: the CPU
 * @offset: byte of the log to begin at, a multiple of 8
 * @size: in: room in @buffer, bytes; out: bytes copied, 0 behind the last row
 * @buffer: user pointer
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL no such table or CPU; EAGAIN the table was swapped
 * meanwhile; EINTR killed. A CPU that was never online has no rows.
 */
struct kcatch_rows {
	__u32 table;
	__u32 cpu;
	__u32 offset;
	__u32 size;
	__u64 buffer;
};

#define KCATCH_PAIRS_ROOM_MIN 64U
#define KCATCH_PAIRS_ROOM_MAX (1U << 24)

/**
 * struct kcatch_new_pairs - make the session's table of pairs
 * @room: first events that it holds, KCATCH_PAIRS_ROOM_MIN..KCATCH_PAIRS_ROOM_MAX, rounded up to a
 *	power of two; 16 bytes each, 32 with KCATCH_PAIRS_OFF_CPU. The keys of eight have one
 *	place: where more than that come to one there is no room, which a table that is an eighth
 *	full has for one key of a million
 * @flags: KCATCH_PAIRS_*
 *
 * After SETUP. The table goes with the session.
 *
 * Errors: EINVAL a value is out of range, or there was no SETUP; EBUSY there is one; EOPNOTSUPP the
 * processor lacks CMPXCHG16B, or the kernel does not count how long threads wait for a CPU
 * (KCATCH_PAIRS_OFF_CPU, CONFIG_SCHED_INFO); ENOMEM memory is short, or all sessions would hold
 * more than a quarter of it.
 */
struct kcatch_new_pairs {
	__u32 room;
	__u32 flags;
};

/* struct kcatch_new_pairs.flags */
#define KCATCH_PAIRS_OFF_CPU (1U << 0)

/* struct kcatch_pair.role */
#define KCATCH_PAIR_FIRST  1
#define KCATCH_PAIR_SECOND 2

/**
 * struct kcatch_pair - give a program its part in pairs
 * @program: number of a program that is bound to no probe yet, and counts if it is of first events.
 *	It may have a condition on the return without one being hooked, and BIND refuses it (EINVAL)
 *	where one is
 * @role: KCATCH_PAIR_*
 * @key: struct kcatch_op, run after the condition on the entry. It puts the key as word 0, and as
 *	word 1 another number than 0 if the key is not known. That of a first event with
 *	KCATCH_PAIRS_OFF_CPU puts, as word 2, whether the thread sleeps: else it could run on
 *
 * Errors, besides EFAULT and ENOMEM: EINVAL there is no table, or the program or the code does not
 * conform to this page; E2BIG more than KCATCH_OPS_MAX operations; EBUSY the session runs, or the
 * program is bound or has a part.
 */
struct kcatch_pair {
	__u32 program;
	__u32 role;
	struct kcatch_list key;
};

/**
 * struct kcatch_pair_counts - what became of first and second events; while the session runs, they
 *	may not add up
 * @paired: pairs
 * @unmatched: second events without a first one
 * @restarted: first events whose key was in the table: the pair's time begins with the later one
 * @overflow: first events that found no room
 * @undecided_first: first events whose key could not be read, or that others were always ahead of
 * @undecided_second: likewise second ones
 * @open: first events that are in the table
 *
 * Errors of PAIRED, besides EFAULT: EINVAL there is no table.
 */
struct kcatch_pair_counts {
	__u64 paired;
	__u64 unmatched;
	__u64 restarted;
	__u64 overflow;
	__u64 undecided_first;
	__u64 undecided_second;
	__u64 open;
};

/* Byte of the first row in a log. */
#define KCATCH_ROW_OTHER	8U

/* struct kcatch_row.kind */
#define KCATCH_ROW_IS_KEY	0
#define KCATCH_ROW_IS_OTHER	1
#define KCATCH_ROW_IS_STACK	2	/* a stack of the kernel, or of the user */

/*
 * A kernel stack: a word with the flags of the stack in its lower half and, in its upper half, the
 * member `interrupted` of struct kcatch_hit; then the frames, innermost first. A user stack: a
 * word with the process ID in its lower half and, in its upper half, KCATCH_STACK_DEPTH,
 * KCATCH_STACK_BROKEN (a 32-bit program, of which only the first frame is known) or 0; then the
 * frames.
 */

/**
 * struct kcatch_row - a row of a log
 * @hash: of the key
 * @words: words of the key
 * @kind: KCATCH_ROW_IS_*
 * @count: hits
 * @key: the key; then, with KCATCH_TABLE_VALUES, in rows of the kinds KEY and OTHER: sum,
 *	minimum and maximum, each a __s64. The sum wraps around. Without a hit the minimum is
 *	the largest and the maximum the smallest number
 */
struct kcatch_row {
	__u32 hash;
	__u16 words;
	__u16 kind;
	__u64 count;
	__u64 key[];
};

#define KCATCH_ROW_VALUES	3U	/* words behind the key */

/* Bytes of a row of a table with KCATCH_TABLE_* @flags. */
static inline __u32 kcatch_row_size(const struct kcatch_row *row, __u32 flags)
{
	__u32 words = row->words;

	if ((flags & KCATCH_TABLE_VALUES) && row->kind < KCATCH_ROW_IS_STACK)
		words += KCATCH_ROW_VALUES;
	return sizeof(*row) + words * 8;
}

/*
 * Buckets: 0..7 have one number each. Each power of two above has eight of equal width, so a
 * number differs from its bucket's lowest by less than an eighth. Bucket ~n of the negative
 * numbers has those whose complement is in bucket n.
 */
static inline __s32 kcatch_bucket_of(__s64 value)
{
	__u64 size = value < 0 ? ~(__u64)value : (__u64)value;
	__s32 bucket = (__s32)size;

	if (size >= 8) {
		__s32 top = 63 - __builtin_clzll(size);

		bucket = (top - 2) * 8 + (__s32)(size >> (top - 3) & 7);
	}
	return value < 0 ? ~bucket : bucket;
}

/* The lowest number of a bucket that is not negative. */
static inline __u64 kcatch_bucket_lowest(__u32 bucket)
{
	return bucket < 16 ? bucket : (__u64)(8 + bucket % 8) << (bucket / 8 - 1);
}

#endif
