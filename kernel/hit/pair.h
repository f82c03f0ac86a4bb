/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs of hits: a first event puts its key and its time into a table, the second event with that
 * key takes them out, and has the time between as its latency. uapi/kcatch_count.h is the contract.
 *
 * A key has one bucket of slots, all of which are looked at; so a slot is freed without a trace. A
 * slot changes as a whole, by one exchange of 16 bytes, and none is ever held: a hit may interrupt
 * another one, in an NMI too, and change the same slots. Of two hits that put one key into two
 * slots at once, at least one sees the other's, and that in front stays.
 *
 * Of a thread that leaves the CPU a note is beside the slot, written after the exchange. A slot may
 * be taken and put again meanwhile: a check tells whether both words of the note are of the time
 * that was taken.
 *
 * Memory: 16 bytes for each slot, 16 for its note, charged to the limit of all sessions.
 */
#ifndef _KCATCH_HIT_PAIR_H
#define _KCATCH_HIT_PAIR_H

#include <linux/types.h>
#include <uapi/kcatch.h>

struct kcatch_condition_input;
struct kcatch_program_code;
struct kcatch_session;

#define KCATCH_PAIR_BUCKET 8U /* slots */

/**
 * struct kcatch_pair_slot - a first event that waits for its second one
 * @key: its key
 * @time: the clock then; 0: the slot is free, and @key is 0
 */
struct kcatch_pair_slot {
	u64 key;
	u64 time;
} __aligned(16);

/**
 * struct kcatch_pair_note - what a first event with KCATCH_PAIRS_OFF_CPU leaves for the second one
 * @note: kcatch_off_cpu_note()
 * @check: what @note and the time of its slot come to
 */
struct kcatch_pair_note {
	u64 note;
	u64 check;
};

/**
 * struct kcatch_pairs - the table of a session
 * @slots: KCATCH_PAIR_BUCKET for each bucket
 * @notes: one for each slot; NULL: not KCATCH_PAIRS_OFF_CPU
 * @noted: there are, also while the table is made
 * @mask: number of buckets less one
 * @seed: start of the hash
 * @counts: what each CPU has counted; @open is not used
 */
struct kcatch_pairs {
	struct kcatch_pair_slot *slots;
	struct kcatch_pair_note *notes;
	bool noted;
	u32 mask;
	u64 seed;
	struct kcatch_pair_counts __percpu *counts;
};

/**
 * struct kcatch_pair_part - the part that a program has in pairs
 * @pairs: the table
 * @is_first: its hits are first events; else second ones
 * @key: puts the key as word 0, and another word 1 than 0 if it is not known; with notes, of a
 *	first event, whether the thread sleeps as word 2
 */
struct kcatch_pair_part {
	struct kcatch_pairs *pairs;
	bool is_first;
	struct kcatch_code *key;
};

/**
 * kcatch_pair_answer() - let a hit begin a pair, or end one
 * @program: has a part in pairs
 * @input: filled in; receives the latency
 *
 * Context: any, inside a hook. Return: as kcatch_call_answer(): whether it is counted
 * or recorded
 */
u32 kcatch_pair_answer(const struct kcatch_program_code *program,
		       struct kcatch_condition_input *input);

/* ---- process context: arm/pair_table.c ---------------------------------------------- */

/** kcatch_pairs_create() - make the table. @user: as the uapi says. Context: may sleep. Return: 0
 * or -errno */
int kcatch_pairs_create(struct kcatch_session *session, const struct kcatch_new_pairs *user);

/** kcatch_pairs_program() - give a program its part. @user: as the uapi says; user memory is read.
 * Context: may sleep. Return: 0 or -errno */
int kcatch_pairs_program(struct kcatch_session *session, const struct kcatch_pair *user);

/** kcatch_pairs_count() - what was counted so far. Context: may sleep. Return: 0, or -EINVAL:
 * there is no table */
int kcatch_pairs_count(struct kcatch_session *session, struct kcatch_pair_counts *counts);

/** kcatch_pair_part_destroy() - free a program's part that no hook uses. @part: or NULL */
void kcatch_pair_part_destroy(struct kcatch_pair_part *part);

/** kcatch_pairs_destroy() - free what a session has of pairs, that no hook uses */
void kcatch_pairs_destroy(struct kcatch_session *session);

#endif
