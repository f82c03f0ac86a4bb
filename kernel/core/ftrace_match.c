// SPDX-License-Identifier: GPL-2.0-only
/*
 * Matching names in the kernel, without the symbol lookup that is no longer
 * exported. Process context; scratch_lock. Memory: 8 bytes a function that matched.
 *
 * ftrace matches names and patterns against all it can trace when a filter is
 * set, duplicates and modules included, faster than anybody can read the
 * symbol table. A filter that is set on an ops that is never registered traces
 * nothing; what matched stands in the ops' hash. Its layout is private to
 * ftrace, so it is read with care and tried at load.
 */
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "compat/private_layouts.h"
#include "core/ftrace_match.h"
#include "core/robust.h"
#include "core/trial.h"

/* More functions than any kernel has: a sign that we read the wrong thing. */
#define FILTER_MAX	(1U << 20)

static void never_called(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			 struct ftrace_regs *regs)
{
}

static struct ftrace_ops scratch = { .func = never_called };
static DEFINE_MUTEX(scratch_lock);
static bool can_match;

static bool match_peek(void *to, const void *from, size_t size)
{
	return !copy_from_kernel_nofault(to, from, size);
}

/*
 * The addresses in the scratch ops' filter, in no order. Return: how many, or
 * -errno; they are in a kvmalloc'ed *@ips.
 */
static int read_filter(unsigned long **ips)
{
	struct kcatch_filter_hash hash;
	struct kcatch_filter_entry entry;
	const void *at = NULL;
	unsigned long *list;
	unsigned long i, nr = 0;

	lockdep_assert_held(&scratch_lock);
	*ips = NULL;
	if (!scratch.func_hash || !match_peek(&at, &scratch.func_hash->filter_hash, sizeof(at)) ||
	    !match_peek(&hash, at, sizeof(hash)))
		return -EOPNOTSUPP;
	if (hash.size_bits > 30 || hash.count > FILTER_MAX)
		return -EOPNOTSUPP;
	if (!hash.count)
		return 0;
	list = kvmalloc_array(hash.count, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	for (i = 0; i < 1UL << hash.size_bits; i++) {
		if (!match_peek(&at, &hash.buckets[i].first, sizeof(at)))
			goto bad;
		for (; at; at = entry.hlist.next) {
			if (nr == hash.count || !match_peek(&entry, at, sizeof(entry)))
				goto bad;
			list[nr++] = entry.ip;
		}
	}
	if (nr != hash.count)
		goto bad;
	*ips = list;
	return nr;
bad:
	kvfree(list);
	return -EOPNOTSUPP;
}

static void scratch_reset(void)
{
	lockdep_assert_held(&scratch_lock);
	ftrace_set_filter(&scratch, NULL, 0, 1);
}

unsigned long kcatch_ftrace_place(unsigned long address)
{
	unsigned long *ips, place = 0;

	mutex_lock(&scratch_lock);
	if (!ftrace_set_filter_ip(&scratch, address, 0, 1)) {
		if (read_filter(&ips) == 1)
			place = ips[0];
		kvfree(ips);
	}
	scratch_reset();
	mutex_unlock(&scratch_lock);
	return place;
}

void kcatch_ftrace_match_init(void)
{
	unsigned long known = (unsigned long)&kthread_stop;

	kcatch_robust_add(&scratch_lock);
	can_match = kcatch_trial_end(KCATCH_TRIAL_NAMES,
				     kcatch_ftrace_place(known) - known < KCATCH_FTRACE_PLACE_MAX);
}

bool kcatch_ftrace_can_match(void)
{
	return can_match;
}

static int compare_addresses(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

void kcatch_addresses_sort(unsigned long *addresses, size_t nr)
{
	sort(addresses, nr, sizeof(*addresses), compare_addresses, NULL);
}

int kcatch_ftrace_match(const char *pattern, unsigned long **result)
{
	char *copy = kstrdup(pattern, GFP_KERNEL);	/* the parser cuts it up */
	unsigned long *ips = NULL;
	int nr, error;

	if (!copy)
		return -ENOMEM;
	mutex_lock(&scratch_lock);
	error = ftrace_set_filter(&scratch, copy, strlen(copy), 1);
	/* When nothing matches it says -EINVAL. Without memory for the first entry it says 0.
	 * That a later one failed nobody tells: allocations of this size fail in a process that
	 * is being killed, which is asked about after all targets. */
	nr = error ? 0 : read_filter(&ips) ?: -ENOMEM;
	scratch_reset();
	if (nr > 0)
		kcatch_addresses_sort(ips, nr);
	mutex_unlock(&scratch_lock);
	kfree(copy);
	if (error && error != -EINVAL)	/* -EINVAL: nothing matched */
		return error;
	*result = ips;
	return nr;
}

/* Maximum number of addresses that ftrace is asked about at once. It refuses all for one that it
 * does not know, so they are halved until that one is alone. */
#define CONFIRM_MAX	2048U

int kcatch_ftrace_confirm(unsigned long *ips, u8 *kinds, u32 nr)
{
	u32 limits[2] = { CONFIRM_MAX, 1 }, *limit, at = 0, kept = 0, count, end;
	int error = 0;
	u8 doubtful;

	mutex_lock(&scratch_lock);
	while (at < nr) {
		doubtful = kinds[at] & KCATCH_FTRACE_DOUBTFUL;
		limit = &limits[!!doubtful];
		for (;;) {
			for (count = 1; count < *limit && at + count < nr &&
			     (kinds[at + count] & KCATCH_FTRACE_DOUBTFUL) == doubtful; count++)
				;
			error = ftrace_set_filter_ips(&scratch, ips + at, count, 0, 1);
			cond_resched();
			if (error != -EINVAL || count == 1)
				break;
			*limit = count / 2;
		}
		if (error == -EINVAL) {
			at++;
			continue;
		}
		if (error)
			break;
		*limit = min(count * 2, CONFIRM_MAX);
		for (end = at + count; at < end; at++) {
			ips[kept] = ips[at];
			kinds[kept++] = kinds[at] & ~KCATCH_FTRACE_DOUBTFUL;
		}
	}
	scratch_reset();
	mutex_unlock(&scratch_lock);
	return error == -EINVAL ? kept : error ?: kept;
}
