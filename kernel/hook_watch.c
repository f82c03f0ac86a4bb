// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware watchpoints: kernel memory that is written or read, on all CPUs.
 *
 * The exception comes behind the instruction. While it is handled the CPU's debug
 * registers are off: what our own work does to the memory is not seen, nor what an NMI
 * does that comes just then. A CPU that comes online later is not watched.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "emit.h"
#include "hook.h"
#include "probe.h"

/**
 * struct kcatch_watch - of one site
 * @events: the kernel's, one a CPU
 * @last: the value that was seen last
 */
struct kcatch_watch {
	struct perf_event * __percpu *events;
	u64 last;
};

static u64 read_value(unsigned long address, u32 size)
{
	u64 value = 0;

	copy_from_kernel_nofault(&value, (void *)address, size);
	return value;
}

static void watch_hit(struct perf_event *event, struct perf_sample_data *sample,
		      struct pt_regs *regs)
{
	const struct kcatch_site *site = event->overflow_handler_context;
	unsigned long count = preempt_count();
	struct kcatch_watch_data data = {
		.ip = regs->ip, .address = site->ip,
		.size = site->watched & KCATCH_WATCH_SIZE,
		.kind = site->watched & ~KCATCH_WATCH_SIZE,
	};
	struct kcatch_guard guard;
	u64 args[KCATCH_ARGS];

	/* The exception counts as an NMI; look below it. */
	if (count & NMI_MASK)
		count -= NMI_OFFSET + HARDIRQ_OFFSET;
	kcatch_guard_enter(&guard);
	guard.context = kcatch_context_of(count);
	/* It hit our own work. */
	if (guard.busy & (1U << guard.context))
		guard.level = KCATCH_LEVEL_REFUSED;
	data.now = read_value(data.address, data.size);
	data.old = xchg(&site->watch->last, data.now);
	args[2] = 0;
	args[kcatch_args_place(0)] = data.old;
	args[kcatch_args_place(1)] = data.now;
	args[kcatch_args_place(2)] = data.ip;
	args[kcatch_args_place(3)] = data.address;
	args[kcatch_args_place(4)] = data.size;
	args[kcatch_args_place(5)] = data.kind;
	kcatch_emit_inside(site, args, &data, sizeof(data), regs,
			   kcatch_where_pack(&guard, true));
}

static int attach_one(struct kcatch_site *site)
{
	struct kcatch_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	u32 size = site->watched & KCATCH_WATCH_SIZE;
	struct perf_event_attr attr;

	if (!watch)
		return -ENOMEM;
	hw_breakpoint_init(&attr);
	attr.bp_addr = site->ip;
	attr.bp_len = size;
	attr.bp_type = site->watched & KCATCH_WATCH_ACCESS ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	watch->last = read_value(site->ip, size);
	site->watch = watch;
	watch->events = register_wide_hw_breakpoint(&attr, watch_hit, site);
	if (IS_ERR((void __force *)watch->events)) {
		int error = PTR_ERR((void __force *)watch->events);

		site->watch = NULL;
		kfree(watch);
		return error == -EBUSY ? -ENOSPC : error;
	}
	site->attached = true;
	return 0;
}

static int attach(struct list_head *batch)
{
	struct kcatch_site *site;
	int error = 0;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		error = attach_one(site);
		if (error)
			break;
	}
	return error;
}

/* No CPU is in watch_hit() for them any more when the kernel has taken them out. */
static void detach(struct list_head *batch)
{
	struct kcatch_site *site;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(site, batch, batch) {
		if (!site->attached)
			continue;
		unregister_wide_hw_breakpoint(site->watch->events);
		kfree(site->watch);
		site->watch = NULL;
		site->attached = false;
	}
}

const struct kcatch_hook_ops kcatch_hook_watch = {
	.mechanism = KCATCH_MECHANISM_WATCH,
	.attach = attach,
	.detach = detach,
};
