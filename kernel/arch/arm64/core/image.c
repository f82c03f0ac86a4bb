// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the kernel's image lies; text.h. Not all kernels have symbols of its ends, but all tell who
 * asks for the machine's memory.
 */
#include <linux/cache.h>
#include <linux/ioport.h>
#include <linux/string.h>
#include "core/text.h"

unsigned long kcatch_image_start __read_mostly, kcatch_image_size __read_mostly;

/* These are there since the boot, and stay. */
static const struct resource *image_resource(const char *name)
{
	const struct resource *memory, *part;

	for (memory = iomem_resource.child; memory; memory = memory->sibling)
		for (part = memory->child; part; part = part->sibling)
			if (part->name && !strcmp(part->name, name))
				return part;
	return NULL;
}

void kcatch_text_init(void)
{
	const struct resource *code = image_resource("Kernel code");
	const struct resource *data = image_resource("Kernel data");
	unsigned long start, end;

	if (!code || !data)
		return;
	start = __phys_to_kimg(code->start);
	end = __phys_to_kimg(data->end) + 1;
	if ((unsigned long)&iomem_resource - start < end - start) {
		kcatch_image_start = start;
		kcatch_image_size = end - start;
	}
}
