/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions that begin with a value that must equal a constant, as those on the events of one
 * system call do. Such a value chooses among the probes of a place (site_choice.h).
 */
#ifndef _KCATCH_CONDITION_KEY_H
#define _KCATCH_CONDITION_KEY_H

#include "program/condition_demands.h"
#include "program/fetch.h"

/**
 * struct kcatch_key - what a condition demands before anything else
 * @known: it holds only if the value is this
 * @whole: it holds then, if the task's flags are as below, and asks for nothing more
 * @behind: the value is in memory, 8 bytes behind the pointer that is the argument
 * @place: index of the argument among the words
 * @offset: from the pointer to the value, bytes
 * @value: what it must be
 * @task_offset: a word of struct task_struct, in bytes
 * @task_mask: bits of that word, none of which may be set; 0: it is not asked for
 */
struct kcatch_key {
	bool known;
	bool whole;
	bool behind;
	u8 place;
	s32 offset;
	u64 value;
	u32 task_offset;
	u32 task_mask;
};

/** kcatch_key_task_holds() - are the task's flags as the key asks? Context: any */
static __always_inline bool kcatch_key_task_holds(const struct kcatch_key *key)
{
	return !(*(const u32 *)((const void *)current + key->task_offset) & key->task_mask);
}

/**
 * kcatch_key_of() - the value that comes first in what is demanded
 * @demands: of the condition
 * @fields: the checked list that puts its fields, not joined yet
 * @key: result
 *
 * Context: any.
 */
void kcatch_key_of(const struct kcatch_demands *demands, const struct kcatch_steps *fields,
		   struct kcatch_key *key);

#endif
