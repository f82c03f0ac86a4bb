/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* dwarf_lines.h - finds source lines and inlined functions of an address in DWARF */
#ifndef LIB_DEBUGINFO_DWARF_LINES_H
#define LIB_DEBUGINFO_DWARF_LINES_H

#include "debuginfo/libdw.h"
#include "debuginfo/source.h"

/**
 * kcatch_dwarf_lines - find the source lines and inlined functions of an address
 * @dw: libdw
 * @dwarf: debug information
 * @address: address as used in @dwarf
 * @lines: the functions, innermost first; strings live as long as @dwarf
 * @room: number of entries that fit in @lines
 * @directory: directory of compilation; NULL if not known
 *
 * Return: number of entries in @lines; 0 if the address is not known.
 */
uint32_t kcatch_dwarf_lines(const struct kcatch_libdw *dw, Dwarf *dwarf, uint64_t address,
			    struct kcatch_source_line *lines, uint32_t room,
			    const char **directory);

#endif
