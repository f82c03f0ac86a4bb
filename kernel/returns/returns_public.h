/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks returns in the public way, where the kernel's private parts are not as returns.h expects
 * them: an armed kretprobe for each function.
 *
 * Such a function's site is a kprobe, and its kretprobes are registered after it, so the kernel
 * runs them before it, at the same hit. Each kretprobe takes a slot and gives it, per CPU, to the
 * site's handler, where kcatch_returns_hook() finds it. A slot that nobody takes there counts for
 * nothing at the return. If a kretprobe has no slot, the handler finds none, which is counted as
 * ever. While a kprobe is being handled on a CPU the kernel calls no other one there, whether its
 * handler or an interrupt called the function: it counts such a call in nmissed, and we in missed.
 *
 * Such calls the other way sees, and each function has slots of its own here. All else is the same.
 */
#ifndef _KCATCH_RETURNS_PUBLIC_H
#define _KCATCH_RETURNS_PUBLIC_H

#include "returns/returns.h"

/**
 * typedef kcatch_returns_wanted_t - is this call's return wanted, as far as can be told?
 *
 * Context: any, inside a hook. False: no slot is taken
 */
typedef bool (*kcatch_returns_wanted_t)(const void *data, struct pt_regs *regs, u32 context);

/**
 * kcatch_returns_place_add() - hook the returns of a function
 * @returns: made in the public way
 * @address: the function, where a kprobe of ours is registered already
 * @wanted: asked at each call; or NULL: all are wanted
 * @data: its argument, valid until kcatch_returns_place_leave() or kcatch_returns_place_disable(),
 *	and a kcatch_quiesce() after it
 * @place: result, valid until kcatch_returns_destroy()
 *
 * Context: may sleep; what @returns belongs to is locked. Return: 0, -ENOMEM, -EOPNOTSUPP
 */
int kcatch_returns_place_add(struct kcatch_returns *returns, unsigned long address,
			     kcatch_returns_wanted_t wanted, const void *data,
			     struct kcatch_returns_place **place);

/** kcatch_returns_place_leave() - take no more slots, though the kretprobe stays for a while.
 * Context: any */
void kcatch_returns_place_leave(struct kcatch_returns_place *place);

/** kcatch_returns_place_disable() - hook no more; calls under way still return to the handler.
 * Context: may sleep */
void kcatch_returns_place_disable(struct kcatch_returns_place *place);

/** kcatch_returns_public_release() - remove all places of @nr sets; entries may be NULL.
 * Context: may sleep */
void kcatch_returns_public_release(struct kcatch_returns **returns, u32 nr);

/** kcatch_returns_public_track() - note which thread's calls are under way, for
 * kcatch_returns_public_each(). Before a place is added. Context: may sleep. Return: 0, -ENOMEM */
int kcatch_returns_public_track(struct kcatch_returns *returns);

/** kcatch_returns_public_take() - the slot that this hit's kretprobe took; NULL: it had none.
 * Context: the handler of the kprobe */
struct llist_node *kcatch_returns_public_take(struct kcatch_returns *returns,
					      const struct pt_regs *regs);

/** kcatch_returns_public_caller() - return address of a function that is hit, as it was before the
 * kretprobes replaced it. Context: the handler of the kprobe at its entry */
unsigned long kcatch_returns_public_caller(const struct pt_regs *regs);

/** kcatch_returns_public_end() - the handler of the kprobe ends. Context: there */
void kcatch_returns_public_end(void);

/** kcatch_returns_public_end_of_one() - the same for a kprobe beside a site's, which may be handled
 * after it. Context: there */
void kcatch_returns_public_end_of_one(void);

/**
 * kcatch_returns_public_each() - this thread's calls under way, the innermost first
 * @returns: kcatch_returns_public_track()
 * @data: NULL: the first; else what was returned before
 *
 * Context: any, inside a hook. Return: data of the slot; NULL: there are no more
 */
void *kcatch_returns_public_each(const struct kcatch_returns *returns, const void *data);

/** kcatch_returns_public_frame_of() - where that call's return address is */
unsigned long kcatch_returns_public_frame_of(const struct kcatch_returns *returns,
					     const void *data);

#endif
