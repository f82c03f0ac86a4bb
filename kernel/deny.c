// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deny lists.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "deny.h"

/* What ftrace's and kprobes' own entry runs before any guard holds. The first
 * two were found by trial to be accepted by the kernel and deadly; the others
 * are their like by other names, and were not tried. */
static const char * const deadly[] = {
	"rcu_is_watching", "__fentry__", "mcount", "ftrace_stub",
	"__rcu_is_watching", "rcu_dynticks_curr_cpu_in_eqs",
};

/* Whose return must not be hooked: what the kernel's own return hook runs before
 * ours is called or after, what switches stack or task inside, and what kprobes
 * refuse (all of it on 6.1 and 6.12 that ftrace can reach). */
static const char * const deadly_returns[] = {
	"__switch_to", "finish_task_switch*", "ret_from_fork*", "schedule_tail",
	"rethook_*", "arch_rethook_*", "kretprobe_*", "objpool_*",
	"freelist_*", "ftrace_return_to_handler", "prepare_ftrace_return", "fprobe_*",
	"__die*", "__rcu_irq_enter_check_tick", "aggr_post_handler", "aggr_pre_handler",
	"atomic_notifier_call_chain", "notifier_call_chain", "ct_user_*", "user_enter_callable",
	"user_exit_callable", "do_int3", "do_kern_addr_fault", "do_trap", "dump_kprobe",
	"get_kprobe*", "io_check_error", "kprobe_*", "kprobes_*", "nmi_cpu_backtrace_handler",
	"nmi_handle", "oops_begin", "oops_end", "opt_pre_handler", "optimized_callback",
	"pci_serr_error", "perf_event_nmi_handler", "perf_ibs_nmi_handler",
	"pre_handler_kretprobe", "reenter_kprobe", "resume_singlestep",
	"setup_detour_execution", "setup_singlestep", "spurious_kernel_fault",
	"synthesize_relcall", "synthesize_reljump", "unknown_nmi_error",
};

/* What capture, the kernel's unwinder under it, fetching and waking a reader call. A
 * star at the end stands for any rest. */
static const char * const own_tools[] = {
	"unwind_*", "__unwind_*", "orc_*", "__orc_*", "in_gate_area*",
	"__is_insn_slot_addr", "kallsyms_*", "stack_trace_*", "arch_stack_walk*",
	"get_stack_info*", "in_task_stack", "in_entry_stack", "in_irq_stack",
	"in_exception_stack", "stack_type_name", "deref_stack_reg*", "stack_access_ok*",
	"kernel_text_address", "__kernel_text_address", "is_ftrace_trampoline",
	"ftrace_ops_trampoline", "is_bpf_text_address", "bpf_ksym_find",
	"is_module_text_address", "__module_text_address", "__module_address", "mod_find",
	"core_kernel_text", "init_kernel_text", "get_optimized_kprobe",
	"ftrace_graph_ret_addr", "rethook_find_ret_addr", "kretprobe_find_ret_addr",
	"irq_work_queue", "__irq_work_queue_local", "irq_work_claim",
	"arch_irq_work_raise", "x2apic_send_IPI_self", "native_apic_mem_*",
	"apic_send_IPI_self", "default_send_IPI_self", "native_apic_msr_*",
	"ktime_get_mono_fast_ns", "read_hpet", "read_tsc", "acpi_pm_read",
	"kvm_clock_get_cycles", "pvclock_*", "read_hv_*", "hv_clock_*", "hv_read_*",
	"rcu_read_lock_*", "__rcu_read_*",
	"search_bpf_extables", "fixup_exception", "ex_handler_*",
	"copy_from_kernel_nofault*", "copy_from_user_nofault", "nmi_uaccess_okay",
	"__copy_user_nofault*", "copy_user_*", "__check_object_size", "check_stack_object",
	"__check_heap_object", "lookup_address*", "virt_addr_valid", "__virt_addr_valid",
	"pre_handler_kretprobe", "rethook_*", "arch_rethook_*", "objpool_*", "freelist_*",
	"preempt_count_add", "preempt_count_sub", "ftrace_ops_list_func",
	"arch_ftrace_ops_list_func", "ftrace_ops_get_func", "ftrace_ops_test",
};

/* Chains of the names that begin with the same letter: all functions of a kernel may be asked for,
 * each in all lists. */
struct chains {
	const char * const *list;
	u8 nr;
	u8 first[128];	/* by letter: an index in the list + 1, or 0 */
	u8 *next;	/* likewise, by index */
};

#define CHAINS(names) {							\
	.list = names, .nr = ARRAY_SIZE(names),				\
	.next = (u8[ARRAY_SIZE(names)]) {},				\
}

static struct chains deadly_chains = CHAINS(deadly);
static struct chains deadly_return_chains = CHAINS(deadly_returns);
static struct chains own_tool_chains = CHAINS(own_tools);

static void make(struct chains *chains)
{
	u8 i, *first;

	for (i = 0; i < chains->nr; i++) {
		first = &chains->first[chains->list[i][0] & 127];
		chains->next[i] = *first;
		*first = i + 1;
	}
}

void kcatch_deny_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(deadly_returns) >= 255 || ARRAY_SIZE(own_tools) >= 255);
	make(&deadly_chains);
	make(&deadly_return_chains);
	make(&own_tool_chains);
}

static bool matches(const char *name, const char *entry)
{
	for (; *name && *name == *entry; name++)
		entry++;
	return *entry == '*' || *name == *entry;
}

static bool listed(const char *name, const struct chains *chains)
{
	u8 at;

	for (at = chains->first[*name & 127]; at; at = chains->next[at - 1])
		if (matches(name, chains->list[at - 1]))
			return true;
	return false;
}

bool kcatch_is_deadly(const char *name)
{
	return listed(name, &deadly_chains);
}

bool kcatch_is_deadly_return(const char *name)
{
	return listed(name, &deadly_return_chains);
}

bool kcatch_is_own_tool(const char *name)
{
	return listed(name, &own_tool_chains);
}
