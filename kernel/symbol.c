// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names and addresses of the kernel's symbols, by what is exported. Process context.
 *
 * A kprobe that is registered disabled tells a symbol's address; one on data
 * is refused, after the address was looked up.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/kcatch.h>
#include "symbol.h"

/* A pre-handler that is never reached: such a probe is never armed. */
static int no_handler(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

int kcatch_kprobe_place(const char *name, unsigned long *address)
{
	struct kprobe kprobe = { .flags = KPROBE_FLAG_DISABLED, .pre_handler = no_handler };
	int error;

	if (name)
		kprobe.symbol_name = name;
	else
		kprobe.addr = (void *)*address;
	error = register_kprobe(&kprobe);
	*address = (unsigned long)kprobe.addr;
	if (!error)
		unregister_kprobe(&kprobe);
	return error;
}

void kcatch_symbol_name(struct kcatch_symbol *symbol)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL), *at, *end;
	unsigned long offset = 0, size = 0;

	symbol->offset = 0;
	symbol->size = 0;
	memset(symbol->name, 0, sizeof(symbol->name));
	memset(symbol->module, 0, sizeof(symbol->module));
	if (!text)
		return;
	/* name+0xOFFSET/0xSIZE [module], or the bare address */
	sprint_symbol(text, symbol->address);
	at = strrchr(text, '+');
	if (!at || !strncmp(text, "0x", 2))
		goto out;
	*at++ = 0;
	end = strchr(at, '/');
	if (end) {
		*end++ = 0;
		if (kstrtoul(at, 0, &offset))
			goto out;
		at = strchr(end, ' ');
		if (at)
			*at++ = 0;
		if (kstrtoul(end, 0, &size))
			goto out;
		end = at && *at == '[' ? strpbrk(at, "] ") : NULL;
		if (end) {
			*end = 0;
			strscpy(symbol->module, at + 1, sizeof(symbol->module));
		}
	}
	symbol->offset = offset;
	symbol->size = size;
	strscpy(symbol->name, text, sizeof(symbol->name));
out:
	kfree(text);
}

struct kcatch_symbol *kcatch_symbol_of(unsigned long address)
{
	struct kcatch_symbol *symbol = kzalloc(sizeof(*symbol), GFP_KERNEL);

	if (symbol) {
		symbol->address = address;
		kcatch_symbol_name(symbol);
	}
	return symbol;
}

unsigned long kcatch_symbol_address(const char *name)
{
	struct kcatch_symbol *symbol;
	unsigned long address = 0;

	if (kcatch_kprobe_place(name, &address) == -ENOENT || !address)
		return 0;
	/* Where a function starts with ENDBR, kprobes point behind it. */
	symbol = kcatch_symbol_of(address);
	if (!symbol)
		return 0;
	if (symbol->offset < 16)
		address -= symbol->offset;
	kfree(symbol);
	return address;
}
