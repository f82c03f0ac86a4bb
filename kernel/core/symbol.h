/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the kernel and its modules.
 */
#ifndef _KCATCH_SYMBOL_H
#define _KCATCH_SYMBOL_H

#include <linux/kallsyms.h>
#include <linux/types.h>
#include <uapi/kcatch.h>

/**
 * kcatch_symbol_address() - address of a symbol of any kind, data too
 * @name: its name; the first of several
 *
 * Context: may sleep. Return: the address, or 0
 */
unsigned long kcatch_symbol_address(const char *name);

/**
 * kcatch_symbol_private() - kcatch_symbol_address() of one that may be missing
 * @name: one of KCATCH_PRIVATE_NAMES
 *
 * Context: may sleep. Return: the address; 0: there is none, or `without` has it
 */
unsigned long kcatch_symbol_private(const char *name);

/**
 * struct kcatch_naming - a symbol, and memory to find its name in
 * @symbol: its address is set; kcatch_symbol_read() fills in name, module, offset and size. The
 *	texts are empty when nothing is there; what follows their end mark stays as it was
 * @text: scratch
 */
struct kcatch_naming {
	struct kcatch_symbol symbol;
	char text[KSYM_SYMBOL_LEN];
};

/**
 * kcatch_symbol_read() - name of an address
 * @naming: as it says; for one address after the other
 *
 * Context: may sleep.
 */
void kcatch_symbol_read(struct kcatch_naming *naming);

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
 * Context: may sleep. Return: 0 if it can, else -errno; -ENOENT: no such symbol; -EOVERFLOW: the
 * kernel was not asked, as it would decode beyond the end of a module
 */
int kcatch_kprobe_place(const char *name, unsigned long *address);

/* Maximum number of addresses that one kcatch_kprobe_places() takes. */
#define KCATCH_KPROBE_PLACES	64

/**
 * kcatch_kprobe_places() - can a kprobe stand where ftrace hooks a function? Of many at once
 * @places: such addresses, or 0; set to 0 where none can
 * @nr: entries, at most KCATCH_KPROBE_PLACES
 *
 * Context: may sleep, for one RCU grace period. Return: 0, -ENOMEM
 */
int kcatch_kprobe_places(unsigned long *places, u32 nr);

#endif
