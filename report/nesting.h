/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nesting.h - the time that a call's inner calls took, in any order of the calls
 *
 * The library returns a long call after its inner calls, and a short one before them.
 *
 * Memory: at most 13 MB in two hash tables of up to NESTING_CALLS calls. A call that is not
 * looked up while NESTING_CALLS others are may be forgotten.
 */
#ifndef REPORT_NESTING_H
#define REPORT_NESTING_H

#include <stdint.h>

#define NESTING_CALLS (1U << 17)	/* entries of a table */

/**
 * struct nesting_call - a call that was read, or whose inner calls were
 * @call: its number, not 0
 * @inner_ns: time of its direct inner calls that were read before it, nanoseconds
 * @node: number of the stack node that its own time is added to; 0: it was not read yet
 */
struct nesting_call {
	uint64_t call;
	uint64_t inner_ns;
	uint32_t node;
};

/**
 * struct nesting_table - a hash table of calls by number, with open addressing
 * @calls: the places
 * @room: number of places, a power of two; 0: none allocated
 * @count: number of calls
 */
struct nesting_table {
	struct nesting_call *calls;
	uint32_t room;
	uint32_t count;
};

/**
 * struct nesting - zeroed: no calls
 * @young: calls that were looked up since @old was full
 * @old: the calls of the generation before
 */
struct nesting {
	struct nesting_table young;
	struct nesting_table old;
};

/**
 * nesting_call - look up a call's entry, or create it
 * @nesting: the calls
 * @call: the call's number, not 0
 *
 * Return: the entry, valid until the function is called again; NULL: out of memory.
 */
struct nesting_call *nesting_call(struct nesting *nesting, uint64_t call);

/**
 * nesting_deinit - free the memory
 * @nesting: the calls
 */
void nesting_deinit(struct nesting *nesting);

#endif
