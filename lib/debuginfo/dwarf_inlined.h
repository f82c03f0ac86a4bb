/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* dwarf_inlined.h - finds the inlined copies of a function in DWARF */
#ifndef LIB_DEBUGINFO_DWARF_INLINED_H
#define LIB_DEBUGINFO_DWARF_INLINED_H

#include "debuginfo/libdw.h"

/**
 * typedef kcatch_inlined_copy - called for each inlined copy
 * @function: the function whose code has the copy
 * @arg: argument of the caller
 *
 * Return: 0 to continue; any other value ends the search and becomes its result.
 */
typedef int kcatch_inlined_copy(const char *function, void *arg);

/**
 * kcatch_dwarf_inlined - find the inlined copies of a function
 * @dw: libdw
 * @dwarf: debug information
 * @name: the function, as the source calls it
 * @visit: called for each copy
 * @arg: passed to @visit
 *
 * Return: 0; the value from @visit that ended the search.
 */
int kcatch_dwarf_inlined(const struct kcatch_libdw *dw, Dwarf *dwarf, const char *name,
			 kcatch_inlined_copy *visit, void *arg);

#endif
