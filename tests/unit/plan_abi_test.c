// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: where arguments are, by the System V ABI for x86-64: integers in six registers, then
 * on the stack; floats move none of them, but those that find no vector register take the stack;
 * padding takes no register.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/btf.h>

#include "btf_fixture.h"
#include "fetch/plan_data.h"

enum { INT = 1, FLOAT, WIDE, PAIR, LARGE, PADDED, NARROW };
enum { NOWHERE = -1, STACK = 100 };

static struct kcatch_types *types;

static int open_types(void **state)
{
	struct btf_fixture f;

	(void)state;
	btf_fixture_init(&f);
	btf_fixture_int(&f, "int", 4, BTF_INT_SIGNED, 32);
	btf_fixture_type(&f, "double", BTF_KIND_FLOAT, false, 0, 8);
	btf_fixture_int(&f, "__int128", 16, BTF_INT_SIGNED, 128);
	btf_fixture_type(&f, "pair", BTF_KIND_STRUCT, false, 2, 8);
	btf_fixture_member(&f, "a", INT, 0, 0);
	btf_fixture_member(&f, "b", INT, 32, 0);
	btf_fixture_type(&f, "large", BTF_KIND_STRUCT, false, 1, 24);
	btf_fixture_member(&f, "a", INT, 0, 0);
	/* struct { int a; } of 16 bytes; a packed one whose last member is in the first word */
	btf_fixture_type(&f, "padded", BTF_KIND_STRUCT, false, 1, 16);
	btf_fixture_member(&f, "a", INT, 0, 0);
	btf_fixture_type(&f, "narrow", BTF_KIND_STRUCT, true, 2, 12);
	btf_fixture_member(&f, "a", INT, 0, 0);
	btf_fixture_member(&f, "b", INT, 32, 15);
	return btf_fixture_open(&f, &types);
}

static int close_types(void **state)
{
	(void)state;
	kcatch_types_close(types);
	return 0;
}

/* Registers by their number, places on the stack as STACK and the offset. */
static void check(uint32_t returned, const uint32_t *arguments, const int *places, size_t nr)
{
	struct kcatch_type type;
	struct kcatch_abi abi;
	uint32_t first;
	uint64_t size;
	size_t i;

	assert_int_equal(kcatch_types_struct(types, "int", &type), 0);
	type.id = returned;
	kcatch_abi_begin(&abi, type);
	for (i = 0; i < nr; i++) {
		int place = NOWHERE;

		type.id = arguments[i];
		switch (kcatch_abi_next(&abi, type, &first, &size)) {
		case KCATCH_ABI_REGISTERS:
			place = (int)first;
			break;
		case KCATCH_ABI_STACK:
			place = STACK + (int)first;
			break;
		case KCATCH_ABI_NOWHERE:
			break;
		}
		assert_int_equal(place, places[i]);
	}
}

static void integers(void **state)
{
	(void)state;
	check(INT, (uint32_t[]){ INT, INT, INT, INT, INT, INT, INT, INT },
	      (int[]){ 0, 1, 2, 3, 4, 5, STACK, STACK + 8 }, 8);
	check(LARGE, (uint32_t[]){ INT, LARGE, PAIR, INT }, (int[]){ 1, STACK, 2, 3 }, 4);
	check(0, (uint32_t[]){ INT, INT, INT, INT, INT, WIDE, INT, INT, WIDE },
	      (int[]){ 0, 1, 2, 3, 4, STACK, 5, STACK + 16, STACK + 32 }, 9);
}

static void floats(void **state)
{
	(void)state;
	check(0, (uint32_t[]){ FLOAT, INT, FLOAT, INT }, (int[]){ NOWHERE, 0, NOWHERE, 1 }, 4);
	/* Eight have registers; the ninth and the tenth are on the stack. */
	check(0, (uint32_t[]){ FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, LARGE, FLOAT,
			       FLOAT, INT, LARGE },
	      (int[]){ NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE,
		       STACK, NOWHERE, NOWHERE, 0, STACK + 40 }, 13);
}

/* A word of a struct that is nothing but padding takes no register. */
static void padding(void **state)
{
	(void)state;
	check(INT, (uint32_t[]){ PADDED, INT, NARROW, INT }, (int[]){ 0, 1, 2, 3 }, 4);
	check(INT, (uint32_t[]){ INT, INT, INT, INT, INT, NARROW, INT, NARROW },
	      (int[]){ 0, 1, 2, 3, 4, 5, STACK, STACK + 8 }, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(floats),
		cmocka_unit_test(padding),
	};

	return cmocka_run_group_tests(tests, open_types, close_types);
}
