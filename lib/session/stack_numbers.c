/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * stack_numbers.c - a number for each stack, the same for equal ones
 *
 * A hash table with linear probing. Its stacks lie one behind the other in one piece of memory.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "session/stack_numbers.h"

#define PLACES 65536U		/* a power of two */
#define STACKS_MAX (PLACES / 2)
#define WORDS_MAX (1U << 20)	/* of all stacks */

struct place {
	uint64_t number;	/* 0: free */
	uint32_t hash;
	uint32_t at;		/* of its first word; its length precedes it */
};

struct kcatch_stack_numbers {
	size_t nr_stacks;
	size_t nr_words;
	struct place *places;
	uint64_t *words;
};

/* Of all sessions of the program: whoever keeps something by number need not know whose it is. */
static _Atomic uint64_t last_number;

int kcatch_stack_numbers_create(struct kcatch_stack_numbers **out)
{
	struct kcatch_stack_numbers *numbers = calloc(1, sizeof(*numbers));

	*out = numbers;
	if (numbers) {
		numbers->places = calloc(PLACES, sizeof(*numbers->places));
		numbers->words = malloc(WORDS_MAX * sizeof(*numbers->words));
	}
	if (numbers && numbers->places && numbers->words)
		return 0;
	kcatch_stack_numbers_destroy(numbers);
	*out = NULL;
	return kcatch_error_memory();
}

void kcatch_stack_numbers_destroy(struct kcatch_stack_numbers *numbers)
{
	if (!numbers)
		return;
	free(numbers->places);
	free(numbers->words);
	free(numbers);
}

static bool is_same(const struct kcatch_stack_numbers *numbers, const struct place *place,
		    uint32_t hash, const uint64_t *words, size_t nr)
{
	return place->hash == hash && numbers->words[place->at - 1] == nr &&
	       !memcmp(&numbers->words[place->at], words, nr * sizeof(*words));
}

static void forget_all(struct kcatch_stack_numbers *numbers)
{
	memset(numbers->places, 0, PLACES * sizeof(*numbers->places));
	numbers->nr_stacks = 0;
	numbers->nr_words = 0;
}

uint64_t kcatch_stack_numbers_find(struct kcatch_stack_numbers *numbers, const uint64_t *words,
				   size_t nr)
{
	uint32_t hash = kcatch_hash_bytes((const char *)words, nr * sizeof(*words)), i;
	struct place *place;

	if (numbers->nr_stacks == STACKS_MAX || numbers->nr_words + nr + 1 > WORDS_MAX)
		forget_all(numbers);
	for (i = hash & (PLACES - 1);; i = (i + 1) & (PLACES - 1)) {
		place = &numbers->places[i];
		if (!place->number)
			break;
		if (is_same(numbers, place, hash, words, nr))
			return place->number;
	}
	numbers->words[numbers->nr_words++] = nr;
	place->number = ++last_number;
	place->hash = hash;
	place->at = (uint32_t)numbers->nr_words;
	memcpy(&numbers->words[place->at], words, nr * sizeof(*words));
	numbers->nr_words += nr;
	numbers->nr_stacks++;
	return place->number;
}
