/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash table by which the ftrace hook finds a site: open addressing by address, at most
 * half full, replaced as a whole. Hooks read it, protected by kcatch_quiesce();
 * kcatch_sites_lock serializes its replacement.
 */
#ifndef _KCATCH_SITE_H
#define _KCATCH_SITE_H

#include <linux/mutex.h>
#include "assert.h"
#include "guard.h"
#include "hook.h"

/* Taken for every change of what is hooked. Order: session lock, this one. */
extern struct mutex kcatch_sites_lock;

struct kcatch_site_place {
	unsigned long ip;
	struct kcatch_site *site;
};

struct kcatch_site_table {
	unsigned long mask;	/* bytes of all places but one */
	u32 nr;
	struct kcatch_site_place places[];
};

extern struct kcatch_site_table *kcatch_site_table;	/* never NULL */

/* The place at an offset in bytes. Functions start at multiples of 16, the size of a place: the
 * search for an address begins at the offset address & mask. */
static __always_inline const struct kcatch_site_place *
kcatch_site_place(const struct kcatch_site_table *table, unsigned long offset)
{
	BUILD_BUG_ON(sizeof(struct kcatch_site_place) != 16);
	return (const void *)table->places + offset;
}

/**
 * kcatch_site_find() - the ftrace site of an address
 * @ip: as ftrace reports it
 *
 * Context: any, inside a hook; or kcatch_sites_lock held.
 * Return: the site, or NULL
 */
static __always_inline struct kcatch_site *kcatch_site_find(unsigned long ip)
{
	const struct kcatch_site_table *table = READ_ONCE(kcatch_site_table);
	unsigned long offset = ip & table->mask;

	kcatch_assert(kcatch_guard_held() || mutex_is_locked(&kcatch_sites_lock));
	while (unlikely(kcatch_site_place(table, offset)->ip != ip)) {
		if (!kcatch_site_place(table, offset)->ip)
			return NULL;
		/* Nothing is kept in a register for this, which is rare. */
		OPTIMIZER_HIDE_VAR(table);
		offset = (offset + sizeof(struct kcatch_site_place)) & table->mask;
	}
	return kcatch_site_place(table, offset)->site;
}

/**
 * kcatch_sites_update() - insert sites, and remove those that are leaving
 * @in: sites to insert (batch list), or NULL
 *
 * Removal alone (@in NULL) never fails: without memory for a smaller table, the entries are
 * blanked. The old table is freed when no hook reads it any more.
 *
 * Context: kcatch_sites_lock held, may sleep.
 * Return: 0 or -ENOMEM
 */
int kcatch_sites_update(struct list_head *in);

#endif
