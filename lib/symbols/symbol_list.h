/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbol_list.h - names of the addresses of another kernel, from a recording */
#ifndef LIB_SYMBOLS_SYMBOL_LIST_H
#define LIB_SYMBOLS_SYMBOL_LIST_H

#include "symbols/module_ranges.h"
#include "symbols/symbols.h"

struct kcatch_symbol_list;

/**
 * kcatch_symbol_list_create - from the text of a recording's file "symbols"
 * @text: the text, which becomes the list's and is changed
 * @length: of it, without the end mark that stands behind
 * @list: the new list
 *
 * Lines that are not of that form are passed by. Memory: the text, 32 bytes a symbol.
 *
 * Return: 0 or -ENOMEM; @text is freed then.
 */
int kcatch_symbol_list_create(char *text, size_t length, struct kcatch_symbol_list **list);

/**
 * kcatch_symbol_list_destroy - free the list
 * @list: the list, or NULL
 */
void kcatch_symbol_list_destroy(struct kcatch_symbol_list *list);

/**
 * kcatch_symbol_list_find - name an address
 * @list: the list; NULL: no names
 * @address: exact address
 * @name: name of the address; lives as long as @list. Its symbol is NULL when unknown
 */
void kcatch_symbol_list_find(const struct kcatch_symbol_list *list, uint64_t address,
			     struct kcatch_name *name);

/**
 * kcatch_symbol_list_modules - tell it which modules were where, and when
 * @list: the list
 * @text: of a recording's file "modules", with an end mark; becomes the list's
 *
 * From then on nothing is named outside of a module or the kernel, but what belongs to
 * neither (BPF programs). What a module was that is not known is "module gone".
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_symbol_list_modules(struct kcatch_symbol_list *list, char *text);

/**
 * kcatch_symbol_list_time - set the time at which further addresses are looked up
 * @list: the list
 * @time: CLOCK_MONOTONIC, ns
 */
void kcatch_symbol_list_time(struct kcatch_symbol_list *list, uint64_t time);

/**
 * kcatch_symbol_list_range - what is there at that moment
 * @list: the list; NULL: nobody knows
 * @address: of code
 *
 * Return: the module or the kernel; NULL: not known.
 */
const struct kcatch_module_range *
kcatch_symbol_list_range(const struct kcatch_symbol_list *list, uint64_t address);

/**
 * kcatch_symbol_list_address - find the address of a symbol
 * @list: the list; NULL: no names
 * @name: name of the symbol
 * @address: address of one symbol of this name
 *
 * Searches the whole list.
 *
 * Return: number of addresses with this name.
 */
unsigned int kcatch_symbol_list_address(const struct kcatch_symbol_list *list, const char *name,
					uint64_t *address);

#endif
