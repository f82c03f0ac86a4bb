// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the path of a file without a lock or a reference: each name and each parent is copied by
 * a read that may fail, and the first failure ends the path.
 *
 * The parent of a mount and its mountpoint are in struct mount, which is private to the kernel
 * (compat/private_layouts.h). kcatch_path_init() tests whether this kernel has that layout.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/ns_common.h>
#include <linux/proc_ns.h>
#include <linux/slab.h>
#include "compat/private_layouts.h"
#include "core/trial.h"
#include "program/fetch_memory.h"
#include "program/fetch_path.h"

/* Maximum components of a path. Ends the walk when memory was reused and parents form a loop. */
#define COMPONENTS_MAX	256

#ifndef PID_FS_MAGIC
#define PID_FS_MAGIC 0x50494446 /* before 6.9 there is no such file system */
#endif

static bool mounts_known __read_mostly;

/* How a walk ends. */
enum end {
	WHOLE,		/* at the root */
	CUT,		/* no room, or not readable */
	ELSEWHERE,	/* in memory that is not in the direct map: begin anew, slowly */
};

/*
 * Reads a pointer, none of which is NULL. Return: 0: not readable. Of a @fast walk it is in the
 * direct map, as is nearly all.
 */
static __always_inline unsigned long path_word(const void *at, const bool fast)
{
	unsigned long value;

	if (fast)
		return kcatch_load_pointer((unsigned long)at);
	return kcatch_read(&value, (unsigned long)at, sizeof(value)) ? value : 0;
}

/* Is an object, smaller than a page, where this walk reads? */
static __always_inline bool is_here(const void *object, const bool fast)
{
	return !fast || likely(kcatch_in_direct_map((unsigned long)object));
}

/*
 * Copies a name. Names are aligned: the last word, of which not all belongs to the name, is in the
 * same page as what does. What is behind the name at @to stays.
 */
static __always_inline bool copy_name(u8 *to, unsigned long name, u32 length)
{
	u64 fault = 0, word, mask;

	if (unlikely(!kcatch_in_direct_map(name) || (name & 7)))
		return kcatch_read(to, name, length);
	for (; unlikely(length > sizeof(word)); length -= sizeof(word)) {
		*(u64 *)to = kcatch_load_word(name, sizeof(word), &fault);
		to += sizeof(word);
		name += sizeof(word);
	}
	word = kcatch_load_word(name, sizeof(word), &fault);
	mask = ~0ULL >> (sizeof(word) - length) * 8;
	*(u64 *)to = (word & mask) | (*(u64 *)to & ~mask);
	return !fault;
}

/* Puts "/name" in front of the path that begins at @at. Return: where it begins now; -1: no room,
 * or not readable */
static __always_inline s32 path_prepend(u8 *to, s32 at, const struct dentry *dentry,
					const bool fast)
{
	unsigned long name = path_word(&dentry->d_name.name, fast);
	u32 length = hashlen_len(path_word(&dentry->d_name.hash_len, fast));

	if (unlikely(length - 1 > 254))
		return -1;
	at -= length + 1;
	if (unlikely(at < 0 || !copy_name(to + at + 1, name, length)))
		return -1;
	to[at] = '/';
	return at;
}

/* Puts the path up to the root of @mount, and on from where that is mounted; or, without @mount,
 * up to the root of the file system. @at: out: where it begins */
static __always_inline enum end path_climb(u8 *to, s32 *at, const struct dentry *dentry,
					   const struct kcatch_mount_front *mount, const bool fast)
{
	const struct kcatch_mount_front *above;
	const struct dentry *root = NULL, *parent;
	s32 begin = *at, i;

	if (mount) {
		if (!is_here(mount, fast))
			return ELSEWHERE;
		root = (void *)path_word(&mount->mnt.mnt_root, fast);
		if (!root)
			return CUT;
	}
	for (i = 0; i < COMPONENTS_MAX; i++) {
		if (dentry == root) {
			above = mounts_known ? (void *)path_word(&mount->parent, fast) : NULL;
			if (above == mount)
				return WHOLE;
			dentry = (void *)path_word(&mount->mountpoint, fast);
			mount = above;
			if (!mount || !is_here(mount, fast))
				return mount ? ELSEWHERE : CUT;
			root = (void *)path_word(&mount->mnt.mnt_root, fast);
			if (!root)
				return CUT;
			continue;
		}
		if (!is_here(dentry, fast))
			return dentry ? ELSEWHERE : CUT;
		parent = (void *)path_word(&dentry->d_parent, fast);
		/* The root of the dentry's file system, or a file that is in no tree (a socket),
		 * which has a name all the same. */
		if (parent == dentry)
			return mount ? CUT : WHOLE;
		if (!parent)
			return CUT;
		begin = path_prepend(to, begin, dentry, fast);
		if (begin < 0)
			return CUT;
		*at = begin;
		dentry = parent;
	}
	return CUT;
}

static noinline enum end climb_slowly(u8 *to, s32 *at, const struct dentry *dentry,
				      const struct kcatch_mount_front *mount)
{
	return path_climb(to, at, dentry, mount, false);
}

/* Puts a text in front of @at, which is -1 if that had no room. Return: where it begins now; -1: no
 * room */
static s32 text_prepend(u8 *to, s32 at, const char *text, s32 length)
{
	if (at < length)
		return -1;
	while (length)
		to[--at] = text[--length];
	return at;
}

#define PREPEND(to, at, text) text_prepend(to, at, text, sizeof(text) - 1)

/* Puts ":[number]" in front of @at. Return: as text_prepend(); -1 without a number, too */
static s32 number_prepend(u8 *to, s32 at, u64 number)
{
	char digit;

	at = number ? PREPEND(to, at, "]") : -1;
	for (; number; number /= 10) {
		digit = '0' + number % 10;
		at = text_prepend(to, at, &digit, 1);
	}
	return PREPEND(to, at, ":[");
}

/* The kind of namespace and its number. Return: as text_prepend() */
static noinline s32 namespace_prepend(u8 *to, s32 at, const struct inode *inode, u64 number)
{
	const struct ns_common *ns = (void *)path_word(&inode->i_private, false);
	const struct proc_ns_operations *ops = ns ? (void *)path_word(&ns->ops, false) : NULL;
	unsigned long name = ops ? path_word(&ops->name, false) : 0;
	char kind[16]; /* the longest one is cgroup */
	s32 length = 0;

	/* A constant of the kernel, which has more of them behind. */
	if (!name || !kcatch_read(kind, name, sizeof(kind)))
		return -1;
	while (length < (s32)sizeof(kind) && kind[length])
		length++;
	return text_prepend(to, number_prepend(to, at, number), kind, length);
}

/*
 * In no tree: a pipe, a socket, a namespace, an anonymous file, named as /proc/PID/fd does; or a
 * root whose mount is unknown. Return: as path_prepend()
 */
static noinline s32 put_name(u8 *to, s32 at, const struct dentry *dentry)
{
	const struct super_block *sb = (void *)path_word(&dentry->d_sb, false);
	const struct inode *inode = (void *)path_word(&dentry->d_inode, false);
	unsigned long magic;
	u64 number = 0;

	if (path_word(&dentry->d_parent, false) != (unsigned long)dentry)
		return -1;
	magic = sb ? path_word(&sb->s_magic, false) : 0;
	if (!inode || !kcatch_read(&number, (unsigned long)&inode->i_ino, sizeof(inode->i_ino)))
		number = 0;
	switch (magic) {
	case PIPEFS_MAGIC:
		return PREPEND(to, number_prepend(to, at, number), "pipe");
	case SOCKFS_MAGIC:
		return PREPEND(to, number_prepend(to, at, number), "socket");
	case NSFS_MAGIC:
		return inode ? namespace_prepend(to, at, inode, number) : -1;
	case PID_FS_MAGIC:
		return PREPEND(to, at, "anon_inode:[pidfd]");
	}
	at = path_prepend(to, at, dentry, false);
	if (at < 0)
		return at;
	/* No tree, no slash. */
	at++;
	return magic == ANON_INODE_FS_MAGIC ? PREPEND(to, at, "anon_inode:") : at;
}

/* To the front, by whole words. */
static __always_inline void move_to_front(u8 *to, u32 at, u32 length)
{
	u8 *end = to + length;

	for (; to < end; to += sizeof(u64))
		*(u64 *)to = *(u64 *)(to + at);
}

static noinline bool read_place(const struct path *path, unsigned long *dentry, unsigned long *mnt)
{
	return kcatch_read(dentry, (unsigned long)&path->dentry, sizeof(*dentry)) &&
	       kcatch_read(mnt, (unsigned long)&path->mnt, sizeof(*mnt));
}

u32 kcatch_read_path(u8 *to, unsigned long from, bool whole, u32 size)
{
	const struct kcatch_mount_front *mount = NULL;
	const struct dentry *dentry;
	unsigned long mnt = 0, place = from;
	s32 at = size, name;
	u64 fault = 0;
	enum end end;

	if (whole) {
		const struct path *path = (void *)from;

		if (likely(kcatch_at_hand(from, sizeof(*path)))) {
			place = kcatch_load_word((unsigned long)&path->dentry, 8, &fault);
			mnt = kcatch_load_word((unsigned long)&path->mnt, 8, &fault);
			if (unlikely(fault))
				return 0;
		} else if (!read_place(path, &place, &mnt)) {
			return 0;
		}
		if (likely(mnt))
			mount = container_of((struct vfsmount *)mnt, struct kcatch_mount_front,
					     mnt);
	}
	if (unlikely(!place))
		return 0;
	dentry = (void *)place;
	end = path_climb(to, &at, dentry, mount, true);
	if (unlikely(end == ELSEWHERE)) {
		at = size;
		end = climb_slowly(to, &at, dentry, mount);
	}
	if (unlikely(at == (s32)size)) {
		name = put_name(to, at, dentry);
		if (name >= 0)
			at = name;
		else if (end == WHOLE)
			to[--at] = '/';
		else
			return 0;
		end = WHOLE;
	}
	move_to_front(to, at, size - at);
	return (size - at) | (end == WHOLE ? 0 : KCATCH_PATH_CUT);
}

void kcatch_path_init(void)
{
	/* Usually on a mount of its own, below the root. */
	static const char * const tries[] = { "/proc/self", "/dev/null", "/sys/module" };
	char *theirs = kmalloc(PATH_MAX, GFP_KERNEL), *ours = kmalloc(PATH_MAX, GFP_KERNEL);
	struct path path;
	bool agrees = true;
	char *text;
	u32 i, length;

	mounts_known = true;
	for (i = 0; theirs && ours && i < ARRAY_SIZE(tries); i++) {
		if (kern_path(tries[i], 0, &path))
			continue;
		text = d_path(&path, theirs, PATH_MAX);
		length = kcatch_read_path(ours, (unsigned long)&path, true, 512);
		/* In a container, d_path() begins at the container's root. */
		agrees &= !IS_ERR(text) && !(length & KCATCH_PATH_CUT) &&
			  length >= strlen(text) &&
			  !memcmp(ours + length - strlen(text), text, strlen(text));
		path_put(&path);
	}
	mounts_known = kcatch_trial_end(KCATCH_TRIAL_PATHS, theirs && ours && agrees);
	kfree(theirs);
	kfree(ours);
}
