/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* elf_image.h - sections of an untrusted ELF file in memory */
#ifndef LIB_BASE_ELF_IMAGE_H
#define LIB_BASE_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_elf_image - a file whose tables lie in it
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
 * kcatch_elf_is_native - is it the header of a 64-bit ELF file
 * @head: the first bytes of a file
 *
 * Return: whether it is, with section headers of the known size.
 */
bool kcatch_elf_is_native(const Elf64_Ehdr *head);

/**
 * kcatch_elf_image_init - check a file's tables
 * @image: is filled
 * @bytes: the file, aligned to 8; stays the caller's
 * @size: of it
 *
 * Return: 0; -ENOEXEC it is no ELF file at all; -EINVAL it is damaged or of another machine.
 */
int kcatch_elf_image_init(struct kcatch_elf_image *image, const uint8_t *bytes, size_t size);

/**
 * kcatch_elf_image_find - a section by its name
 * @image: the file
 * @name: ".BTF"
 *
 * Return: the first of that name; NULL: there is none.
 */
const Elf64_Shdr *kcatch_elf_image_find(const struct kcatch_elf_image *image, const char *name);

/**
 * kcatch_elf_image_contents - what is in a section
 * @image: the file
 * @section: of it
 *
 * Return: its sh_size bytes; NULL: they do not lie in the file.
 */
const uint8_t *kcatch_elf_image_contents(const struct kcatch_elf_image *image,
					 const Elf64_Shdr *section);

#endif
