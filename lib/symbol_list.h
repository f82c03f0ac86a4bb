/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbol_list.h - names of another kernel's addresses, out of a recording */
#ifndef LIB_SYMBOL_LIST_H
#define LIB_SYMBOL_LIST_H

#include "symbols.h"

struct kcatch_symbol_list;

/**
 * kcatch_symbol_list_create - from the text of a recording's file "symbols"
 * @text: the text, which becomes the list's and is changed
 * @length: of it, without the end mark that stands behind
 * @list: the new list
 *
 * Lines that are not of that form are passed by. Memory: the text, 24 bytes a symbol.
 *
 * Return: 0 or -ENOMEM; @text is freed then.
 */
int kcatch_symbol_list_create(char *text, size_t length, struct kcatch_symbol_list **list);

/**
 * kcatch_symbol_list_destroy - forget it
 * @list: may be NULL
 */
void kcatch_symbol_list_destroy(struct kcatch_symbol_list *list);

/**
 * kcatch_symbol_list_find - name an address
 * @list: the list; NULL: nobody knows any
 * @address: the very address
 * @name: what it is called; lives as long as @list. No symbol when nobody knows
 */
void kcatch_symbol_list_find(const struct kcatch_symbol_list *list, uint64_t address,
			     struct kcatch_name *name);

#endif
