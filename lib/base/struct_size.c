/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * struct_size.c - read structs of programs that were built for another release of the library
 *
 * The rules are those of the kernel's system calls that take a struct and its size, see
 * copy_struct_from_user() there. Context: any thread. Memory: none is allocated.
 */
#include "base/struct_size.h"

#include <errno.h>
#include <string.h>

#include <kcatch_text.h>

/* Larger than any struct: a larger size was never set by the program. */
#define SIZE_MAX_SANE 4096

int kcatch_struct_copy(void *own, size_t own_size, size_t first_size, const void *given,
		       const char *name)
{
	const unsigned char *bytes = given;
	size_t size, i;

	memset(own, 0, own_size);
	if (!given)
		return kcatch_error_set(EINVAL, "no struct %s was given", name);
	memcpy(&size, given, sizeof(size));
	if (size < first_size || size > SIZE_MAX_SANE)
		return kcatch_error_set(EINVAL, "struct %s: its size cannot be %zu; begin with "
					"struct %s x = { .size = sizeof(x) }", name, size, name);
	for (i = own_size; i < size; i++) {
		if (bytes[i])
			return kcatch_error_set(E2BIG, "struct %s: this libkcatch (%s) does not know "
						"what stands at byte %zu; the program needs a later one",
						name, KCATCH_VERSION, i);
	}
	memcpy(own, given, size < own_size ? size : own_size);
	memcpy(own, &own_size, sizeof(own_size));
	return 0;
}
