/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which probes of a place a hit is for, where most of its probes ask for a constant of their own
 * (struct kcatch_key): all system calls enter through one tracepoint. Without this each probe would
 * be asked in turn.
 *
 * A choice holds all probes of a place whose groups are live; it is made when they go live, and
 * dropped before any of them leaves or stops. Hooks read it under the guard. Hits are counted by
 * constant: what has another one than a probe is what the probe's condition filtered, or no hit of
 * it (KCATCH_PROGRAM_KEYED).
 *
 * Memory: 1 KB or 60 bytes a probe, and 8 for each possible CPU.
 */
#ifndef _KCATCH_SITE_CHOICE_H
#define _KCATCH_SITE_CHOICE_H

#include <linux/percpu.h>
#include "core/group.h"
#include "core/hook.h"
#include "program/fetch_memory.h"
#include "program/program.h"

/**
 * struct kcatch_choice_entry - probes with one constant
 * @value: the constant
 * @first: index of the first of them in @probes
 * @nr: number of them; 0: the entry is free
 * @which: its index in @hits
 */
struct kcatch_choice_entry {
	u64 value;
	u32 first;
	u16 nr;
	u16 which;
};

/* Values that hooks of their own look up: hook_tracepoint.c. */
enum kcatch_choice_kind {
	KCATCH_CHOICE_OTHER,
	KCATCH_CHOICE_ENTER,	/* argument 1; and there are no probes without a key */
	KCATCH_CHOICE_EXIT,	/* the word ORIG_AX behind argument 0; the same */
};

/* Probes that have a key: with more each is asked in turn. */
#define KCATCH_CHOICE_MAX	2048

/**
 * struct kcatch_choice - a place's probes by constants
 * @kind: enum kcatch_choice_kind
 * @behind: as in struct kcatch_key, the same for all, like @place and @offset
 * @mask: number of entries - 1
 * @nr_others: probes without such a key: each hit is theirs
 * @nr: number of probes that have one
 * @nr_values: number of constants
 * @charged: bytes on the account of memory
 * @hits: hits of each constant, and at its end those of no constant, by CPU
 * @entries: a hash table, open addressing by value, at most half full, often much less
 * @probes: sorted by constant; behind them the others
 * @site: where it is
 * @dropped: in the list of those that no new hit finds
 */
struct kcatch_choice {
	u8 kind;
	bool behind;
	u8 place;
	s32 offset;
	u32 mask;
	u32 nr_others;
	u32 nr;
	u32 nr_values;
	u64 charged;
	u64 __percpu *hits;
	struct kcatch_choice_entry *entries;
	struct kcatch_probe **probes;
	struct kcatch_site *site;
	struct list_head dropped;
};

/** kcatch_choice_value() - the value that a hit is looked up by. @args: KCATCH_ARGS words. Context:
 * any, inside a hook. Return: false: it cannot be read */
static __always_inline bool kcatch_choice_value(const struct kcatch_choice *choice,
						const u64 *args, u64 *value)
{
	unsigned long at;

	*value = args[choice->place];
	if (!choice->behind)
		return true;
	at = *value + choice->offset;
	if (likely(kcatch_on_own_stack(at, sizeof(u64)))) {
		*value = *(const u64 *)at;
		return true;
	}
	return kcatch_read(value, at, sizeof(*value));
}

/** kcatch_choice_find() - the probes that ask for a value, or NULL. Context: any, inside a hook */
static __always_inline const struct kcatch_choice_entry *
kcatch_choice_find(const struct kcatch_choice *choice, u64 value)
{
	u32 i = value & choice->mask;

	for (; choice->entries[i].nr; i = (i + 1) & choice->mask)
		if (choice->entries[i].value == value)
			return &choice->entries[i];
	return NULL;
}

/* The entry at the first place where a value may be. */
static __always_inline const struct kcatch_choice_entry *
kcatch_choice_first(const struct kcatch_choice *choice, u64 value)
{
	return &choice->entries[value & choice->mask];
}

/** kcatch_choice_count() - count a hit. @entry: what was found. Context: any, inside a hook */
static __always_inline void kcatch_choice_count(const struct kcatch_choice *choice,
						const struct kcatch_choice_entry *entry)
{
	this_cpu_inc(choice->hits[entry ? entry->which : choice->nr_values]);
}

/**
 * kcatch_choice_make() - make one for a place, if it is worth it
 *
 * Without memory there is none, and each probe is asked.
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_choice_make(struct kcatch_site *site);

/** kcatch_choice_drop() - from now on hits at a place ask each probe. Context: kcatch_sites_lock
 * held. Return: whether there was one; then kcatch_quiesce() and kcatch_choices_settle() follow
 * under the same lock */
bool kcatch_choice_drop(struct kcatch_site *site);

/** kcatch_choices_settle() - counts what dropped choices counted, frees them, and makes new ones
 * for probes that stay. Context: kcatch_sites_lock held, may sleep; no hook uses them any more */
void kcatch_choices_settle(void);

/** kcatch_choice_filtered() - hits on a CPU whose constant was not this probe's. Context:
 * kcatch_sites_lock held */
u64 kcatch_choice_filtered(const struct kcatch_probe *probe, u32 cpu);

#endif
