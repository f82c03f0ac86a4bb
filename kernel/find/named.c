// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that have a name, by the kernel's table of symbols and those of its modules; what
 * ftrace knows of each. Process context, no lock. Memory: 8 bytes a function.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "core/ftrace_match.h"
#include "core/modules.h"
#include "core/symbol.h"
#include "find/named.h"
#include "find/symbol_table.h"

/* Does the kernel tell this name of a function? Return: 0, 1 or -ENOMEM */
static int is_told(const char *name, unsigned long ip)
{
	struct kcatch_symbol *symbol = kcatch_symbol_of(ip);
	bool told;

	if (!symbol)
		return -ENOMEM;
	told = !strcmp(symbol->name, name);
	kfree(symbol);
	return told;
}

static int put_address(unsigned long **list, u32 *nr, unsigned long address)
{
	unsigned long *more = krealloc_array(*list, *nr + 1, sizeof(*more), GFP_KERNEL);

	if (!more)
		return -ENOMEM;
	more[(*nr)++] = address;
	*list = more;
	return 0;
}

/* Code of that name: does ftrace hook it? It may have other names, one of which ftrace knows it
 * by. */
static int note_place(struct kcatch_named *named, const char *name, unsigned long address)
{
	unsigned long ip = kcatch_ftrace_place(address);
	int told = 1;

	if (ip && ip - address >= KCATCH_FTRACE_PLACE_MAX)
		ip = 0;
	if (!kcatch_symbol_table_exact())
		told = is_told(name, ip ?: address);
	if (told <= 0)
		return told;
	return ip ? put_address(&named->ips, &named->nr_ips, ip) :
		    put_address(&named->others, &named->nr_others, address);
}

static int note_kernel(struct kcatch_named *named, const char *name)
{
	unsigned long *addresses;
	int i, error = 0, nr = kcatch_symbol_table_find(name, &addresses);

	for (i = 0; !error && i < nr; i++)
		error = note_place(named, name, addresses[i]);
	kvfree(addresses);
	return nr < 0 ? nr : error;
}

static int note_modules(struct kcatch_named *named, const char *module, const char *name)
{
	char *full = kasprintf(GFP_KERNEL, "%s%s%s", module ?: "", module ? ":" : "", name);
	unsigned long address;
	unsigned int nth;
	int error = 0;

	if (!full)
		return -ENOMEM;
	for (nth = 0; !error && (address = kcatch_modules_symbol(full, nth)); nth++)
		error = note_place(named, name, address);
	kfree(full);
	return error;
}

int kcatch_named_find(const char *module, const char *name, struct kcatch_named *named)
{
	int error;

	if (!kcatch_symbol_table_known())
		return 0;
	error = module ? 0 : note_kernel(named, name);
	if (!error)
		error = note_modules(named, module, name);
	if (!error && named->nr_ips)
		kcatch_addresses_sort(named->ips, named->nr_ips);
	return error;
}

void kcatch_named_deinit(struct kcatch_named *named)
{
	kfree(named->ips);
	kfree(named->others);
}
