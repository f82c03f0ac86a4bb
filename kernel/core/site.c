// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of ftrace sites, and replacing the table of them.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "core/guard.h"
#include "core/site.h"

/* One free place: nothing is found in it. */
static struct kcatch_site_place none;

DEFINE_MUTEX(kcatch_sites_lock);

struct kcatch_site_place *kcatch_site_table __read_mostly = &none;

/* Stands where a site was and no smaller table could be had: no address. */
#define BLANK	1UL

/* With the first one, which is no site's. */
static u32 nr_places(const struct kcatch_site_place *table)
{
	return table->mask / sizeof(*table) + 1;
}

static void site_put(struct kcatch_site_place *table, struct kcatch_site *site)
{
	unsigned long nr = nr_places(table), i = site->ip / sizeof(*table) & (nr - 1);

	while (table[i].ip)
		i = (i + 1) & (nr - 1);
	table[i].site = site;
	table[i].ip = site->ip;
	table->nr++;
}

/* The next site in the table that stays, or NULL. @at: place to begin at; 1 at first */
static struct kcatch_site *next_staying(const struct kcatch_site_place *table, u32 *at)
{
	u32 nr = nr_places(table);

	while (*at < nr) {
		const struct kcatch_site_place *place = &table[(*at)++];

		if (place->ip <= BLANK)
			continue;
		if (!place->site->leaving)
			return place->site;
	}
	return NULL;
}

static void site_blank(struct kcatch_site_place *table)
{
	u32 i;

	for (i = 1; i < nr_places(table); i++)
		if (table[i].ip > BLANK && table[i].site->leaving)
			WRITE_ONCE(table[i].ip, BLANK);
	kcatch_quiesce();
}

/* Sites that lie in one piece. */
struct kcatch_site_block {
	u16 room;
	u16 taken;	/* of @sites, from the front */
	u16 used;	/* of these, not freed yet */
	struct kcatch_site sites[];
};

/* At most so many: in all 16 KB, as a thread's stack. What is larger than two pages is not had from
 * the slabs, whose pages the kernel clears once more than their objects. */
#define BLOCK_SITES	((SZ_16K - sizeof(struct kcatch_site_block)) / sizeof(struct kcatch_site))

static struct kcatch_site_block *new_block(u32 nr)
{
	struct kcatch_site_block *block;

	nr = min_t(u32, nr, BLOCK_SITES);
	block = kzalloc(struct_size(block, sites, nr), GFP_KERNEL);
	if (block)
		block->room = nr;
	return block;
}

struct kcatch_site *kcatch_site_new(struct kcatch_site_block **block, u32 nr)
{
	struct kcatch_site *site;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!*block || (*block)->taken == (*block)->room)
		*block = new_block(nr);
	if (!*block)
		return NULL;
	site = &(*block)->sites[(*block)->taken++];
	site->block = *block;
	(*block)->used++;
	return site;
}

void kcatch_site_free(struct kcatch_site *site)
{
	struct kcatch_site_block *block = site->block;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!block)
		kfree(site);
	else if (!--block->used)
		kfree(block);
}

struct kcatch_site_place *kcatch_sites_prepare(const struct list_head *in)
{
	struct kcatch_site_place *new;
	const struct list_head *each;
	u32 nr = 0, at = 1, places;

	lockdep_assert_held(&kcatch_sites_lock);
	while (next_staying(kcatch_site_table, &at))
		nr++;
	if (in)
		list_for_each(each, in)
			nr++;
	places = roundup_pow_of_two(max(nr * 2, 16U));
	new = kvcalloc(places, sizeof(*new), GFP_KERNEL);
	if (new)
		new->mask = (places - 1) * sizeof(*new);
	return new;
}

void kcatch_sites_replace(struct kcatch_site_place *new, struct list_head *in)
{
	struct kcatch_site_place *old = kcatch_site_table;
	struct kcatch_site *site;
	u32 at = 1;

	lockdep_assert_held(&kcatch_sites_lock);
	while ((site = next_staying(old, &at)))
		site_put(new, site);
	if (in)
		list_for_each_entry(site, in, batch)
			site_put(new, site);
	smp_store_release(&kcatch_site_table, new->nr ? new : &none);
	kcatch_quiesce();
	if (old != &none)
		kvfree(old);
	if (!new->nr)
		kvfree(new);
}

void kcatch_sites_remove(void)
{
	struct kcatch_site_place *new = kcatch_sites_prepare(NULL);

	if (new)
		kcatch_sites_replace(new, NULL);
	else
		site_blank(kcatch_site_table);
}
