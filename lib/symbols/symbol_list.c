/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbol_list.c - names of the addresses of another kernel, from a recording */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "symbols/symbol_list.h"

#define FUNCTION_MAX (1U << 20)	 /* bytes of a function; the end of the last one is not known */
#define GENERATED_MAX (1U << 16) /* bytes of a function outside of all ranges, as of BPF */
#define STEPS_MAX 4096		 /* limit of other modules' symbols that are skipped */
#define REMEMBERED 8192U	 /* answers that are kept, a power of two */

struct place {
	uint64_t address;
	const char *name;
	const char *module;	/* "": the kernel itself */
	uint64_t listed;	/* time of the list that has it */
};

/* An answer; @address is 0 if there is none: no symbol is looked up there. */
struct answer {
	uint64_t address;
	size_t era;
	struct kcatch_name name;
};

struct kcatch_symbol_list {
	char *text;
	struct place *places;
	size_t nr;
	struct kcatch_module_ranges modules;
	uint64_t listed;	/* during parsing: time of the current list */
	uint64_t time;		/* time for which addresses are looked up */
	struct kcatch_module_era era;	/* of @time */
	struct answer *answers;	/* by the address; they do not count as part of the list */
};

/* Sort by address; at one address, by place in the file, which is the kernel's own order. */
static int by_address(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/*
 * Sort the places. Nearly all are the kernel's own, which it lists in order: those stay, and the
 * modules' behind them are sorted and merged in.
 */
static void sort_places(struct place *places, size_t nr)
{
	size_t sorted = nr > 0, rest, i;
	struct place *behind;

	while (sorted < nr && by_address(&places[sorted - 1], &places[sorted]) <= 0)
		sorted++;
	rest = nr - sorted;
	qsort(places + sorted, rest, sizeof(*places), by_address);
	behind = malloc((rest + 1) * sizeof(*behind));
	if (!behind) {
		qsort(places, nr, sizeof(*places), by_address);
		return;
	}
	memcpy(behind, places + sorted, rest * sizeof(*behind));
	for (i = nr; rest; i--) {
		if (sorted && by_address(&places[sorted - 1], &behind[rest - 1]) > 0)
			places[i - 1] = places[--sorted];
		else
			places[i - 1] = behind[--rest];
	}
	free(behind);
}

static size_t count_lines(const char *text, size_t length)
{
	const char *end = text + length;
	size_t nr = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		if (!newline)
			break;
		nr++;
		text = newline + 1;
	}
	return nr;
}

/* Parse "1a0 name" or "-1a0 name" (difference to the last address), "[module]", or "=TIME". */
static void parse_line(struct kcatch_symbol_list *list, char *line, size_t length, uint64_t *last,
		       const char **module)
{
	struct place *place = &list->places[list->nr];
	bool back = *line == '-';
	const char *end;
	uint64_t step;

	/* Another list begins, of a later time. */
	if (*line == '=') {
		*last = 0;
		*module = "";
		list->listed = strtoull(line + 1, NULL, 10);
		return;
	}
	if (*line == '[') {
		if (length < 2 || line[length - 1] != ']')
			return;
		line[length - 1] = '\0';
		*module = line + 1;
		return;
	}
	end = kcatch_text_hex(line + back, &step);
	if (end == line + back || *end != ' ' || !end[1])
		return;
	*last = back ? *last - step : *last + step;
	place->address = *last;
	place->name = end + 1;
	place->module = *module;
	place->listed = list->listed;
	list->nr++;
}

int kcatch_symbol_list_create(char *text, size_t length, struct kcatch_symbol_list **out)
{
	struct kcatch_symbol_list *list = calloc(1, sizeof(*list));
	const char *module = "";
	char *line = text, *end = text + length, *newline;
	uint64_t last = 0;

	*out = NULL;
	if (list) {
		list->places = malloc((count_lines(text, length) + 1) * sizeof(*list->places));
		list->answers = calloc(REMEMBERED, sizeof(*list->answers));
	}
	if (!list || !list->places || !list->answers) {
		if (list)
			free(list->places);
		free(list);
		free(text);
		return kcatch_error_memory();
	}
	list->text = text;
	for (; line < end && (newline = memchr(line, '\n', (size_t)(end - line)));
	     line = newline + 1) {
		*newline = '\0';
		parse_line(list, line, strlen(line), &last, &module);
	}
	sort_places(list->places, list->nr);
	kcatch_module_ranges_era(&list->modules, 0, &list->era);
	*out = list;
	return 0;
}

void kcatch_symbol_list_destroy(struct kcatch_symbol_list *list)
{
	if (!list)
		return;
	kcatch_module_ranges_deinit(&list->modules);
	free(list->answers);
	free(list->places);
	free(list->text);
	free(list);
}

int kcatch_symbol_list_modules(struct kcatch_symbol_list *list, char *text)
{
	int ret = kcatch_module_ranges_parse(&list->modules, text);

	/* What was answered without them. */
	memset(list->answers, 0, REMEMBERED * sizeof(*list->answers));
	kcatch_module_ranges_era(&list->modules, list->time, &list->era);
	return ret ? ret : list->modules.cut;
}

void kcatch_symbol_list_time(struct kcatch_symbol_list *list, uint64_t time)
{
	list->time = time;
	if (time < list->era.from || time > list->era.last)
		kcatch_module_ranges_era(&list->modules, time, &list->era);
}

size_t kcatch_symbol_list_era(const struct kcatch_symbol_list *list)
{
	return list ? list->era.number : 0;
}

const struct kcatch_module_range *
kcatch_symbol_list_range(const struct kcatch_symbol_list *list, uint64_t address)
{
	bool gone;

	return list ? kcatch_module_ranges_find(&list->modules, address, list->time, &gone) : NULL;
}

/* Index of the first place above the address. */
static size_t find_above(const struct kcatch_symbol_list *list, uint64_t address)
{
	size_t low = 0, high = list->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->places[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Does the symbol belong to this range, and not to an earlier module at the same address? */
static bool is_of(const struct place *place, const struct kcatch_module_range *range)
{
	return place->address >= range->base && place->address - range->base < range->size &&
	       !strcmp(place->module, range->name) &&
	       (!*range->name || (place->listed >= range->from && place->listed <= range->until));
}

static void set_name(struct kcatch_name *name, const struct place *place, uint64_t address,
		     uint64_t end)
{
	uint64_t size = end - place->address;

	if (address - place->address >= FUNCTION_MAX || !place->address)
		return;
	name->symbol = place->name;
	name->module = *place->module ? place->module : NULL;
	name->offset = (uint32_t)(address - place->address);
	name->size = size < FUNCTION_MAX ? (uint32_t)size : FUNCTION_MAX;
}

/* Name an address inside a range by the range's own symbols only. */
static void find_in(const struct kcatch_symbol_list *list, uint64_t address, size_t above,
		    const struct kcatch_module_range *range, struct kcatch_name *name)
{
	uint64_t end = range->base + range->size;
	const struct place *best = NULL;
	size_t i, steps;

	for (i = above, steps = 0; i < list->nr && steps < STEPS_MAX &&
	     list->places[i].address < end; i++, steps++) {
		if (is_of(&list->places[i], range)) {
			end = list->places[i].address;
			break;
		}
	}
	for (i = above, steps = 0; i && steps < STEPS_MAX; i--, steps++) {
		const struct place *place = &list->places[i - 1];

		if (place->address < range->base || (best && place->address != best->address))
			break;
		if (is_of(place, range))
			best = place;
	}
	if (best)
		set_name(name, best, address, end);
	else if (*range->name)
		name->module = range->name;
}

/* Name an address outside of all ranges, or in a recording without ranges: nearest symbol. */
static void find_near(const struct kcatch_symbol_list *list, uint64_t address, size_t above,
		      struct kcatch_name *name)
{
	size_t first = above - 1;
	uint64_t end;

	while (first && list->places[first - 1].address == list->places[first].address)
		first--;
	end = above < list->nr ? list->places[above].address :
				 list->places[first].address + FUNCTION_MAX;
	/* Outside of all ranges, the address belongs to no module and not to the kernel. */
	if (list->modules.nr &&
	    (kcatch_module_ranges_has(&list->modules, list->places[first].module) ||
	     address - list->places[first].address >= GENERATED_MAX))
		return;
	set_name(name, &list->places[first], address, end);
}

static void search(const struct kcatch_symbol_list *list, uint64_t address,
		   struct kcatch_name *name)
{
	const struct kcatch_module_range *range = NULL;
	bool gone = false;
	size_t above;

	memset(name, 0, sizeof(*name));
	if (list->modules.nr)
		range = kcatch_module_ranges_find(&list->modules, address, list->time, &gone);
	if (gone) {
		name->module = "module gone";
		return;
	}
	above = find_above(list, address);
	if (range)
		find_in(list, address, above, range, name);
	else if (above)
		find_near(list, address, above, name);
}

static struct answer *answer_of(const struct kcatch_symbol_list *list, uint64_t address)
{
	return &list->answers[(address * 0x9e3779b97f4a7c15ULL >> 32) & (REMEMBERED - 1)];
}

void kcatch_symbol_list_find(const struct kcatch_symbol_list *list, uint64_t address,
			     struct kcatch_name *name)
{
	struct answer *answer;

	if (!list) {
		memset(name, 0, sizeof(*name));
		return;
	}
	answer = answer_of(list, address);
	if (!address || answer->address != address || answer->era != list->era.number) {
		search(list, address, &answer->name);
		answer->address = address;
		answer->era = list->era.number;
	}
	*name = answer->name;
}

unsigned int kcatch_symbol_list_address(const struct kcatch_symbol_list *list, const char *name,
					uint64_t *address)
{
	size_t i, nr = list ? list->nr : 0;
	unsigned int count = 0;

	/* A symbol that is in several lists has several places with one address, in sequence. */
	for (i = 0; i < nr; i++) {
		if (strcmp(list->places[i].name, name))
			continue;
		if (!count || *address != list->places[i].address)
			count++;
		*address = list->places[i].address;
	}
	return count;
}
