// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack(9): the stack of a thread that is running on another CPU.
 *
 * That CPU is sent an NMI, whose handler looks whom it interrupted: so a CPU that spins
 * with interrupts off answers as well, and the caller need not have them on. Nothing is
 * exported to send one but the operations of the interrupt controller themselves.
 *
 * Each CPU has one request, with room for the trace: an NMI that comes late, when
 * nobody waits any more, writes to memory that is still there. The states of a request:
 *
 *	IDLE -> CLAIMED	by who asks; fills it
 *	CLAIMED -> ASKED	and sends the NMI
 *	ASKED -> SERVED	by the handler, which alone writes the trace
 *	SERVED -> DONE	by the handler: who asked takes it, and -> IDLE
 *	ASKED -> IDLE	who asked gave up before
 *	SERVED -> ABANDONED	who asked gave up during: the handler -> IDLE
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "stack_api.h"

#define WAIT_NS		NSEC_PER_SEC
/* A handler that has begun ends in microseconds, but on a machine that is emulated. */
#define SERVE_NS	NSEC_PER_SEC

enum { IDLE, CLAIMED, ASKED, SERVED, DONE, ABANDONED };

/**
 * struct request - to one CPU
 * @state: see above
 * @sent: NMIs on their way that are ours: to be claimed when they arrive
 * @td: whose stack
 * @result: 0, -EAGAIN, or -ESRCH: another thread runs there
 * @stack: of it
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

static int serve(unsigned int type, struct pt_regs *regs)
{
	struct request *request = this_cpu_ptr(&requests);
	/* Several may arrive as one, one may have been for others as well. */
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

static bool passed(u64 deadline)
{
	cpu_relax();
	return (s64)(ktime_get_mono_fast_ns() - deadline) > 0;
}

static int claim(struct request *request, u64 deadline)
{
	while (READ_ONCE(request->state) != IDLE ||
	       cmpxchg(&request->state, IDLE, CLAIMED) != IDLE)
		if (passed(deadline))
			return -EBUSY;
	return 0;
}

static int wait(struct request *request, u64 deadline)
{
	while (smp_load_acquire(&request->state) != DONE) {
		if (!passed(deadline))
			continue;
		if (cmpxchg(&request->state, ASKED, IDLE) == ASKED)
			return -ETIMEDOUT;
		deadline = ktime_get_mono_fast_ns() + SERVE_NS;
		while (smp_load_acquire(&request->state) != DONE)
			if (passed(deadline) &&
			    cmpxchg(&request->state, SERVED, ABANDONED) == SERVED)
				return -ETIMEDOUT;
	}
	return 0;
}

/* Ask one CPU. -ESRCH: @td does not run there. */
static int ask(struct stack *st, struct task_struct *td, unsigned int cpu, u64 deadline)
{
	struct request *request = per_cpu_ptr(&requests, cpu);
	int result = claim(request, deadline);

	if (result)
		return result;
	request->td = td;
	preempt_disable();
	/* It cannot go offline meanwhile; and the current thread is not @td. */
	if (!cpu_online(cpu) || cpu == smp_processor_id()) {
		smp_store_release(&request->state, IDLE);
		preempt_enable();
		return -ESRCH;
	}
	atomic_inc(&request->sent);
	smp_store_release(&request->state, ASKED);
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
	preempt_enable();

	result = wait(request, deadline);
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
	/* The controller may be in the middle of another interrupt's sending. */
	if (!possible || in_nmi())
		return -EOPNOTSUPP;
	do {
		result = kcatch_stack_save_td(st, td);
		if (result != -EBUSY)
			break;
		result = ask(st, td, task_cpu(td), deadline);
		if (result != -ESRCH)
			break;
		result = -EBUSY;
	} while (!passed(deadline));
	if (result)
		kcatch_stack_zero(st);
	return result;
}
EXPORT_SYMBOL_GPL(kcatch_stack_save_td_running);

void kcatch_stack_api_init(void)
{
	possible = boot_cpu_has(X86_FEATURE_APIC) && apic && apic->send_IPI_mask &&
		   !register_nmi_handler(NMI_LOCAL, serve, 0, "kcatch");
	if (!possible)
		pr_info("kcatch: no NMI to send: stacks of running threads cannot be saved\n");
}

/* Nobody waits any more, but an NMI that nobody claims would be a riddle to the kernel. */
void kcatch_stack_api_exit(void)
{
	int cpu, i;

	if (!possible)
		return;
	for_each_online_cpu(cpu)
		for (i = 0; i < 100 && atomic_read(&per_cpu(requests, cpu).sent); i++)
			msleep(10);
	unregister_nmi_handler(NMI_LOCAL, "kcatch");
}
