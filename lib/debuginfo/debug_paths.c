/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* debug_paths.c - paths at which debug information of the kernel and its modules may lie */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debug_paths.h"
#include "symbols/module_file.h"

#define DEBUG "/usr/lib/debug"

struct search {
	kcatch_debug_paths_visit *visit;
	void *arg;
};

__attribute__((format(printf, 2, 3)))
static bool try_file(const struct search *search, const char *format, ...)
{
	char path[PATH_MAX];
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(path, sizeof(path), format, list);
	va_end(list);
	if (length < 0 || (size_t)length >= sizeof(path))
		return false;
	return kcatch_debug_file_is_useful(path) && search->visit(path, search->arg);
}

/* DIRECTORY/PREFIX + NAME + SUFFIX in each directory of $KCATCH_DEBUG_PATH. */
static bool try_environment(const struct search *search, const char *prefix, const char *name,
			    const char *suffix)
{
	const char *at = getenv("KCATCH_DEBUG_PATH");

	while (at && *at) {
		size_t length = strcspn(at, ":");

		if (length &&
		    try_file(search, "%.*s/%s%s%s", (int)length, at, prefix, name, suffix))
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

static bool try_build_id(const struct search *search, const struct kcatch_build_id *id)
{
	char text[2 * KCATCH_BUILD_ID_MAX + 1];
	size_t i;

	if (id->size < 2)
		return false;
	for (i = 0; i < id->size; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
	return try_file(search, DEBUG "/.build-id/%.2s/%s.debug", text, text + 2);
}

bool kcatch_debug_paths_kernel(const char *release, const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg)
{
	const struct search search = { visit, arg };

	return try_environment(&search, "vmlinux-", release, "") ||
	       try_build_id(&search, id) ||
	       try_file(&search, DEBUG "/boot/vmlinux-%s", release) ||
	       try_file(&search, DEBUG "/lib/modules/%s/vmlinux", release) ||
	       try_file(&search, "/lib/modules/%s/build/vmlinux", release);
}

bool kcatch_debug_paths_module(const char *release, const char *name,
			       const struct kcatch_build_id *id,
			       kcatch_debug_paths_visit *visit, void *arg)
{
	const struct search search = { visit, arg };
	const char *own = getenv("KCATCH_MODULE");
	char path[PATH_MAX / 2];

	if (try_environment(&search, "", name, ".ko.debug") ||
	    try_environment(&search, "", name, ".ko"))
		return true;
	if (!strcmp(name, "kcatch") && own && try_file(&search, "%s", own))
		return true;
	if (try_build_id(&search, id))
		return true;
	if (!kcatch_module_file(release, name, path, sizeof(path)))
		return false;
	/* Without a compressor's suffix. */
	if (strcmp(strrchr(path, '.'), ".ko"))
		*strrchr(path, '.') = '\0';
	return try_file(&search, DEBUG "/lib/modules/%s/%s.debug", release, path) ||
	       try_file(&search, DEBUG "/lib/modules/%s/%s", release, path) ||
	       try_file(&search, "/lib/modules/%s/%s", release, path);
}
