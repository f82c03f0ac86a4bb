/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* libkdumpfile.c - loads the library that reads memory dumps, and hides it behind one struct */
#include "recording/libkdumpfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>

#define LIBRARY "libkdumpfile.so.10"

#define TAKE(member, name) \
	&& (*(void **)&kdumpfile->member = dlsym(kdumpfile->library, #name))

int kcatch_libkdumpfile_open(struct kcatch_libkdumpfile *kdumpfile)
{
	memset(kdumpfile, 0, sizeof(*kdumpfile));
	kdumpfile->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!kdumpfile->library)
		return kcatch_error_set(EOPNOTSUPP, "memory dumps are read with " LIBRARY ", which is not "
					"installed (Debian package libkdumpfile10)");
	if (1 KCATCH_LIBKDUMPFILE_FUNCTIONS(TAKE))
		return 0;
	kcatch_libkdumpfile_close(kdumpfile);
	return kcatch_error_set(EOPNOTSUPP, LIBRARY " is too old: 0.5 or later is needed");
}

void kcatch_libkdumpfile_close(struct kcatch_libkdumpfile *kdumpfile)
{
	if (kdumpfile->library)
		dlclose(kdumpfile->library);
	memset(kdumpfile, 0, sizeof(*kdumpfile));
}
