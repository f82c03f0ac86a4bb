/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * struct_size.c - take structs that programs fill in
 *
 * Context: any thread. Memory: none is allocated.
 */
#include "base/struct_size.h"

#include <errno.h>
#include <string.h>

#include <kcatch_text.h>

int kcatch_struct_copy(void *own, size_t own_size, const void *given, const char *name)
{
	size_t size = 0;

	memset(own, 0, own_size);
	if (given)
		memcpy(&size, given, sizeof(size));
	if (size != own_size)
		return kcatch_error_set(EINVAL, "struct %s: its size is %zu, not %zu; begin with struct %s x = "
					"{ .size = sizeof(x) }, and build with the headers of this libkcatch (%s)",
					name, size, own_size, name, KCATCH_VERSION);
	memcpy(own, given, size);
	return 0;
}
