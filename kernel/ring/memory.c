// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts the memory of all sessions.
 */
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sysfs.h>
#include "ring/memory.h"

static atomic64_t held;

bool kcatch_memory_charge(u64 bytes)
{
	u64 limit = (u64)totalram_pages() * PAGE_SIZE / 4;

	/* With less memory available the kernel would kill another process to make room. */
	if (bytes >> PAGE_SHIFT >= max(si_mem_available(), 0L))
		return false;
	if (bytes <= limit && (u64)atomic64_add_return(bytes, &held) <= limit)
		return true;
	if (bytes <= limit)
		atomic64_sub(bytes, &held);
	return false;
}

void kcatch_memory_uncharge(u64 bytes)
{
	atomic64_sub(bytes, &held);
}

u64 kcatch_memory_held(void)
{
	return atomic64_read(&held);
}

static int get_held(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%llu\n", kcatch_memory_held());
}

static const struct kernel_param_ops held_ops = { .get = get_held };
module_param_cb(memory_held, &held_ops, NULL, 0400);
MODULE_PARM_DESC(memory_held, "bytes that all sessions together hold, at most a quarter of memory");
