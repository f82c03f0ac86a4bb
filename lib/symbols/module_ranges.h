/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_ranges.h - which module was where, and when, from a recording's file "modules" */
#ifndef LIB_SYMBOLS_MODULE_RANGES_H
#define LIB_SYMBOLS_MODULE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_module_range - one stay of a module in memory, or a part of the kernel
 * @name: of the module; "" for the kernel itself
 * @base: where its code begins
 * @size: bytes
 * @build_id: hexadecimal; "-": not known
 * @before: the last list without it, CLOCK_MONOTONIC in ns; 0: the first has it
 * @from: the first list with it
 * @until: the last list with it
 * @after: the first list without it again; UINT64_MAX: the last has it
 */
struct kcatch_module_range {
	const char *name;
	uint64_t base, size;
	const char *build_id;
	uint64_t before, from, until, after;
};

/** struct kcatch_module_ranges - zeroed is empty */
struct kcatch_module_ranges {
	char *text;
	struct kcatch_module_range *list;
	size_t nr;
};

/**
 * kcatch_module_ranges_parse - from the text of the file
 * @ranges: empty
 * @text: becomes theirs and is changed; ends with a null byte
 *
 * Lines that are not of its form are passed by. Memory: the text, 64 bytes a stay.
 *
 * Return: 0 or -ENOMEM; @text is freed then.
 */
int kcatch_module_ranges_parse(struct kcatch_module_ranges *ranges, char *text);

/** kcatch_module_ranges_deinit - forget them */
void kcatch_module_ranges_deinit(struct kcatch_module_ranges *ranges);

/**
 * kcatch_module_ranges_find - whose an address was
 * @ranges: the stays
 * @address: of code
 * @time: when, CLOCK_MONOTONIC in ns
 * @gone: some module is there at another time, or which of two it was cannot be told
 *
 * Between two lists a module may have come or gone at any moment: it is taken for there if
 * no other can have been.
 *
 * Return: the stay; NULL: not known.
 */
const struct kcatch_module_range *
kcatch_module_ranges_find(const struct kcatch_module_ranges *ranges, uint64_t address,
			  uint64_t time, bool *gone);

/** kcatch_module_ranges_has - was there a module of that name at any time? */
bool kcatch_module_ranges_has(const struct kcatch_module_ranges *ranges, const char *name);

#endif
