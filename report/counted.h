/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counted.h - counts with stacks, drawn by a format of reports */
#ifndef REPORT_COUNTED_H
#define REPORT_COUNTED_H

#include "report.h"

/**
 * report_counts - write counts as a format that draws stacks
 * @report: options, session, out, losses, from_ns and to_ns are set, the others zero; the format
 *	has @stacks
 * @counts: the rows
 * @names: what was counted by, one text for each part of a key
 *
 * Keys that are no stacks stand outside the stack, the first one outermost, a command before them.
 *
 * Return: 0, or -errno with an error text.
 */
int report_counts(struct report *report, const struct kcatch_counts *counts,
		  const char *const *names);

#endif
