/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* target.h - one thing to catch, as a user writes it */
#ifndef LIB_TARGET_H
#define LIB_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_target_spec - [module:]function[+offset] or [module:]pattern
 * @name: [module:]symbol as the module wants it, in memory of its own
 * @module: NULL for any; in memory of its own
 * @symbol: the part of @name behind the colon
 * @is_pattern: @symbol has * ? or [
 * @offset: 0 is the entry
 * @order: the owner's
 */
struct kcatch_target_spec {
	char *name;
	char *module;
	const char *symbol;
	bool is_pattern;
	uint32_t offset;
	size_t order;
};

/**
 * kcatch_target_parse - understand what a user wrote
 * @text: any bytes
 * @spec: the parts
 *
 * Also takes symbol+0x1c/0x60, as copied from a stack.
 *
 * Return: 0, -EINVAL with an error text, -ENOMEM.
 */
int kcatch_target_parse(const char *text, struct kcatch_target_spec *spec);

/**
 * kcatch_target_deinit - free what a spec holds
 * @spec: zeroed is fine
 */
void kcatch_target_deinit(struct kcatch_target_spec *spec);

/**
 * kcatch_target_matches - is a symbol meant
 * @spec: what is wanted
 * @name: of the symbol
 * @module: its module, "" for the kernel itself
 *
 * Return: whether it is.
 */
bool kcatch_target_matches(const struct kcatch_target_spec *spec, const char *name,
			   const char *module);

#endif
