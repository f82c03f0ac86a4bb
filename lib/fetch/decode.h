/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * decode.h - decodes the items that were fetched from a call into values
 *
 * The items come from records or from a file and are untrusted. No locks: one thread at a time
 * uses a decoder.
 */
#ifndef LIB_FETCH_DECODE_H
#define LIB_FETCH_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include "constants/constant_names.h"
#include "fetch/plan.h"

struct kcatch_decoder;

/**
 * struct kcatch_fetched - the items that were fetched from one call, untrusted
 * @entry: items of the entry; NULL: none
 * @entry_size: size of @entry, bytes
 * @entry_faults: bit i: item i of the entry could not be read
 * @entry_cut: bit i: item i of the entry was longer than what was fetched
 * @at_return: items of the return; NULL: none
 * @return_size: size of @at_return, bytes
 * @return_faults: bit i: item i of the return could not be read
 * @return_cut: bit i: item i of the return was longer than what was fetched
 * @returned: the return was seen: @ret and the items of the return are valid
 * @ret: the return register
 * @named: arguments whose numbers have names, kcatch_constants_of_function(); NULL: none
 */
struct kcatch_fetched {
	const uint8_t *entry;
	size_t entry_size;
	uint64_t entry_faults;
	uint64_t entry_cut;
	const uint8_t *at_return;
	size_t return_size;
	uint64_t return_faults;
	uint64_t return_cut;
	bool returned;
	uint64_t ret;
	const struct kcatch_named_argument *named;
};

/**
 * kcatch_decoder_create - create a decoder
 * @symbol: writes the symbol of a code or data address, null-terminated; returns 0 or -errno.
 *	NULL: addresses are not named
 * @arg: passed to @symbol
 * @decoder: receives the new decoder; free it with kcatch_decoder_destroy()
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_decoder_create(int (*symbol)(void *arg, uint64_t address, char *text, size_t room),
			  void *arg, struct kcatch_decoder **decoder);

/**
 * kcatch_decoder_destroy - free a decoder and its values
 * @decoder: may be NULL
 *
 * A decoder keeps the texts of types, so it must not be used any more once types that it has
 * decoded were closed.
 */
void kcatch_decoder_destroy(struct kcatch_decoder *decoder);

/**
 * kcatch_decode_args - decode the arguments of a call
 * @decoder: the decoder
 * @plan: the plan that the call was fetched with
 * @fetched: the items that were fetched
 * @values: receives an array with one value for each argument of @plan, valid until the next
 *	kcatch_decode_args() or kcatch_event_decode() and as long as @plan and its types
 * @nr: receives the number of entries in @values
 *
 * The work is bounded: structs are cut once 16384 members have been visited.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_decode_args(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
		       const struct kcatch_fetched *fetched, const struct kcatch_value **values,
		       uint32_t *nr);

/**
 * kcatch_decode_return - decode the return value of a call
 * @decoder: the decoder
 * @plan: the plan that the call was fetched with
 * @fetched: the items that were fetched
 * @value: receives the value, valid until the next kcatch_decode_return() and as long as
 *	@plan and its types
 *
 * Return: 0; -ENODATA (no error text) the return was not seen; -ENOMEM.
 */
int kcatch_decode_return(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
			 const struct kcatch_fetched *fetched, const struct kcatch_value **value);

#endif
