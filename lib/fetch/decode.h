/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* decode.h - decodes the fetched items of a call into values */
#ifndef LIB_FETCH_DECODE_H
#define LIB_FETCH_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>
#include "fetch/plan.h"

struct kcatch_decoder;

/**
 * struct kcatch_fetched - out of the records of a call, which are not to be believed
 * @entry: items of the entry
 * @entry_size: bytes there
 * @entry_faults: of them
 * @entry_cut: of them
 * @at_return: items of the return
 * @return_size: bytes there
 * @return_faults: of them
 * @return_cut: of them
 * @returned: the return was seen
 * @ret: the register
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
};

/**
 * kcatch_decoder_create - make one
 * @symbol: names an address of code: 0 and the text, or -errno; NULL: nobody does
 * @arg: for @symbol
 * @decoder: the new decoder
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_decoder_create(int (*symbol)(void *arg, uint64_t address, char *text, size_t room),
			  void *arg, struct kcatch_decoder **decoder);

/**
 * kcatch_decoder_destroy - forget it and its values
 * @decoder: may be NULL. The plans it was used with must still be there.
 */
void kcatch_decoder_destroy(struct kcatch_decoder *decoder);

/**
 * kcatch_decode_args - the arguments of a call
 * @decoder: the decoder
 * @plan: that the call was fetched with
 * @fetched: what came
 * @values: them, valid until the next kcatch_decode_args()
 * @nr: how many
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_decode_args(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
		       const struct kcatch_fetched *fetched, const struct kcatch_value **values,
		       uint32_t *nr);

/**
 * kcatch_decode_return - what it returned
 * @decoder: the decoder
 * @plan: that the call was fetched with
 * @fetched: what came
 * @value: it, valid until the next kcatch_decode_return()
 *
 * Return: 0, -ENODATA when the return was not seen, -ENOMEM.
 */
int kcatch_decode_return(struct kcatch_decoder *decoder, const struct kcatch_plan *plan,
			 const struct kcatch_fetched *fetched, const struct kcatch_value **value);

#endif
