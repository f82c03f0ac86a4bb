/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbol_list.c - names of another kernel's addresses, out of a recording */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "symbol_list.h"

#define FUNCTION_MAX (1U << 20)	/* bytes of the last function before a gap */

struct place {
	uint64_t address;
	const char *name;
	const char *module;	/* "" for the kernel itself */
};

struct kcatch_symbol_list {
	char *text;
	struct place *places;
	size_t nr;
};

/* By address; of one address the first in the file, as the kernel itself would say. */
static int by_address(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
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

/* "1a0 name", "-1a0 name", "[module]" */
static void parse_line(struct kcatch_symbol_list *list, char *line, size_t length, uint64_t *last,
		       const char **module)
{
	struct place *place = &list->places[list->nr];
	bool back = *line == '-';
	uint64_t step;
	char *end;

	/* Another list, of a later moment. */
	if (*line == '=') {
		*last = 0;
		*module = "";
		return;
	}
	if (*line == '[') {
		if (length < 2 || line[length - 1] != ']')
			return;
		line[length - 1] = '\0';
		*module = line + 1;
		return;
	}
	step = strtoull(line + back, &end, 16);
	if (end == line + back || *end != ' ' || !end[1])
		return;
	*last = back ? *last - step : *last + step;
	place->address = *last;
	place->name = end + 1;
	place->module = *module;
	list->nr++;
}

int kcatch_symbol_list_create(char *text, size_t length, struct kcatch_symbol_list **out)
{
	struct kcatch_symbol_list *list = calloc(1, sizeof(*list));
	const char *module = "";
	char *line = text, *end = text + length, *newline;
	uint64_t last = 0;

	*out = NULL;
	if (list)
		list->places = malloc((count_lines(text, length) + 1) * sizeof(*list->places));
	if (!list || !list->places) {
		free(list);
		free(text);
		return kcatch_error_memory();
	}
	list->text = text;
	for (; line < end && (newline = memchr(line, '\n', (size_t)(end - line))); line = newline + 1) {
		*newline = '\0';
		parse_line(list, line, strlen(line), &last, &module);
	}
	qsort(list->places, list->nr, sizeof(*list->places), by_address);
	*out = list;
	return 0;
}

void kcatch_symbol_list_destroy(struct kcatch_symbol_list *list)
{
	if (!list)
		return;
	free(list->places);
	free(list->text);
	free(list);
}

void kcatch_symbol_list_find(const struct kcatch_symbol_list *list, uint64_t address,
			     struct kcatch_name *name)
{
	size_t low = 0, high = list ? list->nr : 0, first, next;
	uint64_t offset, size;

	memset(name, 0, sizeof(*name));
	/* The last one that is not above the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->places[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return;
	for (first = low - 1; first && list->places[first - 1].address == list->places[first].address; )
		first--;
	next = low;
	offset = address - list->places[first].address;
	size = next < list->nr ? list->places[next].address - list->places[first].address : FUNCTION_MAX;
	if (offset >= FUNCTION_MAX || !list->places[first].address)
		return;
	name->symbol = list->places[first].name;
	name->module = *list->places[first].module ? list->places[first].module : NULL;
	name->offset = (uint32_t)offset;
	name->size = size < FUNCTION_MAX ? (uint32_t)size : FUNCTION_MAX;
}
