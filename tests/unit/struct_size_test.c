// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * struct_size_test.c - structs that programs fill in: a size that is not the library's is refused
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_stuck.h>
#include "base/struct_size.h"

struct ours { size_t size; int first; int second; };

static int copy(struct ours *own, const void *given)
{
	memset(own, 0xff, sizeof(*own));
	return kcatch_struct_copy(own, sizeof(*own), given, "ours");
}

static void test_same(void **state)
{
	const struct ours given = { .size = sizeof(given), .first = 1, .second = 2 };
	struct ours own;

	(void)state;
	assert_int_equal(copy(&own, &given), 0);
	assert_memory_equal(&own, &given, sizeof(own));
}

static void test_other(void **state)
{
	const size_t sizes[] = { 0, 1, sizeof(struct ours) - 1, sizeof(struct ours) + 1, SIZE_MAX };
	struct ours own, given = { .first = 1 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		given.size = sizes[i];
		assert_int_equal(copy(&own, &given), -EINVAL);
		assert_int_equal(own.first, 0);
		assert_non_null(strstr(kcatch_error_text(), ".size = sizeof(x)"));
	}
	assert_int_equal(copy(&own, NULL), -EINVAL);
}

/* Every function that takes such a struct looks at its size first: there need be no session. */
static void test_all_are_checked(void **state)
{
	const struct kcatch_request request = { .budget = 1 };
	const struct kcatch_request good = { .size = sizeof(good) };
	const struct kcatch_signals_request none = { .gate = &good };
	const struct kcatch_signals_request gate = { .size = sizeof(gate), .gate = &request };
	const struct kcatch_recorder_options options = { .directory = "/nowhere" };
	const struct kcatch_recorder_options asked = { .size = sizeof(asked), .request = &request };
	const struct kcatch_stuck_options what = { .pid = 1 };
	struct kcatch_recorder *recorder;
	const struct kcatch_stuck *stuck;

	(void)state;
	assert_int_equal(kcatch_session_setup(NULL, 0, &request), -EINVAL);
	assert_int_equal(kcatch_session_add(NULL, &request), -EINVAL);
	assert_int_equal(kcatch_session_watch(NULL, "jiffies", false, &request), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "kcatch_request"));
	assert_int_equal(kcatch_session_signals(NULL, &none), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "kcatch_signals_request"));
	assert_int_equal(kcatch_session_signals(NULL, &gate), -EINVAL);
	assert_int_equal(kcatch_recorder_create(NULL, &options, &recorder), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "kcatch_recorder_options"));
	assert_int_equal(kcatch_recorder_create(NULL, &asked, &recorder), -EINVAL);
	assert_int_equal(kcatch_recorder_snapshot(NULL, &options, NULL), -EINVAL);
	assert_int_equal(kcatch_recorder_prepare(NULL, &options), -EINVAL);
	assert_int_equal(kcatch_stuck_create(NULL, &what, &stuck), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "kcatch_stuck_options"));
}

static void test_init(void **state)
{
	struct kcatch_recorder_options options;
	struct kcatch_signals_request signals;
	struct kcatch_stuck_options what;
	struct kcatch_request request;
	const struct kcatch_request zero = { .size = sizeof(zero) };

	(void)state;
	memset(&request, 0xff, sizeof(request));
	kcatch_request_init(&request);
	assert_memory_equal(&request, &zero, sizeof(request));
	kcatch_signals_request_init(&signals);
	assert_int_equal(signals.size, sizeof(signals));
	assert_null(signals.gate);
	kcatch_recorder_options_init(&options);
	assert_int_equal(options.size, sizeof(options));
	assert_null(options.directory);
	kcatch_stuck_options_init(&what);
	assert_int_equal(what.size, sizeof(what));
	assert_int_equal(what.pid, 0);
}

/* A name that is too long for the kernel was written past the end of what ADD gets. */
static void test_long_comm(void **state)
{
	const struct kcatch_request request = { .size = sizeof(request),
						.comm = "sixteen letters!" };
	const struct kcatch_signals_request signals = { .size = sizeof(signals), .gate = &request };

	(void)state;
	assert_int_equal(kcatch_session_watch(NULL, "jiffies", false, &request), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "at most 15 bytes"));
	assert_int_equal(kcatch_session_signals(NULL, &signals), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same), cmocka_unit_test(test_other),
		cmocka_unit_test(test_all_are_checked), cmocka_unit_test(test_init),
		cmocka_unit_test(test_long_comm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
