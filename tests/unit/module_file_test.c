/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module_file_test.c - a module's file in the current directory, where others may write
 *
 * Description: what was checked is what is read, also when the name is another file by then; own
 * links are followed, those of others are not, and nothing but a regular file is a module.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/image_file.h"
#include "symbols/module_file.h"

#define NAME "kcatch_of_nobody"
#define OTHER_USER 65534

static char directory[] = "/tmp/kcatch_module_file.XXXXXX";

static int set_up(void **state)
{
	(void)state;
	unsetenv("KCATCH_DEBUG_PATH");
	return !mkdtemp(directory) || chdir(directory);
}

static int tear_down(void **state)
{
	(void)state;
	return chdir("/") || rmdir(directory);
}

static int remove_all(void **state)
{
	(void)state;
	unlink(NAME ".ko");
	unlink("built.ko");
	return 0;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static int open_module(void)
{
	char path[300];

	return kcatch_module_file_open(NAME, path, sizeof(path));
}

static void expect_text(int file, const char *text)
{
	uint8_t *bytes;
	size_t size;

	assert_true(file >= 0);
	assert_int_equal(kcatch_image_read(NAME ".ko", file, &bytes, &size), 0);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(bytes, text, size);
	free(bytes);
}

static void what_was_checked_is_read(void **state)
{
	int file;

	(void)state;
	assert_int_equal(open_module(), -ENOENT);
	write_file(NAME ".ko", "ours");
	file = open_module();
	write_file("built.ko", "theirs");
	assert_int_equal(rename("built.ko", NAME ".ko"), 0);
	expect_text(file, "ours");
	expect_text(file, "ours");	/* again from its beginning */
	close(file);
}

static void own_links_are_followed(void **state)
{
	int file;

	(void)state;
	write_file("built.ko", "built");
	assert_int_equal(symlink("built.ko", NAME ".ko"), 0);
	file = open_module();
	expect_text(file, "built");
	close(file);
	unlink("built.ko");
	assert_int_equal(open_module(), -ENOENT);
}

static void what_is_no_file_is_none(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(NAME ".ko", 0600), 0);
	assert_int_equal(open_module(), -ENOENT);
	assert_int_equal(rename(NAME ".ko", "built.ko"), 0);
	assert_int_equal(symlink("built.ko", NAME ".ko"), 0);
	assert_int_equal(open_module(), -ENOENT);
}

static void files_and_links_of_others_are_none(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	write_file("built.ko", "built");
	assert_int_equal(symlink("built.ko", NAME ".ko"), 0);
	assert_int_equal(lchown(NAME ".ko", OTHER_USER, OTHER_USER), 0);
	assert_int_equal(open_module(), -ENOENT);
	assert_int_equal(lchown(NAME ".ko", 0, 0), 0);
	assert_int_equal(chown("built.ko", OTHER_USER, OTHER_USER), 0);
	assert_int_equal(open_module(), -ENOENT);
	assert_int_equal(rename("built.ko", NAME ".ko"), 0);
	assert_int_equal(open_module(), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_was_checked_is_read, remove_all),
		cmocka_unit_test_teardown(own_links_are_followed, remove_all),
		cmocka_unit_test_teardown(what_is_no_file_is_none, remove_all),
		cmocka_unit_test_teardown(files_and_links_of_others_are_none, remove_all),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
