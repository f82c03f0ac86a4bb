/* SPDX-License-Identifier: GPL-2.0-or-later */
/* judge.h - the exit status of what was caught, recorded or reported */
#ifndef CLI_COMMON_JUDGE_H
#define CLI_COMMON_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "losses.h"

/**
 * judge_say_end - why it ended, where that is not what the user asked for
 * @end: as struct follow has it
 * @pid: of the process that was followed
 */
void judge_say_end(const char *end, uint32_t pid);

/**
 * judge_status - the exit status that follows from losses
 * @losses: what was lost
 * @caught: events that were caught
 *
 * Return: STATUS_LOSSES when something lacks, STATUS_NOTHING when nothing was caught (calls
 * that were missed before anybody knew whether they were asked for do not change that),
 * STATUS_CAUGHT.
 */
int judge_status(const struct losses *losses, uint64_t caught);

/**
 * judge - say what was lost, and what to do about it
 * @losses: what was lost
 * @caught: events that were caught
 *
 * Return: judge_status().
 */
int judge(const struct losses *losses, uint64_t caught);

#endif
