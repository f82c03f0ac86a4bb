// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code symbols of one module, sorted; see module_names.h. Process context, no locks of its
 * own: the kernel replaces a module's table once, after its init, and frees the old one after a
 * grace period, so the table is read without sleeping. Memory: 16 bytes and the name for each.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sort.h>
#include <uapi/kcatch.h>
#include "compat/compat.h"
#include "core/module_names.h"

#ifdef CONFIG_KALLSYMS

static const char *names_name_of(const struct mod_kallsyms *table, u32 index)
{
	return table->strtab + table->symtab[index].st_name;
}

/* Labels of the assembler are in the table too, and no names (is_mapping_symbol()). */
static bool names_is_name(const char *name)
{
	return *name && *name != '$' && strncmp(name, ".L", 2) && strncmp(name, "L0", 2);
}

static bool names_is_code(const struct mod_kallsyms *table, u32 index)
{
	char kind = table->typetab[index];

	return (kind == 't' || kind == 'T' || kind == 'w' || kind == 'W') &&
	       table->symtab[index].st_shndx != SHN_UNDEF &&
	       names_is_name(names_name_of(table, index));
}

/* Return: bytes of the names; their number is in @nr */
static u64 names_measure(const struct module *module, u32 *nr)
{
	const struct mod_kallsyms *table;
	u64 bytes = 0;
	u32 i;

	*nr = 0;
	rcu_read_lock_sched();
	table = rcu_dereference_sched(module->kallsyms);
	for (i = 1; table && i < table->num_symtab; i++) {
		if (names_is_code(table, i)) {
			++*nr;
			bytes += strlen(names_name_of(table, i)) + 1;
		}
	}
	rcu_read_unlock_sched();
	return bytes;
}

/* @room: for so many symbols; @bytes: for so much text. */
static void names_copy(struct kcatch_module_names *names, const struct module *module, u32 room,
		       u64 bytes)
{
	const struct mod_kallsyms *table;
	char *texts = (char *)names->texts;
	u64 used = 0;
	u32 i;

	rcu_read_lock_sched();
	table = rcu_dereference_sched(module->kallsyms);
	for (i = 1; table && i < table->num_symtab && names->nr < room; i++) {
		size_t length;

		if (!names_is_code(table, i))
			continue;
		length = strlen(names_name_of(table, i)) + 1;
		/* Another table by now, which has fewer symbols. */
		if (used + length > bytes)
			break;
		memcpy(texts + used, names_name_of(table, i), length);
		names->list[names->nr++] = (struct kcatch_module_name) {
			.address = kallsyms_symbol_value(&table->symtab[i]), .name = used,
		};
		used += length;
	}
	rcu_read_unlock_sched();
}

static int names_by_address(const void *a, const void *b)
{
	const struct kcatch_module_name *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Where the code around an address ends; the address itself outside of all code. */
static unsigned long end_of(const struct module *module, unsigned long address)
{
	unsigned long base, size;
	int init;

	for (init = 0; init < 2; init++) {
		size = kcatch_module_text(module, init, &base);
		if (address - base < size)
			return base + size;
	}
	return address;
}

/* Sorts them, leaves one at each address, and fills in the sizes. */
static void names_arrange(struct kcatch_module_names *names, const struct module *module)
{
	struct kcatch_module_name *list = names->list;
	u32 i, nr = 0;

	sort(list, names->nr, sizeof(*list), names_by_address, NULL);
	for (i = 0; i < names->nr; i++)
		if (!nr || list[i].address != list[nr - 1].address)
			list[nr++] = list[i];
	names->nr = nr;
	for (i = 0; i < nr; i++) {
		unsigned long end = end_of(module, list[i].address);

		if (i + 1 < nr && list[i + 1].address < end)
			end = list[i + 1].address;
		list[i].size = end - list[i].address;
	}
}

struct kcatch_module_names *kcatch_module_names_read(const struct module *module)
{
	struct kcatch_module_names *names;
	u64 text, bytes;
	u32 nr;

	text = names_measure(module, &nr);
	bytes = struct_size(names, list, nr) + text;
	if (text > U32_MAX)
		return NULL;
	names = kvmalloc(bytes, GFP_KERNEL);
	if (!names)
		return NULL;
	names->bytes = bytes;
	names->nr = 0;
	names->texts = (char *)&names->list[nr];
	strscpy(names->module, module->name, sizeof(names->module));
	names_copy(names, module, nr, text);
	names_arrange(names, module);
	return names;
}

#else

struct kcatch_module_names *kcatch_module_names_read(const struct module *module)
{
	return NULL;
}

#endif

bool kcatch_module_names_find(const struct kcatch_module_names *names,
			      struct kcatch_symbol *symbol)
{
	const struct kcatch_module_name *found;
	u32 low = 0, high = names->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (names->list[middle].address <= symbol->address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	found = &names->list[low - 1];
	if (symbol->address - found->address >= found->size)
		return false;
	symbol->offset = symbol->address - found->address;
	symbol->size = found->size;
	strscpy(symbol->name, names->texts + found->name, sizeof(symbol->name));
	strscpy(symbol->module, names->module, sizeof(symbol->module));
	return true;
}
