// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware watchpoints: kernel memory that is written or read, on all CPUs.
 *
 * A hit is seen behind the instruction (watch_event.h of each machine). While it is handled the
 * CPU's debug registers are off: what our own work does to the memory is not seen, nor what an NMI
 * does that comes just then.
 *
 * Locks: kcatch_sites_lock, then the kernel's of CPUs that come and go, then watches_lock.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/hw_breakpoint.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include "compat/regs.h"
#include "core/hook.h"
#include "core/robust.h"
#include "core/site.h"
#include "hit/emit.h"
#include "hit/watch_event.h"
#include "program/fetch_memory.h"

/**
 * struct kcatch_watch - the watchpoint of one site
 * @site: its site
 * @all: in watches
 * @event: the kernel's, of each CPU that is online
 * @unwatched: a CPU came online and could not be watched
 * @last: the value last seen
 * @last_here: the value last seen of a per-CPU variable, on each CPU
 */
struct kcatch_watch {
	struct kcatch_site *site;
	struct list_head all;
	struct perf_event * __percpu *event;
	bool unwatched;
	u64 last;
	u64 __percpu *last_here;
};

static DEFINE_MUTEX(watches_lock);
static LIST_HEAD(watches);
static int cpus_state;

static unsigned long address_on(const struct kcatch_site *site, unsigned int cpu)
{
	if (!(site->watched & KCATCH_WATCH_PERCPU))
		return site->ip;
	return (unsigned long)per_cpu_ptr((void __percpu *)site->ip, cpu);
}

static u64 read_value(unsigned long address, u32 size)
{
	u64 value = 0;

	/* The address was memory when the watch began; a device may be mapped there by now. */
	if (!kcatch_read(&value, address, size))
		return 0;
	return value;
}

void kcatch_watch_hit(const struct kcatch_site *site, struct pt_regs *regs)
{
	unsigned long count = kcatch_count_below_exception(preempt_count());
	struct kcatch_watch_data data = {
		.ip = kcatch_regs_ip(regs),
		.address = address_on(site, raw_smp_processor_id()),
		.size = site->watched & KCATCH_WATCH_SIZE,
		.kind = site->watched & ~KCATCH_WATCH_SIZE,
	};
	struct kcatch_watch *watch = site->watch;
	struct kcatch_guard guard;
	u64 args[KCATCH_ARGS];

	kcatch_guard_enter(&guard);
	guard.context = kcatch_context_of(count);
	/* The access was by our own work, which this hook must not examine. */
	if (guard.busy & (1U << guard.context))
		guard.level = KCATCH_LEVEL_REFUSED;
	data.now = read_value(data.address, data.size);
	data.old = xchg(watch->last_here ? this_cpu_ptr(watch->last_here) : &watch->last, data.now);
	args[KCATCH_ARGS_NONE] = 0;
	args[kcatch_args_place(0)] = data.old;
	args[kcatch_args_place(1)] = data.now;
	args[kcatch_args_place(2)] = data.ip;
	args[kcatch_args_place(3)] = data.address;
	args[kcatch_args_place(4)] = data.size;
	args[kcatch_args_place(5)] = data.kind;
	kcatch_emit_inside(site, args, &data, sizeof(data), regs,
			   kcatch_where_pack(&guard, true));
}

/* A write just before the watch began was not seen. On the CPU itself, whose variable it
 * is: nothing of its own comes between. */
static void begin_here(void *info)
{
	struct kcatch_watch *watch = info;
	struct kcatch_site *site = watch->site;

	*this_cpu_ptr(watch->last_here) = read_value(address_on(site, raw_smp_processor_id()),
						     site->watched & KCATCH_WATCH_SIZE);
}

/* begin_here() for a variable that all CPUs write. A hit meanwhile has set a later value. */
static void begin_everywhere(struct kcatch_watch *watch)
{
	u64 last = smp_load_acquire(&watch->last);	/* before the value */

	cmpxchg(&watch->last, last,
		read_value(watch->site->ip, watch->site->watched & KCATCH_WATCH_SIZE));
}

static int watch_on(struct kcatch_watch *watch, unsigned int cpu)
{
	struct kcatch_site *site = watch->site;
	u32 size = site->watched & KCATCH_WATCH_SIZE;
	struct perf_event_attr attr;
	struct perf_event *event;

	hw_breakpoint_init(&attr);
	attr.bp_addr = address_on(site, cpu);
	attr.bp_len = size;
	attr.bp_type = site->watched & KCATCH_WATCH_ACCESS ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	if (watch->last_here)
		*per_cpu_ptr(watch->last_here, cpu) = read_value(attr.bp_addr, size);
	event = kcatch_watch_event(&attr, cpu, site);
	if (IS_ERR(event))
		return PTR_ERR(event);
	*per_cpu_ptr(watch->event, cpu) = event;
	if (watch->last_here)
		smp_call_function_single(cpu, begin_here, watch, true);
	return 0;
}

static void watch_leave(struct kcatch_watch *watch, unsigned int cpu)
{
	struct perf_event **event = per_cpu_ptr(watch->event, cpu);

	if (*event)
		kcatch_watch_event_end(*event, cpu);
	*event = NULL;
}

static void watch_destroy(struct kcatch_watch *watch)
{
	if (!watch)
		return;
	free_percpu(watch->event);
	free_percpu(watch->last_here);
	kfree(watch);
}

static struct kcatch_watch *watch_create(struct kcatch_site *site)
{
	struct kcatch_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);

	if (!watch)
		return NULL;
	watch->site = site;
	watch->event = alloc_percpu(struct perf_event *);
	if (site->watched & KCATCH_WATCH_PERCPU)
		watch->last_here = alloc_percpu(u64);
	else
		watch->last = read_value(site->ip, site->watched & KCATCH_WATCH_SIZE);
	if (watch->event && (watch->last_here || !(site->watched & KCATCH_WATCH_PERCPU)))
		return watch;
	watch_destroy(watch);
	return NULL;
}

static void watch_detach_one(struct kcatch_site *site)
{
	struct kcatch_watch *watch = site->watch;
	unsigned int cpu;

	cpus_read_lock();
	mutex_lock(&watches_lock);
	list_del(&watch->all);
	for_each_possible_cpu(cpu)
		watch_leave(watch, cpu);
	mutex_unlock(&watches_lock);
	cpus_read_unlock();
	kcatch_watch_events_end();
	site->watch = NULL;
	watch_destroy(watch);
	site->attached = false;
}

static int watch_attach_one(struct kcatch_site *site)
{
	unsigned int cpu;
	int error = 0;

	site->watch = watch_create(site);
	if (!site->watch)
		return -ENOMEM;
	error = kcatch_watch_events_begin();
	if (error) {
		watch_destroy(site->watch);
		site->watch = NULL;
		return error;
	}
	cpus_read_lock();
	mutex_lock(&watches_lock);
	list_add(&site->watch->all, &watches);
	for_each_online_cpu(cpu) {
		error = watch_on(site->watch, cpu);
		if (error)
			break;
	}
	if (!site->watch->last_here)
		begin_everywhere(site->watch);
	mutex_unlock(&watches_lock);
	cpus_read_unlock();
	site->attached = true;
	if (error)
		watch_detach_one(site);
	return error == -EBUSY ? -ENOSPC : error;
}

static int cpu_comes(unsigned int cpu)
{
	struct kcatch_watch *watch;
	int error;

	mutex_lock(&watches_lock);
	list_for_each_entry(watch, &watches, all) {
		error = watch_on(watch, cpu);
		if (!error)
			continue;
		watch->unwatched = true;	/* by now, or until it went again */
		pr_warn("kcatch: CPU %u came online and is not watched: error %d\n", cpu, error);
	}
	mutex_unlock(&watches_lock);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	struct kcatch_watch *watch;

	mutex_lock(&watches_lock);
	list_for_each_entry(watch, &watches, all)
		watch_leave(watch, cpu);
	mutex_unlock(&watches_lock);
	return 0;
}

static int watch_attach(struct list_head *batch)
{
	struct kcatch_site *site;
	int error = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		error = watch_attach_one(site);
		if (error)
			break;
	}
	return error;
}

/* No CPU is in kcatch_watch_hit() for them any more when the kernel has taken them out. */
static void watch_detach(struct list_head *batch)
{
	struct kcatch_site *site;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch)
		if (site->attached)
			watch_detach_one(site);
}

static bool watch_armed(const struct kcatch_site *site)
{
	bool all;

	mutex_lock(&watches_lock);
	all = !site->watch->unwatched;
	mutex_unlock(&watches_lock);
	return all;
}

int kcatch_hook_watch_init(void)
{
	kcatch_robust_add(&watches_lock);
	cpus_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "kcatch/watch", cpu_comes,
					       cpu_goes);
	return cpus_state < 0 ? cpus_state : 0;
}

void kcatch_hook_watch_exit(void)
{
	cpuhp_remove_state_nocalls(cpus_state);
}

const struct kcatch_hook_ops kcatch_hook_watch = {
	.mechanism = KCATCH_MECHANISM_WATCH,
	.payload_max = sizeof(struct kcatch_watch_data),
	.attach = watch_attach,
	.detach = watch_detach,
	.armed = watch_armed,
};
