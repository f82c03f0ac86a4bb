/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * symbols.c - names of kernel addresses
 *
 * The module is asked for one address of a stack at a time, because a stack has few addresses
 * and the stacks of a function are similar, and for the functions of a pattern at once. Each
 * name is kept once, in a table of strings. An unknown address is not kept, because its module
 * may be loaded later.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <uapi/kcatch.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "symbols/symbol_list.h"
#include "symbols/symbols.h"

struct cached {
	uint64_t address;
	struct kcatch_name name;
};

struct kcatch_symbols {
	int fd;				/* -1: names come from @list */
	const struct kcatch_symbol_list *list;
	struct kcatch_table known;	/* addresses to their struct cached */
	size_t nr_modules;		/* of these, addresses in modules */
	struct kcatch_arena memory;	/* for these structs */
	struct kcatch_table strings;	/* names to their copies, which it owns */
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
	for (i = 0; i < symbols->strings.count; i++)
		free((void *)symbols->strings.entries[i].key);
	kcatch_table_deinit(&symbols->strings);
	kcatch_table_deinit(&symbols->known);
	kcatch_arena_deinit(&symbols->memory);
	free(symbols);
}

/* What another may be in the place of, a moment later. Programs of BPF say no module. */
static bool comes_and_goes(const struct kcatch_name *name)
{
	return name->module || (name->symbol && (!strncmp(name->symbol, "bpf_prog_", 9) ||
						 !strncmp(name->symbol, "bpf_trampoline_", 15)));
}

static int keep_name(struct kcatch_symbols *symbols, uint64_t address,
		     const struct kcatch_name *name)
{
	struct cached *cached = kcatch_arena_take(&symbols->memory, sizeof(*cached));

	if (!cached)
		return -ENOMEM;
	*cached = (struct cached){ address, *name };
	symbols->nr_modules += comes_and_goes(name);
	return kcatch_table_add(&symbols->known, (const char *)&cached->address, sizeof(address),
				(size_t)cached);
}

/* Keep one copy of each string until the cache is destroyed; "" becomes NULL. */
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

static const struct kcatch_name *known_name(const struct kcatch_symbols *symbols, uint64_t address)
{
	const size_t *known = kcatch_table_find(&symbols->known, (const char *)&address,
						sizeof(address));

	return known ? &((const struct cached *)*known)->name : NULL;
}

static int ask(const struct kcatch_symbols *symbols, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(symbols->fd, request, argument);
	} while (ret && errno == EINTR);
	return ret;
}

/* What the module said, in texts that stay. */
static int read_answer(struct kcatch_symbols *symbols, struct kcatch_symbol *answer,
		       struct kcatch_name *name)
{
	answer->name[sizeof(answer->name) - 1] = '\0';
	answer->module[sizeof(answer->module) - 1] = '\0';
	if (!answer->name[0])
		return 0;
	name->offset = answer->offset;
	name->size = answer->size;
	if (keep(symbols, answer->name, &name->symbol) ||
	    keep(symbols, answer->module, &name->module))
		return -ENOMEM;
	return 0;
}

/* Keep what the module said. */
static int take_answer(struct kcatch_symbols *symbols, struct kcatch_symbol *answer,
		       struct kcatch_name *name)
{
	int ret = read_answer(symbols, answer, name);

	return ret || !name->symbol ? ret : keep_name(symbols, answer->address, name);
}

int kcatch_symbols_find(struct kcatch_symbols *symbols, uint64_t address,
			struct kcatch_name *name)
{
	struct kcatch_symbol answer = { .address = address };
	const struct kcatch_name *known;

	memset(name, 0, sizeof(*name));
	if (!address)
		return 0;
	if (symbols->fd < 0) {
		kcatch_symbol_list_find(symbols->list, address, name);
		return 0;
	}
	known = known_name(symbols, address);
	if (known)
		*name = *known;
	else if (!ask(symbols, KCATCH_IOC_SYMBOL, &answer) && take_answer(symbols, &answer, name))
		return kcatch_error_memory();
	return 0;
}

/* Unless @keep_it, the answer is that of one moment: names in modules are not kept for others. */
static int find_then(struct kcatch_symbols *symbols, struct kcatch_symbol_then *then, bool keep_it,
		     struct kcatch_name *name)
{
	uint64_t address = then->symbol.address;
	const struct kcatch_name *known;
	int ret;

	memset(name, 0, sizeof(*name));
	if (!address)
		return 0;
	known = known_name(symbols, address);
	if (known && (keep_it || !comes_and_goes(known))) {
		*name = *known;
		return 0;
	}
	/* A list has nobody to ask. */
	if (symbols->fd < 0 || ask(symbols, KCATCH_IOC_SYMBOL_THEN, then))
		return kcatch_symbols_find(symbols, address, name);
	ret = read_answer(symbols, &then->symbol, name);
	if (!ret && name->symbol && (keep_it || !comes_and_goes(name)))
		ret = keep_name(symbols, address, name);
	return ret ? kcatch_error_memory() : 0;
}

int kcatch_symbols_find_then(struct kcatch_symbols *symbols, uint64_t address, uint64_t time,
			     bool keep_it, struct kcatch_name *name)
{
	struct kcatch_symbol_then then = { .time = time, .symbol.address = address };

	return find_then(symbols, &then, keep_it, name);
}

int kcatch_symbols_find_probe(struct kcatch_symbols *symbols, uint32_t number, uint64_t address,
			      struct kcatch_name *name)
{
	struct kcatch_symbol_then then = { .probe = number, .flags = KCATCH_SYMBOL_OF_PROBE,
					   .symbol.address = address };

	return find_then(symbols, &then, false, name);
}

uint64_t kcatch_symbols_changed(struct kcatch_symbols *symbols)
{
	struct kcatch_symbol_then then = { .time = UINT64_MAX };

	return symbols->fd < 0 || ask(symbols, KCATCH_IOC_SYMBOL_THEN, &then) ? 0 : then.time;
}

void kcatch_symbols_learn(struct kcatch_symbols *symbols, const uint64_t *addresses, size_t nr)
{
	struct kcatch_symbol *answers;
	struct kcatch_query query;
	struct kcatch_name name;
	uint32_t i, count = 0;

	if (symbols->fd < 0)
		return;
	answers = calloc(nr, sizeof(*answers));
	for (i = 0; answers && i < nr; i++)
		if (addresses[i] && !known_name(symbols, addresses[i]))
			answers[count++].address = addresses[i];
	query = (struct kcatch_query){ .count = count, .buffer = (uintptr_t)answers };
	/* What was not learnt is asked for one by one. */
	if (count && !ask(symbols, KCATCH_IOC_SYMBOLS, &query))
		for (i = 0; i < count; i++) {
			memset(&name, 0, sizeof(name));
			if (take_answer(symbols, &answers[i], &name))
				break;
		}
	free(answers);
}

void kcatch_symbols_forget_modules(struct kcatch_symbols *symbols)
{
	struct kcatch_table old = symbols->known;
	struct kcatch_arena memory = symbols->memory;
	size_t i;

	if (!symbols->nr_modules)
		return;
	symbols->nr_modules = 0;
	symbols->known = (struct kcatch_table){ .count = 0 };
	symbols->memory = (struct kcatch_arena){ .used = 0 };
	for (i = 0; i < old.count; i++) {
		const struct cached *cached = (const void *)old.entries[i].value;

		/* If memory is short, the address is looked up again. */
		if (!comes_and_goes(&cached->name))
			(void)keep_name(symbols, cached->address, &cached->name);
	}
	kcatch_table_deinit(&old);
	kcatch_arena_deinit(&memory);
}
