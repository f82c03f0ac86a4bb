/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of KCATCH_PRIVATE_NAMES that kernels for x86 alone have.
 */
#ifndef _KCATCH_COMPAT_PRIVATE_NAMES_H
#define _KCATCH_COMPAT_PRIVATE_NAMES_H

#define KCATCH_PRIVATE_NAMES_OF_MACHINE						\
	"__start_orc_unwind_ip __stop_orc_unwind_ip "				\
	"__start_orc_unwind __stop_orc_unwind "					\
	"ftrace_caller "							\
	"__x86_indirect_its_thunk_rax __x86_indirect_its_thunk_r15 "		\
	"apic "

#endif
