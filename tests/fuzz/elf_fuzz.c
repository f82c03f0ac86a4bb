/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_fuzz.c - fuzzes ELF files: sections, the functions of a module's file, its types, and files
 * that xz or zstd packed
 */
#include <stddef.h>
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
	kcatch_module_symbols_read(fuzz_path("vmlinux"), -1, look_at, &length);
	if (!kcatch_types_open_directory(&types, fuzz_directory()))
		kcatch_types_close(types);
	return 0;
}

/* A module: its names, two functions and their names, and what is not quite types. */
struct module {
	Elf64_Ehdr head;
	Elf64_Shdr sections[5];
	Elf64_Sym symbols[3];
	char names[40];
	char strings[16];
	uint32_t btf[8];
};

static size_t make_seed(uint8_t *bytes, size_t room)
{
	static const struct module module = {
		.head = { .e_ident = ELFMAG, .e_shoff = offsetof(struct module, sections),
			  .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 5, .e_shstrndx = 1 },
		.sections = {
			[1] = { .sh_name = 1, .sh_type = SHT_STRTAB, .sh_size = 40,
				.sh_offset = offsetof(struct module, names) },
			[2] = { .sh_name = 11, .sh_type = SHT_SYMTAB, .sh_link = 3,
				.sh_size = 3 * sizeof(Elf64_Sym),
				.sh_offset = offsetof(struct module, symbols) },
			[3] = { .sh_name = 19, .sh_type = SHT_STRTAB, .sh_size = 16,
				.sh_offset = offsetof(struct module, strings) },
			[4] = { .sh_name = 27, .sh_type = SHT_PROGBITS, .sh_size = 32,
				.sh_offset = offsetof(struct module, btf) },
		},
		.symbols = { { 0 }, { .st_name = 1, .st_info = STT_FUNC, .st_shndx = 4 },
			     { .st_name = 7, .st_info = STT_FUNC, .st_shndx = 4, .st_value = 8 } },
		.names = "\0.shstrtab\0.symtab\0.strtab\0.BTF", .strings = "\0first\0second",
		.btf = { 0x0001eb9f, 24, 0, 0, 0, 1 },
	};
	struct module copy = module;

	if (room < sizeof(module))
		return 0;
	copy.head.e_ident[EI_CLASS] = ELFCLASS64;
	memcpy(bytes, &copy, sizeof(copy));
	return sizeof(copy);
}

/* Headers are words. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	fuzz_seed(seed);
	if (size < sizeof(Elf64_Ehdr) && !fuzz_choose(3))
		return make_seed(data, most);
	if (fuzz_choose(3))
		return LLVMFuzzerMutate(data, size, most);
	fuzz_change_word(data, size / 8 * 8);
	return size;
}
