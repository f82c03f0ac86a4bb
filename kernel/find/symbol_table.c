// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the kernel's table of symbols. Process context; no locks, as the table is constant.
 *
 * Where it stands the kernel tells debuggers of memory dumps, in the vmcoreinfo note. What is
 * checked at load is that all of it is readable and ends where the next table begins, so that it
 * may be read without further ado: it is never written and never freed.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "compat/compat.h"
#include "compat/private.h"
#include "compat/private_layouts.h"
#include "core/symbol.h"
#include "core/trial.h"
#include "find/symbol_table.h"

#define NR_TOKENS	256
/* Larger than any kernel's: a sign that we read the wrong thing. */
#define NAMES_MAX	(64UL << 20)	/* bytes */
#define TOKENS_MAX	(64UL << 10)	/* bytes */
/* So many symbols apart are those whose names are compared by the trial. */
#define TRIAL_STEP	512

static struct kcatch_symbol_table table;
static bool known;
/* The kernel tells the names as they stand there, without leaving out suffixes. */
static bool exact;

static void symtab_first(struct kcatch_symbol_entry *entry)
{
	entry->index = 0;
	entry->length = kcatch_symbol_table_length(table.names, &entry->tokens);
}

static void symtab_next(struct kcatch_symbol_entry *entry)
{
	entry->index++;
	entry->length = kcatch_symbol_table_length(entry->tokens + entry->length, &entry->tokens);
}

static const char *symtab_token(u8 number)
{
	return table.tokens + table.token_index[number];
}

/* The first letter of its text is its kind. */
static bool symtab_is_code(const struct kcatch_symbol_entry *entry)
{
	char kind = entry->length ? *symtab_token(*entry->tokens) : 0;

	return kind == 't' || kind == 'T' || kind == 'w' || kind == 'W';
}

/* Has it this name, or, where the kernel may leave suffixes out, this and a suffix? */
static bool may_be_named(const struct kcatch_symbol_entry *entry, const char *name)
{
	const char *at = symtab_token(*entry->tokens) + 1;
	u32 i;

	for (i = 0;;) {
		for (; *at; at++, name++)
			if (*at != *name)
				return !exact && !*name && (*at == '.' || *at == '$');
		if (++i == entry->length)
			return !*name;
		at = symtab_token(entry->tokens[i]);
	}
}

static unsigned long address_of(u32 index)
{
	return kcatch_symbol_table_address(&table, index);
}

int kcatch_symbol_table_find(const char *name, unsigned long **addresses)
{
	unsigned long *found = NULL, *more;
	u32 nr = 0, room = 0;
	struct kcatch_symbol_entry entry;

	*addresses = NULL;
	if (!known)
		return 0;
	for (symtab_first(&entry); entry.index < table.nr; symtab_next(&entry)) {
		if (!symtab_is_code(&entry) || !may_be_named(&entry, name))
			continue;
		if (nr == room) {
			more = kvmalloc_array(room * 2 + 16, sizeof(*more), GFP_KERNEL);
			if (!more) {
				kvfree(found);
				return -ENOMEM;
			}
			if (nr)
				memcpy(more, found, nr * sizeof(*more));
			kvfree(found);
			found = more;
			room = room * 2 + 16;
		}
		found[nr++] = address_of(entry.index);
	}
	*addresses = found;
	return nr;
}

bool kcatch_symbol_table_known(void)
{
	return known;
}

bool kcatch_symbol_table_exact(void)
{
	return exact;
}

void kcatch_symbol_table_begin(struct kcatch_symbol_walk *walk)
{
	*walk = (struct kcatch_symbol_walk) { .start = 0 };
	if (exact)
		symtab_first(&walk->after);
}

/* @name: the beginning of the name, if @size is too small for all of it */
static void symtab_name_of(const struct kcatch_symbol_entry *entry, char *name, size_t size)
{
	const char *at, *end = name + size - 1;
	u32 i;

	for (i = 0; i < entry->length && name < end; i++)
		for (at = symtab_token(entry->tokens[i]) + !i; *at && name < end; at++)
			*name++ = *at;
	*name = 0;
}

static bool read_name(struct kcatch_symbol_walk *walk, struct kcatch_symbol *symbol)
{
	struct kcatch_symbol_entry *after = &walk->after;
	unsigned long address = 0;

	if (!exact)
		return false;
	for (; after->index < table.nr; symtab_next(after)) {
		address = address_of(after->index);
		if (address > symbol->address)
			break;
		/* The kernel shows the first of several symbols at one address. */
		if (!walk->named.length || address != walk->start) {
			walk->named = *after;
			walk->start = address;
		}
	}
	/* Beyond the last one there may be a module. */
	if (!walk->named.length || after->index == table.nr)
		return false;
	symbol->offset = symbol->address - walk->start;
	symbol->size = address - walk->start;
	symbol->module[0] = 0;
	symtab_name_of(&walk->named, symbol->name, sizeof(symbol->name));
	return true;
}

bool kcatch_symbol_table_read_code(struct kcatch_symbol_walk *walk, struct kcatch_symbol *symbol)
{
	if (!walk->after.tokens)
		kcatch_symbol_table_begin(walk);
	return symbol->address >= walk->start && read_name(walk, symbol) &&
	       symtab_is_code(&walk->named);
}

bool kcatch_symbol_table_next_code(struct kcatch_symbol_walk *walk, unsigned long *address)
{
	struct kcatch_symbol_entry *after = &walk->after;
	unsigned long start;
	bool begins;

	while (after->tokens && after->index < table.nr) {
		start = address_of(after->index);
		begins = !walk->named.length || start != walk->start;
		if (begins) {
			walk->named = *after;
			walk->start = start;
		}
		symtab_next(after);
		if (begins && symtab_is_code(&walk->named)) {
			*address = start;
			return true;
		}
	}
	return false;
}

void kcatch_symbol_table_name(const struct kcatch_symbol_walk *walk, char *name, size_t size)
{
	symtab_name_of(&walk->named, name, size);
}

/* ---- where it stands ------------------------------------------------------ */

/* The value of a line SYMBOL(name)=value; 0: there is none. */
static unsigned long value_of(const char *text, const char *name)
{
	size_t length = strlen(name);
	unsigned long value = 0;
	char digits[20];

	if (!kcatch_private_wanted(name))
		return 0;
	while ((text = strstr(text, "SYMBOL("))) {
		text += strlen("SYMBOL(");
		if (strncmp(text, name, length) || strncmp(text + length, ")=", 2))
			continue;
		strscpy(digits, text + length + 2, sizeof(digits));
		digits[strcspn(digits, "\n")] = 0;
		return kstrtoul(digits, 16, &value) ? 0 : value;
	}
	return 0;
}

/* Fills in the table, untried. The symbols are there since 6.0 (commit 5fd8fea935a1 "vmcoreinfo:
 * include kallsyms symbols"), all but the base, which is gone by 7.3. */
static bool symtab_locate(const char *text)
{
	const u32 *nr = (void *)value_of(text, "kallsyms_num_syms");
	const unsigned long *base = (void *)value_of(text, "kallsyms_relative_base");

	table.names = (void *)value_of(text, "kallsyms_names");
	table.tokens = (void *)value_of(text, "kallsyms_token_table");
	table.token_index = (void *)value_of(text, "kallsyms_token_index");
	table.offsets = (void *)value_of(text, "kallsyms_offsets");
	return table.names && table.tokens && table.token_index && table.offsets &&
	       !copy_from_kernel_nofault(&table.nr, nr, sizeof(table.nr)) &&
	       (!base || !copy_from_kernel_nofault(&table.base, base, sizeof(table.base)));
}

static bool symtab_find_table(void)
{
	const void *note = kcatch_vmcoreinfo_note();
	struct elf_note *copy = kzalloc(VMCOREINFO_NOTE_SIZE + 1, GFP_KERNEL);
	const char *name = (void *)(copy + 1);
	bool found;

	found = note && copy && !copy_from_kernel_nofault(copy, note, VMCOREINFO_NOTE_SIZE) &&
		copy->n_namesz == sizeof(VMCOREINFO_NOTE_NAME) &&
		!strcmp(name, VMCOREINFO_NOTE_NAME) &&
		symtab_locate(name + VMCOREINFO_NOTE_NAME_BYTES);
	kfree(copy);
	return found;
}

/* ---- the trial ----------------------------------------------------------- */

static bool is_readable(const void *from, size_t size)
{
	unsigned long at = (unsigned long)from, end = at + size;
	u8 byte;

	for (; at < end; at = (at | ~PAGE_MASK) + 1)
		if (copy_from_kernel_nofault(&byte, (void *)at, sizeof(byte)))
			return false;
	return true;
}

/* Are the pieces where they can be, and readable? */
static bool is_plausible(void)
{
	unsigned long names = (unsigned long)table.names, tokens = (unsigned long)table.tokens;
	unsigned long index = (unsigned long)table.token_index;
	u32 i;

	if (tokens <= names || tokens - names > NAMES_MAX || index <= tokens ||
	    index - tokens > TOKENS_MAX || !IS_ALIGNED(index, sizeof(*table.token_index)) ||
	    !IS_ALIGNED((unsigned long)table.offsets, sizeof(*table.offsets)))
		return false;
	if (!table.nr || table.nr > tokens - names ||
	    !is_readable(table.names, tokens - names) ||
	    !is_readable(table.tokens, index - tokens) ||
	    !is_readable(table.token_index, NR_TOKENS * sizeof(*table.token_index)) ||
	    !is_readable(table.offsets, table.nr * sizeof(*table.offsets)))
		return false;
	for (i = 0; i < NR_TOKENS; i++)
		if (table.token_index[i] >= index - tokens)
			return false;
	return !table.tokens[index - tokens - 1];	/* where the last text ends */
}

/* Does sprint_symbol() say the same? It says nothing of a name that stands before the code, or, in
 * a table without data, at its end. */
static bool is_named(const struct kcatch_symbol_entry *entry, struct kcatch_naming *naming)
{
	naming->symbol.address = address_of(entry->index);
	kcatch_symbol_read(naming);
	return *naming->symbol.name;
}

static bool is_true(const struct kcatch_symbol_entry *entry, struct kcatch_naming *naming)
{
	const struct kcatch_symbol *symbol = &naming->symbol;

	return is_named(entry, naming) && !symbol->offset && may_be_named(entry, symbol->name);
}

/* Read all: does each name begin where the one before ended, to the last one? */
static bool try_all(struct kcatch_naming *naming)
{
	struct kcatch_symbol_entry entry, last = { .length = 0 }, before_last = last;
	unsigned long address = 0, before;
	u32 checked = 0, nr = 0;

	for (symtab_first(&entry); entry.index < table.nr; symtab_next(&entry)) {
		if (!entry.length || entry.tokens + entry.length > (const u8 *)table.tokens)
			return false;
		before = address;
		address = address_of(entry.index);
		/* The kernel shows the first of several symbols at one address. */
		if (!symtab_is_code(&entry) || address == before)
			continue;
		before_last = last;
		last = entry;
		if ((nr && entry.index - checked < TRIAL_STEP) || !is_named(&entry, naming))
			continue;
		if (!is_true(&entry, naming))
			return false;
		checked = entry.index;
		nr++;
	}
	return nr && before_last.length &&
	       (is_true(&last, naming) || is_true(&before_last, naming));
}

/* Is the second byte of so many functions told as sprint_symbol() has it? Once all was read. */
static bool symtab_is_exact(struct kcatch_naming *naming, struct kcatch_symbol *symbol)
{
	const struct kcatch_symbol *kernels = &naming->symbol;
	struct kcatch_symbol_entry entry;
	struct kcatch_symbol_walk walk;
	u32 next_index = 0;

	exact = true;
	kcatch_symbol_table_begin(&walk);
	for (symtab_first(&entry); entry.index < table.nr; symtab_next(&entry)) {
		if (entry.index < next_index || !symtab_is_code(&entry))
			continue;
		next_index = entry.index + TRIAL_STEP;
		symbol->address = address_of(entry.index) + 1;
		naming->symbol.address = symbol->address;
		kcatch_symbol_read(naming);
		if (!*kernels->name)
			continue;
		if (!read_name(&walk, symbol) || *kernels->module ||
		    symbol->offset != kernels->offset || symbol->size != kernels->size ||
		    strcmp(symbol->name, kernels->name))
			return false;
	}
	return true;
}

void kcatch_symbol_table_init(void)
{
	struct kcatch_naming *naming = kzalloc(sizeof(*naming), GFP_KERNEL);
	struct kcatch_symbol *symbol = kzalloc(sizeof(*symbol), GFP_KERNEL);

	known = kcatch_trial_end(KCATCH_TRIAL_TABLE, naming && symtab_find_table() &&
							     is_plausible() && try_all(naming));
	exact = known && symbol && symtab_is_exact(naming, symbol);
	kfree(symbol);
	kfree(naming);
}
