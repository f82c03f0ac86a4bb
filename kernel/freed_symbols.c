// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols of functions that may be freed; see freed_symbols.h. Process context, session->lock held.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <uapi/kcatch.h>
#include "ring/memory.h"
#include "freed_symbols.h"
#include "session.h"

#define REMEMBERED_MAX 16	/* modules of a session */

struct function {
	unsigned long address;
	u32 size;
	u32 name;		/* offset of its name */
};

struct kcatch_names {
	struct list_head list;
	u64 charged;
	char module[MODULE_NAME_LEN];
	u32 nr;
	char *texts;		/* behind @functions */
	struct function functions[];
};

#ifdef CONFIG_KALLSYMS

static bool is_function(const struct mod_kallsyms *symbols, u32 index)
{
	char type = symbols->typetab[index];

	return (type == 't' || type == 'T' || type == 'w' || type == 'W') &&
	       symbols->symtab[index].st_shndx != SHN_UNDEF && symbols->symtab[index].st_size &&
	       symbols->strtab[symbols->symtab[index].st_name];
}

static int by_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static struct kcatch_names *read_names(const struct module *module)
{
	/* The kernel replaces them only after the module's init. */
	const struct mod_kallsyms *symbols = rcu_dereference_raw(module->kallsyms);
	struct kcatch_names *names;
	u64 bytes = sizeof(*names), text = 0;
	u32 i, nr = 0;

	if (!symbols)
		return NULL;
	for (i = 0; i < symbols->num_symtab; i++) {
		if (!is_function(symbols, i))
			continue;
		nr++;
		text += strlen(&symbols->strtab[symbols->symtab[i].st_name]) + 1;
	}
	bytes += (u64)nr * sizeof(struct function) + text;
	if (text > U32_MAX || !kcatch_memory_charge(bytes))
		return NULL;
	names = kvzalloc(bytes, GFP_KERNEL);
	if (!names) {
		kcatch_memory_uncharge(bytes);
		return NULL;
	}
	names->charged = bytes;
	names->texts = (char *)&names->functions[nr];
	strscpy(names->module, module->name, sizeof(names->module));
	text = 0;
	for (i = 0; i < symbols->num_symtab; i++) {
		const char *name = &symbols->strtab[symbols->symtab[i].st_name];

		if (!is_function(symbols, i))
			continue;
		names->functions[names->nr++] = (struct function) {
			.address = symbols->symtab[i].st_value,
			.size = min_t(u64, symbols->symtab[i].st_size, U32_MAX), .name = text,
		};
		strcpy(names->texts + text, name);
		text += strlen(name) + 1;
	}
	sort(names->functions, names->nr, sizeof(struct function), by_address, NULL);
	return names;
}
#else
static struct kcatch_names *read_names(const struct module *module)
{
	return NULL;
}
#endif

static void destroy(struct kcatch_names *names)
{
	list_del(&names->list);
	kcatch_memory_uncharge(names->charged);
	kvfree(names);
}

void kcatch_names_remember(struct kcatch_session *session, const struct module *module)
{
	struct kcatch_names *names = read_names(module), *old, *next;
	u32 nr = 0;

	lockdep_assert_held(&session->lock);
	if (!names)
		return;
	/* Newest first: of two modules at one address, the last one is found. */
	list_add(&names->list, &session->names);
	list_for_each_entry_safe(old, next, &session->names, list)
		if (++nr > REMEMBERED_MAX)
			destroy(old);
}

/* The function with the greatest start that is not above the address. */
static const struct function *find(const struct kcatch_names *names, unsigned long address)
{
	u32 low = 0, high = names->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (names->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - names->functions[low - 1].address >= names->functions[low - 1].size)
		return NULL;
	/* For two names of one address, the kernel takes the first of the module's table. */
	while (low > 1 && names->functions[low - 2].address == names->functions[low - 1].address)
		low--;
	return &names->functions[low - 1];
}

void kcatch_names_find(const struct kcatch_session *session, struct kcatch_symbol *symbol)
{
	const struct function *function;
	const struct kcatch_names *names;

	lockdep_assert_held(&session->lock);
	list_for_each_entry(names, &session->names, list) {
		function = find(names, symbol->address);
		if (!function)
			continue;
		symbol->offset = symbol->address - function->address;
		symbol->size = function->size;
		strscpy(symbol->name, names->texts + function->name, sizeof(symbol->name));
		strscpy(symbol->module, names->module, sizeof(symbol->module));
		return;
	}
}

void kcatch_names_forget(struct kcatch_session *session)
{
	struct kcatch_names *names, *next;

	list_for_each_entry_safe(names, next, &session->names, list)
		destroy(names);
}
