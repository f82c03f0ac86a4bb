/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* loaded_modules.h - the module of an address, and the place within the module */
#ifndef LIB_SYMBOLS_LOADED_MODULES_H
#define LIB_SYMBOLS_LOADED_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kcatch_debug_file;

/** struct kcatch_module_section - a section with code, as the kernel placed it */
struct kcatch_module_section {
	char name[64];
	uint64_t address;
};

/**
 * struct kcatch_loaded_module - a module
 * @name: its name
 * @base: where its code begins
 * @size: of all of it
 * @out_of_tree: built outside of the kernel's tree
 * @has_sections: they were read
 * @sections: those with code
 * @nr_sections: number of entries in @sections
 * @file: debug information; the owner's
 * @searched: it was looked for
 */
struct kcatch_loaded_module {
	char name[64];
	uint64_t base, size;
	bool out_of_tree;
	bool has_sections;
	struct kcatch_module_section *sections;
	size_t nr_sections;
	struct kcatch_debug_file *file;
	bool searched;
};

/** struct kcatch_loaded_modules - zeroed is empty */
struct kcatch_loaded_modules {
	struct kcatch_loaded_module *list;
	size_t nr;
};

/**
 * kcatch_loaded_modules_read - read /proc/modules
 * @modules: the list, empty
 *
 * Return: 0 or -errno.
 */
int kcatch_loaded_modules_read(struct kcatch_loaded_modules *modules);

/**
 * kcatch_loaded_modules_keep - take over what is known of modules that are still there
 * @modules: the new list
 * @old: the one before; what is taken is missing there afterwards
 *
 * Return: whether both have the same modules.
 */
bool kcatch_loaded_modules_keep(struct kcatch_loaded_modules *modules,
				struct kcatch_loaded_modules *old);

/**
 * kcatch_loaded_modules_deinit - free the list, but not what @file is
 * @modules: the list
 */
void kcatch_loaded_modules_deinit(struct kcatch_loaded_modules *modules);

/**
 * kcatch_loaded_modules_find - the module and section of an address
 * @modules: the list
 * @address: of code
 * @section: where it is, as good as can be told without sizes
 *
 * Return: the module or NULL.
 */
struct kcatch_loaded_module *
kcatch_loaded_modules_find(const struct kcatch_loaded_modules *modules, uint64_t address,
			   const struct kcatch_module_section **section);

#endif
