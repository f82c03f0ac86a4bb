/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel keeps privately, as far as it is read here. Each is read without trust and
 * tried when the module is loaded; where the trial fails, it is not used, one line in the log
 * says so, and what it served goes the public way. 6.1, 6.12 and 7.3 have all of it so.
 */
#ifndef _KCATCH_COMPAT_PRIVATE_LAYOUTS_H
#define _KCATCH_COMPAT_PRIVATE_LAYOUTS_H

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

#endif
