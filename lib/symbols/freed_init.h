/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* freed_init.h - is a symbol a function of a module's init part, whose memory is freed? */
#ifndef LIB_SYMBOLS_FREED_INIT_H
#define LIB_SYMBOLS_FREED_INIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct kcatch_freed_init - where the init part of the module asked about last was; zeroed: none
 * @module: its name
 * @from: its first address; UINT64_MAX: the module has none, or is not loaded whole
 * @until: the first address behind it; 0: nobody has asked for one from @from on
 */
struct kcatch_freed_init {
	char module[64];
	uint64_t from, until;
};

/**
 * kcatch_freed_init_has - whether an address of a module is in memory that was freed at its start
 * @freed: who asks about the modules one after the other has each read once
 * @module: name of the module
 * @address: address of one of its functions; 0: hidden
 *
 * A module that is loaded while ftrace has something to do leaves its init functions in
 * /proc/kallsyms until it is unloaded, so that what was traced keeps its name.
 */
bool kcatch_freed_init_has(struct kcatch_freed_init *freed, const char *module, uint64_t address);

#endif
