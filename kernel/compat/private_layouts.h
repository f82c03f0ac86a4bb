/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel keeps privately, as far as it is read here. Each is read without trust and
 * tried when the module is loaded; where the trial fails, it is not used, one line in the log
 * says so, and what it served goes the public way. 6.1, 6.12 and 7.3 have all of it so.
 */
#ifndef _KCATCH_COMPAT_PRIVATE_LAYOUTS_H
#define _KCATCH_COMPAT_PRIVATE_LAYOUTS_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/mount.h>

/* A filter of ftrace: kernel/trace/ftrace.c, struct ftrace_hash and ftrace_func_entry. */
struct kcatch_filter_hash {
	unsigned long size_bits;
	struct hlist_head *buckets;
	unsigned long count;
};

struct kcatch_filter_entry {
	struct hlist_node hlist;
	unsigned long ip;
};

/* The front of struct mount: fs/mount.h, unchanged since 3.3. */
struct kcatch_mount_front {
	void *hash[2];
	struct kcatch_mount_front *parent;
	struct dentry *mountpoint;
	struct vfsmount mnt;
};

/*
 * The kernel's table of symbols: kernel/kallsyms.c, scripts/kallsyms.c. A name is its length and so
 * many numbers of texts; together these texts are the symbol's kind, one letter, and the name.
 */
struct kcatch_symbol_table {
	u32 nr;
	const u8 *names;		/* one after the other */
	const char *tokens;		/* 256 texts */
	const u16 *token_index;		/* where each of them begins */
	const s32 *offsets;		/* for the addresses, which go up */
	unsigned long base;		/* what they are relative to; 0: each to its own place */
};

/* Length of a name. It has a second byte if it is above 127, since 6.1 (commit 73bbb94466fd
 * "kallsyms: support "big" kernel symbols"). */
static inline u32 kcatch_symbol_table_length(const u8 *at, const u8 **tokens)
{
	u32 length = *at++;

	if (unlikely(length & 0x80))
		length = (length & 0x7f) | (u32)*at++ << 7;
	*tokens = at;
	return length;
}

/* Offsets that are not negative are addresses themselves where per-CPU variables are numbered from
 * 0: before 6.15. */
static inline unsigned long kcatch_symbol_table_address(const struct kcatch_symbol_table *table,
							u32 index)
{
	s32 offset = table->offsets[index];

	if (!table->base)
		return (unsigned long)&table->offsets[index] + offset;
#ifdef CONFIG_KALLSYMS_ABSOLUTE_PERCPU
	return offset >= 0 ? offset : table->base - 1 - offset;
#else
	return table->base + (u32)offset;
#endif
}

#endif
