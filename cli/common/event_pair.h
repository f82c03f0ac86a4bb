/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_pair.h - pairs of events, A..B: the words of a command line */
#ifndef CLI_COMMON_EVENT_PAIR_H
#define CLI_COMMON_EVENT_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

/**
 * pair_parse - take the pair out of a command line
 * @options: parsed; the pair may be one of its events. Receives names and keys, and the request
 *	refers to them
 * @words: functions, patterns, a condition, A..B
 * @nr: number of entries in @words; receives that of those that are left
 *
 * Return: -1 to continue; STATUS_ERROR after a message.
 */
int pair_parse(struct options *options, char **words, size_t *nr);

/** pair_is_of_function - whether the second event of a pair seems to be a call of a function */
bool pair_is_of_function(const struct options *options);

/** pair_deinit - free what pair_parse() has kept */
void pair_deinit(struct options *options);

#endif
