/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash table by which the ftrace hook finds a site: open addressing by address, at most
 * half full, replaced as a whole. Hooks read it, protected by kcatch_quiesce();
 * kcatch_sites_lock serializes its replacement.
 */
#ifndef _KCATCH_SITE_H
#define _KCATCH_SITE_H

#include <linux/mutex.h>
#include "core/assert.h"
#include "core/group.h"
#include "core/guard.h"
#include "core/hook.h"

/* Taken for every change of what is hooked. Order: session lock, this one. */
extern struct mutex kcatch_sites_lock;

/**
 * struct kcatch_site_place - a place of the table
 * @ip: address of a site; 0: free
 * @site: the site
 * @mask: of the first place: bytes of all places but one, which is no address
 * @nr: of the first place: number of sites
 *
 * The first place has no site: it says how large the table is, and looks like one of another
 * address. So the table's size is a power of two, which is what memory is had in.
 */
struct kcatch_site_place {
	union {
		unsigned long ip;
		unsigned long mask;
	};
	union {
		struct kcatch_site *site;
		unsigned long nr;
	};
};

extern struct kcatch_site_place *kcatch_site_table;	/* never NULL */

/* The place at an offset in bytes. Functions start at multiples of 16, the size of a place: the
 * search for an address begins at the offset address & mask. */
static __always_inline const struct kcatch_site_place *
kcatch_site_place(const struct kcatch_site_place *table, unsigned long offset)
{
	BUILD_BUG_ON(sizeof(struct kcatch_site_place) != 16);
	return (const void *)table + offset;
}

/**
 * kcatch_site_find() - the ftrace site of an address
 * @ip: as ftrace reports it
 *
 * Context: any, inside a hook; or kcatch_sites_lock held. Return: NULL: there is none
 */
static __always_inline struct kcatch_site *kcatch_site_find(unsigned long ip)
{
	const struct kcatch_site_place *table = READ_ONCE(kcatch_site_table);
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
 * kcatch_site_new() - memory for one of many sites of ftrace, zeroed
 * @block: where the next ones are to be taken from; NULL before the first
 * @nr: how many are still needed, with this one
 *
 * A few lie in one piece, which is freed with the last of them: so tens of thousands are had and
 * freed in a fraction of the time, and one that others use as well holds little.
 *
 * Context: kcatch_sites_lock held, may sleep. Return: for kcatch_site_free(); NULL: no memory
 */
struct kcatch_site *kcatch_site_new(struct kcatch_site_block **block, u32 nr);

/** kcatch_site_free() - free a site that has none or is of kcatch_site_new(). Context:
 * kcatch_sites_lock held */
void kcatch_site_free(struct kcatch_site *site);

/**
 * kcatch_sites_prepare() - memory for a table with more sites, without those that are leaving
 * @in: the sites (batch list), or NULL
 *
 * Context: kcatch_sites_lock held, may sleep.
 * Return: for kcatch_sites_replace(), or the caller's to kvfree(); NULL: no memory
 */
struct kcatch_site_place *kcatch_sites_prepare(const struct list_head *in);

/**
 * kcatch_sites_replace() - insert sites, and remove those that are leaving
 * @new: prepared for them
 * @in: sites to insert (batch list), or NULL
 *
 * Sites that are inserted have their probes already, and ftrace calls the hook for them: until now
 * it found nothing. The old table is freed when no hook reads it any more.
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_sites_replace(struct kcatch_site_place *new, struct list_head *in);

/**
 * kcatch_sites_remove() - remove the sites that are leaving
 *
 * It never fails: without memory for a smaller table, their entries are blanked. No hook finds them
 * when it returns.
 *
 * Context: kcatch_sites_lock held, may sleep.
 */
void kcatch_sites_remove(void);

#endif
