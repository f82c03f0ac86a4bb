/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* dwarf_lines.h - an address in debug information to lines and inlined functions */
#ifndef LIB_DWARF_LINES_H
#define LIB_DWARF_LINES_H

#include "libdw.h"
#include "source.h"

/**
 * kcatch_dwarf_lines - in which functions and lines is an address
 * @dw: libdw
 * @dwarf: debug information
 * @address: in its own terms
 * @lines: innermost first; strings live as long as @dwarf
 * @room: most of them
 * @directory: where it was compiled; NULL when not known
 *
 * Return: how many; 0 when the address is not known.
 */
uint32_t kcatch_dwarf_lines(const struct kcatch_libdw *dw, Dwarf *dwarf, uint64_t address,
			    struct kcatch_source_line *lines, uint32_t room,
			    const char **directory);

#endif
