/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* target.h - parses a target that a user wrote */
#ifndef LIB_TARGET_TARGET_H
#define LIB_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_target_spec - a parsed [module:]function[+offset] or [module:]pattern
 * @name: [module:]symbol in the form that the kernel module takes; allocated
 * @module: name of the module, allocated; NULL: any module or the kernel
 * @symbol: the part of @name after the colon
 * @is_pattern: @symbol contains * ? or [
 * @offset: bytes from the start of the function; 0: its entry
 * @order: for use by the owner
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
 * kcatch_target_parse - parse a target
 * @text: the user's text, any bytes
 * @spec: the parsed target
 *
 * Also accepts symbol+0x1c/0x60, as copied from a stack trace.
 *
 * Return: 0, -EINVAL with an error text, -ENOMEM.
 */
int kcatch_target_parse(const char *text, struct kcatch_target_spec *spec);

/** kcatch_target_check_pair - refuse a name that is a pair of events, A..B. Return: 0; -EINVAL with
 * an error text */
int kcatch_target_check_pair(const char *text);

/**
 * kcatch_target_deinit - free the strings of a target
 * @spec: parsed or zeroed
 */
void kcatch_target_deinit(struct kcatch_target_spec *spec);

/**
 * kcatch_target_matches - check whether a symbol matches a target
 * @spec: the target
 * @name: name of the symbol
 * @module: module of the symbol; "" for the kernel itself
 *
 * Return: true if it matches.
 */
bool kcatch_target_matches(const struct kcatch_target_spec *spec, const char *name,
			   const char *module);

#endif
