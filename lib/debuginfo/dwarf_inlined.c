/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * dwarf_inlined.c - finds the inlined copies of a function in DWARF
 *
 * A compilation unit that inlines a function describes it once, at its top, as inlined. Only the
 * units that do, or that import another one (GCC's link-time optimization), are walked whole.
 * Limit: copies that Clang's link-time optimization put into other units are not found.
 */
#include <stdbool.h>
#include <string.h>

#include "debuginfo/dwarf_inlined.h"

#define DEPTH_MAX 256 /* of blocks; compilers stay far below, damaged files may not */

struct search {
	const struct kcatch_libdw *dw;
	const char *name;
	kcatch_inlined_copy *visit;
	void *arg;
	const char *function; /* whose code is walked */
	unsigned int depth;
};

static bool has(const struct search *search, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return search->dw->attr(die, name, &attribute);
}

static bool is_named(const struct search *search, Dwarf_Die *die)
{
	const char *name = search->dw->diename(die);

	return name && !strcmp(name, search->name);
}

static bool may_have(const struct search *search, Dwarf_Die *unit)
{
	const struct kcatch_libdw *dw = search->dw;
	Dwarf_Die die;

	if (dw->child(unit, &die))
		return false;
	do {
		int tag = dw->tag(&die);

		if (tag == DW_TAG_imported_unit ||
		    (tag == DW_TAG_subprogram && has(search, &die, DW_AT_inline) &&
		     is_named(search, &die)))
			return true;
	} while (!dw->siblingof(&die, &die));
	return false;
}

static int walk_code(struct search *search, Dwarf_Die *parent)
{
	const struct kcatch_libdw *dw = search->dw;
	Dwarf_Die die;
	int ret = 0;

	if (search->depth >= DEPTH_MAX || dw->child(parent, &die))
		return 0;
	search->depth++;
	do {
		int tag = dw->tag(&die);

		if (tag == DW_TAG_inlined_subroutine && is_named(search, &die))
			ret = search->visit(search->function, search->arg);
		if (!ret && (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block))
			ret = walk_code(search, &die);
	} while (!ret && !dw->siblingof(&die, &die));
	search->depth--;
	return ret;
}

static int walk_unit(struct search *search, Dwarf_Die *unit)
{
	const struct kcatch_libdw *dw = search->dw;
	Dwarf_Die die;
	int ret = 0;

	if (dw->child(unit, &die))
		return 0;
	do {
		if (dw->tag(&die) != DW_TAG_subprogram ||
		    (!has(search, &die, DW_AT_low_pc) && !has(search, &die, DW_AT_ranges)))
			continue;
		search->function = dw->diename(&die);
		if (search->function)
			ret = walk_code(search, &die);
	} while (!ret && !dw->siblingof(&die, &die));
	return ret;
}

int kcatch_dwarf_inlined(const struct kcatch_libdw *dw, Dwarf *dwarf, const char *name,
			 kcatch_inlined_copy *visit, void *arg)
{
	struct search search = { .dw = dw, .name = name, .visit = visit, .arg = arg };
	Dwarf_Off offset = 0, next;
	size_t header;
	int ret = 0;

	for (; !ret && !dw->nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL);
	     offset = next) {
		Dwarf_Die unit;

		if (dw->offdie(dwarf, offset + header, &unit) && may_have(&search, &unit))
			ret = walk_unit(&search, &unit);
	}
	return ret;
}
