/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_ranges.c - the addresses that modules had over time, from a recording
 *
 * The recording's file "modules" holds a list of the loaded modules, and another list each
 * time the recorder saw a change. The file is untrusted, so the number of ranges is limited.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include <kcatch_text.h>
#include "symbols/module_ranges.h"

#define RANGES_MAX 16384	/* ranges; further ones are left out */
#define STEPS_MAX (1ULL << 31)	/* ranges looked at while a file is parsed: some seconds */
#define KERNEL "[kernel]"	/* name of the kernel's own ranges in the file */

static bool is_same(const struct kcatch_module_range *a, const struct kcatch_module_range *b)
{
	return a->base == b->base && a->size == b->size && !strcmp(a->name, b->name) &&
	       !strcmp(a->build_id, b->build_id);
}

/* Extend the range of an earlier list, or add it. @last: time of the previous list. */
static int take(struct kcatch_module_ranges *ranges, const struct kcatch_module_range *range,
		uint64_t last)
{
	struct kcatch_module_range *more;
	size_t i;

	for (i = ranges->nr_closed; i < ranges->nr; i++) {
		struct kcatch_module_range *old = &ranges->list[i];

		if (is_same(old, range) && (old->until == last || old->until == range->from)) {
			old->until = range->from;
			return 0;
		}
	}
	if (ranges->nr == RANGES_MAX) {
		ranges->cut = true;
		return 0;
	}
	more = kcatch_array_grow(ranges->list, ranges->nr, sizeof(*more));
	if (!more)
		return kcatch_error_memory();
	ranges->list = more;
	more[ranges->nr] = *range;
	more[ranges->nr++].before = last;
	return 0;
}

/* No later list has it: it goes to the front, where nobody looks any more. */
static void close_range(struct kcatch_module_ranges *ranges, size_t index, uint64_t after)
{
	struct kcatch_module_range closed = ranges->list[index];

	closed.after = after;
	ranges->list[index] = ranges->list[ranges->nr_closed];
	ranges->list[ranges->nr_closed++] = closed;
}

/* End the modules that are in the list of time @last but not in the one of time @now. */
static void close_list(struct kcatch_module_ranges *ranges, uint64_t last, uint64_t now)
{
	size_t i;

	for (i = ranges->nr_closed; i < ranges->nr; i++) {
		const struct kcatch_module_range *range = &ranges->list[i];

		if (range->until == last && last != now && *range->name)
			close_range(ranges, i, now);
	}
}

/* The rest of the file is not read: of later times nothing is known. */
static void close_all(struct kcatch_module_ranges *ranges)
{
	size_t i;

	ranges->cut = true;
	for (i = ranges->nr_closed; i < ranges->nr; i++) {
		if (*ranges->list[i].name)
			close_range(ranges, i, ranges->list[i].until + 1);
	}
}

/* The list of time @now was unchanged at @time: extend its ranges. */
static void go_on(struct kcatch_module_ranges *ranges, uint64_t now, uint64_t time)
{
	size_t i;

	for (i = ranges->nr_closed; i < ranges->nr; i++) {
		if (ranges->list[i].until == now)
			ranges->list[i].until = time;
	}
}

/* Parse "name base size build-id", in hexadecimal. */
static bool parse_range(char *line, struct kcatch_module_range *range)
{
	char *name = strsep(&line, " "), *end = line;

	if (!line)
		return false;
	range->base = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	line = end + 1;
	range->size = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !end[1] || !range->size ||
	    range->size > UINT64_MAX - range->base)
		return false;
	range->name = strcmp(name, KERNEL) ? name : "";
	range->build_id = end + 1;
	return true;
}

static int by_time(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Moments from which on a comparison in kcatch_module_ranges_find() turns out otherwise. */
static int note_changes(struct kcatch_module_ranges *ranges)
{
	size_t count = 0, i;

	ranges->changes = malloc((4 * ranges->nr + 1) * sizeof(*ranges->changes));
	if (!ranges->changes)
		return kcatch_error_memory();
	for (i = 0; i < ranges->nr; i++) {
		const struct kcatch_module_range *range = &ranges->list[i];

		if (!*range->name)
			continue;
		ranges->changes[count++] = range->before + 1;
		ranges->changes[count++] = range->from;
		ranges->changes[count++] = range->until + 1;
		ranges->changes[count++] = range->after;
	}
	qsort(ranges->changes, count, sizeof(*ranges->changes), by_time);
	for (i = 0; i < count; i++) {
		if (!i || ranges->changes[i] != ranges->changes[i - 1])
			ranges->changes[ranges->nr_changes++] = ranges->changes[i];
	}
	return 0;
}

void kcatch_module_ranges_era(const struct kcatch_module_ranges *ranges, uint64_t time,
			      struct kcatch_module_era *era)
{
	size_t low = 0, high = ranges->nr_changes;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->changes[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	era->number = low;
	era->from = low ? ranges->changes[low - 1] : 0;
	era->last = low < ranges->nr_changes ? ranges->changes[low] - 1 : UINT64_MAX;
}

int kcatch_module_ranges_parse(struct kcatch_module_ranges *ranges, char *text)
{
	uint64_t now = 0, last = 0, steps = 0;
	char *line, *newline;
	int ret = 0;

	ranges->text = text;
	for (line = text; !ret && (newline = strchr(line, '\n')); line = newline + 1) {
		struct kcatch_module_range range = { .from = now, .until = now,
						     .after = UINT64_MAX };

		*newline = '\0';
		/* Each line looks at all ranges that are open. */
		steps += ranges->nr - ranges->nr_closed;
		if (steps > STEPS_MAX) {
			close_all(ranges);
			break;
		}
		if (*line == '=') {
			close_list(ranges, last, now);
			last = now;
			now = strtoull(line + 1, NULL, 10);
			continue;
		}
		if (*line == '~') {
			go_on(ranges, now, strtoull(line + 1, NULL, 10));
			now = strtoull(line + 1, NULL, 10);
			continue;
		}
		if (parse_range(line, &range))
			ret = take(ranges, &range, last);
	}
	close_list(ranges, last, now);
	if (!ret)
		ret = note_changes(ranges);
	if (ret)
		kcatch_module_ranges_deinit(ranges);
	return ret;
}

void kcatch_module_ranges_deinit(struct kcatch_module_ranges *ranges)
{
	free(ranges->changes);
	free(ranges->list);
	free(ranges->text);
	memset(ranges, 0, sizeof(*ranges));
}

/*
 * The better of two ranges that contain an address; @nr counts those that exclude each other. The
 * size of a module counts data that may lie elsewhere (see loaded_modules.c). So, of two modules
 * that were loaded together, the address is in the one that begins nearest below it.
 */
static const struct kcatch_module_range *nearer(const struct kcatch_module_range *best,
						const struct kcatch_module_range *range,
						size_t *nr)
{
	if (best && best->from <= range->until && range->from <= best->until &&
	    best->base != range->base)
		return best->base > range->base ? best : range;
	++*nr;
	return range;
}

const struct kcatch_module_range *
kcatch_module_ranges_find(const struct kcatch_module_ranges *ranges, uint64_t address,
			  uint64_t time, bool *gone)
{
	const struct kcatch_module_range *possible = NULL, *sure = NULL;
	size_t i, nr_possible = 0, nr_sure = 0;

	*gone = false;
	for (i = 0; i < ranges->nr; i++) {
		const struct kcatch_module_range *range = &ranges->list[i];

		if (address < range->base || address - range->base >= range->size)
			continue;
		if (!*range->name)
			return range;
		*gone = true;
		if ((range->before && time <= range->before) || time >= range->after)
			continue;
		possible = nearer(possible, range, &nr_possible);
		if (time >= range->from && time <= range->until)
			sure = nearer(sure, range, &nr_sure);
	}
	if (nr_sure == 1)
		possible = sure;
	else if (nr_sure || nr_possible != 1)
		return NULL;
	*gone = false;
	return possible;
}

bool kcatch_module_ranges_has(const struct kcatch_module_ranges *ranges, const char *name)
{
	size_t i;

	for (i = 0; i < ranges->nr; i++) {
		if (!strcmp(ranges->list[i].name, name))
			return true;
	}
	return false;
}
