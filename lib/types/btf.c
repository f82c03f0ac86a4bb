/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * btf.c - finds which BTF (the kernel's or a module's) describes a function
 *
 * Memory: the BTF of the kernel (btf_data.c) and of one module at a time.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "types/btf.h"
#include "types/btf_data.h"
#include "types/running_kernel.h"

static int find_in_modules(const struct kcatch_btf *kernel, const char *name, char *module,
			   size_t room)
{
	DIR *directory = opendir(KCATCH_BTF_DIRECTORY);
	struct dirent *entry;
	int ret = -ENOENT;

	if (!directory)
		return -ENOENT;
	while (ret && (entry = readdir(directory))) {
		char path[sizeof(KCATCH_BTF_DIRECTORY) + sizeof(entry->d_name) + 1];
		struct kcatch_btf *btf;

		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, KCATCH_BTF_KERNEL))
			continue;
		snprintf(path, sizeof(path), KCATCH_BTF_DIRECTORY "/%s", entry->d_name);
		if (kcatch_btf_open(&btf, path, -1, kernel))
			continue;
		if (kcatch_btf_find(btf, BTF_KIND_FUNC, name)) {
			snprintf(module, room, "%s", entry->d_name);
			ret = 0;
		}
		kcatch_btf_close(btf);
	}
	closedir(directory);
	return ret;
}

int kcatch_btf_find_function(const char *name, char *module, size_t room)
{
	struct kcatch_btf *kernel;
	int ret;

	if (kcatch_running_kernel_get(&kernel))
		return -EOPNOTSUPP;
	if (kcatch_btf_find(kernel, BTF_KIND_FUNC, name)) {
		snprintf(module, room, "vmlinux");
		ret = 0;
	} else {
		ret = find_in_modules(kernel, name, module, room);
	}
	kcatch_running_kernel_put();
	return ret;
}
