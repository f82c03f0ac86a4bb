/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* blacklist.h - functions that kprobes must not probe */
#ifndef LIB_TARGET_BLACKLIST_H
#define LIB_TARGET_BLACKLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch_containers.h>

/**
 * struct kcatch_blacklist - the kprobe blacklist; zeroed is empty
 * @names: names of the functions
 * @text: memory of the names
 */
struct kcatch_blacklist {
	struct kcatch_table names;
	char *text;
};

/**
 * kcatch_blacklist_init - read the kernel's list
 * @blacklist: the list, in the caller's memory
 *
 * Return: 0; -ENOMEM; -ENOENT or another -errno if the kernel does not show the list.
 */
int kcatch_blacklist_init(struct kcatch_blacklist *blacklist);

/**
 * kcatch_blacklist_deinit - free the list
 * @blacklist: the list
 */
void kcatch_blacklist_deinit(struct kcatch_blacklist *blacklist);

/**
 * kcatch_blacklist_has - check whether a function is on the list
 * @blacklist: the list
 * @name: the function's name
 * @length: bytes of @name
 *
 * Return: true if it is.
 */
bool kcatch_blacklist_has(const struct kcatch_blacklist *blacklist, const char *name,
			  size_t length);

#endif
