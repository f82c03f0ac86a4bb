/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Soft lockups: the kernel's watchdog found a CPU that does not schedule.
 *
 * It tells nobody but the log: there is no notifier and no tracepoint of it. (printk's own,
 * "console", must not be used: on 6.1 a probe there makes each printk() in an NMI warn.) But
 * behind its first line the report lists the modules, whatever is configured, and that
 * function can be hooked; who called it tells a lockup from an oops.
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
