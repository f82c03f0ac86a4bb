/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* demangle.h - symbols of C++ and Rust as their programmers wrote the names */
#ifndef LIB_DEBUGINFO_DEMANGLE_H
#define LIB_DEBUGINFO_DEMANGLE_H

#include <kcatch_containers.h>

/**
 * struct kcatch_demangled - names that were asked for; zeroed is empty
 * @arena: the names and symbols
 * @names: names by symbol
 */
struct kcatch_demangled {
	struct kcatch_arena arena;
	struct kcatch_table names;
};

/**
 * kcatch_demangle - a symbol's readable name
 * @demangled: the names so far
 * @symbol: the symbol; may be hostile
 *
 * C++ (Itanium ABI), Rust (v0, and legacy without its hash), as c++filt(1) of a recent binutils
 * shows them. A version behind @ stays.
 *
 * Return: the name, until kcatch_demangle_forget(); @symbol itself if it is not mangled, its name
 * has more than 4000 bytes, or there is no memory.
 */
const char *kcatch_demangle(struct kcatch_demangled *demangled, const char *symbol);

/** kcatch_demangle_forget_many - free the names if they are more than 65536 */
void kcatch_demangle_forget_many(struct kcatch_demangled *demangled);

/** kcatch_demangle_forget - free all names */
void kcatch_demangle_forget(struct kcatch_demangled *demangled);

#endif
