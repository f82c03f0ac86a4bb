// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: sections of an ELF file are found by name; a file that is cut off anywhere
 * or has any word of its tables changed is refused or read inside its bounds.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/elf_image.h"

#define NAMES "\0.names\0.data\0.dat"
#define DATA "twelve bytes"

/* Header, contents, and behind them the table of three sections. */
struct file {
	Elf64_Ehdr head;
	char names[24];
	char data[16];
	Elf64_Shdr sections[4];
};

static struct file whole(void)
{
	struct file file = {
		.head = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 },
			.e_shoff = offsetof(struct file, sections), .e_shnum = 4,
			.e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = 1,
		},
		.names = NAMES, .data = DATA,
		.sections = {
			[1] = { .sh_name = 1, .sh_offset = offsetof(struct file, names),
				.sh_size = sizeof(NAMES) },
			[2] = { .sh_name = 8, .sh_offset = offsetof(struct file, data),
				.sh_size = sizeof(DATA) },
			[3] = { .sh_name = 14 },
		},
	};

	return file;
}

static void finds_by_name(void **state)
{
	struct file file = whole();
	struct kcatch_elf_image image;
	const Elf64_Shdr *section;

	(void)state;
	assert_int_equal(kcatch_elf_image_init(&image, (void *)&file, sizeof(file)), 0);
	section = kcatch_elf_image_find(&image, ".data");
	assert_ptr_equal(section, &file.sections[2]);
	assert_string_equal(kcatch_elf_image_contents(&image, section), DATA);
	assert_ptr_equal(kcatch_elf_image_find(&image, ".dat"), &file.sections[3]);
	assert_null(kcatch_elf_image_find(&image, ".da"));
	assert_null(kcatch_elf_image_find(&image, ".data2"));
}

static void knows_what_is_none(void **state)
{
	static const uint8_t raw[] = { 0x9f, 0xeb, 1, 0, 24, 0, 0, 0 };
	struct file file = whole();
	struct kcatch_elf_image image;

	(void)state;
	assert_int_equal(kcatch_elf_image_init(&image, raw, sizeof(raw)), -ENOEXEC);
	assert_int_equal(kcatch_elf_image_init(&image, raw, 0), -ENOEXEC);
	file.head.e_ident[EI_CLASS] = ELFCLASS32;
	assert_int_equal(kcatch_elf_image_init(&image, (void *)&file, sizeof(file)), -EINVAL);
}

/* In memory of exactly that size: a sanitizer sees what reads beyond. */
static int use(const struct file *file, size_t size)
{
	struct kcatch_elf_image image;
	uint8_t *bytes = malloc(size);
	volatile uint8_t sum = 0;
	uint32_t i;
	size_t at;
	int ret;

	assert_non_null(bytes);
	memcpy(bytes, file, size);
	ret = kcatch_elf_image_init(&image, bytes, size);
	if (!ret)
		kcatch_elf_image_find(&image, ".data");
	for (i = 0; !ret && i < image.nr_sections; i++) {
		const uint8_t *contents = kcatch_elf_image_contents(&image, &image.sections[i]);

		for (at = 0; contents && at < image.sections[i].sh_size; at++)
			sum += contents[at];
	}
	free(bytes);
	return ret;
}

static void stays_inside(void **state)
{
	static const uint16_t words[] = { 0, 1, 4, 0x7fff, 0xffff };
	const struct file good = whole();
	size_t size, i;

	(void)state;
	assert_int_equal(use(&good, sizeof(good)), 0);
	for (size = 1; size < sizeof(good); size++)
		assert_int_not_equal(use(&good, size), 0);
	for (size = sizeof(good.head.e_ident); size < sizeof(good); size += 2) {
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			struct file bad = good;

			memcpy((char *)&bad + size, &words[i], 2);
			use(&bad, sizeof(bad));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_by_name),
		cmocka_unit_test(knows_what_is_none),
		cmocka_unit_test(stays_inside),
	};

	return cmocka_run_group_tests_name("ELF sections", tests, NULL, NULL);
}
