/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - which words of the command line are functions, and which the condition */
#ifndef CLI_COMMON_WORDS_H
#define CLI_COMMON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <kcatch.h>

/**
 * word_is_condition - can that be no function's name and no pattern
 * @word: of the command line
 *
 * A condition has a blank, an operator, a quote or a bracket in it: ( ) < > = & | ! ~ ^ - ...
 * Letters, digits, _ . : + * ? [...] alone make a function.
 *
 * Return: whether it is a condition.
 */
bool word_is_condition(const char *word);

/**
 * words_parse - put functions, what is under them, and the condition into the request
 * @words: of the command line; put into another order
 * @count: how many
 * @request: gets them
 * @tree: the first is the outermost function, the others are what is shown under it
 *
 * Return: -1 to go on; otherwise exit with this status, all was said.
 */
int words_parse(char **words, size_t count, struct kcatch_request *request, bool tree);

#endif
