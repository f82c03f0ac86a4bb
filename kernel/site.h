/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table by which the ftrace hook finds a site: open addressing over the
 * address, at most half full, replaced as a whole. Hooks read it under
 * kcatch_quiesce(); kcatch_sites_lock replaces it.
 */
#ifndef _KCATCH_SITE_H
#define _KCATCH_SITE_H

#include "hook.h"

struct kcatch_site_place {
	unsigned long ip;
	struct kcatch_site *site;
};

struct kcatch_site_table {
	unsigned long mask;	/* places - 1 */
	u32 nr;
	struct kcatch_site_place places[];
};

extern struct kcatch_site_table *kcatch_site_table;	/* never NULL */

/* Functions start at multiples of 16. */
#define KCATCH_SITE_PLACE(table, ip)	(((ip) >> 4) & (table)->mask)

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
	unsigned long i = KCATCH_SITE_PLACE(table, ip);
	const struct kcatch_site_place *place = &table->places[i];

	while (unlikely(place->ip != ip)) {
		if (!place->ip)
			return NULL;
		i = (i + 1) & table->mask;
		place = &table->places[i];
	}
	return place->site;
}

/**
 * kcatch_sites_update() - put sites in, and take those out that are leaving
 * @in: sites (batch list) to put in, or NULL
 *
 * Taking out alone (@in NULL) does not fail: without memory for a smaller
 * table the places are blanked. The old table is freed when no hook reads it
 * any more.
 *
 * Context: kcatch_sites_lock held, may sleep.
 * Return: 0 or -ENOMEM
 */
int kcatch_sites_update(struct list_head *in);

#endif
