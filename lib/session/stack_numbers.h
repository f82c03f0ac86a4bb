/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* stack_numbers.h - a number for each stack, the same for equal ones */
#ifndef LIB_SESSION_STACK_NUMBERS_H
#define LIB_SESSION_STACK_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct kcatch_stack_numbers;

/**
 * kcatch_stack_numbers_create - create an object without stacks
 * @numbers: the new object
 *
 * Memory: at most 9 MB.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_stack_numbers_create(struct kcatch_stack_numbers **numbers);

/**
 * kcatch_stack_numbers_destroy - free the object
 * @numbers: may be NULL
 */
void kcatch_stack_numbers_destroy(struct kcatch_stack_numbers *numbers);

/**
 * kcatch_stack_numbers_find - get the number of a stack
 * @numbers: the object
 * @words: all that tells the stack from others
 * @nr_words: number of entries in @words, at most 300
 *
 * When the memory is used up, all stacks are forgotten: an old one then gets a new number. A
 * number is never given to another stack, nor by another object.
 *
 * Return: the number, from 1.
 */
uint64_t kcatch_stack_numbers_find(struct kcatch_stack_numbers *numbers, const uint64_t *words,
				   size_t nr_words);

#endif
