/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * symbols.c - kernel addresses to names
 *
 * Asked of the module one by one, for a stack has few addresses and stacks of
 * one function are alike. Names are kept in a table of their own, once each.
 * An address nobody knows is not kept: its module may have been loaded since.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <uapi/kcatch.h>

#include "error.h"
#include "symbol_list.h"
#include "symbols.h"
#include "table.h"

struct cached {
	uint64_t address;	/* 0: empty place; address 0 is nobody's */
	struct kcatch_name name;
};

struct kcatch_symbols {
	int fd;				/* -1: @list is asked */
	const struct kcatch_symbol_list *list;
	struct cached *places;
	size_t room;		/* a power of two */
	size_t count;
	struct kcatch_table strings;
};

int kcatch_symbols_create(int fd, struct kcatch_symbols **out)
{
	struct kcatch_symbols *symbols = calloc(1, sizeof(*symbols));

	*out = symbols;
	if (!symbols)
		return kcatch_error_memory();
	symbols->fd = fd;
	return 0;
}

int kcatch_symbols_create_list(const struct kcatch_symbol_list *list, struct kcatch_symbols **out)
{
	int ret = kcatch_symbols_create(-1, out);

	if (!ret)
		(*out)->list = list;
	return ret;
}

void kcatch_symbols_destroy(struct kcatch_symbols *symbols)
{
	size_t i;

	if (!symbols)
		return;
	for (i = 0; i < symbols->strings.room; i++)
		free((void *)symbols->strings.entries[i].key);
	kcatch_table_deinit(&symbols->strings);
	free(symbols->places);
	free(symbols);
}

static struct cached *place_of(struct cached *places, size_t room, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ULL >> 32) & (room - 1);

	while (places[i].address && places[i].address != address)
		i = (i + 1) & (room - 1);
	return &places[i];
}

static int grow(struct kcatch_symbols *symbols)
{
	size_t room = symbols->room ? symbols->room * 2 : 256, i;
	struct cached *places = calloc(room, sizeof(*places));

	if (!places)
		return -ENOMEM;
	for (i = 0; i < symbols->room; i++) {
		if (symbols->places[i].address)
			*place_of(places, room, symbols->places[i].address) = symbols->places[i];
	}
	free(symbols->places);
	symbols->places = places;
	symbols->room = room;
	return 0;
}

/* One copy of each string, for as long as the cache lives. */
static int keep(struct kcatch_symbols *symbols, const char *text, const char **kept)
{
	size_t length = strlen(text), *found;
	char *copy;

	*kept = NULL;
	if (!length)
		return 0;
	found = kcatch_table_find(&symbols->strings, text, length);
	if (found) {
		*kept = (const char *)*found;
		return 0;
	}
	copy = strdup(text);
	if (!copy || kcatch_table_add(&symbols->strings, copy, length, (size_t)copy) < 0) {
		free(copy);
		return -ENOMEM;
	}
	*kept = copy;
	return 0;
}

int kcatch_symbols_find(struct kcatch_symbols *symbols, uint64_t address,
			struct kcatch_name *name)
{
	struct kcatch_symbol answer = { .address = address };
	struct cached *place;
	int ret;

	memset(name, 0, sizeof(*name));
	if (!address)
		return 0;
	if (symbols->fd < 0) {
		kcatch_symbol_list_find(symbols->list, address, name);
		return 0;
	}
	if (symbols->count * 2 >= symbols->room && grow(symbols))
		return kcatch_error_memory();
	place = place_of(symbols->places, symbols->room, address);
	if (place->address) {
		*name = place->name;
		return 0;
	}
	do {
		ret = ioctl(symbols->fd, KCATCH_IOC_SYMBOL, &answer);
	} while (ret && errno == EINTR);
	if (ret)
		return 0;
	answer.name[sizeof(answer.name) - 1] = '\0';
	answer.module[sizeof(answer.module) - 1] = '\0';
	if (!answer.name[0])
		return 0;
	name->offset = answer.offset;
	name->size = answer.size;
	if (keep(symbols, answer.name, &name->symbol) ||
	    keep(symbols, answer.module, &name->module))
		return kcatch_error_memory();
	place->address = address;
	place->name = *name;
	symbols->count++;
	return 0;
}

void kcatch_symbols_forget_modules(struct kcatch_symbols *symbols)
{
	struct cached *old = symbols->places;
	size_t room = symbols->room, i;

	symbols->places = NULL;
	symbols->room = 0;
	symbols->count = 0;
	for (i = 0; i < room; i++) {
		if (!old[i].name.module && old[i].address) {
			/* Without memory it is asked for again. */
			if (symbols->count * 2 >= symbols->room && grow(symbols))
				break;
			*place_of(symbols->places, symbols->room, old[i].address) = old[i];
			symbols->count++;
		}
	}
	free(old);
}
