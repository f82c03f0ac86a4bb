// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots for calls under way; returns.h describes the mechanism.
 */
#include <linux/slab.h>
#include "compat/graph_returns.h"
#include "compat/private.h"
#include "compat/regs.h"
#include "core/symbol.h"
#include "core/text.h"
#include "core/trial.h"
#include "returns/returns.h"
#include "returns/returns_public.h"
#include "ring/memory.h"

/* Where the kretprobes stand. Nobody calls it; the text has room for a
 * breakpoint all the same, which is never set. */
static noinline __used int kcatch_returns_place(int nothing)
{
	barrier();
	return nothing + 1;
}

#define NOWHERE	1UL	/* no code is there */

bool kcatch_returns_refused;
DEFINE_STATIC_KEY_FALSE(kcatch_returns_public);
DEFINE_STATIC_KEY_FALSE(kcatch_returns_graph_nameless);
unsigned long kcatch_returns_by_rethook __read_mostly = NOWHERE;
unsigned long kcatch_returns_by_graph __read_mostly = NOWHERE;
unsigned long kcatch_returns_trampoline __read_mostly;

/*
 * At a return the kernel would call its own function for kretprobes. Where it makes them of
 * rethooks, that one makes the kretprobe the CPU's current kprobe and then stores that there is
 * none. A return inside a kprobe's work (its handler, or the instruction that it steps over, which
 * faults) would take the kprobe away from the kernel, which then takes the fault for a fatal one.
 * The kernel arms no kretprobe while a kprobe runs, for this reason, but exports no way to tell. So
 * the function is replaced: kcatch_rethook_take_handler().
 */

/* ---- slots ------------------------------------------------------------------ */

/* Makes the kretprobe that is never armed. */
static int returns_share(struct kcatch_returns *returns, kcatch_rethook_handler_t returned)
{
	int error;

	returns->kretprobe.kp.addr = (void *)&kcatch_returns_place;
	returns->kretprobe.kp.flags = KPROBE_FLAG_DISABLED;
	returns->kretprobe.maxactive = returns->slots;
	returns->kretprobe.data_size = returns->data_size;
	error = register_kretprobe(&returns->kretprobe);
	if (error || kcatch_rethook_take_handler(&returns->kretprobe, returned))
		return error;
	unregister_kretprobe(&returns->kretprobe);
	return -EOPNOTSUPP;
}

int kcatch_returns_create(u32 slots, u32 data_size, const struct kcatch_returned *returned,
			  struct kcatch_returns **result)
{
	u64 bytes = sizeof(struct kcatch_returns);
	bool public = static_key_enabled(&kcatch_returns_public);
	struct kcatch_returns *returns;
	int error;

	if (kcatch_returns_refused)
		return -EOPNOTSUPP;
	if (!public)	/* else each place has slots of its own */
		bytes += kcatch_rethook_bytes(slots, data_size);
	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	returns = kzalloc(sizeof(*returns), GFP_KERNEL);
	if (!returns) {
		error = -ENOMEM;
		goto uncharge;
	}
	returns->charged = bytes;
	returns->data_size = data_size;
	returns->slots = slots;
	returns->alone = returned->alone;
	error = public ? 0 : returns_share(returns, returned->shared);
	if (error)
		goto free;
	*result = returns;
	return 0;
free:
	kfree(returns);
uncharge:
	kcatch_memory_uncharge(bytes);
	return error == -ENOMEM ? error : -EOPNOTSUPP;
}

void kcatch_returns_destroy(struct kcatch_returns **returns, u32 nr)
{
	struct kretprobe *list[KCATCH_RETURNS_BATCH];
	u32 i, count = 0;

	if (static_key_enabled(&kcatch_returns_public))
		kcatch_returns_public_release(returns, nr);
	else
		for (i = 0; i < nr; i++)
			if (returns[i])
				list[count++] = &returns[i]->kretprobe;
	if (count)
		unregister_kretprobes(list, count);
	for (i = 0; i < nr; i++) {
		if (!returns[i])
			continue;
		kcatch_memory_uncharge(returns[i]->charged);
		kfree(returns[i]);
		returns[i] = NULL;
	}
}

struct llist_node *kcatch_returns_hook_by_kernel(struct kcatch_returns *returns,
						 struct pt_regs *regs)
{
	const struct llist_node *before = kcatch_rethook_first(current);
	struct kprobe *kprobe = &returns->kretprobe.kp;
	struct llist_node *node;

	if (static_branch_unlikely(&kcatch_returns_public))
		return kcatch_returns_public_take(returns, regs);
	kprobe->pre_handler(kprobe, regs);
	/* Interrupts have removed from this list what they added to it. */
	node = kcatch_rethook_first(current);
	return node == before ? NULL : node;
}

/* Calls on one stack, hooked several times each. */
#define HOOKS_MAX	4096

unsigned long kcatch_returns_address_of(struct task_struct *task, unsigned long slot)
{
	const struct llist_node *node = NULL;
	kcatch_rethook_copy_t hook;
	unsigned long address;
	int i;

	if (static_branch_unlikely(&kcatch_returns_graph_nameless)) {
		/* The address in another list may be the trampoline that is not known. */
		address = kcatch_returns_address_of_graph(task, slot);
		if (address)
			return address;
	}
	if (!static_key_enabled(&kcatch_returns_public))
		node = kcatch_rethook_first(task);
	for (i = 0; node && i < HOOKS_MAX; i++) {
		if (!kcatch_rethook_copy(&hook, node))
			return 0;
		node = &hook.llist;
		if (kcatch_rethook_frame(node) == slot &&
		    !kcatch_returns_is_trampoline(kcatch_rethook_caller(node)))
			return kcatch_rethook_caller(node);
		node = node->next;
	}
	return kcatch_returns_address_of_graph(task, slot);
}

/*
 * The innermost place may be one that is being filled in, by what an interrupt has interrupted: it
 * has what another return left there. So the outermost counts. Its address is code.
 */
unsigned long kcatch_returns_address_of_graph(const struct task_struct *task, unsigned long slot)
{
	struct kcatch_graph_return hook;
	struct kcatch_graph_walk walk;
	unsigned long address = 0;

	for (kcatch_graph_begin(&walk, task); kcatch_graph_next(&walk, &hook);)
		if (hook.slot == slot && !kcatch_returns_is_trampoline(hook.address) &&
		    kcatch_may_be_code(hook.address))
			address = hook.address;
	return address;
}

static unsigned long first_of(const char * const *names, size_t nr)
{
	unsigned long address = 0;
	size_t i;

	for (i = 0; i < nr && !address; i++)
		address = kcatch_symbol_private(names[i]);
	return address ?: NOWHERE;
}

void kcatch_returns_find_trampolines(void)
{
	static const char * const rethook[] = {
		"arch_rethook_trampoline", "__kretprobe_trampoline", "kretprobe_trampoline",
	};
	static const char * const graph[] = { "return_to_handler" };

	kcatch_returns_by_rethook = first_of(rethook, ARRAY_SIZE(rethook));
	kcatch_returns_by_graph = first_of(graph, ARRAY_SIZE(graph));
	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) || kcatch_returns_by_graph != NOWHERE)
		return;
	pr_notice("kcatch: return_to_handler is not known in this kernel: returns that the function graph tracer has hooked are told by the list that the kernel keeps\n");
	static_branch_enable(&kcatch_returns_graph_nameless);
}

/* ---- trying it ---------------------------------------------------------- */

/* The outcome of the trial return. The handler may be inlined into code that stays, so neither is
 * __init. */
static struct {
	struct kretprobe_instance *slot;
	unsigned long caller;
	unsigned long trampoline;
	unsigned int nr;
	bool in_place;
	bool as_expected;
} tried;

static void tried_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	tried.nr++;
	tried.as_expected = instance == tried.slot &&
			    kcatch_regs_result(regs) == KCATCH_RETURNS_VALUE &&
			    kcatch_rethook_caller(kcatch_rethook_node(instance)) == tried.caller;
}

KCATCH_RETHOOK_HANDLER(static, try_handler, tried_returned);

static struct kcatch_returns *tried_returns;

/* The function has begun whose return is hooked. */
static void tried_entered(struct pt_regs *regs)
{
	struct llist_node *node;

	tried.caller = kcatch_regs_caller(regs);
	if (!tried_returns->kretprobe.kp.pre_handler)
		return;
	preempt_disable();
	node = kcatch_returns_hook(tried_returns, regs);
	preempt_enable();
	if (node) {
		tried.slot = kcatch_rethook_slot(node);
		tried.in_place = kcatch_rethook_frame(node) == kcatch_regs_slot(regs);
	}
	tried.trampoline = kcatch_regs_caller(regs);
}

static bool __init try_return(struct kcatch_returns *returns)
{
	struct llist_node *before = kcatch_rethook_first(current);

	memset(&tried, 0, sizeof(tried));
	tried_returns = returns;
	return kcatch_returns_call(tried_entered) == KCATCH_RETURNS_VALUE && tried.slot &&
	       tried.in_place && tried.nr == 1 && tried.as_expected &&
	       kcatch_rethook_first(current) == before;
}

/* ---- what the kernel puts there, when that is not known by its name ------------- */

static noinline __used unsigned long returns_told(void)
{
	barrier();	/* so that no call is left out as telling the same */
	return (unsigned long)__builtin_return_address(0);
}

/* The one place that it is called from. */
static noinline unsigned long ask_told(void)
{
	unsigned long returns_to = returns_told();

	barrier();	/* it is no jump */
	return returns_to;
}

static int nothing_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}

/* A function whose return is hooked in the public way tells where it returns to. */
static bool __init learn_trampoline(void)
{
	static struct kretprobe kretprobe = {
		.kp.addr = (void *)&returns_told,
		.handler = nothing_returned,
		.maxactive = 2,
	};
	unsigned long before = ask_told(), hooked;

	if (register_kretprobe(&kretprobe))
		return false;
	hooked = ask_told();
	unregister_kretprobe(&kretprobe);
	if (hooked == before || ask_told() != before)
		return false;
	WRITE_ONCE(kcatch_returns_by_rethook, hooked);
	return true;
}

static void __init returns_refuse(const char *why)
{
	kcatch_returns_refused = true;
	pr_notice("kcatch: returns are not caught: %s\n", why);
}

void __init kcatch_returns_init(void)
{
	const struct kcatch_returned returned = { .shared = try_handler };
	struct kcatch_returns *returns;
	bool passed = false;

	if (!kcatch_private_has(register_kretprobe)) {
		returns_refuse("there are no kretprobes in this kernel");
		return;
	}
	if (!kcatch_returns_create(1, sizeof(long), &returned, &returns)) {
		passed = try_return(returns);
		if (passed) {
			kcatch_returns_trampoline = tried.trampoline;
			if (!try_return(returns))
				kcatch_returns_trampoline = 0;
		}
		kcatch_returns_destroy(&returns, 1);
	}
	if (kcatch_trial_end(KCATCH_TRIAL_RETURNS, passed)) {
		WRITE_ONCE(kcatch_returns_by_rethook, tried.trampoline);
		return;
	}
	kcatch_returns_trampoline = 0;
	static_branch_enable(&kcatch_returns_public);
	if (!learn_trampoline())
		returns_refuse(
			"it is not known what a kretprobe puts in the place of a return address");
}
