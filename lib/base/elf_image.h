/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* elf_image.h - sections of an untrusted ELF file in memory */
#ifndef LIB_BASE_ELF_IMAGE_H
#define LIB_BASE_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_elf_image - a file whose tables were checked to lie inside it
 * @bytes: contents of the file
 * @size: size of the file, bytes
 * @sections: all section headers
 * @nr_sections: number of entries in @sections
 * @names: string table of the section names
 * @names_size: size of @names, bytes
 */
struct kcatch_elf_image {
	const uint8_t *bytes;
	size_t size;
	const Elf64_Shdr *sections;
	uint32_t nr_sections;
	const char *names;
	size_t names_size;
};

/**
 * kcatch_elf_is_native - check for the header of a 64-bit ELF file
 * @head: the first bytes of a file, sizeof(*@head)
 *
 * Return: whether it is one, with section headers of the size of Elf64_Shdr.
 */
bool kcatch_elf_is_native(const Elf64_Ehdr *head);

/**
 * kcatch_elf_image_init - find and check the section headers and their names
 * @image: set; points into @bytes
 * @bytes: contents of the file, aligned to 8; borrowed, must outlive @image
 * @size: size of the file, bytes
 *
 * Return: 0; -ENOEXEC: not an ELF file; -EINVAL: damaged, or not a 64-bit file. No error text.
 */
int kcatch_elf_image_init(struct kcatch_elf_image *image, const uint8_t *bytes, size_t size);

/**
 * kcatch_elf_image_find - find a section by its name
 * @image: the file
 * @name: name such as ".BTF"
 *
 * Return: the first section of that name; NULL: there is none.
 */
const Elf64_Shdr *kcatch_elf_image_find(const struct kcatch_elf_image *image, const char *name);

/**
 * kcatch_elf_image_contents - the contents of a section
 * @image: the file
 * @section: one of its section headers
 *
 * Return: the section's sh_size bytes, inside the file; NULL: they exceed the file.
 */
const uint8_t *kcatch_elf_image_contents(const struct kcatch_elf_image *image,
					 const Elf64_Shdr *section);

#endif
