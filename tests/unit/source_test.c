// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: an address of a file with debug information gives its inlined functions,
 * innermost first, with their lines; linked or not; and a file of another build or without
 * debug information is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "debuginfo/debug_file.h"
#include "debuginfo/source.h"
#include "program_fixture.h"

/* The numbers of lines matter. */
static const char program[] =
	"extern int sink(int);\n"
	"static inline __attribute__((always_inline)) int inner(int x)\n"
	"{\n"
	"	return sink(x + 1) + 1;\n"	/* 4 */
	"}\n"
	"static inline __attribute__((always_inline)) int middle(int x)\n"
	"{\n"
	"	return inner(x * 3) + 2;\n"	/* 8 */
	"}\n"
	"int outer(int x)\n"
	"{\n"
	"	return middle(x) ^ 5;\n"	/* 12 */
	"}\n"
	"__asm__(\".globl no_function\\nno_function: nop\");\n"
	"int plain(int x)\n"
	"{\n"
	"	return x - 7;\n"		/* 17 */
	"}\n";

#define BUILD "-fPIC -fcf-protection=none"

static char directory[] = "/tmp/kcatch-source-XXXXXX";
static struct kcatch_libdw dw;

static void path_of(char *path, size_t room, const char *name)
{
	snprintf(path, room, "%s/%s", directory, name);
}

static int setup(void **state)
{
	(void)state;
	return program_fixture_init(directory, program) ||
	       kcatch_libdw_open(&dw) ||
	       program_fixture_build(directory, BUILD " -g -shared -Wl,--build-id", "lines.so") ||
	       program_fixture_build(directory, BUILD " -shared -Wl,--build-id", "bare.so") ||
	       program_fixture_build(directory, BUILD " -g -c -ffunction-sections", "module.o");
}

static int teardown(void **state)
{
	(void)state;
	kcatch_libdw_close(&dw);
	return program_fixture_deinit(directory);
}

/* The build-id as binutils see it, by way of the section alone. */
static void build_id(const char *name, struct kcatch_build_id *id)
{
	char command[512], path[256];

	snprintf(command, sizeof(command),
		 "cd %s && objcopy -O binary --only-section=.note.gnu.build-id %s notes", directory,
		 name);
	assert_int_equal(system(command), 0);
	path_of(path, sizeof(path), "notes");
	assert_int_equal(kcatch_build_id_read(path, id), 0);
}

static struct kcatch_debug_file *open_file(const char *name)
{
	struct kcatch_debug_file *file;
	struct kcatch_build_id id;
	char path[256];

	build_id(name, &id);
	path_of(path, sizeof(path), name);
	assert_int_equal(kcatch_debug_file_open(&dw, path, &id, &file), 0);
	return file;
}

static bool ends_with(const char *text, const char *end)
{
	return text && strlen(text) >= strlen(end) &&
	       !strcmp(text + strlen(text) - strlen(end), end);
}

/* Somewhere in the 64 bytes from @start on are all three functions, as the source has them. */
static void expect_inlined(struct kcatch_debug_file *file, uint64_t start)
{
	struct kcatch_source_line lines[8];
	const char *compiled = NULL;
	unsigned int seen = 0;
	uint64_t at;

	for (at = start; at < start + 64; at++) {
		uint32_t nr = kcatch_debug_file_lines(file, at, lines, 8, &compiled);

		if (nr != 3)
			continue;
		assert_string_equal(compiled, directory);
		assert_string_equal(lines[0].function, "inner");
		assert_string_equal(lines[1].function, "middle");
		assert_string_equal(lines[2].function, "outer");
		assert_true(ends_with(lines[0].file, "/p.c"));
		assert_true(ends_with(lines[1].file, "/p.c"));
		assert_true(ends_with(lines[2].file, "/p.c"));
		assert_int_equal(lines[1].line, 8);
		assert_int_equal(lines[2].line, 12);
		seen += lines[0].line == 4;
		/* Where there is no room the outer ones are left out. */
		assert_int_equal(kcatch_debug_file_lines(file, at, lines, 2, &compiled), 2);
		assert_string_equal(lines[1].function, "middle");
	}
	assert_true(seen > 0);
}

static void linked(void **state)
{
	struct kcatch_debug_file *file = open_file("lines.so");
	struct kcatch_source_line lines[8];
	const char *compiled;
	uint64_t address;

	(void)state;
	assert_true(kcatch_debug_file_symbol(file, "outer", &address));
	expect_inlined(file, address);
	assert_int_equal(kcatch_debug_file_lines(file, address, lines, 8, &compiled) > 0, 1);
	assert_true(kcatch_debug_file_symbol(file, "plain", &address));
	assert_int_equal(kcatch_debug_file_lines(file, address, lines, 8, &compiled), 1);
	assert_string_equal(lines[0].function, "plain");
	assert_int_equal(lines[0].line, 17);
	assert_false(kcatch_debug_file_symbol(file, "no such symbol", &address));
	assert_int_equal(kcatch_debug_file_lines(file, 0x7fffffff, lines, 8, &compiled), 0);
	kcatch_debug_file_close(file);
}

/* A module's code is in sections that the kernel places one by one. */
static void relocatable(void **state)
{
	struct kcatch_debug_file *file;
	struct kcatch_source_line lines[8];
	char command[512];
	const char *compiled;
	uint64_t address, size;

	(void)state;
	snprintf(command, sizeof(command), "cd %s && ld -r --build-id=sha1 -o module.ko module.o",
		 directory);
	assert_int_equal(system(command), 0);
	file = open_file("module.ko");
	assert_true(kcatch_debug_file_section(file, ".text.outer", &address, &size));
	expect_inlined(file, address);
	assert_true(kcatch_debug_file_section(file, ".text.plain", &address, &size));
	assert_true(size > 0 && size < 64);
	assert_int_equal(kcatch_debug_file_lines(file, address, lines, 8, &compiled), 1);
	assert_string_equal(lines[0].function, "plain");
	assert_int_equal(lines[0].line, 17);
	assert_false(kcatch_debug_file_section(file, ".text.none", &address, &size));
	kcatch_debug_file_close(file);
}

static void refused(void **state)
{
	struct kcatch_debug_file *file = NULL;
	struct kcatch_build_id id;
	char path[256];

	(void)state;
	path_of(path, sizeof(path), "lines.so");
	build_id("lines.so", &id);
	id.bytes[3] ^= 1;
	assert_int_equal(kcatch_debug_file_open(&dw, path, &id, &file), -ESTALE);
	id.bytes[3] ^= 1;
	id.size--;
	assert_int_equal(kcatch_debug_file_open(&dw, path, &id, &file), -ESTALE);
	id.size = 0;
	assert_int_equal(kcatch_debug_file_open(&dw, path, &id, &file), -ESTALE);
	path_of(path, sizeof(path), "bare.so");
	build_id("bare.so", &id);
	assert_int_equal(kcatch_debug_file_open(&dw, path, &id, &file), -ENODATA);
	path_of(path, sizeof(path), "p.c");
	assert_true(kcatch_debug_file_open(&dw, path, &id, &file) < 0);
	path_of(path, sizeof(path), "none");
	assert_true(kcatch_debug_file_open(&dw, path, &id, &file) < 0);
	assert_null(file);
}

static void useful(void **state)
{
	static const struct {
		const char *name;
		bool useful;
	} files[] = { { "lines.so", true }, { "module.o", true }, { "bare.so", false },
		      { "p.c", false }, { "none", false }, { ".", false } };
	char path[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		path_of(path, sizeof(path), files[i].name);
		assert_int_equal(kcatch_debug_file_is_useful(path), files[i].useful);
	}
}

/* Whatever this machine is: addresses of nothing have no lines. */
static void nothing(void **state)
{
	struct kcatch_source_line lines[4];
	struct kcatch_source *source;

	(void)state;
	assert_int_equal(kcatch_source_open(&source), 0);
	assert_int_equal(kcatch_source_lines(source, 0, true, lines, 4), 0);
	assert_int_equal(kcatch_source_lines(source, 0, false, lines, 4), 0);
	assert_int_equal(kcatch_source_lines(source, 0x1000, true, lines, 0), 0);
	kcatch_source_close(source);
	kcatch_source_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linked),
		cmocka_unit_test(relocatable),
		cmocka_unit_test(refused),
		cmocka_unit_test(useful),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests_name("source lines", tests, setup, teardown);
}
