/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* array.c - arrays that grow at the end */
#include <stdlib.h>

#include "base/array.h"

void *kcatch_array_grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return reallocarray(array, count ? count * 2 : 1, size);
}
