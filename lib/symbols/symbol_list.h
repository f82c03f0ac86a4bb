/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbol_list.h - names of the addresses of another kernel, from a recording */
#ifndef LIB_SYMBOLS_SYMBOL_LIST_H
#define LIB_SYMBOLS_SYMBOL_LIST_H

#include "symbols/module_ranges.h"
#include "symbols/symbols.h"

struct kcatch_symbol_list;

/**
 * kcatch_symbol_list_create - parse a recording's file "symbols", see kcatch-recording(5)
 * @text: the untrusted contents, terminated by '\0'; allocated, owned by the list from now on,
 *	and changed
 * @length: length of @text without the '\0', bytes
 * @list: set to the new list, to be freed with kcatch_symbol_list_destroy()
 *
 * Skips lines that it cannot parse. Memory: the text, 32 bytes per symbol, and 400 KB
 * for addresses that were looked up.
 *
 * Return: 0; -ENOMEM with an error text, and @text is freed.
 */
int kcatch_symbol_list_create(char *text, size_t length, struct kcatch_symbol_list **list);

/**
 * kcatch_symbol_list_destroy - free the list
 * @list: the list, or NULL
 */
void kcatch_symbol_list_destroy(struct kcatch_symbol_list *list);

/**
 * kcatch_symbol_list_find - name an address at the time of kcatch_symbol_list_time()
 * @list: the list; NULL: no names
 * @address: the address; for a return address pass one less
 * @name: set to the name, valid as long as @list; its @symbol is NULL if it is not known, and
 *	its @module "module gone" if that is because of an unloaded module
 */
void kcatch_symbol_list_find(const struct kcatch_symbol_list *list, uint64_t address,
			     struct kcatch_name *name);

/**
 * kcatch_symbol_list_modules - add the addresses that modules had over time
 * @list: the list
 * @text: the contents of the recording's file "modules", as for kcatch_module_ranges_parse(),
 *	owned by the list from now on
 *
 * From then on, an address in the range of a module or the kernel is named only by symbols of
 * that range, and an address outside of all ranges only by symbols of generated code (BPF). An
 * address in the range of an unloaded module is in "module gone".
 *
 * Return: 0; 1: there were more than are kept, of which some have no names; -ENOMEM with an error
 * text.
 */
int kcatch_symbol_list_modules(struct kcatch_symbol_list *list, char *text);

/**
 * kcatch_symbol_list_time - set the time for which addresses are looked up from now on
 * @list: the list
 * @time: CLOCK_MONOTONIC, nanoseconds
 */
void kcatch_symbol_list_time(struct kcatch_symbol_list *list, uint64_t time);

/**
 * kcatch_symbol_list_era - get a number for the names that addresses have at that time
 * @list: the list; NULL: no names
 *
 * Return: the number: while it is the same, so is the name of each address.
 */
size_t kcatch_symbol_list_era(const struct kcatch_symbol_list *list);

/**
 * kcatch_symbol_list_range - find the module at an address at that time
 * @list: the list; NULL: no modules
 * @address: address of code
 *
 * Return: the range of the module or the kernel, valid as long as @list; NULL: not known.
 */
const struct kcatch_module_range *
kcatch_symbol_list_range(const struct kcatch_symbol_list *list, uint64_t address);

/**
 * kcatch_symbol_list_address - find the address of a symbol
 * @list: the list; NULL: no names
 * @name: name of the symbol
 * @address: set to an address of the symbol; unchanged if there is none
 *
 * Searches the whole list.
 *
 * Return: number of different addresses with this name.
 */
unsigned int kcatch_symbol_list_address(const struct kcatch_symbol_list *list, const char *name,
					uint64_t *address);

#endif
