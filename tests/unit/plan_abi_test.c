// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: where arguments are. By the System V ABI for x86-64: integers in six registers, then
 * on the stack; floats move none of them, but those that find no vector register take the stack;
 * padding takes no register. By AAPCS64: eight registers; large structs by their address; 16-byte
 * aligned values begin at an even register; behind what no longer fits all is on the stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/btf.h>

#include <kcatch_text.h>
#include "btf_fixture.h"
#include "fetch/plan_data.h"

enum { INT = 1, FLOAT, WIDE, PAIR, LARGE, PADDED, NARROW, TWO, FLOATS, EMPTY };
enum { NOWHERE = -1, STACK = 100, ADDRESS = 10000, STACK_ADDRESS = 20000 };

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
	btf_fixture_type(&f, "two", BTF_KIND_STRUCT, false, 3, 16);
	btf_fixture_member(&f, "a", INT, 0, 0);
	btf_fixture_member(&f, "b", INT, 32, 0);
	btf_fixture_member(&f, "c", INT, 64, 0);
	btf_fixture_type(&f, "floats", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(&f, "a", FLOAT, 0, 0);
	btf_fixture_member(&f, "b", FLOAT, 64, 0);
	btf_fixture_type(&f, "empty", BTF_KIND_STRUCT, false, 0, 0);
	return btf_fixture_open(&f, &types);
}

static int close_types(void **state)
{
	(void)state;
	kcatch_types_close(types);
	return 0;
}

/* Registers by their number, places on the stack as STACK and the offset; of addresses likewise. */
static void check_by(const struct kcatch_arch *arch, uint32_t returned, const uint32_t *arguments,
		     const int *places, size_t nr)
{
	struct kcatch_type type;
	struct kcatch_abi abi;
	uint32_t first;
	uint64_t size;
	size_t i;

	assert_int_equal(kcatch_types_struct(types, "int", &type), 0);
	type.id = returned;
	kcatch_abi_begin(&abi, arch, type);
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
		case KCATCH_ABI_ADDRESS:
			place = ADDRESS + (int)first;
			break;
		case KCATCH_ABI_STACK_ADDRESS:
			place = STACK_ADDRESS + (int)first;
			break;
		case KCATCH_ABI_NOWHERE:
			break;
		}
		assert_int_equal(place, places[i]);
	}
}

static void check(uint32_t returned, const uint32_t *arguments, const int *places, size_t nr)
{
	check_by(&kcatch_arch_x86, returned, arguments, places, nr);
}

static void check_arm64(uint32_t returned, const uint32_t *arguments, const int *places, size_t nr)
{
	check_by(&kcatch_arch_arm64, returned, arguments, places, nr);
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

static void arm64_integers(void **state)
{
	(void)state;
	check_arm64(INT, (uint32_t[]){ INT, INT, INT, INT, INT, INT, INT, INT, INT, INT },
		    (int[]){ 0, 1, 2, 3, 4, 5, 6, 7, STACK, STACK + 8 }, 10);
	check_arm64(INT, (uint32_t[]){ PAIR, TWO, INT, EMPTY, INT },
		    (int[]){ 0, 1, 3, NOWHERE, 4 }, 5);
	/* Whatever the members are, or the padding between them, two words are two registers. */
	check_arm64(INT, (uint32_t[]){ PADDED, NARROW, INT }, (int[]){ 0, 2, 4 }, 3);
}

/* The address of a large result is in x8, which is no argument. */
static void arm64_large(void **state)
{
	(void)state;
	check_arm64(LARGE, (uint32_t[]){ INT, LARGE, INT }, (int[]){ 0, ADDRESS + 1, 2 }, 3);
	check_arm64(0, (uint32_t[]){ INT, INT, INT, INT, INT, INT, INT, INT, LARGE, INT },
		    (int[]){ 0, 1, 2, 3, 4, 5, 6, 7, STACK_ADDRESS, STACK + 8 }, 10);
}

static void arm64_registers_close(void **state)
{
	(void)state;
	check_arm64(0, (uint32_t[]){ INT, INT, INT, INT, INT, INT, INT, TWO, INT, INT },
		    (int[]){ 0, 1, 2, 3, 4, 5, 6, STACK, STACK + 16, STACK + 24 }, 10);
	/* x86-64 goes on to use them. */
	check(0, (uint32_t[]){ INT, INT, INT, INT, INT, TWO, INT, INT },
	      (int[]){ 0, 1, 2, 3, 4, STACK, 5, STACK + 16 }, 8);
}

static void arm64_even(void **state)
{
	(void)state;
	check_arm64(0, (uint32_t[]){ INT, WIDE, INT, INT, WIDE },
		    (int[]){ 0, 2, 4, 5, 6 }, 5);
	/* x7 is left over, and the stack is aligned as well. */
	check_arm64(0, (uint32_t[]){ INT, INT, INT, INT, INT, INT, INT, WIDE, INT, WIDE },
		    (int[]){ 0, 1, 2, 3, 4, 5, 6, STACK, STACK + 16, STACK + 32 }, 10);
}

/* Structs of floats are in registers that are not looked at: nothing is told from there on. */
static void arm64_floats(void **state)
{
	(void)state;
	check_arm64(0, (uint32_t[]){ FLOAT, INT, FLOAT, INT }, (int[]){ NOWHERE, 0, NOWHERE, 1 },
		    4);
	check_arm64(0, (uint32_t[]){ INT, FLOATS, INT }, (int[]){ 0, NOWHERE, NOWHERE }, 3);
}

/* A machine is found by its name, as recordings have it. */
static void machines(void **state)
{
	(void)state;
	assert_ptr_equal(kcatch_arch_of("x86_64"), &kcatch_arch_x86);
	assert_ptr_equal(kcatch_arch_of("aarch64"), &kcatch_arch_arm64);
	assert_null(kcatch_arch_of("s390x"));
	assert_int_equal(kcatch_arch_running()->user.words, KCATCH_USER_REGS);
	assert_string_equal(kcatch_plain_syscall("__x64_sys_read"), "sys_read");
	assert_string_equal(kcatch_plain_syscall("__arm64_sys_read"), "sys_read");
	assert_string_equal(kcatch_plain_syscall("vfs_read"), "vfs_read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(floats),
		cmocka_unit_test(padding),
		cmocka_unit_test(arm64_integers),
		cmocka_unit_test(arm64_large),
		cmocka_unit_test(arm64_registers_close),
		cmocka_unit_test(arm64_even),
		cmocka_unit_test(arm64_floats),
		cmocka_unit_test(machines),
	};

	return cmocka_run_group_tests(tests, open_types, close_types);
}
