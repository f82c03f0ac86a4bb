/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nesting.h - the time that a call's inner calls took, whichever of them comes first
 *
 * The library gives a long call after the calls inside it, and a short one before them.
 *
 * Memory: 24 bytes a call, in two tables of at most NESTING_CALLS; a call that nothing
 * asked for while NESTING_CALLS others came is forgotten.
 */
#ifndef REPORT_NESTING_H
#define REPORT_NESTING_H

#include <stdint.h>

#define NESTING_CALLS (1U << 17)

/**
 * struct nesting_call - a call that came, or that calls inside it have named
 * @call: its number, never 0
 * @inner_ns: time of the calls directly inside it that came before it
 * @node: where its own time is counted; 0: it has not come
 */
struct nesting_call {
	uint64_t call;
	uint64_t inner_ns;
	uint32_t node;
};

/**
 * struct nesting_table - calls by number
 * @calls: open addressing, @room places (a power of two)
 * @room: places
 * @count: calls in them
 */
struct nesting_table {
	struct nesting_call *calls;
	uint32_t room;
	uint32_t count;
};

/**
 * struct nesting - zeroed: no calls
 * @young: calls asked for since @old was put aside
 * @old: calls of the time before
 */
struct nesting {
	struct nesting_table young;
	struct nesting_table old;
};

/**
 * nesting_call - the entry of a call, made where there is none
 * @nesting: the calls
 * @call: its number, not 0
 *
 * Return: the entry, valid until the next call of this function; NULL without memory.
 */
struct nesting_call *nesting_call(struct nesting *nesting, uint64_t call);

/**
 * nesting_deinit - free the memory
 * @nesting: the calls
 */
void nesting_deinit(struct nesting *nesting);

#endif
