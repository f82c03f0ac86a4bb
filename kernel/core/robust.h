/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Locks whose owner may die. death.c releases them, so that modules are still loaded and unloaded
 * and CPUs come and go, and notes that the module is hurt: what the owner was changing may be half
 * done. From then on nothing is armed, changed or freed any more.
 */
#ifndef _KCATCH_ROBUST_H
#define _KCATCH_ROBUST_H

#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/types.h>

/* Locks that kcatch_robust_add() may be told of: the module's static ones. */
#define KCATCH_ROBUST_MAX	16

/**
 * kcatch_robust_init() - try whether the owner of a lock can be told
 *
 * Context: while the module is loaded, before all others.
 */
void kcatch_robust_init(void);

/**
 * kcatch_robust_add() - release a static lock when its owner dies
 * @lock: the lock
 *
 * Context: while the module is loaded, by one thread.
 */
void kcatch_robust_add(struct mutex *lock);

/**
 * kcatch_robust_release() - release a lock if the current task, which dies, holds it
 * @lock: the lock
 *
 * Context: any, but no interrupt.
 * Return: it was released
 */
bool kcatch_robust_release(struct mutex *lock);

/** kcatch_robust_release_all() - kcatch_robust_release() of all that were added. Return: any was */
bool kcatch_robust_release_all(void);

/**
 * kcatch_robust_hurt() - a task died while it changed what kcatch does
 *
 * Context: any. The module stays loaded from then on, as hooks may reach its memory.
 */
void kcatch_robust_hurt(void);

/**
 * kcatch_robust_is_hurt() - has kcatch_robust_hurt() been called?
 *
 * Context: any.
 * Return: true: nothing may be armed, changed or freed
 */
bool kcatch_robust_is_hurt(void);

#endif
