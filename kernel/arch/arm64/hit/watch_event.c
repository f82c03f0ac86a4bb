// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watchpoints of 64-bit Arm. kcatch_sites_lock, for what sleeps.
 *
 * The processor reports an access before its instruction is done. The kernel then turns the CPU's
 * watchpoints off, lets the one instruction run, and turns them on; but not for an event with a
 * handler of its own, which therefore would be reported for ever. So the event has none, and two
 * functions of the kernel are hooked by ftrace: the one that reports an access, and the one that
 * is called when the instruction has run. Between the two an interrupt may come before the
 * instruction. Then the kernel turns the watchpoints on too early, the instruction is begun again,
 * and reported once more: such an access is not one yet. Which it is, is told by the place in the
 * registers that the second exception has saved, where those of the first were.
 *
 * Without atomic instructions in one piece (LSE) a processor's loop of LDXR and STXR would never
 * end, as each exception between the two lets the second fail: there no watchpoint is set.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include "compat/ftrace_regs.h"
#include "core/ftrace_match.h"
#include "core/text.h"
#include "hit/watch_event.h"

/* As many watchpoints as a processor has at most: Arm Architecture Reference Manual, D2.10. */
#define WATCHPOINTS	16

static DEFINE_PER_CPU(struct {
	struct perf_event *event;
	const struct kcatch_site *site;
}, watched[WATCHPOINTS]);

/* An access that was reported, of each CPU. @regs: where its registers were saved */
static DEFINE_PER_CPU(struct {
	const struct kcatch_site *site;
	struct pt_regs *regs;
	unsigned long ip;
}, reported);

static const char reports[] = "perf_bp_event";
/* Its names: since 6.12, and before. */
static const char * const steps[] = { "try_step_suspended_breakpoints", "reinstall_suspended_bps" };
static unsigned long report_place, step_place;
static u32 users;

static const struct kcatch_site *site_of(const struct perf_event *event)
{
	u32 i;

	for (i = 0; i < WATCHPOINTS; i++)
		if (smp_load_acquire(&this_cpu_ptr(watched)[i].event) == event)
			return this_cpu_ptr(watched)[i].site;
	return NULL;
}

/* The first argument of each is in x0. */
static void watch_called(unsigned long ip, unsigned long parent, struct pt_regs *regs)
{
	const struct kcatch_site *site;

	if (ip == report_place) {
		site = site_of((const struct perf_event *)regs->regs[0]);
		if (!site)
			return;
		this_cpu_ptr(&reported)->regs = (struct pt_regs *)regs->regs[1];
		this_cpu_ptr(&reported)->ip = this_cpu_ptr(&reported)->regs->pc;
		this_cpu_ptr(&reported)->site = site;
		return;
	}
	site = this_cpu_ptr(&reported)->site;
	if (!site)
		return;
	this_cpu_ptr(&reported)->site = NULL;
	if (this_cpu_ptr(&reported)->regs->pc == this_cpu_ptr(&reported)->ip + KCATCH_INSTRUCTION)
		kcatch_watch_hit(site, this_cpu_ptr(&reported)->regs);
}

/* Both are called in an exception, with interrupts off. */
static void watch_traced(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			 struct ftrace_regs *fregs)
{
	kcatch_ftrace_with_regs(ip, parent, fregs, watch_called);
}

static struct ftrace_ops ops = { .func = watch_traced, .flags = FTRACE_OPS_FL_PERMANENT };

/* Where ftrace hooks the only function of this name; 0: it does not. */
static unsigned long watch_place_of(const char *name)
{
	unsigned long *places, place = 0;
	int nr = kcatch_ftrace_match(name, &places);

	if (nr < 0)
		return 0;
	if (nr == 1)
		place = places[0];
	kvfree(places);
	return place;
}

static int watch_register(void)
{
	unsigned long places[2];
	u32 i;
	int error;

	report_place = watch_place_of(reports);
	for (i = 0, step_place = 0; i < ARRAY_SIZE(steps) && !step_place; i++)
		step_place = watch_place_of(steps[i]);
	if (!report_place || !step_place || !cpus_have_cap(ARM64_HAS_LSE_ATOMICS))
		return -EOPNOTSUPP;
	places[0] = report_place;
	places[1] = step_place;
	error = ftrace_set_filter_ips(&ops, places, ARRAY_SIZE(places), 0, 1);
	if (!error)
		error = register_ftrace_function(&ops);
	if (error)
		ftrace_set_filter(&ops, NULL, 0, 1);
	return error;
}

int kcatch_watch_events_begin(void)
{
	int error = users ? 0 : watch_register();

	users += !error;
	return error;
}

void kcatch_watch_events_end(void)
{
	if (--users)
		return;
	WARN_ON_ONCE(unregister_ftrace_function(&ops));
	ftrace_set_filter(&ops, NULL, 0, 1);
}

struct perf_event *kcatch_watch_event(struct perf_event_attr *attr, unsigned int cpu,
				      struct kcatch_site *site)
{
	struct perf_event *event = perf_event_create_kernel_counter(attr, cpu, NULL, NULL, NULL);
	u32 i;

	if (IS_ERR(event))
		return event;
	for (i = 0; i < WATCHPOINTS; i++) {
		if (per_cpu(watched, cpu)[i].event)
			continue;
		WRITE_ONCE(per_cpu(watched, cpu)[i].site, site);
		smp_store_release(&per_cpu(watched, cpu)[i].event, event);
		return event;
	}
	perf_event_release_kernel(event);
	return ERR_PTR(-EBUSY);
}

/* The kernel takes it out on its CPU, which is in no exception then. */
void kcatch_watch_event_end(struct perf_event *event, unsigned int cpu)
{
	u32 i;

	perf_event_release_kernel(event);
	for (i = 0; i < WATCHPOINTS; i++)
		if (per_cpu(watched, cpu)[i].event == event)
			WRITE_ONCE(per_cpu(watched, cpu)[i].event, NULL);
}
