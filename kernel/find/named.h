/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the functions that have a name.
 */
#ifndef _KCATCH_NAMED_H
#define _KCATCH_NAMED_H

#include <linux/types.h>

/**
 * struct kcatch_named - the functions of a name, in order of address; zeroed before
 * @ips: where ftrace hooks those that it knows; @nr_ips of them
 * @others: where the others begin, which a kprobe may reach; @nr_others of them
 */
struct kcatch_named {
	unsigned long *ips;
	unsigned long *others;
	u32 nr_ips;
	u32 nr_others;
};

/**
 * kcatch_named_find() - find the functions that have a name, without asking ftrace for all
 * kcatch_named_deinit() - free what it found
 * @module: whose function it is; NULL: anybody's
 * @name: no pattern
 * @named: what was found; nothing where the kernel's table of symbols is not known:
 *	kcatch_ftrace_match() finds what there is
 *
 * Context: may sleep. Return: 0; -ENOMEM
 */
int kcatch_named_find(const char *module, const char *name, struct kcatch_named *named);
void kcatch_named_deinit(struct kcatch_named *named);

#endif
