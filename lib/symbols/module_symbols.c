/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_symbols.c - read the functions in a module's file
 *
 * libelf is not used: loading it takes longer than this code runs. The file is untrusted, so
 * every offset is checked.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/elf_image.h"
#include "symbols/image_file.h"
#include "symbols/module_symbols.h"

static int visit_table(const struct kcatch_elf_image *image, const Elf64_Shdr *table,
		       kcatch_module_symbols_visit *visit, void *arg)
{
	const Elf64_Sym *symbols = (const void *)kcatch_elf_image_contents(image, table);
	const Elf64_Shdr *strings;
	const char *names;
	size_t i;
	int ret;

	if (!symbols || table->sh_offset % 8 || table->sh_link >= image->nr_sections)
		return -EINVAL;
	strings = &image->sections[table->sh_link];
	names = (const char *)kcatch_elf_image_contents(image, strings);
	if (!names || !strings->sh_size || names[strings->sh_size - 1])
		return -EINVAL;
	for (i = 0; i < table->sh_size / sizeof(*symbols); i++) {
		const struct kcatch_module_symbol symbol = {
			.name = names + symbols[i].st_name, .section = symbols[i].st_shndx,
			.value = symbols[i].st_value,
		};

		if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC ||
		    symbols[i].st_shndx == SHN_UNDEF ||
		    symbols[i].st_name >= strings->sh_size || !*symbol.name)
			continue;
		ret = visit(&symbol, arg);
		if (ret)
			return ret;
	}
	return 0;
}

int kcatch_module_symbols_read(const char *path, int file, kcatch_module_symbols_visit *visit,
			       void *arg)
{
	struct kcatch_elf_image image;
	uint8_t *bytes;
	size_t size;
	uint32_t i;
	int ret = kcatch_image_read(path, file, &bytes, &size);

	if (ret)
		return ret;
	ret = kcatch_elf_image_init(&image, bytes, size);
	if (ret)
		ret = -EINVAL;
	for (i = 0; !ret && i < image.nr_sections; i++)
		if (image.sections[i].sh_type == SHT_SYMTAB)
			ret = visit_table(&image, &image.sections[i], visit, arg);
	free(bytes);
	return ret;
}
