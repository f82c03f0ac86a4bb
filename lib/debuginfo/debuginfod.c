/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * debuginfod.c - asks elfutils' libdebuginfod for files by build ID
 *
 * It stays loaded: what it is built on (libcurl and its libraries) cannot be unloaded.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "debuginfo/debuginfod.h"

#define LIBRARY "libdebuginfod.so.1"

/* Of the library's header, which no package of libdw has. */
struct client;
typedef int find_file(struct client *client, const unsigned char *id, int size, char **path);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct client *(*begin)(void);
static void (*end)(struct client *client);
static find_file *find_debuginfo, *find_executable;

/* ISO C has no cast from a data to a function pointer; POSIX says how. */
static void load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	*(void **)&end = dlsym(library, "debuginfod_end");
	*(void **)&find_debuginfo = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&find_executable = dlsym(library, "debuginfod_find_executable");
	if (end && find_debuginfo && find_executable)
		*(void **)&begin = dlsym(library, "debuginfod_begin");
}

int kcatch_debuginfod_fetch(bool debug, const void *id, size_t size)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	struct client *client;
	int fd;

	if (!servers || !*servers || size < 3 || size > 64)
		return -1;
	pthread_once(&once, load);
	client = begin ? begin() : NULL;
	if (!client)
		return -1;
	fd = (debug ? find_debuginfo : find_executable)(client, id, (int)size, NULL);
	end(client);
	return fd < 0 ? -1 : fd;
}
