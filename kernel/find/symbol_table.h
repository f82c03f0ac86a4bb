/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's own table of symbols (kallsyms), without those of modules.
 *
 * Nothing exported tells how many functions have a name. ftrace does, by comparing the names of all
 * that it knows, for each of which it searches this table: a twentieth of a second and more. To
 * read the table itself from front to back takes a few milliseconds.
 */
#ifndef _KCATCH_SYMBOL_TABLE_H
#define _KCATCH_SYMBOL_TABLE_H

#include <linux/types.h>

struct kcatch_symbol;

/**
 * struct kcatch_symbol_entry - a symbol of the table, while it is read from front to back
 * @index: its number
 * @length: bytes at @tokens
 * @tokens: its kind and its name, compressed
 */
struct kcatch_symbol_entry {
	u32 index;
	u32 length;
	const u8 *tokens;
};

/**
 * struct kcatch_symbol_walk - where a reader of many names stands
 * @named: first symbol at @start; its @length is 0 before the first address
 * @after: first symbol at a higher address
 * @start: address
 */
struct kcatch_symbol_walk {
	struct kcatch_symbol_entry named, after;
	unsigned long start;
};

/**
 * kcatch_symbol_table_init() - find the table, and try it
 *
 * All names are read, and of some hundred functions, the last one too, name and address are
 * compared with what sprint_symbol() says.
 *
 * Context: may sleep; while the module is loaded.
 */
void kcatch_symbol_table_init(void);

/** kcatch_symbol_table_known() - did the trial of kcatch_symbol_table_init() succeed? */
bool kcatch_symbol_table_known(void);

/** kcatch_symbol_table_exact() - does it tell names as the kernel does? Else no name is read */
bool kcatch_symbol_table_exact(void);

/**
 * kcatch_symbol_table_find() - addresses of the code that may have a name
 * @name: without a module
 * @addresses: the first bytes, in order; the caller's to kvfree()
 *
 * A function of several names is found by each. Unless the table is exact
 * (kcatch_symbol_table_exact()), a symbol with the name and a suffix (.llvm.123) is found as well:
 * the kernel may leave suffixes out when it tells a name, so the caller looks at what it tells of
 * each address. Memory: 8 bytes for each.
 *
 * Context: may sleep. Return: number of addresses; 0 too when the table is not known; -ENOMEM
 */
int kcatch_symbol_table_find(const char *name, unsigned long **addresses);

/** kcatch_symbol_table_begin() - begin to read many names: of addresses that go up */
void kcatch_symbol_table_begin(struct kcatch_symbol_walk *walk);

/**
 * kcatch_symbol_table_next_code() - the next address that has a name and is code
 * @walk: begun
 * @address: it is set
 *
 * Context: any. Return: false: there are no more
 */
bool kcatch_symbol_table_next_code(struct kcatch_symbol_walk *walk, unsigned long *address);

/**
 * kcatch_symbol_table_name() - the name of that address, of several the one that the kernel tells
 * @walk: as kcatch_symbol_table_next_code() left it
 * @name: the name, or as much of it as fits
 * @size: of @name, in bytes
 *
 * Context: any.
 */
void kcatch_symbol_table_name(const struct kcatch_symbol_walk *walk, char *name, size_t size);

/**
 * kcatch_symbol_table_read_code() - the name of an address, as sprint_symbol() has it
 * @walk: zeroed before the first address; it goes on from there, and is quick where addresses go up
 * @symbol: its address is set; the rest is filled in
 *
 * To read the whole table takes 3 ms, for 97,000 symbols; to ask the kernel for one name 4 us (both
 * as measured on 6.1).
 *
 * Context: any. Return: false: no code, of a module, unknown, or below the last one: @symbol means
 * nothing
 */
bool kcatch_symbol_table_read_code(struct kcatch_symbol_walk *walk, struct kcatch_symbol *symbol);

#endif
