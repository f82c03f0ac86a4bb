// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time that calls under way are off the CPU; off_cpu.h describes it.
 */
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include "compat/tracepoint_types.h"
#include "core/tracepoint_list.h"
#include "hit/call.h"
#include "hit/call_slot.h"
#include "hit/off_cpu.h"
#include "hit/waiting.h"

u32 kcatch_off_cpu_begin __read_mostly = KCATCH_SWITCHES_UNKNOWN;

static DEFINE_MUTEX(off_cpu_lock);

/* @users: holds; off_cpu_lock. @tracepoint: NULL: this kernel does not have it */
static struct {
	struct tracepoint *tracepoint;
	u32 users;
} off_cpu;

static u64 run_delay_of(const struct task_struct *task)
{
#ifdef CONFIG_SCHED_INFO
	return task->sched_info.run_delay;
#else
	return 0;
#endif
}

/* Of @off nanoseconds, those that a task waited for a CPU. @slept: else it did all the time.
 * @run_delay: that of the task before */
static u64 runnable_of(const struct task_struct *task, u64 off, bool slept, u64 run_delay)
{
	return slept ? min(off, run_delay_of(task) - run_delay) : off;
}

static bool is_out(const struct kcatch_inflight *call)
{
	return (s64)call->off < 0;
}

static struct kcatch_off_cpu off_cpu_split(const struct kcatch_inflight *call,
					   const struct task_struct *task, u64 most)
{
	struct kcatch_off_cpu sum = { .switches = call->switches };
	u64 off;

	if (is_out(call))
		sum.switches = KCATCH_SWITCHES_UNKNOWN; /* its way back was not seen */
	if (!sum.switches || sum.switches == KCATCH_SWITCHES_UNKNOWN)
		return sum;
	off = min(kcatch_call_ns(call->off), most);
	sum.runnable = runnable_of(task, off, call->slept, call->run_delay);
	sum.blocked = off - sum.runnable;
	return sum;
}

struct kcatch_off_cpu kcatch_off_cpu_of(const struct kcatch_inflight *call, u64 latency)
{
	return off_cpu_split(call, current, latency);
}

struct kcatch_off_cpu kcatch_off_cpu_so_far(const struct kcatch_inflight *call,
					    const struct task_struct *task, u64 now, u64 *away)
{
	struct kcatch_inflight until_out = *call;

	*away = 0;
	if (call->switches && call->switches != KCATCH_SWITCHES_UNKNOWN && is_out(call)) {
		*away = kcatch_call_ns(max_t(s64, now - call->out, 0)) ?: 1;
		until_out.off += call->out;
	}
	return off_cpu_split(&until_out, task, U64_MAX);
}

u64 kcatch_off_cpu_note(bool sleeps)
{
	return run_delay_of(current) << 1 | sleeps;
}

void kcatch_off_cpu_put_noted(bool is_known, u64 note, struct kcatch_condition_input *input)
{
	input->oncpu = 0;
	input->switches = is_known ? 1 : KCATCH_SWITCHES_UNKNOWN;
	input->runnable = is_known ? runnable_of(current, input->latency, note & 1, note >> 1) : 0;
	input->blocked = input->latency - input->runnable;
}

void kcatch_off_cpu_put(const struct kcatch_inflight *call, struct kcatch_condition_input *input)
{
	const struct kcatch_off_cpu off = kcatch_off_cpu_of(call, input->latency);

	input->runnable = off.runnable;
	input->blocked = off.blocked;
	input->oncpu = input->latency - off.runnable - off.blocked;
	input->switches = off.switches;
}

#ifdef CONFIG_SCHED_INFO
static __always_inline void off_cpu_begins(struct kcatch_inflight *call,
					   const struct task_struct *task, u64 now, bool sleeps)
{
	const u32 switches = call->switches;

	if (unlikely(switches == KCATCH_SWITCHES_UNKNOWN))
		return;
	if (!switches) {
		call->off = 0;
		call->slept = false;
		call->run_delay = task->sched_info.run_delay;
	}
	call->switches = switches + 1;
	call->slept |= sleeps;
	call->out = now;
	call->off -= now;
}

static noinline void off_cpu_leave(const struct task_struct *task, const struct llist_node *node,
				   bool sleeps)
{
	const u64 now = kcatch_clock_read();

	for (; node; node = node->next) {
		if (!kcatch_rethook_has(node, kcatch_call_returned))
			continue;
		off_cpu_begins(kcatch_inflight_of(node), task, now, sleeps);
		if (!sleeps)
			kcatch_waiting_begins(kcatch_inflight_of(node));
	}
}

static noinline void off_cpu_return(const struct llist_node *node)
{
	const u64 now = kcatch_clock_read();

	for (; node; node = node->next) {
		struct kcatch_inflight *call = kcatch_inflight_of(node);

		if (!kcatch_rethook_has(node, kcatch_call_returned))
			continue;
		/* 0: it was switched out before switches were seen. */
		if (call->switches)
			call->off += now;
		if (unlikely(call->waits))
			kcatch_waiting_ends(call);
	}
}

static void on_switch(void *unused, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	const struct llist_node *node = kcatch_rethook_first(prev);

	if (unlikely(node))
		off_cpu_leave(prev, node, !preempt && prev_state);
	node = kcatch_rethook_first(next);
	if (unlikely(node))
		off_cpu_return(node);
}

static void *switch_probe(void)
{
	return kcatch_probe_if_fits(on_switch, sched_switch, bool, struct task_struct *,
				    struct task_struct *, unsigned int);
}
#else
/* The kernel does not keep how long a task waits for a CPU. */
static void *switch_probe(void)
{
	return NULL;
}
#endif

static int off_cpu_found(struct tracepoint *tracepoint, void *unused)
{
	off_cpu.tracepoint = tracepoint;
	return 1;
}

void kcatch_off_cpu_hold(bool *held)
{
	void *probe = switch_probe();

	if (*held)
		return;
	*held = true;
	mutex_lock(&off_cpu_lock);
	if (!off_cpu.users++ && probe && !static_key_enabled(&kcatch_returns_public)) {
		kcatch_tracepoint_find("sched_switch", off_cpu_found, NULL);
		if (off_cpu.tracepoint &&
		    !tracepoint_probe_register(off_cpu.tracepoint, probe, NULL))
			/* A call that begins with 0 is seen when its thread is switched out:
			 * between the two the scheduler has a full barrier. */
			smp_store_release(&kcatch_off_cpu_begin, 0);
	}
	if (kcatch_off_cpu_begin)
		pr_notice_once(
			"kcatch: switches of threads are not seen: of calls it is not known how long they were off the CPU\n");
	mutex_unlock(&off_cpu_lock);
}

void kcatch_off_cpu_release(bool *held)
{
	if (!*held)
		return;
	*held = false;
	mutex_lock(&off_cpu_lock);
	if (!--off_cpu.users && !kcatch_off_cpu_begin) {
		WRITE_ONCE(kcatch_off_cpu_begin, KCATCH_SWITCHES_UNKNOWN);
		WARN_ON_ONCE(tracepoint_probe_unregister(off_cpu.tracepoint, switch_probe(), NULL));
	}
	mutex_unlock(&off_cpu_lock);
}

void kcatch_off_cpu_exit(void)
{
	tracepoint_synchronize_unregister();
}
