/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads user memory again, at the return of a call, that could not be read at its entry: a page
 * that nobody had touched yet, which the call itself has read since.
 */
#ifndef _KCATCH_FETCH_AGAIN_H
#define _KCATCH_FETCH_AGAIN_H

#include "program/fetch.h"

/**
 * struct kcatch_again - one run
 * @args: arguments at the entry: KCATCH_ARGS words
 * @items: in: items to read, one bit each; out: those that were read
 * @from: what the list put at the entry
 * @to: room for size_max bytes and KCATCH_FETCH_SPILL; not @from
 * @size: out: bytes put
 */
struct kcatch_again {
	const u64 *args;
	u64 items;
	const u8 *from;
	u8 *to;
	u32 size;
};

/**
 * kcatch_fetch_again_user() - copy what a list put, with those items read that could not be
 * @steps: a list of the entry, or of fields
 *
 * Only items whose own bytes are user memory are read; the pointers that lead to them may be the
 * kernel's. The words of arguments on the stack are gone by then: what lies behind them stays
 * unread.
 *
 * Context: any, inside a hook. Never faults, never waits.
 */
void kcatch_fetch_again_user(const struct kcatch_steps *steps, struct kcatch_again *again);

#endif
