// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the path of a file without a lock or a reference: each name and each parent is copied by
 * a read that may fail, and the first failure ends the path.
 *
 * The parent of a mount and its mountpoint are in struct mount, which is private to the kernel
 * (fs/mount.h; unchanged since 3.3): two words of hash links, the parent, the mountpoint, then
 * struct vfsmount. kcatch_path_init() tests whether this kernel has that layout.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include "fetch_memory.h"
#include "fetch_path.h"

struct mount_front {
	void *hash[2];
	struct mount_front *parent;
	struct dentry *mountpoint;
	struct vfsmount mnt;
};

/* Maximum components of a path. Ends the walk when memory was reused and parents form a loop. */
#define COMPONENTS_MAX	256

static bool mounts_known __read_mostly;

struct walk {
	u8 *to;
	u32 at;		/* the path so far is to[at..size) */
	bool complete;
};

static bool read_pointer(const void *from, unsigned long *value)
{
	return kcatch_read(value, (unsigned long)from, sizeof(*value));
}

/* Puts "/name" in front of the path. False: no room, or not readable */
static bool prepend(struct walk *walk, const struct dentry *dentry)
{
	unsigned long name;
	u32 length;

	if (!read_pointer(&dentry->d_name.name, &name) ||
	    !kcatch_read(&length, (unsigned long)&dentry->d_name.len, sizeof(length)) ||
	    !length || length > 255 || length + 1 > walk->at ||
	    !kcatch_read(walk->to + walk->at - length, name, length))
		return false;
	walk->at -= length + 1;
	walk->to[walk->at] = '/';
	return true;
}

static void climb(struct walk *walk, unsigned long dentry, unsigned long mnt)
{
	unsigned long parent, root = 0;
	u32 i;

	for (i = 0; i < COMPONENTS_MAX; i++) {
		const struct dentry *here = (void *)dentry;

		if (mnt && !read_pointer(&((struct vfsmount *)mnt)->mnt_root, &root))
			return;
		if (mnt && dentry == root) {
			struct mount_front *mount = container_of((struct vfsmount *)mnt,
								 struct mount_front, mnt);

			if (!mounts_known || !read_pointer(&mount->parent, &parent))
				return;
			if (parent == (unsigned long)mount) {
				walk->complete = true;
				return;
			}
			if (!read_pointer(&mount->mountpoint, &dentry))
				return;
			mnt = (unsigned long)&((struct mount_front *)parent)->mnt;
			continue;
		}
		if (!read_pointer(&here->d_parent, &parent))
			return;
		if (parent == dentry) {
			/* The root of the dentry's file system, or a file that is in no
			 * tree (a socket), which has a name all the same. */
			walk->complete = !mnt;
			return;
		}
		if (!prepend(walk, here))
			return;
		dentry = parent;
	}
}

u32 kcatch_read_path(u8 *to, unsigned long from, bool whole, u32 size, bool *complete)
{
	struct walk walk = { .to = to, .at = size };
	unsigned long dentry = from, mnt = 0, parent;
	u32 length;

	*complete = false;
	if (whole && (!read_pointer(&((struct path *)from)->dentry, &dentry) ||
		      !read_pointer(&((struct path *)from)->mnt, &mnt)))
		return 0;
	if (!read_pointer(&((struct dentry *)dentry)->d_parent, &parent))
		return 0;
	climb(&walk, dentry, mnt);
	if (walk.at == size && walk.complete) {
		to[--walk.at] = '/';
	} else if (walk.at == size && parent == dentry) {
		/* In no tree: a socket, a pipe, or a root whose mount is unknown. */
		struct walk name = { .to = to, .at = size };

		if (prepend(&name, (struct dentry *)dentry)) {
			walk = name;
			/* No tree, no slash. */
			walk.at++;
			walk.complete = true;
		}
	}
	length = size - walk.at;
	memmove(to, to + walk.at, length);
	*complete = walk.complete;
	return length;
}

void kcatch_path_init(void)
{
	/* Usually on a mount of its own, below the root. */
	static const char * const tries[] = { "/proc/self", "/dev/null", "/sys/module" };
	char *theirs = kmalloc(PATH_MAX, GFP_KERNEL), *ours = kmalloc(PATH_MAX, GFP_KERNEL);
	struct path path;
	bool complete, agrees = true;
	char *text;
	u32 i, length;

	mounts_known = true;
	for (i = 0; theirs && ours && i < ARRAY_SIZE(tries); i++) {
		if (kern_path(tries[i], 0, &path))
			continue;
		text = d_path(&path, theirs, PATH_MAX);
		length = kcatch_read_path(ours, (unsigned long)&path, true, 512, &complete);
		/* In a container, d_path() begins at the container's root. */
		agrees &= !IS_ERR(text) && complete && length >= strlen(text) &&
			  !memcmp(ours + length - strlen(text), text, strlen(text));
		path_put(&path);
	}
	mounts_known = theirs && ours && agrees;
	if (!mounts_known)
		pr_info("kcatch: paths of files end at their mount\n");
	kfree(theirs);
	kfree(ours);
}
