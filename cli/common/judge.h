/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.h - the exit status of a command, from its events and losses */
#ifndef CLI_COMMON_JUDGE_H
#define CLI_COMMON_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "losses.h"

/**
 * judge_say_end - print why a command ended, if the user did not ask for that end
 * @end: as in struct follow; prints for "gone" and "exit"
 * @pid: the process that has ended, for "exit"
 */
void judge_say_end(const char *end, uint32_t pid);

/**
 * judge_status - compute the exit status
 * @losses: what was lost
 * @caught: number of caught events
 *
 * Return: STATUS_LOSSES if something was lost, else STATUS_NOTHING if @caught is 0, else
 * STATUS_CAUGHT. A missed hit may have been a requested one: it is a loss although nothing was
 * caught.
 */
int judge_status(const struct losses *losses, uint64_t caught);

/**
 * judge_say_nothing - say that nothing was caught, and whether there were calls at all
 * @what: what would have been done with them: "recorded"
 * @totals: the counters
 */
void judge_say_nothing(const char *what, const struct kcatch_totals *totals);

/**
 * judge - print what was lost, with advice, and compute the exit status
 * @losses: what was lost
 * @caught: number of caught events
 *
 * Return: as judge_status().
 */
int judge(const struct losses *losses, uint64_t caught);

/**
 * judge_counts - judge() for calls that were counted in the kernel
 * @losses: what was lost; what overflowed becomes recorded: it is in the row (other)
 * @counts: the rows
 *
 * Return: as judge_status(); STATUS_LOSSES if keys found no room.
 */
int judge_counts(struct losses *losses, const struct kcatch_counts *counts);

/** judge_counts_other - calls without a row of their own: their keys found no room */
uint64_t judge_counts_other(const struct kcatch_counts *counts);

#endif
