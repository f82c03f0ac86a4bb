/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* module_ranges.h - the addresses that modules had over time, from a recording */
#ifndef LIB_SYMBOLS_MODULE_RANGES_H
#define LIB_SYMBOLS_MODULE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_module_range - a module loaded at an address, or a part of the kernel
 * @name: the module's name; "": the kernel itself
 * @base: start of its code
 * @size: size of its code, bytes
 * @build_id: its build ID, hexadecimal; "-": not known
 * @before: time of the last list before it was loaded; 0: the first list has it
 * @from: time of the first list that has it
 * @until: time of the last list that has it
 * @after: time of the first list after it was unloaded; UINT64_MAX: the last list has it
 *
 * Times are CLOCK_MONOTONIC, in nanoseconds.
 */
struct kcatch_module_range {
	const char *name;
	uint64_t base, size;
	const char *build_id;
	uint64_t before, from, until, after;
};

/**
 * struct kcatch_module_ranges - ranges of a recording; zeroed: empty
 * @text: the text that names and build IDs point into
 * @list: the ranges
 * @nr: number of entries in @list
 * @nr_closed: how many of the first of them no later list has
 * @changes: times at which answers of kcatch_module_ranges_find() may change, in order
 * @nr_changes: number of entries in @changes
 * @cut: there were more than are kept
 */
struct kcatch_module_ranges {
	char *text;
	struct kcatch_module_range *list;
	size_t nr;
	size_t nr_closed;
	uint64_t *changes;
	size_t nr_changes;
	bool cut;
};

/**
 * struct kcatch_module_era - a span of time in which all answers remain the same
 * @number: number of changes before
 * @from: its first moment
 * @last: its last moment; CLOCK_MONOTONIC in nanoseconds, as @from
 */
struct kcatch_module_era {
	size_t number;
	uint64_t from, last;
};

/**
 * kcatch_module_ranges_parse - parse a recording's file "modules", see kcatch-recording(5)
 * @ranges: an empty struct, to be released with kcatch_module_ranges_deinit()
 * @text: the untrusted contents, terminated by '\0'; allocated, owned by @ranges from now on,
 *	and changed
 *
 * Skips lines that it cannot parse. Memory: the text, and 96 bytes per range (at most 16384).
 * @cut is set if there were more, or if the file takes more than some seconds to parse.
 *
 * Return: 0; -ENOMEM with an error text, and @text is freed.
 */
int kcatch_module_ranges_parse(struct kcatch_module_ranges *ranges, char *text);

/** kcatch_module_ranges_deinit - free the ranges and the text */
void kcatch_module_ranges_deinit(struct kcatch_module_ranges *ranges);

/**
 * kcatch_module_ranges_find - find the module that was at an address at a time
 * @ranges: the ranges
 * @address: address of code
 * @time: CLOCK_MONOTONIC, nanoseconds
 * @gone: set to true if NULL is returned but a module was there at some time: none was there
 *	at @time, or several may have been
 *
 * Between two lists, a module may have been loaded or unloaded at any moment. It is returned
 * for such a time if no other module can have been there.
 *
 * Return: the range, valid as long as @ranges; NULL: not known.
 */
const struct kcatch_module_range *
kcatch_module_ranges_find(const struct kcatch_module_ranges *ranges, uint64_t address,
			  uint64_t time, bool *gone);

/**
 * kcatch_module_ranges_era - find the era of a moment
 * @ranges: the ranges
 * @time: CLOCK_MONOTONIC, nanoseconds
 * @era: set to the era
 *
 * For two moments of one era kcatch_module_ranges_find() answers alike.
 */
void kcatch_module_ranges_era(const struct kcatch_module_ranges *ranges, uint64_t time,
			      struct kcatch_module_era *era);

/** kcatch_module_ranges_has - check whether a module of that name was loaded at any time */
bool kcatch_module_ranges_has(const struct kcatch_module_ranges *ranges, const char *name);

#endif
