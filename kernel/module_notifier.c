// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifies each part of kcatch when a module is loaded, has run its init, or is unloaded, in the
 * order that the parts need. Process context, may sleep; no lock of kcatch's is held here, each
 * part takes its own.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>
#include "arm/pending.h"
#include "arm/probe.h"
#include "core/guard.h"
#include "core/modules.h"
#include "core/tracepoint_list.h"
#include "frontends/ktrace.h"
#include "ktrace/ktrace_event.h"
#include "module_notifier.h"
#include "stack/stack.h"

/* All that follows waits for all CPUs under locks: one that spins is waited for without. Where
 * hooks go with the text, that takes a grace period too. */
static void notifier_wait_for_cpus(struct module *module, unsigned long state)
{
	bool tracepoints;

	if (state == MODULE_STATE_COMING ||
	    !kcatch_probes_in_text(module, state == MODULE_STATE_LIVE, &tracepoints))
		kcatch_cpus_answer(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	else if (tracepoints)
		kcatch_tracepoints_leave(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	else
		kcatch_cpus_schedule(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
}

static int module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;

	notifier_wait_for_cpus(module, state);
	switch (state) {
	case MODULE_STATE_COMING:
		/* Another module may have had these addresses before. */
		kcatch_stack_forget(module);
		kcatch_module_comes(module);
		kcatch_ktrace_event_module_comes(module);
		kcatch_pending_module_coming(module);
		kcatch_ktracefs_update();
		break;
	case MODULE_STATE_LIVE:
		/* Its init text is about to be freed. */
		kcatch_probes_text_gone(module, true);
		kcatch_pending_module_freed(module, true);
		kcatch_stack_forget(module);
		kcatch_module_comes(module);
		break;
	case MODULE_STATE_GOING:
		/* The table first: a probe that is being attached looks the module up there,
		 * under the lock that kcatch_probes_text_gone() takes. */
		kcatch_module_goes(module);
		kcatch_stack_forget(module);
		kcatch_probes_text_gone(module, false);
		kcatch_pending_module_freed(module, false);
		kcatch_ktrace_event_module_goes(module);
		kcatch_ktracefs_update();
		break;
	}
	return NOTIFY_OK;
}

/* Called by the kernel's own notifier for tracepoints, before module_changed(), under a lock of its
 * own that all modules with tracepoints need: it waits for CPUs only where hooks go. When a module
 * is unloaded, that notifier then warns about tracepoints that still have a probe. */
static int tracepoints_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = ((struct tp_module *)data)->mod;
	bool any;

	if (state == MODULE_STATE_GOING) {
		if (kcatch_probes_in_text(module, false, &any))
			notifier_wait_for_cpus(module, state);
		kcatch_tracepoints_module_goes(module);
		kcatch_probes_text_gone(module, false);
	} else {
		kcatch_tracepoints_module_comes(module);
	}
	return NOTIFY_OK;
}

static struct notifier_block modules = { .notifier_call = module_changed };
static struct notifier_block tracepoints = { .notifier_call = tracepoints_changed };

int kcatch_module_notifier_init(void)
{
	int error;

	kcatch_tracepoint_list_init();
	kcatch_pending_init();
	error = register_module_notifier(&modules);
	if (error)
		return error;
	error = kcatch_modules_init();
	if (error)
		goto notifier;
	/* Reports the modules that are loaded already, too. */
	error = register_tracepoint_module_notifier(&tracepoints);
	if (error)
		goto notifier;
	return 0;

notifier:
	unregister_module_notifier(&modules);
	kcatch_modules_exit();	/* a module may have come before the table was made */
	return error;
}

void kcatch_module_notifier_exit(void)
{
	/* Reports the loaded modules as if they were unloaded. */
	unregister_tracepoint_module_notifier(&tracepoints);
	unregister_module_notifier(&modules);
	kcatch_modules_exit();
}
