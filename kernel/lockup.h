/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Soft lockups: the kernel's watchdog found a CPU that does not schedule.
 *
 * The watchdog only writes to the log; it has no notifier and no tracepoint. (printk's own
 * tracepoint, "console", must not be used: on 6.1 a probe there makes each printk() in an
 * NMI warn.) But after its first line the report lists the modules, in every configuration,
 * and that function can be hooked; its caller distinguishes a lockup from an oops.
 */
#ifndef _KCATCH_LOCKUP_H
#define _KCATCH_LOCKUP_H

/**
 * kcatch_lockup_watch() - call kcatch_freeze_lockup() at each report from now on
 *
 * Counted: the function is hooked while anybody wants it. Context: may sleep.
 * Return: 0, -EOPNOTSUPP: the kernel has no such function, or it cannot be hooked
 */
int kcatch_lockup_watch(void);

/** kcatch_lockup_unwatch() - undo one; after the last no call is under way. May sleep */
void kcatch_lockup_unwatch(void);

#endif
