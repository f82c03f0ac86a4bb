/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the names of many addresses, one after the other, without a search for each.
 */
#ifndef _KCATCH_SYMBOL_READER_H
#define _KCATCH_SYMBOL_READER_H

#include "find/symbol_table.h"

struct kcatch_module_names;
struct kcatch_naming;

/**
 * struct kcatch_symbol_reader - where the reading stands; zeroed before the first address
 * @walk: in the kernel's table
 * @names: of the module that was read last, or NULL: 16 bytes and the name for each of its symbols
 * @changes: kcatch_modules_changes() by then
 */
struct kcatch_symbol_reader {
	struct kcatch_symbol_walk walk;
	struct kcatch_module_names *names;
	u32 changes;
};

/**
 * kcatch_symbol_reader_read() - the name of an address, as kcatch_symbol_read() has it
 * @reader: nobody else uses it meanwhile
 * @naming: as it says
 *
 * Any address; it is quick where addresses go up.
 *
 * Context: may sleep.
 */
void kcatch_symbol_reader_read(struct kcatch_symbol_reader *reader, struct kcatch_naming *naming);

/** kcatch_symbol_reader_deinit() - free what it holds. Context: may sleep */
void kcatch_symbol_reader_deinit(struct kcatch_symbol_reader *reader);

#endif
