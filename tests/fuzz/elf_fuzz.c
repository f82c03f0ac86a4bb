/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_fuzz.c - fuzzes ELF files: sections, the functions of a module's file, its types, and files
 * that xz or zstd packed
 */
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/elf_image.h"
#include "fuzz.h"
#include "symbols/module_symbols.h"
#include "types/types.h"

static int look_at(const struct kcatch_module_symbol *symbol, void *arg)
{
	size_t *length = arg;

	*length += strlen(symbol->name);
	return symbol->name[0] == '!' ? 7 : 0;
}

static void ask_image(const uint8_t *bytes, size_t size)
{
	static const char *const names[] = { ".BTF", ".symtab", "", ".text" };
	const Elf64_Shdr *section;
	struct kcatch_elf_image image;
	const uint8_t *contents;
	size_t i;

	if (kcatch_elf_image_init(&image, bytes, size))
		return;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		section = kcatch_elf_image_find(&image, names[i]);
		contents = section ? kcatch_elf_image_contents(&image, section) : NULL;
		FUZZ_CHECK(!contents || (contents >= bytes &&
					 section->sh_size <= size - (size_t)(contents - bytes)),
			   "%s is beyond the file", names[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);	/* aligned, and of just that size */
	struct kcatch_types *types;
	size_t length = 0;

	memcpy(copy, data, size);
	ask_image(copy, size);
	free(copy);
	fuzz_write("vmlinux", data, size);
	kcatch_module_symbols_read(fuzz_path("vmlinux"), look_at, &length);
	if (!kcatch_types_open_directory(&types, fuzz_directory()))
		kcatch_types_close(types);
	return 0;
}

/* Headers are words. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	fuzz_seed(seed);
	if (fuzz_choose(3))
		return LLVMFuzzerMutate(data, size, most);
	fuzz_change_word(data, size / 8 * 8);
	return size;
}
