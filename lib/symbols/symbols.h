/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* symbols.h - names of kernel addresses, each looked up once, those of modules once a pass */
#ifndef LIB_SYMBOLS_SYMBOLS_H
#define LIB_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kcatch_symbols;
struct kcatch_symbol_list;

/**
 * struct kcatch_name - the name of an address
 * @symbol: symbol name; NULL: unknown
 * @module: module name; NULL: the kernel itself
 * @offset: offset from the start of @symbol, bytes
 * @size: size of @symbol, bytes
 */
struct kcatch_name {
	const char *symbol;
	const char *module;
	uint32_t offset;
	uint32_t size;
};

/**
 * kcatch_symbols_create - create an empty cache of the names that a session's module returns
 * @fd: the session's descriptor; must stay open as long as the cache is used
 * @symbols: set to the cache, to be freed with kcatch_symbols_destroy()
 *
 * Memory: about 130 bytes for each different address that was looked up.
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int kcatch_symbols_create(int fd, struct kcatch_symbols **symbols);

/**
 * kcatch_symbols_create_list - offer the names of a list through the same interface
 * @list: list of names, must outlive @symbols; NULL: no address has a name
 * @symbols: set to the new object, to be freed with kcatch_symbols_destroy()
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int kcatch_symbols_create_list(const struct kcatch_symbol_list *list,
			       struct kcatch_symbols **symbols);

/**
 * kcatch_symbols_destroy - free the cache and all names
 * @symbols: the cache, or NULL
 */
void kcatch_symbols_destroy(struct kcatch_symbols *symbols);

/**
 * kcatch_symbols_find - name an address
 * @symbols: the cache
 * @address: the address; for a return address pass one less
 * @name: set to the name, whose texts are valid as long as @symbols; all zero if unknown
 *
 * Return: 0 (also if the name is unknown), or -ENOMEM with an error text.
 */
int kcatch_symbols_find(struct kcatch_symbols *symbols, uint64_t address,
			struct kcatch_name *name);

/**
 * kcatch_symbols_find_then - name what was at an address when a record was made
 * @symbols: the cache of a session that waits for modules
 * @address: as of kcatch_symbols_find()
 * @time: time of the record, on the session's clock
 * @keep_it: the name is the same for all records of the pass from @time on, as
 *	kcatch_symbols_changed() said at its beginning
 * @name: as of kcatch_symbols_find()
 *
 * Return: 0 (also if the name is unknown), or -ENOMEM with an error text.
 */
int kcatch_symbols_find_then(struct kcatch_symbols *symbols, uint64_t address, uint64_t time,
			     bool keep_it, struct kcatch_name *name);

/**
 * kcatch_symbols_changed - when did a module last come or go that the session waits for?
 * @symbols: the cache of such a session
 *
 * Return: the time on the session's clock; 0: not known, or none did.
 */
uint64_t kcatch_symbols_changed(struct kcatch_symbols *symbols);

/**
 * kcatch_symbols_find_probe - name what was at a probe's address when it was armed
 * @symbols: the cache of a session that waits for modules
 * @number: number of the probe
 * @address: its address
 * @name: as of kcatch_symbols_find()
 *
 * Return: 0 (also if the name is unknown), or -ENOMEM with an error text.
 */
int kcatch_symbols_find_probe(struct kcatch_symbols *symbols, uint32_t number, uint64_t address,
			      struct kcatch_name *name);

/**
 * kcatch_symbols_learn - look many addresses up in one request, before they are asked for
 * @symbols: the cache
 * @addresses: what will be asked for; 0 is skipped
 * @nr: how many
 *
 * What cannot be looked up so is left to kcatch_symbols_find(), which also has the errors.
 */
void kcatch_symbols_learn(struct kcatch_symbols *symbols, const uint64_t *addresses, size_t nr);

/**
 * kcatch_symbols_forget_modules - look up the addresses of modules anew from now on
 * @symbols: the cache; names that it has returned stay valid
 */
void kcatch_symbols_forget_modules(struct kcatch_symbols *symbols);

#endif
