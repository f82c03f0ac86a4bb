/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* libdw.c - loads elfutils' libdw at first use */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "debuginfo/libdw.h"

#define LIBDW "libdw.so.1"

/* ISO C has no cast from a data to a function pointer; POSIX says how. libelf's
 * functions are found too: libdw depends on it. */
#define TAKE(member, name) \
	&& (*(void **)&dw->member = dlsym(dw->library, #name))

int kcatch_libdw_open(struct kcatch_libdw *dw)
{
	memset(dw, 0, sizeof(*dw));
	dw->library = dlopen(LIBDW, RTLD_NOW | RTLD_LOCAL);
	if (!dw->library)
		return kcatch_error_set(EOPNOTSUPP, LIBDW " is not installed (Debian package libdw1)");
	if (1 KCATCH_LIBDW_FUNCTIONS(TAKE) && dw->elf_version(EV_CURRENT) != EV_NONE)
		return 0;
	kcatch_libdw_close(dw);
	return kcatch_error_set(EOPNOTSUPP, LIBDW " is too old: elfutils 0.170 or later is needed");
}

void kcatch_libdw_close(struct kcatch_libdw *dw)
{
	if (dw->library)
		dlclose(dw->library);
	memset(dw, 0, sizeof(*dw));
}
