/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* elf_image.c - sections of an untrusted ELF file in memory: every offset is checked */
#include <errno.h>
#include <string.h>

#include "base/elf_image.h"

bool kcatch_elf_is_native(const Elf64_Ehdr *head)
{
	return !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_shentsize == sizeof(Elf64_Shdr);
}

int kcatch_elf_image_init(struct kcatch_elf_image *image, const uint8_t *bytes, size_t size)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Shdr *names;

	if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if (size < sizeof(*head) || !kcatch_elf_is_native(head) || head->e_shoff > size ||
	    head->e_shoff % 8 || head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
	    head->e_shstrndx >= head->e_shnum)
		return -EINVAL;
	*image = (struct kcatch_elf_image){
		.bytes = bytes, .size = size, .nr_sections = head->e_shnum,
		.sections = (const void *)(bytes + head->e_shoff),
	};
	names = &image->sections[head->e_shstrndx];
	image->names = (const char *)kcatch_elf_image_contents(image, names);
	image->names_size = names->sh_size;
	return image->names ? 0 : -EINVAL;
}

const Elf64_Shdr *kcatch_elf_image_find(const struct kcatch_elf_image *image, const char *name)
{
	size_t whole = strlen(name) + 1;
	uint32_t i;

	for (i = 0; i < image->nr_sections; i++) {
		uint32_t at = image->sections[i].sh_name;

		if (at < image->names_size && image->names_size - at >= whole &&
		    !memcmp(image->names + at, name, whole))
			return &image->sections[i];
	}
	return NULL;
}

const uint8_t *kcatch_elf_image_contents(const struct kcatch_elf_image *image,
					 const Elf64_Shdr *section)
{
	if (section->sh_offset > image->size || section->sh_size > image->size - section->sh_offset)
		return NULL;
	return image->bytes + section->sh_offset;
}
