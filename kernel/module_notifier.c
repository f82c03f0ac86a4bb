// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a module that comes, is ready or goes means to each part, in the order in which
 * they have to learn of it. Process context, may sleep; no lock is held, each part takes
 * its own. No memory of its own.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>
#include "frontends/ktrace.h"
#include "ktrace_event.h"
#include "module_notifier.h"
#include "modules.h"
#include "orc.h"
#include "pending.h"
#include "probe.h"
#include "tracepoint_list.h"

static int module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;

	switch (state) {
	case MODULE_STATE_COMING:
		/* Its addresses may have been another module's. */
		kcatch_orc_forget(module);
		kcatch_module_comes(module);
		kcatch_ktrace_event_module_comes(module);
		kcatch_pending_module_coming(module);
		kcatch_ktracefs_update();
		break;
	case MODULE_STATE_LIVE:
		/* Its init text is about to be freed. */
		kcatch_probes_text_gone(module, true);
		kcatch_orc_forget(module);
		kcatch_module_comes(module);
		break;
	case MODULE_STATE_GOING:
		/* First out of the table: a probe that is being placed looks
		 * there, under the lock that letting go takes. */
		kcatch_module_goes(module);
		kcatch_orc_forget(module);
		kcatch_probes_text_gone(module, false);
		kcatch_ktrace_event_module_goes(module);
		kcatch_ktracefs_update();
		break;
	}
	return NOTIFY_OK;
}

/* The kernel's own notifier for tracepoints tells, before the above: of one that goes,
 * before it looks whether any probe is left. */
static int tracepoints_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = ((struct tp_module *)data)->mod;

	if (state == MODULE_STATE_GOING) {
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
	int error = register_module_notifier(&modules);

	if (error)
		return error;
	error = kcatch_modules_init();
	if (error)
		goto table;
	/* Tells of those that are loaded as well. */
	error = register_tracepoint_module_notifier(&tracepoints);
	if (error)
		goto notifier;
	return 0;

notifier:
	unregister_module_notifier(&modules);
	kcatch_modules_exit();
	return error;
table:
	unregister_module_notifier(&modules);
	return error;
}

void kcatch_module_notifier_exit(void)
{
	/* Tells of those that are loaded as if they went. */
	unregister_tracepoint_module_notifier(&tracepoints);
	unregister_module_notifier(&modules);
	kcatch_modules_exit();
}
