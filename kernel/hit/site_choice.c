// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes and drops choices; site_choice.h has what hits do.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "core/site.h"
#include "hit/site_choice.h"
#include "program/program.h"
#include "program/syscall_regs.h"
#include "ring/memory.h"

/* Places of a table: of a few values nearly none is where another one is looked for. */
#define PLACES_MIN	64U

static LIST_HEAD(dropped);	/* struct kcatch_choice.dropped; kcatch_sites_lock */

/* The key by which a probe is chosen; NULL: its condition is asked. A hit that a choice does not
 * pass to a probe counts as filtered: wrong, if a budget or a freeze would have refused it. */
static const struct kcatch_key *key_of(const struct kcatch_probe *probe)
{
	if (!probe->program || !probe->program->key.known)
		return NULL;
	if ((probe->group->mode & KCATCH_GROUP_REFUSES) &&
	    !kcatch_program_is_keyed(probe->program))
		return NULL;
	return &probe->program->key;
}

static bool is_live(const struct kcatch_probe *probe)
{
	return probe->group->mode & KCATCH_GROUP_LIVE;
}

/* Is it looked up by the same value as the others of the choice? */
static bool choice_has(const struct kcatch_choice *choice, const struct kcatch_probe *probe)
{
	const struct kcatch_key *key = key_of(probe);

	return key && key->behind == choice->behind && key->place == choice->place &&
	       key->offset == choice->offset;
}

static void choice_destroy(struct kcatch_choice *choice)
{
	if (!choice)
		return;
	free_percpu(choice->hits);
	kvfree(choice->entries);
	kvfree(choice->probes);
	kcatch_memory_uncharge(choice->charged);
	kfree(choice);
}

/* The value is that of the first probe that has a key. NULL: none has, or there is no memory. */
static struct kcatch_choice *new_choice(struct kcatch_site *site)
{
	struct kcatch_choice *choice = kzalloc(sizeof(*choice), GFP_KERNEL);
	const struct kcatch_probe *probe;
	const struct kcatch_key *key;
	bool any = false;
	u64 bytes;

	if (!choice)
		return NULL;
	hlist_for_each_entry(probe, &site->probes, at_site) {
		if (!is_live(probe))
			continue;
		key = key_of(probe);
		if (key && !any) {
			choice->behind = key->behind;
			choice->place = key->place;
			choice->offset = key->offset;
			any = true;
		}
		if (any && choice_has(choice, probe))
			choice->nr++;
		else
			choice->nr_others++;
	}
	if (choice->nr && choice->nr <= KCATCH_CHOICE_MAX) {
		choice->site = site;
		bytes = sizeof(*choice) + (choice->nr + choice->nr_others) * sizeof(probe) +
			roundup_pow_of_two(max(choice->nr * 2, PLACES_MIN)) *
			sizeof(*choice->entries) +
			(choice->nr + 1ULL) * sizeof(u64) * num_possible_cpus();
		if (!kcatch_memory_charge(bytes))
			goto none;
		choice->charged = bytes;
		choice->mask = roundup_pow_of_two(max(choice->nr * 2, PLACES_MIN)) - 1;
		choice->hits = __alloc_percpu((choice->nr + 1) * sizeof(u64), sizeof(u64));
		choice->entries = kvcalloc(choice->mask + 1, sizeof(*choice->entries), GFP_KERNEL);
		choice->probes = kvcalloc(choice->nr + choice->nr_others, sizeof(*choice->probes),
					  GFP_KERNEL);
		if (choice->hits && choice->entries && choice->probes)
			return choice;
	}
none:
	choice_destroy(choice);
	return NULL;
}

static int by_value(const void *left, const void *right)
{
	u64 a = (*(const struct kcatch_probe *const *)left)->program->key.value;
	u64 b = (*(const struct kcatch_probe *const *)right)->program->key.value;

	return a < b ? -1 : a > b;
}

static void choice_put(struct kcatch_choice *choice, u64 value, u32 first, u32 nr)
{
	u32 i = value & choice->mask;

	while (choice->entries[i].nr)
		i = (i + 1) & choice->mask;
	choice->entries[i] = (struct kcatch_choice_entry){
		.value = value, .first = first, .nr = nr, .which = choice->nr_values++,
	};
}

static void choice_fill(struct kcatch_choice *choice)
{
	u32 nr = 0, others = choice->nr, first, end;
	struct kcatch_probe *probe;

	hlist_for_each_entry(probe, &choice->site->probes, at_site) {
		if (!is_live(probe))
			continue;
		if (!choice_has(choice, probe)) {
			choice->probes[others++] = probe;
			continue;
		}
		probe->choice = choice;
		choice->probes[nr++] = probe;
	}
	sort(choice->probes, nr, sizeof(*choice->probes), by_value, NULL);
	for (first = 0; first < nr; first = end) {
		u64 value = choice->probes[first]->program->key.value;

		for (end = first + 1;
		     end < nr && choice->probes[end]->program->key.value == value;)
			end++;
		choice_put(choice, value, first, end - first);
	}
}

static u8 kind_of(const struct kcatch_choice *choice)
{
	if (choice->nr_others)
		return KCATCH_CHOICE_OTHER;
	if (!choice->behind)
		return choice->place == kcatch_args_place(1) ? KCATCH_CHOICE_ENTER :
							       KCATCH_CHOICE_OTHER;
	return choice->place == kcatch_args_place(0) && choice->offset == KCATCH_CALL_NUMBER ?
		       KCATCH_CHOICE_EXIT :
		       KCATCH_CHOICE_OTHER;
}

void kcatch_choice_make(struct kcatch_site *site)
{
	struct kcatch_choice *choice;

	lockdep_assert_held(&kcatch_sites_lock);
	if (site->choice || site->ops != &kcatch_hook_tracepoint || hlist_empty(&site->probes))
		return;
	choice = new_choice(site);
	if (!choice)
		return;
	choice_fill(choice);
	choice->kind = kind_of(choice);
	smp_store_release(&site->choice, choice);
}

bool kcatch_choice_drop(struct kcatch_site *site)
{
	struct kcatch_choice *choice = site->choice;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!choice)
		return false;
	WRITE_ONCE(site->choice, NULL);
	list_add(&choice->dropped, &dropped);
	return true;
}

static void choice_settle_cpu(const struct kcatch_choice *choice, u32 cpu)
{
	const u64 *hits = per_cpu_ptr(choice->hits, cpu);
	const struct kcatch_choice_entry *entry;
	u64 sum = 0;
	u32 i;

	for (i = 0; i <= choice->nr_values; i++)
		sum += hits[i];
	for (entry = choice->entries; entry <= choice->entries + choice->mask; entry++)
		for (i = entry->first; i < entry->first + entry->nr; i++)
			if (!kcatch_program_is_keyed(choice->probes[i]->program))
				per_cpu_ptr(choice->probes[i]->counters, cpu)->choice_past +=
					sum - hits[entry->which];
}

static void choice_settle(struct kcatch_choice *choice)
{
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu)
		choice_settle_cpu(choice, cpu);
	for (i = 0; i < choice->nr; i++)
		choice->probes[i]->choice = NULL;
}

void kcatch_choices_settle(void)
{
	struct kcatch_choice *choice, *next;

	lockdep_assert_held(&kcatch_sites_lock);
	list_for_each_entry(choice, &dropped, dropped)
		choice_settle(choice);
	list_for_each_entry_safe(choice, next, &dropped, dropped) {
		list_del(&choice->dropped);
		kcatch_choice_make(choice->site);
		choice_destroy(choice);
	}
}

u64 kcatch_choice_filtered(const struct kcatch_probe *probe, u32 cpu)
{
	u64 sum = per_cpu_ptr(probe->counters, cpu)->choice_past;
	const struct kcatch_choice *choice = probe->choice;
	const u64 *hits;
	u32 i, own;

	lockdep_assert_held(&kcatch_sites_lock);
	if (!choice || kcatch_program_is_keyed(probe->program))
		return sum;
	/* A difference of two sums could go down while hits are under way: counters never do. */
	hits = per_cpu_ptr(choice->hits, cpu);
	own = kcatch_choice_find(choice, probe->program->key.value)->which;
	for (i = 0; i <= choice->nr_values; i++)
		if (i != own)
			sum += READ_ONCE(hits[i]);
	return sum;
}
