/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* blacklist.h - functions that kprobes must not touch */
#ifndef LIB_BLACKLIST_H
#define LIB_BLACKLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"

/**
 * struct kcatch_blacklist - zeroed is empty
 * @names: their names
 * @text: memory of the names
 */
struct kcatch_blacklist {
	struct kcatch_table names;
	char *text;
};

/**
 * kcatch_blacklist_init - read the kernel's list
 * @blacklist: in the caller's memory
 *
 * Return: 0; -ENOENT and the like when the kernel does not show it; -ENOMEM.
 */
int kcatch_blacklist_init(struct kcatch_blacklist *blacklist);

/**
 * kcatch_blacklist_deinit - forget the list
 * @blacklist: the list
 */
void kcatch_blacklist_deinit(struct kcatch_blacklist *blacklist);

/**
 * kcatch_blacklist_has - is a function on it
 * @blacklist: the list
 * @name: the function
 * @length: of @name
 *
 * Return: whether it is.
 */
bool kcatch_blacklist_has(const struct kcatch_blacklist *blacklist, const char *name,
			  size_t length);

#endif
