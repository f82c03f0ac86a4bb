/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * inlined.c - the functions that have inlined copies of one
 *
 * Memory: libdw's data of the file, and 32 bytes for each function that has copies.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <uapi/kcatch.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "debuginfo/source.h"

struct inlined {
	struct kcatch_table functions;
	int (*visit)(const char *function, unsigned int copies, void *arg);
	void *arg;
};

static int count_copy(const char *function, void *arg)
{
	struct inlined *inlined = arg;
	size_t length, *copies;

	if (!function)
		return inlined->visit(NULL, 0, inlined->arg);
	length = strlen(function);
	copies = kcatch_table_find(&inlined->functions, function, length);
	if (!copies)
		return kcatch_table_add(&inlined->functions, function, length, 1);
	++*copies;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct kcatch_table_entry *one = a, *other = b;

	return strcmp(one->key, other->key);
}

static int explain_no_file(const char *module)
{
	struct utsname uts;

	uname(&uts);
	if (module)
		return kcatch_error_set(
			ENODATA,
			"inlined copies are not known without debug information of module %s: "
			"install its package (Debian: linux-image-%s-dbg), or put %s.ko.debug in "
			"a directory of KCATCH_DEBUG_PATH",
			module, uts.release, module);
	return kcatch_error_set(
		ENODATA,
		"inlined copies are not known without debug information: install the kernel's "
		"(Debian: linux-image-%s-dbg), or put vmlinux-%s in a directory of "
		"KCATCH_DEBUG_PATH",
		uts.release, uts.release);
}

int kcatch_inlined_list(const char *module, const char *name,
			int (*visit)(const char *function, unsigned int copies, void *arg),
			void *arg)
{
	struct inlined inlined = { .visit = visit, .arg = arg };
	struct kcatch_table *functions = &inlined.functions;
	struct kcatch_source *source;
	char in_source[KCATCH_NAME_LEN];
	size_t i;
	int ret = kcatch_source_open(&source);

	if (ret)
		return ret;
	/* Without what the compiler added: ".isra.0". */
	snprintf(in_source, sizeof(in_source), "%.*s", (int)strcspn(name, "."), name);
	ret = kcatch_source_inlined(source, module, in_source, count_copy, &inlined);
	if (ret == -ENODATA)
		explain_no_file(module);
	else if (ret == -ENOMEM)
		kcatch_error_memory();
	if (functions->count)
		qsort(functions->entries, functions->count, sizeof(*functions->entries), compare);
	for (i = 0; !ret && i < functions->count; i++)
		ret = visit(functions->entries[i].key, (unsigned int)functions->entries[i].value,
			    arg);
	kcatch_table_deinit(functions);
	kcatch_source_close(source);
	return ret;
}
