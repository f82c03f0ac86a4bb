/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects soft lockups: reports of the kernel's watchdog that a CPU does not schedule.
 *
 * The watchdog has no notifier and no tracepoint; it only writes to the kernel log. (A probe on
 * printk's tracepoint "console" is no way out: on 6.1 it makes each printk() in an NMI warn.)
 * But every report calls print_modules() after its first line, and that function can be hooked.
 * An oops calls it too; the caller's name distinguishes the two.
 */
#ifndef _KCATCH_LOCKUP_H
#define _KCATCH_LOCKUP_H

/** kcatch_lockup_init() - find the function. Context: may sleep */
void kcatch_lockup_init(void);

/**
 * kcatch_lockup_watch() - call kcatch_freeze_lockup() at each report of a soft lockup
 *
 * Calls are counted; each needs a kcatch_lockup_unwatch().
 *
 * Context: may sleep, waits for all CPUs: kcatch_cpus_answer() goes before.
 * Return: 0; -EOPNOTSUPP: the kernel has no print_modules(), or it cannot be hooked; -EBUSY: ftrace
 * is switched off; -ENOMEM
 */
int kcatch_lockup_watch(void);

/** kcatch_lockup_unwatch() - undo one kcatch_lockup_watch(). After the last one,
 * kcatch_freeze_lockup() is not called; a call under way may still run. Context: may sleep */
void kcatch_lockup_unwatch(void);

/** kcatch_lockup_exit() - wait until the function is not hooked any more; nobody watches. Context:
 * may sleep */
void kcatch_lockup_exit(void);

#endif
