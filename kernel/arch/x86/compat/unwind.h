/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ORC tables and the unwinder that reads them, as kernels have them. All functions: any context.
 */
#ifndef _KCATCH_COMPAT_UNWIND_H
#define _KCATCH_COMPAT_UNWIND_H

#include <linux/module.h>
#include <asm/orc_types.h>
#include <asm/unwind.h>

/*
 * The type of an ORC entry. Until 6.3 it is a field of two bits, with numbers of
 * linux/objtool.h, and an end mark. Since 6.4 (commit fb799447ae29 "x86,objtool: Split
 * UNWIND_HINT_EMPTY in two") it is one field of three bits.
 */
#ifdef ORC_TYPE_CALL
static inline bool kcatch_orc_is_end(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_END_OF_STACK;
}

static inline bool kcatch_orc_is_call(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_CALL;
}

static inline bool kcatch_orc_is_regs(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_REGS;
}

static inline bool kcatch_orc_is_iret(const struct orc_entry *entry)
{
	return entry->type == ORC_TYPE_REGS_PARTIAL;
}
#else
#include <linux/objtool.h>

static inline bool kcatch_orc_is_end(const struct orc_entry *entry)
{
	return entry->sp_reg == ORC_REG_UNDEFINED && entry->end;
}

static inline bool kcatch_orc_is_call(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_CALL && !entry->end;
}

static inline bool kcatch_orc_is_regs(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_REGS;
}

static inline bool kcatch_orc_is_iret(const struct orc_entry *entry)
{
	return entry->type == UNWIND_HINT_TYPE_REGS_PARTIAL;
}
#endif

/* The ORC tables of a module: two arrays of the same length. Return: their length */
static inline unsigned int kcatch_module_orc(const struct module *module, const int **ip,
					     const struct orc_entry **entries)
{
	*ip = module->arch.orc_unwind_ip;
	*entries = module->arch.orc_unwind;
	return module->arch.num_orcs;
}

/* Was the unwinder's present frame interrupted? */
static inline bool kcatch_unwind_is_interrupted(const struct unwind_state *state)
{
#ifdef CONFIG_UNWINDER_ORC
	return state->signal;
#else
	return false;
#endif
}

/* The registers of the unwinder's present frame. False: not known */
static inline bool kcatch_unwind_registers(const struct unwind_state *state,
					   unsigned long *ip, unsigned long *sp,
					   unsigned long *bp)
{
#ifdef CONFIG_UNWINDER_ORC
	if (state->stack_info.type == STACK_TYPE_UNKNOWN)
		return false;
	*ip = state->ip;
	*sp = state->sp;
	*bp = state->bp;
	return true;
#else
	return false;
#endif
}

#endif
