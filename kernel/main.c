// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcatch: catches calls of kernel functions. This file is the table of
 * contents: each part in the order it comes up, and down the other way round.
 */
#include <linux/module.h>
#include "arm/call_setup.h"
#include "arm/death.h"
#include "arm/session.h"
#include "compat/private.h"
#include "core/assert.h"
#include "core/ftrace_match.h"
#include "core/guard.h"
#include "core/hook.h"
#include "core/robust.h"
#include "core/trial.h"
#include "device.h"
#include "find/deny.h"
#include "find/function_match.h"
#include "find/symbol_table.h"
#include "freeze/freeze.h"
#include "frontends/frontend.h"
#include "frontends/ktrace.h"
#include "ktrace/ktrace_event.h"
#include "module_notifier.h"
#include "returns/returns.h"
#include "ring/clock.h"
#include "ring/memory.h"
#include "stack/stack.h"
#include "stack/stack_check.h"
#include "stack9/stack_api.h"

static int __init kcatch_init(void)
{
	int error = kcatch_trial_init() ?: kcatch_private_init();

	if (error)
		return error;
	kcatch_robust_init();
	error = kcatch_death_init();
	if (error)
		return error;
	kcatch_clock_choose();
	kcatch_deny_init();
	error = kcatch_ktrace_event_init();
	if (error)
		goto event;
	error = kcatch_module_notifier_init();
	if (error)
		goto modules;
	error = kcatch_hook_watch_init();
	if (error)
		goto watch;
	kcatch_symbol_table_init();
	kcatch_ftrace_match_init();
	kcatch_function_match_init();
	kcatch_hook_ftrace_init();
	error = kcatch_stack_init();
	if (error)
		goto stack;
	kcatch_stack_check_init();
	kcatch_stack_api_init();
	kcatch_returns_init();
	error = kcatch_call_init();
	if (error)
		goto call;
	error = kcatch_session_init();
	if (error)
		goto session;
	error = kcatch_freeze_init();
	if (error)
		goto freeze;
	error = kcatch_otst_init();
	if (error)
		goto otst;
	error = kcatch_allie_init();
	if (error)
		goto allie;
	kcatch_ktracefs_init();
	error = kcatch_device_init();
	if (error)
		goto device;
	return 0;

device:
	kcatch_ktracefs_exit();
	kcatch_allie_exit();
allie:
	kcatch_otst_exit();
otst:
	kcatch_freeze_exit();
freeze:
	kcatch_hook_ftrace_exit();
	kcatch_session_exit();
	kcatch_function_match_exit();
session:
	kcatch_call_exit();
call:
	kcatch_stack_api_exit();
	kcatch_stack_check_exit();
	kcatch_stack_exit();
stack:
	kcatch_hook_watch_exit();
watch:
	kcatch_module_notifier_exit();
modules:
	kcatch_ktrace_event_exit();
event:
	kcatch_death_exit();
	return error;
}

static void __exit kcatch_exit(void)
{
	/* The parts wait for all CPUs while they hold locks: wait here, holding none. */
	kcatch_tracepoints_leave(MAX_SCHEDULE_TIMEOUT, TASK_IDLE);
	kcatch_device_exit();
	kcatch_ktracefs_exit();
	kcatch_allie_exit();
	kcatch_otst_exit();
	kcatch_freeze_exit();
	kcatch_hook_ftrace_exit();
	kcatch_session_exit();
	kcatch_function_match_exit();
	kcatch_call_exit();
	kcatch_stack_api_exit();
	kcatch_stack_check_exit();
	kcatch_stack_exit();
	kcatch_hook_watch_exit();
	kcatch_module_notifier_exit();
	kcatch_ktrace_event_exit();
	kcatch_death_exit();
	kcatch_assert(!kcatch_memory_held());
}

module_init(kcatch_init);
module_exit(kcatch_exit);

MODULE_AUTHOR("the kcatch developers");
MODULE_DESCRIPTION("Catches calls of kernel functions: who calls, with what, what comes back");
MODULE_LICENSE("GPL");
MODULE_VERSION(KCATCH_VERSION);
