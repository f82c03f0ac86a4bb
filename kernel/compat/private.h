/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that kcatch looks for by name, because the kernel exports them to nobody, and exports
 * that are there for few others and may be taken back. Whoever needs one does without when it is
 * not there: in a public way, or it refuses in words. The parameter `without` lets it be missing.
 */
#ifndef _KCATCH_PRIVATE_H
#define _KCATCH_PRIVATE_H

#include <linux/types.h>
#include "compat/private_names.h"

/* All of them; `modinfo -F private kcatch` tells them too. */
#define KCATCH_PRIVATE_NAMES							\
	KCATCH_PRIVATE_NAMES_OF_MACHINE						\
	"arch_rethook_trampoline __kretprobe_trampoline kretprobe_trampoline "	\
	"return_to_handler "							\
	"print_modules watchdog_timer_fn "					\
	"handle_mm_fault "							\
	"kallsyms_num_syms kallsyms_relative_base kallsyms_names "		\
	"kallsyms_token_table kallsyms_token_index kallsyms_offsets "		\
	"paddr_vmcoreinfo_note "						\
	"register_kretprobe "							\
	"for_each_kernel_tracepoint"

/** kcatch_private_init() - look whether `without` names symbols. Context: any.
 * Return: 0, -EINVAL */
int kcatch_private_init(void);

/**
 * kcatch_private_wanted() - may a symbol be looked for?
 * @name: one of KCATCH_PRIVATE_NAMES
 *
 * Context: any. Return: false: `without` has it
 */
bool kcatch_private_wanted(const char *name);

/* Is an export there that is declared __weak? Its address is read from memory: code that has it
 * in itself may need a table that modules do not have (on 64-bit Arm). */
#define kcatch_private_has(symbol)						\
({										\
	static const void *const volatile __address = &(symbol);		\
										\
	__address && kcatch_private_wanted(#symbol);				\
})

#endif
