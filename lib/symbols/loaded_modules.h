/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* loaded_modules.h - find the module and section that an address belongs to */
#ifndef LIB_SYMBOLS_LOADED_MODULES_H
#define LIB_SYMBOLS_LOADED_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kcatch_debug_file;

/**
 * struct kcatch_module_section - a section of a loaded module that holds code
 * @name: name such as ".text" or ".init.text"
 * @address: where the kernel placed it
 */
struct kcatch_module_section {
	char name[64];
	uint64_t address;
};

/**
 * struct kcatch_loaded_module - a loaded module
 * @name: its name, with underscores
 * @base: start of its code
 * @size: total size of the module, bytes; since Linux 6.4 not all of it is at @base
 * @code: size of its code, bytes, for who finds it out; 0: not known
 * @instance: number that no other load of a module has had since boot; 0: not known
 * @loading: its init function has not returned: the kernel is about to replace its symbols
 * @out_of_tree: built outside of the kernel's tree, the kernel's taint flag O
 * @has_sections: @sections were read
 * @sections: sections that hold code, read from sysfs when they are needed first
 * @nr_sections: number of entries in @sections
 * @file: its debug information, managed by the list's owner; NULL: none
 * @build_id: its build-id in hexadecimal, managed by the list's owner; NULL: none
 * @searched: the owner has looked for @file and @build_id
 */
struct kcatch_loaded_module {
	char name[64];
	uint64_t base, size, code;
	uint64_t instance;
	bool loading;
	bool out_of_tree;
	bool has_sections;
	struct kcatch_module_section *sections;
	size_t nr_sections;
	struct kcatch_debug_file *file;
	const char *build_id;
	bool searched;
};

/**
 * struct kcatch_loaded_modules - a list of modules; zeroed: empty
 * @list: the modules
 * @nr: number of entries in @list
 */
struct kcatch_loaded_modules {
	struct kcatch_loaded_module *list;
	size_t nr;
};

/**
 * kcatch_loaded_modules_read - read the list of loaded modules from /proc/modules
 * @modules: an empty list, to be released with kcatch_loaded_modules_deinit()
 *
 * Leaves out modules without an address, as the kernel hides it from others than root.
 *
 * Return: 0, or -errno without an error text.
 */
int kcatch_loaded_modules_read(struct kcatch_loaded_modules *modules);

/**
 * kcatch_loaded_module_is - whether two modules are one that stayed loaded
 * @a: a module of one list
 * @b: a module of another list
 *
 * A module that was loaded again is another, even at the same address: it may have been built
 * anew in between. And so is one that was being loaded: who read the kernel's list of symbols while
 * they were replaced may have missed its functions.
 */
bool kcatch_loaded_module_is(const struct kcatch_loaded_module *a,
			     const struct kcatch_loaded_module *b);

/**
 * kcatch_loaded_modules_stayed - whether these modules, and no others, are loaded now
 * @modules: the list
 *
 * If so, what was read of them since the list was read is of them.
 */
bool kcatch_loaded_modules_stayed(const struct kcatch_loaded_modules *modules);

/**
 * kcatch_loaded_modules_keep - move sections and debug information from an earlier list
 * @modules: the new list
 * @old: the earlier list; the data of modules that are still loaded at the same address is
 *	moved to @modules
 *
 * Return: whether both lists have the same modules.
 */
bool kcatch_loaded_modules_keep(struct kcatch_loaded_modules *modules,
				struct kcatch_loaded_modules *old);

/**
 * kcatch_loaded_modules_deinit - free the list, but not the modules' @file
 * @modules: the list
 */
void kcatch_loaded_modules_deinit(struct kcatch_loaded_modules *modules);

/**
 * kcatch_loaded_modules_find - find the module and section of an address
 * @modules: the list; sections are read from sysfs when they are needed first
 * @address: address of code
 * @section: set to the section with the highest start at or below @address, because the sizes
 *	of sections are not known; undefined if NULL is returned
 *
 * Return: the module; NULL: not known.
 */
struct kcatch_loaded_module *
kcatch_loaded_modules_find(const struct kcatch_loaded_modules *modules, uint64_t address,
			   const struct kcatch_module_section **section);

#endif
