/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of KCATCH_PRIVATE_NAMES that kernels for 64-bit Arm alone have.
 */
#ifndef _KCATCH_COMPAT_PRIVATE_NAMES_H
#define _KCATCH_COMPAT_PRIVATE_NAMES_H

#define KCATCH_PRIVATE_NAMES_OF_MACHINE						\
	"__entry_text_start __entry_text_end ftrace_caller ftrace_stub "

#endif
