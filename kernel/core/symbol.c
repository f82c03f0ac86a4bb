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
#include <linux/uaccess.h>
#include <uapi/kcatch.h>
#include "compat/private.h"
#include "core/ftrace_match.h"
#include "core/modules.h"
#include "core/symbol.h"

/* Bytes of the longest instruction of x86 (Intel SDM, volume 2, 2.3.11). */
#define INSN_SIZE_MAX	15

/* A pre-handler that is never reached: such a probe is never armed. */
static int no_handler(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

/*
 * May a kprobe there crash the kernel? When one is registered, the kernel decodes the whole
 * function around it, to see whether a jump can take the place of the breakpoint. The last
 * function of a module reaches, by its symbol, to the end of the module's text; if the padding
 * there ends within an instruction, the decoder reads on, where since Linux 6.4 nothing is mapped
 * (can_optimize() in arch/x86/kernel/kprobes/opt.c, seen on Debian's 6.12.117). A place
 * where ftrace hooks a function is not decoded.
 */
static bool decodes_too_far(unsigned long address)
{
	struct kcatch_symbol *symbol;
	u8 beyond[INSN_SIZE_MAX];
	unsigned long end;
	bool too_far = false;

	if (!kcatch_module_range(address))
		return false;
	symbol = kcatch_symbol_of(address);
	if (symbol && symbol->size) {
		end = address - symbol->offset + symbol->size;
		too_far = copy_from_kernel_nofault(beyond, (void *)end, sizeof(beyond));
	}
	kfree(symbol);
	return too_far;
}

/* decodes_too_far() of any module's symbol of this name; sets its address. */
static bool name_decodes_too_far(const char *name, unsigned long *address)
{
	unsigned long found;
	unsigned int nth;

	for (nth = 0; (found = kcatch_modules_symbol(name, nth)); nth++) {
		if (!kcatch_ftrace_place(found) && decodes_too_far(found)) {
			*address = found;
			return true;
		}
	}
	return false;
}

int kcatch_kprobe_place(const char *name, unsigned long *address)
{
	struct kprobe kprobe = { .flags = KPROBE_FLAG_DISABLED, .pre_handler = no_handler };
	int error;

	if (name ? name_decodes_too_far(name, address) : decodes_too_far(*address))
		return -EOVERFLOW;
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

int kcatch_kprobe_places(unsigned long *places, u32 nr)
{
	struct kprobe *kprobes = kcalloc(nr, sizeof(*kprobes), GFP_KERNEL);
	struct kprobe *list[KCATCH_KPROBE_PLACES];
	u32 i, registered = 0;
	int error = 0;

	if (!kprobes)
		return -ENOMEM;
	for (i = 0; !error && i < nr; i++) {
		struct kprobe *kprobe = &kprobes[i];

		if (!places[i])
			continue;
		kprobe->flags = KPROBE_FLAG_DISABLED;
		kprobe->pre_handler = no_handler;
		kprobe->addr = (void *)places[i];
		error = register_kprobe(kprobe);
		if (!error)
			list[registered++] = kprobe;
		if (error == -ENOMEM)
			break;
		if (error || kprobe->addr != (void *)places[i])
			places[i] = 0;
		error = 0;
	}
	if (registered)
		unregister_kprobes(list, registered);
	kfree(kprobes);
	return error;
}

void kcatch_symbol_read(struct kcatch_naming *naming)
{
	struct kcatch_symbol *symbol = &naming->symbol;
	unsigned long offset = 0, size = 0;
	char *text = naming->text, *at, *end;

	symbol->offset = 0;
	symbol->size = 0;
	symbol->name[0] = 0;
	symbol->module[0] = 0;
	/* name+0xOFFSET/0xSIZE [module], or the bare address */
	sprint_symbol(text, symbol->address);
	at = strrchr(text, '+');
	if (!at || !strncmp(text, "0x", 2))
		return;
	*at++ = 0;
	end = strchr(at, '/');
	if (end) {
		*end++ = 0;
		if (kstrtoul(at, 0, &offset))
			return;
		at = strchr(end, ' ');
		if (at)
			*at++ = 0;
		if (kstrtoul(end, 0, &size))
			return;
		end = at && *at == '[' ? strpbrk(at, "] ") : NULL;
		if (end) {
			*end = 0;
			strscpy(symbol->module, at + 1, sizeof(symbol->module));
		}
	}
	symbol->offset = offset;
	symbol->size = size;
	strscpy(symbol->name, text, sizeof(symbol->name));
}

struct kcatch_symbol *kcatch_symbol_of(unsigned long address)
{
	struct kcatch_naming *naming = kzalloc(sizeof(*naming), GFP_KERNEL);

	if (!naming)
		return NULL;
	naming->symbol.address = address;
	kcatch_symbol_read(naming);
	/* kfree() gets the address of the whole. */
	BUILD_BUG_ON(offsetof(struct kcatch_naming, symbol));
	return &naming->symbol;
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

unsigned long kcatch_symbol_private(const char *name)
{
	return kcatch_private_wanted(name) ? kcatch_symbol_address(name) : 0;
}
