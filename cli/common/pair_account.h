/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_account.h - what became of the events of pairs */
#ifndef CLI_COMMON_PAIR_ACCOUNT_H
#define CLI_COMMON_PAIR_ACCOUNT_H

#include <stdbool.h>

#include <kcatch.h>

/** pair_say - say what became of events that are in no pair. @off_cpu: pairs are times off the CPU.
 * Return: whether some of them might have been */
bool pair_say(const struct kcatch_pairs *pairs, bool off_cpu);

/** pair_terms - make the terms of the second events those of the pairs */
void pair_terms(const struct kcatch_pairs *pairs, struct kcatch_totals *totals);

#endif
