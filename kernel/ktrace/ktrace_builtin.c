// SPDX-License-Identifier: GPL-2.0-only
/*
 * Built-in events: the probes on tracepoints, and where they stand.
 *
 * The probes run in any context. kcatch_sites_lock protects what is attached. The kernel's
 * tracepoints never go away, so they are looked up once. A tracepoint whose arguments are
 * not those that its probe takes is left out when this file is compiled.
 *
 * The kernel has no tracepoint at the end of a trap. handle_mm_fault(), which serves page
 * faults, has a kprobe instead that hooks its return. Its other callers pass no registers.
 */
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>
#include "compat/regs.h"
#include "compat/tracepoint_types.h"
#include "core/site.h"
#include "core/symbol.h"
#include "core/tracepoint_list.h"
#include "hit/emit.h"
#include "ktrace/ktrace_builtin.h"
#include "ktrace/trap_points.h"
#include "returns/returns.h"
#include "returns/returns_public.h"

/* ---- the events ---------------------------------------------------------- */

enum number {
	SYSCALL_ENTRY, SYSCALL_EXIT, IRQ_ENTRY, IRQ_EXIT, TRAP_ENTRY, TRAP_EXIT,
	SCHED_SWITCH, PROCESS_FORK, PROCESS_WAIT, PROCESS_FREE, PROCESS_EXIT,
};

/* Payloads: each argument in the size of its conversion, without gaps. What is not a
 * multiple of 8 bytes ends with zeros. */
struct syscall_entry {
	u64 nr;
	u64 args[6];
};

struct syscall_exit {
	u64 nr;
	u64 ret;
};

struct irq_entry {
	s32 irq;
	s32 vector;
};

struct irq_exit {
	s32 irq;
	s32 vector;
	s32 ret;
	u32 zero;
};

struct trap_entry {
	s32 trap;
	u32 code;
	u64 address;
	u64 ip;
};

struct trap_exit {
	s32 trap;
	u32 result;
	u64 address;
};

struct sched_switch {
	s32 prev_pid;
	s32 prev_prio;
	u32 prev_state;
	s32 preempt;
	s32 next_pid;
	s32 next_prio;
};

struct process_fork {
	s32 parent_pid;
	s32 child_pid;
	s32 child_tgid;
	u32 zero;
};

struct process {
	s32 pid;
	u32 zero;
};

struct process_exit {
	s32 pid;
	s32 tgid;
	u32 code;
	u32 zero;
};

static const struct kcatch_ktrace_builtin builtins[] = {
	[SYSCALL_ENTRY] = {
		"syscall_entry", "nr=%ld a0=0x%lx a1=0x%lx a2=0x%lx a3=0x%lx a4=0x%lx a5=0x%lx",
		sizeof(struct syscall_entry), true,
	},
	[SYSCALL_EXIT] = {
		"syscall_exit", "nr=%ld ret=%ld", sizeof(struct syscall_exit), true,
	},
	[IRQ_ENTRY] = { "irq_entry", "irq=%d vector=%d", sizeof(struct irq_entry) },
	[IRQ_EXIT] = { "irq_exit", "irq=%d vector=%d ret=%d", sizeof(struct irq_exit) },
	[TRAP_ENTRY] = {
		"trap_entry", "trap=%d code=0x%x address=0x%lx ip=0x%lx",
		sizeof(struct trap_entry), true,
	},
	[TRAP_EXIT] = {
		"trap_exit", "trap=%d result=0x%x address=0x%lx", sizeof(struct trap_exit), true,
	},
	[SCHED_SWITCH] = {
		"sched_switch", "prev_pid=%d prev_prio=%d prev_state=0x%x preempt=%d "
		"next_pid=%d next_prio=%d", sizeof(struct sched_switch),
	},
	[PROCESS_FORK] = {
		"process_fork", "parent_pid=%d child_pid=%d child_tgid=%d",
		sizeof(struct process_fork),
	},
	[PROCESS_WAIT] = { "process_wait", "pid=%d", sizeof(struct process) },
	[PROCESS_FREE] = { "process_free", "pid=%d", sizeof(struct process) },
	[PROCESS_EXIT] = {
		"process_exit", "pid=%d tgid=%d code=0x%x", sizeof(struct process_exit),
	},
};

/* ---- the probes ------------------------------------------------------------ */

/* Called by a tracepoint, it never is the hook's last call, for the frame is looked at. */
#define EMIT(site, type, ...) do {							\
	const struct type payload = { __VA_ARGS__ };					\
	BUILD_BUG_ON(sizeof(payload) % 8);						\
	kcatch_emit_payload(site, &payload, sizeof(payload));				\
	barrier();									\
} while (0)

static void on_syscall_entry(void *site, struct pt_regs *regs, long nr)
{
	struct syscall_entry payload = { .nr = nr };

	syscall_get_arguments(current, regs, (unsigned long *)payload.args);
	kcatch_emit_payload(site, &payload, sizeof(payload));
	barrier();
}

static void on_syscall_exit(void *site, struct pt_regs *regs, long ret)
{
	EMIT(site, syscall_exit, .nr = syscall_get_nr(current, regs), .ret = ret);
}

static void on_irq_entry(void *site, int irq, struct irqaction *action)
{
	EMIT(site, irq_entry, .irq = irq, .vector = -1);
}

static void on_irq_exit(void *site, int irq, struct irqaction *action, int ret)
{
	EMIT(site, irq_exit, .irq = irq, .vector = -1, .ret = ret);
}

static void __maybe_unused on_vector_entry(void *site, int vector)
{
	EMIT(site, irq_entry, .irq = -1, .vector = vector);
}

static void __maybe_unused on_vector_exit(void *site, int vector)
{
	EMIT(site, irq_exit, .irq = -1, .vector = vector);
}

static void __maybe_unused on_page_fault(void *site, unsigned long address,
					 struct pt_regs *regs, unsigned long code)
{
	EMIT(site, trap_entry, .trap = KCATCH_TRAP_PAGE_FAULT, .code = code, .address = address,
	     .ip = kcatch_regs_ip(regs));
}

static void on_sched_switch(void *site, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	EMIT(site, sched_switch, .prev_pid = prev->pid, .prev_prio = prev->prio,
	     .prev_state = prev_state, .preempt = preempt, .next_pid = next->pid,
	     .next_prio = next->prio);
}

static void on_process_fork(void *site, struct task_struct *parent, struct task_struct *child)
{
	EMIT(site, process_fork, .parent_pid = parent->pid, .child_pid = child->pid,
	     .child_tgid = child->tgid);
}

static void on_process_wait(void *site, struct pid *pid)
{
	EMIT(site, process, .pid = pid_nr(pid));
}

static void on_process_free(void *site, struct task_struct *task)
{
	EMIT(site, process, .pid = task->pid);
}

static void on_process_exit(void *site, struct task_struct *task)
{
	EMIT(site, process_exit, .pid = task->pid, .tgid = task->tgid, .code = task->exit_code);
}

/* The same where the tracepoint tells, too, whether it was the last thread of its process. */
static void on_group_exit(void *site, struct task_struct *task, bool group_dead)
{
	EMIT(site, process_exit, .pid = task->pid, .tgid = task->tgid, .code = task->exit_code);
}

/* ---- where they stand ------------------------------------------------------ */

#define POINT(number, probe, name, ...)							\
	{ #name, number, kcatch_probe_if_fits(probe, name, __VA_ARGS__) }
/* Interrupts with a vector of their own are of one class; a kernel has some of them. */
#define VECTOR(name, type)								\
	{ #name "_entry", IRQ_ENTRY, kcatch_probe_if_fits(on_vector_entry, type##_entry, int) }, \
	{ #name "_exit", IRQ_EXIT, kcatch_probe_if_fits(on_vector_exit, type##_exit, int) },

static struct point {
	const char *name;
	enum number number;
	void *probe;
	struct tracepoint *tracepoint;
	struct kcatch_loop loop;	/* of the tracepoint, while it is attached */
} points[] = {
	POINT(SYSCALL_ENTRY, on_syscall_entry, sys_enter, struct pt_regs *, long),
	POINT(SYSCALL_EXIT, on_syscall_exit, sys_exit, struct pt_regs *, long),
	POINT(IRQ_ENTRY, on_irq_entry, irq_handler_entry, int, struct irqaction *),
	POINT(IRQ_EXIT, on_irq_exit, irq_handler_exit, int, struct irqaction *, int),
	KCATCH_VECTORS(VECTOR)
	KCATCH_PAGE_FAULTS(POINT, TRAP_ENTRY, on_page_fault)
	POINT(SCHED_SWITCH, on_sched_switch, sched_switch, bool, struct task_struct *,
	      struct task_struct *, unsigned int),
	POINT(PROCESS_FORK, on_process_fork, sched_process_fork, struct task_struct *,
	      struct task_struct *),
	POINT(PROCESS_WAIT, on_process_wait, sched_process_wait, struct pid *),
	POINT(PROCESS_FREE, on_process_free, sched_process_free, struct task_struct *),
	POINT(PROCESS_EXIT, on_process_exit, sched_process_exit, struct task_struct *),
	POINT(PROCESS_EXIT, on_group_exit, sched_process_exit, struct task_struct *, bool),
};

static enum number number_of(const struct kcatch_ktrace_builtin *builtin)
{
	return builtin - builtins;
}

static void builtin_look_at(struct tracepoint *tracepoint, void *unused)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (points[i].probe && !strcmp(points[i].name, tracepoint->name))
			points[i].tracepoint = tracepoint;
}

const struct kcatch_ktrace_builtin *kcatch_ktrace_builtin_of(u32 number)
{
	return number < ARRAY_SIZE(builtins) ? &builtins[number] : NULL;
}

/* ---- the end of a page fault ------------------------------------------------- */

static struct {
	struct kprobe kprobe;
	struct kcatch_returns *returns;
	const struct kcatch_site *site;
	atomic64_t missed;	/* faults that found no slot; it only grows */
	bool possible;
} fault;

/* Its arguments are taken from where the kernel's headers say that they are. */
typedef vm_fault_t handle_mm_fault_t(struct vm_area_struct *vma, unsigned long address,
				     unsigned int flags, struct pt_regs *regs);

void kcatch_ktrace_builtin_init(void)
{
	kcatch_tracepoints_each(builtin_look_at, NULL);
	fault.possible = __builtin_types_compatible_p(typeof(handle_mm_fault), handle_mm_fault_t) &&
			 kcatch_symbol_private("handle_mm_fault");
	if (!fault.possible)
		pr_notice("kcatch: ktrace:trap_exit is refused: handle_mm_fault(), at whose return it stands, is not as it is expected\n");
}

static u64 *fault_address(struct llist_node *node)
{
	return (void *)kcatch_rethook_slot(node)->data;
}

static int fault_begins(struct kprobe *kprobe, struct pt_regs *regs)
{
	struct llist_node *node;

	if (!regs_get_kernel_argument(regs, 3))
		return 0;	/* no trap */
	node = kcatch_returns_hook(fault.returns, regs);
	if (likely(node))
		*fault_address(node) = regs_get_kernel_argument(regs, 1);
	else
		atomic64_inc(&fault.missed);
	if (static_branch_unlikely(&kcatch_returns_public))
		kcatch_returns_public_end_of_one();
	return 0;
}

/* In the public way: before fault_begins(). */
static bool is_fault(const void *data, struct pt_regs *regs, u32 context)
{
	return regs_get_kernel_argument(regs, 3);
}

static void fault_ends(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u32 result = regs_return_value(regs);
	const struct trap_exit payload = {
		.trap = KCATCH_TRAP_PAGE_FAULT, .result = result, .address = *(u64 *)instance->data,
	};

	/* The trap goes on: it asks again, with another lock. */
	if (!(result & (u32)VM_FAULT_RETRY))
		kcatch_emit_return(fault.site, &payload, sizeof(payload), instance, regs);
}

KCATCH_RETHOOK_HANDLER(static, fault_handler, fault_ends);

static int fault_ends_alone(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	fault_ends(instance, regs);
	return 0;
}

static int attach_fault(const struct kcatch_site *site)
{
	const struct kcatch_returned returned = {
		.shared = fault_handler, .alone = fault_ends_alone,
	};
	int error = kcatch_returns_create(KCATCH_TRAPS_MAX, sizeof(u64), &returned,
					  &fault.returns);
	struct kcatch_returns_place *place;

	if (error)
		return error;
	/* A kprobe there is called by ftrace. */
	error = kcatch_hook_ftrace_hold(1);
	if (error)
		goto destroy;
	fault.site = site;
	fault.kprobe = (struct kprobe) {
		.symbol_name = "handle_mm_fault",
		.pre_handler = fault_begins,
	};
	error = register_kprobe(&fault.kprobe);
	if (!error && static_key_enabled(&kcatch_returns_public)) {
		error = kcatch_returns_place_add(fault.returns, (unsigned long)fault.kprobe.addr,
						 is_fault, NULL, &place);
		if (error)
			unregister_kprobe(&fault.kprobe);
	}
	if (!error)
		return 0;
	kcatch_hook_ftrace_release(1);
destroy:
	kcatch_returns_destroy(&fault.returns, 1);
	return error;
}

static void detach_fault(void)
{
	unregister_kprobe(&fault.kprobe);
	kcatch_hook_ftrace_release(1);
	atomic64_add(READ_ONCE(fault.kprobe.nmissed), &fault.missed);
	fault.kprobe.nmissed = 0;
	kcatch_returns_destroy(&fault.returns, 1);
}

u64 kcatch_ktrace_builtin_missed(const struct kcatch_ktrace_builtin *builtin)
{
	if (number_of(builtin) != TRAP_EXIT)
		return 0;
	return atomic64_read(&fault.missed) + READ_ONCE(fault.kprobe.nmissed);
}

/* ---- attaching --------------------------------------------------------------- */

static bool builtin_is_of(const struct point *point, const struct kcatch_ktrace_builtin *builtin)
{
	return point->tracepoint && point->number == number_of(builtin);
}

u32 kcatch_ktrace_builtin_count(const struct kcatch_ktrace_builtin *builtin)
{
	u32 i, nr = number_of(builtin) == TRAP_EXIT && fault.possible;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		nr += builtin_is_of(&points[i], builtin);
	return nr;
}

static void unregister_points(const struct kcatch_ktrace_builtin *builtin,
			      struct kcatch_site *site, u32 end)
{
	while (end--)
		if (builtin_is_of(&points[end], builtin))
			WARN_ON_ONCE(tracepoint_probe_unregister(points[end].tracepoint,
								 points[end].probe, site));
}

/* Hooks of the site's other tracepoints may run: they see the new loop as a whole. */
static int attach_point(struct point *point, struct kcatch_site *site)
{
	int error = kcatch_tracepoint_skip_loop(site, point->tracepoint);

	if (error)
		return error;
	point->loop = (struct kcatch_loop) {
		.start = site->skip, .size = site->skip_size, .next = site->loops,
	};
	smp_store_release(&site->loops, &point->loop);
	return tracepoint_probe_register(point->tracepoint, point->probe, site);
}

int kcatch_ktrace_builtin_attach(const struct kcatch_ktrace_builtin *builtin,
				 struct kcatch_site *site)
{
	int error;
	u32 i;

	lockdep_assert_held(&kcatch_sites_lock);
	if (number_of(builtin) == TRAP_EXIT)
		return attach_fault(site);
	/* Hooks fault when they read what is not there. */
	site->own_tool = number_of(builtin) == TRAP_ENTRY;
	site->loops = NULL;
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (!builtin_is_of(&points[i], builtin))
			continue;
		error = attach_point(&points[i], site);
		if (error) {
			unregister_points(builtin, site, i);
			kcatch_ktrace_builtin_synchronize();
			return error;
		}
	}
	return 0;
}

void kcatch_ktrace_builtin_detach(const struct kcatch_ktrace_builtin *builtin,
				  struct kcatch_site *site)
{
	lockdep_assert_held(&kcatch_sites_lock);
	if (number_of(builtin) == TRAP_EXIT)
		detach_fault();
	else
		unregister_points(builtin, site, ARRAY_SIZE(points));
}

void kcatch_ktrace_builtin_synchronize(void)
{
	tracepoint_synchronize_unregister();
}
