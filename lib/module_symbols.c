/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_symbols.c - the functions in the file of a module
 *
 * Read here rather than by libelf, which takes longer to load than this to run. Every
 * offset is checked against the file.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image_file.h"
#include "module_symbols.h"

struct image {
	const uint8_t *bytes;
	size_t size;
	const Elf64_Shdr *sections;
	uint32_t nr_sections;
};

static bool is_inside(const struct image *image, const Elf64_Shdr *section)
{
	return section->sh_offset <= image->size &&
	       section->sh_size <= image->size - section->sh_offset && section->sh_offset % 8 == 0;
}

static int find_sections(struct image *image)
{
	const Elf64_Ehdr *head = (const void *)image->bytes;

	if (image->size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shoff > image->size ||
	    head->e_shoff % 8 || head->e_shentsize != sizeof(Elf64_Shdr) ||
	    head->e_shnum > (image->size - head->e_shoff) / sizeof(Elf64_Shdr))
		return -EINVAL;
	image->sections = (const void *)(image->bytes + head->e_shoff);
	image->nr_sections = head->e_shnum;
	return 0;
}

static int visit_table(const struct image *image, const Elf64_Shdr *table,
		       kcatch_module_symbols_visit *visit, void *arg)
{
	const Elf64_Sym *symbols = (const void *)(image->bytes + table->sh_offset);
	const Elf64_Shdr *strings;
	const char *names;
	size_t i;
	int ret;

	if (!is_inside(image, table) || table->sh_link >= image->nr_sections)
		return -EINVAL;
	strings = &image->sections[table->sh_link];
	names = (const char *)image->bytes + strings->sh_offset;
	if (strings->sh_offset > image->size || strings->sh_size > image->size - strings->sh_offset ||
	    !strings->sh_size || names[strings->sh_size - 1])
		return -EINVAL;
	for (i = 0; i < table->sh_size / sizeof(*symbols); i++) {
		const struct kcatch_module_symbol symbol = {
			.name = names + symbols[i].st_name, .section = symbols[i].st_shndx,
			.value = symbols[i].st_value,
		};

		if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC || symbols[i].st_shndx == SHN_UNDEF ||
		    symbols[i].st_name >= strings->sh_size || !*symbol.name)
			continue;
		ret = visit(&symbol, arg);
		if (ret)
			return ret;
	}
	return 0;
}

int kcatch_module_symbols_read(const char *path, kcatch_module_symbols_visit *visit, void *arg)
{
	struct image image = { 0 };
	uint8_t *bytes;
	uint32_t i;
	int ret = kcatch_image_read(path, &bytes, &image.size);

	if (ret)
		return ret;
	image.bytes = bytes;
	ret = find_sections(&image);
	for (i = 0; !ret && i < image.nr_sections; i++)
		if (image.sections[i].sh_type == SHT_SYMTAB)
			ret = visit_table(&image, &image.sections[i], visit, arg);
	free(bytes);
	return ret;
}
