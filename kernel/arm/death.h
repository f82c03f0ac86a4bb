/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens when a context never comes back: another's code, called in our hook or under our
 * lock, faults (an oops with panic_on_oops=0, BUG()) or ends its thread.
 *
 * In a hook: the context's bit in kcatch_busy would stay set, and what waits for hooks to leave
 * (kcatch_quiesce()) would wait for ever. The die notifier clears the bit at once; where no
 * notifier is called, kcatch_quiesce() finds the bit itself (guard.c). Records that the context had
 * begun are withdrawn, and each session that runs counts it (struct kcatch_session.nr_died).
 * Everything goes on.
 *
 * Under a lock, or elsewhere in code of kcatch's that may sleep: what the task was changing may be
 * half done. Its locks are released, so that others get on, and the module is hurt (robust.h):
 * open() and the calls that change a session fail with EIO, a session that closes is silenced and
 * left where it is, and the module stays until the machine is restarted.
 */
#ifndef _KCATCH_DEATH_H
#define _KCATCH_DEATH_H

/** kcatch_death_init() - watch for deaths. Context: may sleep. Return: 0 or -errno */
int kcatch_death_init(void);

/** kcatch_death_exit() - undo kcatch_death_init(). Context: may sleep; no hook is left */
void kcatch_death_exit(void);

#endif
