// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the names of many addresses; see symbol_reader.h. Process context, no locks of its own.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "core/module_names.h"
#include "core/modules.h"
#include "core/symbol.h"
#include "find/symbol_reader.h"

/* Reads the symbol of a module. False: the module has none for this address. */
static bool read_module(struct kcatch_symbol_reader *reader, struct kcatch_symbol *symbol)
{
	u32 changes = kcatch_modules_changes();

	/* Another module may be there by now, or the init part of this one be freed. */
	if (reader->changes != changes || !reader->names ||
	    !kcatch_module_names_find(reader->names, symbol)) {
		kvfree(reader->names);
		reader->names = kcatch_modules_names_at(symbol->address);
		reader->changes = changes;
		return reader->names && kcatch_module_names_find(reader->names, symbol);
	}
	return true;
}

void kcatch_symbol_reader_read(struct kcatch_symbol_reader *reader, struct kcatch_naming *naming)
{
	struct kcatch_symbol *symbol = &naming->symbol;
	bool read;

	/* It walks up only. */
	if (symbol->address < reader->walk.start)
		reader->walk = (struct kcatch_symbol_walk) { .start = 0 };
	if (kcatch_module_range(symbol->address))
		read = kcatch_symbol_table_exact() && read_module(reader, symbol);
	else
		read = kcatch_symbol_table_read_code(&reader->walk, symbol);
	if (!read)
		kcatch_symbol_read(naming);
}

void kcatch_symbol_reader_deinit(struct kcatch_symbol_reader *reader)
{
	kvfree(reader->names);
	*reader = (struct kcatch_symbol_reader) { .names = NULL };
}
