/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* btf.c - what the kernel's type information knows of a function */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf.h"

#define BTF_DIRECTORY "/sys/kernel/btf"

static int find_in_modules(struct btf *base, const char *name, char *module, size_t room)
{
	DIR *directory = opendir(BTF_DIRECTORY);
	struct dirent *entry;
	int ret = -ENOENT;

	if (!directory)
		return -ENOENT;
	while (ret && (entry = readdir(directory))) {
		char path[sizeof(BTF_DIRECTORY) + sizeof(entry->d_name) + 1];
		struct btf *btf;

		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "vmlinux"))
			continue;
		snprintf(path, sizeof(path), BTF_DIRECTORY "/%s", entry->d_name);
		btf = btf__parse_split(path, base);
		if (libbpf_get_error(btf))
			continue;
		/* The base has none of that name: what is found is the module's. */
		if (btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) > 0) {
			snprintf(module, room, "%s", entry->d_name);
			ret = 0;
		}
		btf__free(btf);
	}
	closedir(directory);
	return ret;
}

int kcatch_btf_find_function(const char *name, char *module, size_t room)
{
	libbpf_print_fn_t print = libbpf_set_print(NULL);	/* it would write to stderr */
	struct btf *base = btf__load_vmlinux_btf();
	int ret;

	if (libbpf_get_error(base)) {
		libbpf_set_print(print);
		return -EOPNOTSUPP;
	}
	if (btf__find_by_name_kind(base, name, BTF_KIND_FUNC) > 0) {
		snprintf(module, room, "vmlinux");
		ret = 0;
	} else {
		ret = find_in_modules(base, name, module, room);
	}
	btf__free(base);
	libbpf_set_print(print);
	return ret;
}
