// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: names of code made at run time are those of the last line that has the address;
 * lines that are none, and a last one that is being written, say nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "debuginfo/perf_map.h"

static struct kcatch_perf_map *read_text(const char *text, size_t length)
{
	int fd = memfd_create("map", MFD_CLOEXEC);
	struct kcatch_perf_map *map;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), length);
	map = kcatch_perf_map_read(fd, 7);
	close(fd);
	return map;
}

/* "name+offset"; "": none */
static const char *at(const struct kcatch_perf_map *map, uint64_t address)
{
	static char text[128];
	uint32_t offset = 0;
	const char *name = kcatch_perf_map_find(map, address, &offset);

	snprintf(text, sizeof(text), name ? "%s+%u" : "", name, offset);
	return text;
}

static void lines(void **state)
{
	static const char text[] = "1000 10 first\n"
				   "0x2000 0x20 with 0x, and blanks \n"
				   "10 1000\n"
				   "no line\n"
				   "3000  10 two blanks\n"
				   "3000 0 of no bytes\n"
				   "fffffffffffffff0 20 beyond the end\n"
				   "11112222333344445 10 too many digits\n"
				   "4000 10 \n"
				   "ffffffffffffffe0 1f highest\n"
				   "5000 10 is being written";
	struct kcatch_perf_map *map = read_text(text, sizeof(text) - 1);

	(void)state;
	assert_non_null(map);
	assert_string_equal(kcatch_perf_map_path(map), "/tmp/perf-7.map");
	assert_string_equal(at(map, 0xfff), "");
	assert_string_equal(at(map, 0x1000), "first+0");
	assert_string_equal(at(map, 0x100f), "first+15");
	assert_string_equal(at(map, 0x1010), "");
	assert_string_equal(at(map, 0x2001), "with 0x, and blanks +1");
	assert_string_equal(at(map, 0x3000), "");
	assert_string_equal(at(map, 0x4000), "");
	assert_string_equal(at(map, 0x5000), "");
	assert_string_equal(at(map, 0xffffffffffffffefULL), "highest+15");
	assert_string_equal(at(map, UINT64_MAX), "");
	kcatch_perf_map_destroy(map);
}

static void last_counts(void **state)
{
	static const char text[] = "1000 100 old\n"
				   "2000 100 longer\n"
				   "3000 10 same\n"
				   "1080 10 within\n"
				   "10f8 10 at its end\n"
				   "1ff0 18 at its begin\n"
				   "3000 10 again\n";
	struct kcatch_perf_map *map = read_text(text, sizeof(text) - 1);

	(void)state;
	assert_non_null(map);
	/* What is left of code that was written over was thrown away. */
	assert_string_equal(at(map, 0x1000), "");
	assert_string_equal(at(map, 0x1080), "within+0");
	assert_string_equal(at(map, 0x10f8), "at its end+0");
	assert_string_equal(at(map, 0x2004), "at its begin+20");
	assert_string_equal(at(map, 0x2010), "");
	assert_string_equal(at(map, 0x3001), "again+1");
	kcatch_perf_map_destroy(map);
}

/* A table of all addresses, into which one line after the other is put, says the same. */
static void random_lines(void **state)
{
	enum { ADDRESSES = 4000, LINES = 3000 };
	static char text[LINES * 32];
	int owner[ADDRESSES] = { 0 }, begin[LINES + 1] = { 0 }, i, j;
	char expected[32];
	struct kcatch_perf_map *map;
	size_t length = 0;

	(void)state;
	srandom(1);
	for (i = 1; i <= LINES; i++) {
		int size = 1 + (int)(random() % 20);

		begin[i] = (int)(random() % (ADDRESSES - 20));
		/* An older function of which a part is written over is gone as a whole. */
		for (j = 0; j < ADDRESSES; j++)
			if (owner[j] && j >= begin[i] && j < begin[i] + size) {
				int gone = owner[j], k;

				for (k = 0; k < ADDRESSES; k++)
					if (owner[k] == gone)
						owner[k] = 0;
			}
		for (j = begin[i]; j < begin[i] + size; j++)
			owner[j] = i;
		length += (size_t)sprintf(text + length, "%x %x f%d\n", begin[i], size, i);
	}
	map = read_text(text, length);
	assert_non_null(map);
	for (j = 0; j < ADDRESSES; j++) {
		/* A name of code that was thrown away may be left where nothing is. */
		if (!owner[j])
			continue;
		snprintf(expected, sizeof(expected), "f%d+%d", owner[j], j - begin[owner[j]]);
		assert_string_equal(at(map, (uint64_t)j), expected);
	}
	kcatch_perf_map_destroy(map);
}

static void no_lines(void **state)
{
	struct kcatch_perf_map *map = read_text("", 0);

	(void)state;
	assert_non_null(map);
	assert_string_equal(at(map, 0), "");
	kcatch_perf_map_destroy(map);
	assert_string_equal(at(NULL, 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(last_counts),
		cmocka_unit_test(random_lines),
		cmocka_unit_test(no_lines),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
