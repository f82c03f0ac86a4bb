/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbols.h - names of kernel addresses, each looked up once */
#ifndef LIB_SYMBOLS_SYMBOLS_H
#define LIB_SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct kcatch_symbols;
struct kcatch_symbol_list;

/**
 * struct kcatch_name - the name of an address
 * @symbol: symbol name; NULL: unknown
 * @module: module name; NULL: the kernel itself
 * @offset: bytes from the start of @symbol
 * @size: bytes of @symbol
 */
struct kcatch_name {
	const char *symbol;
	const char *module;
	uint32_t offset;
	uint32_t size;
};

/**
 * kcatch_symbols_create - an empty cache before a session's SYMBOL call
 * @fd: the session's descriptor
 * @symbols: the cache
 *
 * Memory: about 130 bytes for each different address that was looked up.
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_symbols_create(int fd, struct kcatch_symbols **symbols);

/**
 * kcatch_symbols_create_list - a cache before a list of names
 * @list: list of names, must outlive the cache; NULL: no address has a name
 * @symbols: the cache
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_symbols_create_list(const struct kcatch_symbol_list *list,
			       struct kcatch_symbols **symbols);

/**
 * kcatch_symbols_destroy - free the cache and all names
 * @symbols: may be NULL
 */
void kcatch_symbols_destroy(struct kcatch_symbols *symbols);

/**
 * kcatch_symbols_find - name an address
 * @symbols: the cache
 * @address: exact address; for a return address pass one less
 * @name: name of the address; lives as long as @symbols
 *
 * Return: 0 (also when the name is unknown) or -ENOMEM.
 */
int kcatch_symbols_find(struct kcatch_symbols *symbols, uint64_t address,
			struct kcatch_name *name);

/**
 * kcatch_symbols_forget_modules - ask again for addresses of modules
 * @symbols: the cache; names that it gave stay
 */
void kcatch_symbols_forget_modules(struct kcatch_symbols *symbols);

#endif
