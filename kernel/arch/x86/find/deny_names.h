/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernels for x86 add to the lists of deny.c.
 */
#ifndef _KCATCH_FIND_DENY_NAMES_H
#define _KCATCH_FIND_DENY_NAMES_H

#define KCATCH_DEADLY			\
	"__fentry__", "mcount",

#define KCATCH_DEADLY_RETURNS							\
	"do_int3", "do_kern_addr_fault", "do_trap", "io_check_error", "nmi_handle",	\
	"pci_serr_error", "perf_event_nmi_handler", "perf_ibs_nmi_handler",	\
	"resume_singlestep", "setup_detour_execution", "spurious_kernel_fault",	\
	"synthesize_relcall", "synthesize_reljump", "unknown_nmi_error",

#define KCATCH_OWN_TOOLS							\
	"orc_*", "__orc_*", "in_entry_stack", "in_exception_stack", "deref_stack_reg*",	\
	"stack_access_ok*", "x2apic_send_IPI_self", "native_apic_mem_*",	\
	"apic_send_IPI_self", "default_send_IPI_self", "native_apic_msr_*",	\
	"read_hpet", "read_tsc", "acpi_pm_read", "kvm_clock_get_cycles", "pvclock_*",

/* Thirty of them are called some two million times while all functions are hooked (6.1, 6.12 and
 * 7.3). */
#define KCATCH_TEXT_TOOLS							\
	"__text_poke", "text_poke_memcpy", "text_poke_loc_init", "text_poke_queue",	\
	"smp_text_poke_batch_add", "__smp_text_poke_batch_add", "perf_event_text_poke",	\
	"use_temporary_mm", "unuse_temporary_mm", "switch_mm_irqs_off", "switch_ldt",	\
	"load_new_mm_cr3", "choose_new_asid", "flush_tlb_mm_range",		\
	"get_locked_pte", "__get_locked_pte", "walk_to_pmd", "pte_offset_map_lock",	\
	"__pte_offset_map*", "_raw_spin_lock", "_raw_spin_unlock", "__rcu_read_lock",	\
	"__rcu_read_unlock", "inat_get_*", "insn_*", "copy_from_kernel_nofault*",

#endif
