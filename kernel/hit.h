/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way of a hit: gate, budget, capture, commit. Runs in the context that
 * was hit, NMI too; never waits, never allocates.
 */
#ifndef _KCATCH_HIT_H
#define _KCATCH_HIT_H

#include "context.h"
#include "hook.h"
#include "stack.h"

/**
 * kcatch_hit() - a site was hit
 * @site: which
 * @origin: where, for the stack
 * @guard: entered
 * @irqs_off: interrupts were off at the call
 *
 * Context: any, inside a hook.
 */
void kcatch_hit(const struct kcatch_site *site, const struct kcatch_origin *origin,
		const struct kcatch_guard *guard, bool irqs_off);

#endif
