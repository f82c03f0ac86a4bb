// SPDX-License-Identifier: GPL-2.0-only
/*
 * Searches the kernel's ORC tables. Their format is documented in asm/orc_types.h and
 * Documentation/x86/orc-unwinder.rst of the kernel: a sorted array of text positions, each
 * relative to its own address, and an array with the rule that is valid from that position on.
 * Each module has tables of its own.
 *
 * The addresses of the kernel's tables are not exported. They come from the symbol table, and
 * the tables are used only if kcatch_orc_init() finds them valid.
 *
 * The search runs in any context, NMI too; it takes no lock and allocates no memory.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/uaccess.h>
#include <asm/orc_types.h>
#include <asm/sections.h>
#include "compat/unwind.h"
#include "core/modules.h"
#include "core/symbol.h"
#include "returns/returns.h"
#include "stack/orc.h"
#include "stack/stack.h"
#include "stack/thunk.h"
#include "stack/trampoline.h"

u64 kcatch_orc_memory[KCATCH_ORC_WORDS] __aligned(64);

struct orc_table {
	const int *ip;
	const struct orc_entry *entries;
	unsigned int nr;
};

static struct orc_table kernel_table;
static unsigned long ftrace_caller_at;

static unsigned long orc_position(const int *ip)
{
	return (unsigned long)ip + *ip;
}

static const struct orc_entry *table_search(const struct orc_table *table,
					    unsigned long address)
{
	unsigned int low = 0, high = table->nr;

	if (!table->nr || address < orc_position(&table->ip[0]))
		return NULL;
	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if (orc_position(&table->ip[middle]) <= address)
			low = middle;
		else
			high = middle;
	}
	return &table->entries[low];
}

u64 kcatch_orc_plain_rule(u64 word)
{
	u64 offsets = word & ~(u64)U32_MAX;

	if ((u16)(word >> 32))
		return offsets | ORC_REG_SP << 8 | ORC_REG_PREV_SP << 4 | KCATCH_ORC_SP_BP;
	return offsets | ORC_REG_SP << 8 | ORC_REG_UNDEFINED << 4 | KCATCH_ORC_SP;
}

/* An empty word, which matches no key that has it. */
static u64 empty_word(u32 index)
{
	return !index;
}

/* Stores the rule of an address in the cache. */
static void orc_remember(unsigned long address, u64 rule)
{
	u32 key = address + 1, kind = KCATCH_ORC_KIND(rule), low = key;

	if (kind != KCATCH_ORC_SP_BP && kind != KCATCH_ORC_SP)
		low = (key & KCATCH_ORC_TAG) | (~key & KCATCH_ORC_OTHER_HALF) | (rule & 0xfff);
	WRITE_ONCE(kcatch_orc_memory[key & KCATCH_ORC_MASK], (rule & ~(u64)U32_MAX) | low);
}

static bool sane_offset(const struct orc_entry *entry)
{
	s16 least = kcatch_orc_is_call(entry) ? 8 : 0;

	return entry->sp_offset >= least && entry->sp_offset <= THREAD_SIZE &&
	       !(entry->sp_offset & 7);
}

static enum kcatch_orc_kind orc_kind_of(const struct orc_entry *entry)
{
	if (kcatch_orc_is_end(entry))
		return KCATCH_ORC_END;
	switch (entry->sp_reg) {
	case ORC_REG_SP:
	case ORC_REG_BP:
	case ORC_REG_SP_INDIRECT:
	case ORC_REG_BP_INDIRECT:
		break;
	default:
		/* Rules over other registers: rare, and they need saved ones. */
		return KCATCH_ORC_SLOW;
	}
	if (entry->bp_reg != ORC_REG_UNDEFINED && entry->bp_reg != ORC_REG_PREV_SP &&
	    entry->bp_reg != ORC_REG_BP)
		return KCATCH_ORC_SLOW;
	if (entry->sp_reg == ORC_REG_SP && !sane_offset(entry))
		return KCATCH_ORC_SLOW;
	if (kcatch_orc_is_regs(entry))
		return entry->sp_reg == ORC_REG_SP ? KCATCH_ORC_SP_REGS : KCATCH_ORC_REGS;
	if (kcatch_orc_is_iret(entry))
		return KCATCH_ORC_IRET;
	if (!kcatch_orc_is_call(entry))
		return KCATCH_ORC_SLOW;
	if (entry->sp_reg == ORC_REG_SP && entry->bp_reg == ORC_REG_UNDEFINED)
		return KCATCH_ORC_SP;
	if (entry->sp_reg == ORC_REG_SP && entry->bp_reg == ORC_REG_PREV_SP && entry->bp_offset)
		return KCATCH_ORC_SP_BP;
	if (entry->sp_reg == ORC_REG_BP && entry->bp_reg == ORC_REG_PREV_SP)
		return KCATCH_ORC_BP_BP;
	if (entry->sp_reg == ORC_REG_BP_INDIRECT && entry->bp_reg == ORC_REG_BP)
		return KCATCH_ORC_BP_MEMORY;
	return KCATCH_ORC_OTHER;
}

/* Is the address in the kernel's image? (Its init part was freed after boot.) */
static bool in_kernel_table(unsigned long address)
{
	return kernel_table.nr && address >= orc_position(&kernel_table.ip[0]) &&
	       address < orc_position(&kernel_table.ip[kernel_table.nr - 1]);
}

u64 kcatch_orc_search(unsigned long address)
{
	const struct orc_entry *entry = NULL;
	unsigned long offset, caller, asked = address;
	enum kcatch_orc_kind kind;
	unsigned int frame;
	bool own = false;
	u64 answer;

	/* The trampoline to our hook is a copy of ftrace_caller. */
	caller = READ_ONCE(ftrace_caller_at);
	if (caller && kcatch_trampoline_has(address, &offset)) {
		address = caller + offset;
		own = true;
	}
	/* Kernel text only: the top 2 GB. */
	if (address < KCATCH_ORC_TEXT)
		return KCATCH_ORC_SLOW;
	/* Nothing there is left by a rule: the walker looks the true return address up. */
	if (kcatch_returns_in_trampoline(address))
		return KCATCH_ORC_SLOW;
	frame = kcatch_thunk_frame(address);
	if (frame) {
		answer = (u64)frame << 48 | ORC_REG_SP << 8 | ORC_REG_UNDEFINED << 4 |
			 KCATCH_ORC_SP;
		orc_remember(address, answer);
		return answer;
	}
	if (in_kernel_table(address)) {
		entry = table_search(&kernel_table, address);
	} else {
		struct module *module = kcatch_module_at(address);
		struct orc_table table;

		own = module == THIS_MODULE;
		if (module) {
			table.nr = kcatch_module_orc(module, &table.ip, &table.entries);
			entry = table_search(&table, address);
		}
	}
	if (!entry)
		return KCATCH_ORC_SLOW;
	kind = orc_kind_of(entry);
	if (kind == KCATCH_ORC_SLOW)
		return KCATCH_ORC_SLOW;
	if (own)
		kind = KCATCH_ORC_OWN;
	answer = (u64)(u16)entry->sp_offset << 48 | entry->sp_reg << 8 | entry->bp_reg << 4 | kind;
	/* Where BP is untouched the offset means nothing. */
	if (entry->bp_reg != ORC_REG_UNDEFINED)
		answer |= (u64)(u16)entry->bp_offset << 32;
	/* Not for trampolines: no notifier reports that one is freed. */
	if (asked == address)
		orc_remember(address, answer);
	return answer;
}

void kcatch_stack_forget_all(void)
{
	unsigned int i;

	for (i = 0; i < KCATCH_ORC_WORDS; i++)
		WRITE_ONCE(kcatch_orc_memory[i], empty_word(i));
}

void kcatch_stack_forget(struct module *module)
{
	unsigned int i;

	for (i = 0; i < KCATCH_ORC_WORDS; i++) {
		u32 word = READ_ONCE(kcatch_orc_memory[i]);
		unsigned long key = KCATCH_ORC_TEXT | (word & KCATCH_ORC_TAG) | i;

		if (within_module(key - 1, module))
			WRITE_ONCE(kcatch_orc_memory[i], empty_word(i));
	}
}

/* Are the tables sorted, of equal length, and do they cover @text, an address of a function? */
static bool table_makes_sense(unsigned long ip, unsigned long ip_end,
			      unsigned long entries, unsigned long entries_end,
			      unsigned long text)
{
	struct orc_table table = { .ip = (void *)ip, .entries = (void *)entries };
	unsigned long before = 0, here;
	unsigned int i;
	int relative;

	if (!ip || !entries || ip_end <= ip || entries_end <= entries || (ip & 3) ||
	    (entries & 1) || ip_end - ip > (64UL << 20))
		return false;
	table.nr = (ip_end - ip) / sizeof(int);
	if ((entries_end - entries) / sizeof(struct orc_entry) != table.nr)
		return false;
	if (copy_from_kernel_nofault(&relative, (void *)(ip_end - sizeof(int)), sizeof(int)))
		return false;
	for (i = 0; i < table.nr; i++) {
		if (!(i % 1024) &&
		    copy_from_kernel_nofault(&relative, &table.ip[i], sizeof(int)))
			return false;
		here = orc_position(&table.ip[i]);
		if (here < before)
			return false;
		before = here;
	}
	if (text < orc_position(&table.ip[0]) || text >= before)
		return false;
	kernel_table = table;
	return true;
}

/* Where the rules change: a trampoline saves registers in the same bytes as what it is a copy of.
 * Calls and addresses, which come later, differ. */
#define COPIED	32

void kcatch_stack_try_trampoline(unsigned long trampoline)
{
	u8 original[COPIED], copy[COPIED];

	if (!ftrace_caller_at || !trampoline)
		return;
	if (!copy_from_kernel_nofault(original, (void *)ftrace_caller_at, sizeof(original)) &&
	    !copy_from_kernel_nofault(copy, (void *)trampoline, sizeof(copy)) &&
	    !memcmp(original, copy, sizeof(copy)))
		return;
	WRITE_ONCE(ftrace_caller_at, 0);
	pr_notice("kcatch: a trampoline of ftrace's is no copy of ftrace_caller: the kernel's unwinder walks stacks that go through one\n");
}

int kcatch_orc_init(void)
{
	BUILD_BUG_ON(sizeof(struct orc_entry) != 6);
	kcatch_orc_memory[0] = empty_word(0);
	ftrace_caller_at = kcatch_symbol_private("ftrace_caller");
	if (!table_makes_sense(kcatch_symbol_private("__start_orc_unwind_ip"),
			       kcatch_symbol_private("__stop_orc_unwind_ip"),
			       kcatch_symbol_private("__start_orc_unwind"),
			       kcatch_symbol_private("__stop_orc_unwind"),
			       (unsigned long)&ktime_get_mono_fast_ns))
		return -EOPNOTSUPP;
	return 0;
}
