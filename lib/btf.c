/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * btf.c - what the kernel's type information knows of a function
 *
 * libbpf is opened when it is needed, which is for explaining an error: with
 * the two libraries that it needs in turn it would double the time that the
 * command takes to start. Its own header gives the types.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "btf.h"

#define BTF_DIRECTORY "/sys/kernel/btf"
#define LIBBPF "libbpf.so.1"

/* What is used of libbpf. */
struct libbpf {
	void *library;
	__typeof__(libbpf_set_print) *set_print;
	__typeof__(libbpf_get_error) *get_error;
	__typeof__(btf__load_vmlinux_btf) *load_vmlinux;
	__typeof__(btf__parse_split) *parse_split;
	__typeof__(btf__find_by_name_kind) *find;
	__typeof__(btf__free) *release;
};

/* ISO C has no cast from a data to a function pointer; POSIX says how. */
#define TAKE(bpf, member, name) \
	(*(void **)&(bpf)->member = dlsym((bpf)->library, (name)))

static bool open_libbpf(struct libbpf *bpf)
{
	bpf->library = dlopen(LIBBPF, RTLD_NOW | RTLD_LOCAL);
	if (!bpf->library)
		return false;
	if (TAKE(bpf, set_print, "libbpf_set_print") && TAKE(bpf, get_error, "libbpf_get_error") &&
	    TAKE(bpf, load_vmlinux, "btf__load_vmlinux_btf") &&
	    TAKE(bpf, parse_split, "btf__parse_split") &&
	    TAKE(bpf, find, "btf__find_by_name_kind") && TAKE(bpf, release, "btf__free"))
		return true;
	dlclose(bpf->library);
	return false;
}

static int find_in_modules(const struct libbpf *bpf, struct btf *base, const char *name,
			   char *module, size_t room)
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
		btf = bpf->parse_split(path, base);
		if (bpf->get_error(btf))
			continue;
		/* The base has none of that name: what is found is the module's. */
		if (bpf->find(btf, name, BTF_KIND_FUNC) > 0) {
			snprintf(module, room, "%s", entry->d_name);
			ret = 0;
		}
		bpf->release(btf);
	}
	closedir(directory);
	return ret;
}

int kcatch_btf_find_function(const char *name, char *module, size_t room)
{
	libbpf_print_fn_t print;
	struct libbpf bpf;
	struct btf *base;
	int ret = -EOPNOTSUPP;

	if (!open_libbpf(&bpf))
		return ret;
	print = bpf.set_print(NULL);	/* it would write to stderr */
	base = bpf.load_vmlinux();
	if (!bpf.get_error(base)) {
		if (bpf.find(base, name, BTF_KIND_FUNC) > 0) {
			snprintf(module, room, "vmlinux");
			ret = 0;
		} else {
			ret = find_in_modules(&bpf, base, name, module, room);
		}
		bpf.release(base);
	}
	bpf.set_print(print);
	dlclose(bpf.library);
	return ret;
}
