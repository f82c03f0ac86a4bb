/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the kernel and its modules.
 */
#ifndef _KCATCH_SYMBOL_H
#define _KCATCH_SYMBOL_H

#include <linux/types.h>

struct kcatch_symbol;

/**
 * kcatch_symbol_address() - address of a symbol of any kind, data too
 * @name: its name; the first of several
 *
 * Context: may sleep. Return: the address, or 0
 */
unsigned long kcatch_symbol_address(const char *name);

/**
 * kcatch_symbol_name() - name of an address, as KCATCH_IOC_SYMBOL
 * @symbol: its address is set; name, module, offset and size are filled in
 *
 * Context: may sleep (it uses much stack).
 */
void kcatch_symbol_name(struct kcatch_symbol *symbol);

/**
 * kcatch_symbol_of() - name of an address, in allocated memory
 * @address: any
 *
 * Context: may sleep. Return: the symbol, to be freed by kfree(); NULL: no memory
 */
struct kcatch_symbol *kcatch_symbol_of(unsigned long address);

/**
 * kcatch_kprobe_place() - address of a symbol, and whether a kprobe can stand there
 * @name: [module:]symbol; NULL: *@address is asked about
 * @address: set whenever it is known
 *
 * Context: may sleep. Return: 0 if it can, else -errno; -ENOENT: no such symbol
 */
int kcatch_kprobe_place(const char *name, unsigned long *address);

#endif
