/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernels for 64-bit Arm add to the lists of deny.c.
 */
#ifndef _KCATCH_FIND_DENY_NAMES_H
#define _KCATCH_FIND_DENY_NAMES_H

#define KCATCH_DEADLY			\
	"_mcount",

/* At a hooked return some kernels have a breakpoint, which leads to these. The first line: what the
 * kernel's handler of hooked returns calls. */
#define KCATCH_DEADLY_RETURNS							\
	"arch_kretprobe_*", "recycle_rp_inst",					\
	"bug_brk_handler", "report_bug", "__report_bug", "brk_handler",	\
	"breakpoint_handler", "call_break_hook", "call_el1_break_hook",		\
	"debug_exception_*", "do_debug_exception", "do_el1_brk64", "do_el1_softstep",	\
	"do_el1_watchpt", "el1_brk64", "el1_dbg", "kernel_active_single_step",	\
	"kernel_disable_single_step", "kernel_enable_single_step",		\
	"kernel_rewind_single_step", "single_step_handler", "toggle_bp_registers",	\
	"trampoline_probe_handler", "watchpoint_handler", "watchpoint_report",	\
	"perf_bp_event",

/* The second and third line: of each hooked return. */
#define KCATCH_OWN_TOOLS							\
	"__kretprobe_trampoline_handler", "arch_kretprobe_fixup_return", "recycle_rp_inst",	\
	"trampoline_probe_handler", "kprobe_busy_begin", "kprobe_busy_end", "do_el1_brk64",	\
	"arch_counter_get_cntvct*", "arch_timer_read_*", "arch_counter_read*",	\
	"vmalloc_to_page", "vmalloc_to_pfn", "pfn_is_map_memory", "pfn_valid",	\
	"memblock_is_map_memory", "memblock_search",

#define KCATCH_TEXT_TOOLS							\
	"aarch64_insn_*", "__aarch64_insn_write", "caches_clean_inval_pou*",	\
	"patch_map", "patch_unmap", "__set_fixmap*", "ftrace_modify_code",	\
	"ftrace_make_*", "copy_from_kernel_nofault*", "copy_to_kernel_nofault*",	\
	"_raw_spin_lock*", "_raw_spin_unlock*", "vmalloc_to_page", "pfn_is_map_memory",

#endif
