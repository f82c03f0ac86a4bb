// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9): the stack of a thread that is running on another CPU.
 *
 * The caller sends that CPU an NMI, and the handler saves the stack if it interrupted the thread.
 * A CPU that spins with interrupts off therefore answers too, and the caller's interrupts may be
 * off. The kernel exports no function that sends an NMI, so the operations of the interrupt
 * controller (struct apic) are called.
 *
 * Each CPU has one static request with room for the stack, so a handler that runs late, after the
 * caller gave up, writes to valid memory. The state of a request changes by these steps:
 *
 *	IDLE -> CLAIMED		caller: fills the request in
 *	CLAIMED -> ASKED	caller: then sends the NMI
 *	ASKED -> SERVED		handler: only now writes the stack
 *	SERVED -> DONE		handler: the caller copies the stack and returns to IDLE
 *	ASKED -> IDLE		caller: gave up before the handler began
 *	SERVED -> ABANDONED	caller: gave up while the handler ran; the handler returns to IDLE
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include "core/trial.h"
#include "stack9/nmi.h"
#include "stack9/stack_api.h"

#define WAIT_NS		NSEC_PER_SEC
/* How long a handler that has begun may take: microseconds, except in an emulated machine. */
#define SERVE_NS	NSEC_PER_SEC

enum { IDLE, CLAIMED, ASKED, SERVED, DONE, ABANDONED };

/**
 * struct request - request to one CPU
 * @state: see above
 * @sent: NMIs sent and not handled yet; the handler claims as many
 * @td: thread whose stack is wanted
 * @result: 0; -EAGAIN: @td runs in user mode; -ESRCH: another thread runs there
 * @stack: stack of @td
 */
struct request {
	int state;
	atomic_t sent;
	struct task_struct *td;
	int result;
	struct stack stack;
};

static DEFINE_PER_CPU(struct request, requests);
static bool possible __read_mostly;

static int running_serve(unsigned int type, struct pt_regs *regs)
{
	struct request *request = this_cpu_ptr(&requests);
	/* Several NMIs may arrive as one, and one may be for other handlers too. */
	int handled = atomic_dec_if_positive(&request->sent) >= 0 ? NMI_HANDLED : NMI_DONE;

	if (READ_ONCE(request->state) != ASKED ||
	    cmpxchg(&request->state, ASKED, SERVED) != ASKED)
		return handled;
	if (request->td != current) {
		request->result = -ESRCH;
	} else if (user_mode(regs)) {
		request->result = -EAGAIN;
	} else {
		kcatch_stack_api_save_regs(&request->stack, regs);
		request->result = 0;
	}
	if (cmpxchg(&request->state, SERVED, DONE) != SERVED)
		smp_store_release(&request->state, IDLE);
	return handled;
}

static bool running_passed(u64 deadline)
{
	cpu_relax();
	return (s64)(ktime_get_mono_fast_ns() - deadline) > 0;
}

static int running_claim(struct request *request, u64 deadline)
{
	while (READ_ONCE(request->state) != IDLE ||
	       cmpxchg(&request->state, IDLE, CLAIMED) != IDLE)
		if (running_passed(deadline))
			return -EBUSY;
	return 0;
}

static int running_wait(struct request *request, u64 deadline)
{
	while (smp_load_acquire(&request->state) != DONE) {
		if (!running_passed(deadline))
			continue;
		if (cmpxchg(&request->state, ASKED, IDLE) == ASKED)
			return -ETIMEDOUT;
		deadline = ktime_get_mono_fast_ns() + SERVE_NS;
		while (smp_load_acquire(&request->state) != DONE)
			if (running_passed(deadline) &&
			    cmpxchg(&request->state, SERVED, ABANDONED) == SERVED)
				return -ETIMEDOUT;
	}
	return 0;
}

/* Asks one CPU for the stack of @td. -ESRCH: @td does not run there. */
static int running_ask(struct stack *st, struct task_struct *td, unsigned int cpu, u64 deadline)
{
	struct request *request = per_cpu_ptr(&requests, cpu);
	int result = running_claim(request, deadline);

	if (result)
		return result;
	request->td = td;
	preempt_disable();
	/* With preemption off the CPU cannot go offline. It cannot be this one, as @td is not
	 * the current thread. */
	if (!cpu_online(cpu) || cpu == smp_processor_id()) {
		smp_store_release(&request->state, IDLE);
		preempt_enable();
		return -ESRCH;
	}
	atomic_inc(&request->sent);
	smp_store_release(&request->state, ASKED);
	kcatch_nmi_send(cpu);
	preempt_enable();

	result = running_wait(request, deadline);
	if (result)
		return result;
	result = request->result;
	if (!result)
		kcatch_stack_copy(&request->stack, st);
	smp_store_release(&request->state, IDLE);
	return result;
}

noinline int kcatch_stack_save_td_running(struct stack *st, struct task_struct *td)
{
	u64 deadline = ktime_get_mono_fast_ns() + WAIT_NS;
	int result;

	if (td == current) {
		kcatch_stack_api_save_current(st, __builtin_frame_address(0), _RET_IP_);
		return 0;
	}
	kcatch_stack_zero(st);
	/* An NMI may have interrupted this CPU while it was sending an interrupt. */
	if (!possible || in_nmi())
		return -EOPNOTSUPP;
	do {
		result = kcatch_stack_save_td(st, td);
		if (result != -EBUSY)
			break;
		result = running_ask(st, td, task_cpu(td), deadline);
		if (result != -ESRCH)
			break;
		result = -EBUSY;
	} while (!running_passed(deadline));
	if (result)
		kcatch_stack_zero(st);
	return result;
}
EXPORT_SYMBOL_GPL(kcatch_stack_save_td_running);

/* Does an NMI arrive that is sent to another CPU? Where there is none, nothing can be tried:
 * whoever asks a CPU that comes later gives up after WAIT_NS. */
static bool running_arrives(void)
{
	u64 deadline = ktime_get_mono_fast_ns() + WAIT_NS;
	bool arrived = true;
	unsigned int cpu;
	atomic_t *sent;

	cpus_read_lock();
	preempt_disable();
	cpu = cpumask_any_but(cpu_online_mask, smp_processor_id());
	if (cpu < nr_cpu_ids) {
		sent = &per_cpu(requests, cpu).sent;
		atomic_inc(sent);
		kcatch_nmi_send(cpu);
		do
			arrived = !atomic_read(sent);
		while (!arrived && !running_passed(deadline));
	}
	preempt_enable();
	cpus_read_unlock();
	return arrived;
}

void kcatch_stack_api_init(void)
{
	bool handled = kcatch_nmi_possible() && !kcatch_nmi_register(running_serve);

	possible = kcatch_trial_end(KCATCH_TRIAL_NMI, handled && running_arrives());
	if (handled && !possible)
		kcatch_nmi_unregister();
}

/* No caller is left, but the kernel would report an NMI that no handler claims. */
void kcatch_stack_api_exit(void)
{
	int cpu, i;

	if (!possible)
		return;
	for_each_online_cpu(cpu)
		for (i = 0; i < 100 && atomic_read(&per_cpu(requests, cpu).sent); i++)
			msleep(10);
	kcatch_nmi_unregister();
}
