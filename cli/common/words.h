/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - sort the words of a command line into functions and the condition */
#ifndef CLI_COMMON_WORDS_H
#define CLI_COMMON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <kcatch.h>

/**
 * word_is_condition - tell a condition from a function's name or pattern
 * @word: a word of the command line
 *
 * A condition contains a blank, an operator, a quote or a parenthesis: ( ) < > = & | ! ~ ^ -
 * and others. A word of only letters, digits, _ . : + * ? and [...] is a function.
 *
 * Return: whether @word is a condition.
 */
bool word_is_condition(const char *word);

/**
 * words_parse - set functions and condition of a request
 * @words: words of the command line; reordered. @request points into the array
 * @count: number of words
 * @request: its functions, condition, @under (for @tree) and @returns are set
 * @tree: the first function is the outermost one; the others are shown under it
 *
 * Return: -1 to continue; STATUS_ERROR after a message.
 */
int words_parse(char **words, size_t count, struct kcatch_request *request, bool tree);

/**
 * words_condition - set the condition of a request whose words name nothing else
 * @words: a condition, or nothing
 * @count: number of words
 * @request: its condition is set
 *
 * Return: as words_parse().
 */
int words_condition(char **words, size_t count, struct kcatch_request *request);

/**
 * words_hint - tell somebody whose condition has no quotes that it wants them
 * @request: a request of which a function was not found
 *
 * The shell takes a < or > for a file, and what is left are functions: vfs_read count > 4096.
 */
void words_hint(const struct kcatch_request *request);

/**
 * words_key_end - find the end of a key in a list such as "comm,f(a, b)"
 * @at: where the key begins
 *
 * Return: the comma behind it that no bracket and no quote encloses, or the end of the text.
 */
char *words_key_end(char *at);

#endif
