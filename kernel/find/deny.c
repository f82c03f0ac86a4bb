// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deny lists, and the list of what is hooked last.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "find/deny.h"
#include "find/deny_names.h"

/* Functions that the entry of ftrace and kprobes runs before any guard holds. The kernel
 * accepts rcu_is_watching and __fentry__, and dies of them; the others are the same functions by
 * other names, and were not tried. */
static const char * const deadly[] = {
	"rcu_is_watching", "ftrace_stub", KCATCH_DEADLY
	"__rcu_is_watching", "rcu_dynticks_curr_cpu_in_eqs",
};

/* Functions whose return must not be hooked: the kernel's own return hook runs them before ours
 * or after it (with lockdep, 6.1 asks whether RCU may be read), they switch stack or task inside,
 * or kprobes refuse them (all that ftrace can reach on 6.1 and 6.12). */
static const char * const deadly_returns[] = {
	"__switch_to", "finish_task_switch*", "ret_from_fork*", "schedule_tail",
	"rethook_*", "arch_rethook_*", "kretprobe_*", "__kretprobe_*", "objpool_*",
	"freelist_*", "ftrace_return_to_handler", "prepare_ftrace_return", "fprobe_*",
	"__die*", "__rcu_irq_enter_check_tick", "aggr_post_handler", "aggr_pre_handler",
	"atomic_notifier_call_chain", "notifier_call_chain", "ct_user_*", "user_enter_callable",
	"user_exit_callable", "dump_kprobe", "get_kprobe*", "kprobe_*", "kprobes_*",
	"nmi_cpu_backtrace_handler", "oops_begin", "oops_end", "opt_pre_handler",
	"optimized_callback", "pre_handler_kretprobe", "reenter_kprobe", "setup_singlestep",
	KCATCH_DEADLY_RETURNS
	"rcu_lockdep_current_cpu_online", "rcu_read_lock_any_held", "debug_lockdep_rcu_enabled",
	"lock_is_held_type", "lockdep_rcu_suspicious",
};

/* Functions that a capture calls: the kernel's unwinder, fetching, waking a reader. A star at
 * the end stands for any rest. */
static const char * const own_tools[] = {
	"unwind_*", "__unwind_*", "in_gate_area*", KCATCH_OWN_TOOLS
	"__is_insn_slot_addr", "kallsyms_*", "stack_trace_*", "arch_stack_walk*",
	"get_stack_info*", "in_task_stack", "in_irq_stack", "stack_type_name",
	"kernel_text_address", "__kernel_text_address", "is_ftrace_trampoline",
	"ftrace_ops_trampoline", "is_bpf_text_address", "bpf_ksym_find",
	"is_module_text_address", "__module_text_address", "__module_address", "mod_find",
	"core_kernel_text", "init_kernel_text", "get_optimized_kprobe",
	"ftrace_graph_ret_addr", "rethook_find_ret_addr", "kretprobe_find_ret_addr",
	"irq_work_queue", "__irq_work_queue_local", "irq_work_claim",
	"arch_irq_work_raise", "ktime_get_mono_fast_ns", "read_hv_*", "hv_clock_*", "hv_read_*",
	"rcu_read_lock_*", "__rcu_read_*",
	"search_bpf_extables", "fixup_exception", "ex_handler_*",
	"copy_from_kernel_nofault*", "copy_from_user_nofault", "nmi_uaccess_okay",
	"__copy_user_nofault*", "copy_user_*", "__check_object_size", "check_stack_object",
	"__check_heap_object", "lookup_address*", "virt_addr_valid", "__virt_addr_valid",
	"pre_handler_kretprobe", "rethook_*", "arch_rethook_*", "objpool_*", "freelist_*",
	"preempt_count_add", "preempt_count_sub", "ftrace_ops_list_func",
	"arch_ftrace_ops_list_func", "ftrace_ops_get_func", "ftrace_ops_test",
};

/* Functions that the kernel calls for each place when it changes its text. */
static const char * const text_tools[] = { KCATCH_TEXT_TOOLS };

#define LIST(names, mark)	{ .list = names, .nr = ARRAY_SIZE(names), .kind = mark }

static const struct {
	const char * const *list;
	u8 nr;
	u8 kind;
} lists[] = {
	LIST(deadly, KCATCH_NAME_DEADLY),
	LIST(deadly_returns, KCATCH_NAME_DEADLY_RETURN),
	LIST(own_tools, KCATCH_NAME_OWN_TOOL),
	LIST(text_tools, KCATCH_NAME_TEXT_TOOL),
};

/* All entries, in chains of those that begin alike: all functions of a kernel may be asked for, and
 * nearly all of them are in no chain. */
#define NR_ENTRIES	(ARRAY_SIZE(deadly) + ARRAY_SIZE(deadly_returns) +	\
			 ARRAY_SIZE(own_tools) + ARRAY_SIZE(text_tools))
#define NR_CHAINS	4096

static struct {
	const char *name;
	u8 kind;
	u8 next;	/* index + 1, or 0 */
} entries[NR_ENTRIES];
static u8 chains[NR_CHAINS];	/* likewise */

/* No entry has a star among its first KCATCH_NAME_BEGINNING characters. */
static u32 chain_of(const char *name)
{
	u32 hash = 0, i;

	for (i = 0; i < KCATCH_NAME_BEGINNING && name[i]; i++)
		hash = hash * 37 + (u8)name[i];
	return hash % NR_CHAINS;
}

void kcatch_deny_init(void)
{
	u32 i, j, nr = 0, chain;

	BUILD_BUG_ON(NR_ENTRIES >= 255);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		for (j = 0; j < lists[i].nr; j++, nr++) {
			chain = chain_of(lists[i].list[j]);
			entries[nr].name = lists[i].list[j];
			entries[nr].kind = lists[i].kind;
			entries[nr].next = chains[chain];
			chains[chain] = nr + 1;
		}
}

static bool deny_matches(const char *name, const char *entry)
{
	for (; *name && *name == *entry; name++)
		entry++;
	return *entry == '*' || *name == *entry;
}

bool kcatch_name_may_have_kinds(const char *name)
{
	return chains[chain_of(name)];
}

u32 kcatch_name_kinds(const char *name)
{
	u32 at, kinds = 0;

	for (at = chains[chain_of(name)]; at; at = entries[at - 1].next)
		if (deny_matches(name, entries[at - 1].name))
			kinds |= entries[at - 1].kind;
	return kinds;
}
