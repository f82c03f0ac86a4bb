/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * dwarf_lines.c - finds source lines and inlined functions of an address in DWARF
 *
 * A compilation unit is a tree: functions contain blocks, and blocks contain the functions
 * inlined there. One walk from the root to the address visits all of them.
 */
#include <stdbool.h>
#include <string.h>

#include "debuginfo/dwarf_lines.h"

#define CHAIN_MAX 64	/* functions inlined into each other */
#define DEPTH_MAX 256	/* of blocks; compilers stay far below, damaged files may not */

/* The function and what is inlined in it, outermost first. */
struct chain {
	const struct kcatch_libdw *dw;
	uint64_t address;
	unsigned int nr, depth;
	bool in_types;
	Dwarf_Die functions[CHAIN_MAX];
};

static bool find_unit(const struct kcatch_libdw *dw, Dwarf *dwarf, uint64_t address,
		      Dwarf_Die *unit)
{
	Dwarf_Off offset = 0, next;
	size_t header;

	if (dw->addrdie(dwarf, address, unit))
		return true;
	/* Clang writes no .debug_aranges: ask each unit. */
	while (!dw->nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL)) {
		if (dw->offdie(dwarf, offset + header, unit) && dw->haspc(unit, address) > 0)
			return true;
		offset = next;
	}
	return false;
}

static bool is_function(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* What holds functions without having addresses itself. Types do in Rust. */
static bool is_scope(const struct chain *chain, int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       (chain->in_types && (tag == DW_TAG_class_type || tag == DW_TAG_structure_type));
}

static bool descend(struct chain *chain, Dwarf_Die *parent)
{
	const struct kcatch_libdw *dw = chain->dw;
	Dwarf_Die die;

	if (chain->depth >= DEPTH_MAX || dw->child(parent, &die))
		return false;
	chain->depth++;
	do {
		int tag = dw->tag(&die);
		bool found = false;

		if (is_scope(chain, tag)) {
			found = descend(chain, &die);
		} else if ((is_function(tag) || tag == DW_TAG_lexical_block) &&
			   dw->haspc(&die, chain->address) > 0) {
			found = true;
			if (is_function(tag) && chain->nr < CHAIN_MAX)
				chain->functions[chain->nr++] = die;
			descend(chain, &die);
		}
		if (found) {
			chain->depth--;
			return true;
		}
	} while (!dw->siblingof(&die, &die));
	chain->depth--;
	return false;
}

static uint64_t number_of(const struct kcatch_libdw *dw, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dw->attr(die, name, &attribute) || dw->formudata(&attribute, &value))
		return 0;
	return value;
}

/* Where the function at @die was called, had it not been inlined. */
static void call_line(const struct kcatch_libdw *dw, Dwarf_Die *unit, Dwarf_Die *die,
		      struct kcatch_source_line *line)
{
	uint64_t number = number_of(dw, die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t nr;

	line->line = (uint32_t)number_of(dw, die, DW_AT_call_line);
	if (!dw->getsrcfiles(unit, &files, &nr) && number < nr)
		line->file = dw->filesrc(files, number, NULL, NULL);
	else
		line->file = NULL;
}

static void own_line(const struct kcatch_libdw *dw, Dwarf_Die *unit, uint64_t address,
		     struct kcatch_source_line *line)
{
	Dwarf_Line *source = dw->getsrc_die(unit, address);
	int number = 0;

	line->file = source ? dw->linesrc(source, NULL, NULL) : NULL;
	line->line = source && !dw->lineno(source, &number) ? (uint32_t)number : 0;
}

uint32_t kcatch_dwarf_lines(const struct kcatch_libdw *dw, Dwarf *dwarf, uint64_t address,
			    struct kcatch_source_line *lines, uint32_t room,
			    const char **directory)
{
	struct chain chain = { .dw = dw, .address = address };
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	uint32_t i;

	if (!room || !find_unit(dw, dwarf, address, &unit))
		return 0;
	*directory = dw->attr(&unit, DW_AT_comp_dir, &attribute) ? dw->formstring(&attribute) :
								   NULL;
	if (!descend(&chain, &unit)) {
		chain.in_types = true;
		descend(&chain, &unit);
	}
	for (i = 0; i < chain.nr && i < room; i++) {
		Dwarf_Die *die = &chain.functions[chain.nr - 1 - i];

		lines[i].function = dw->diename(die);
		if (!i)
			own_line(dw, &unit, address, &lines[i]);
		else
			call_line(dw, &unit, die + 1, &lines[i]);
	}
	return i;
}
