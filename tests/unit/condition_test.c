// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: conditions find arguments where the processor has them, in registers and on
 * the stack, structs among them; what counts as a failure, type by type; names of the
 * kernel; and what is nearly a type.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "btf_fixture.h"
#include "code_fixture.h"
#include "condition/condition.h"
#include <kcatch.h>

#define END BTF_FIXTURE_END

/*
 * a b pair.first pair.second c d are in registers; the rest, with a struct too large for
 * registers among it, on the stack: big (24 bytes), e, late, last, call.
 */
static int open_types(void **state)
{
	struct btf_fixture_parameter parameters[] = {
		{ "a", 0 }, { "b", 0 }, { "pair", 0 }, { "c", 0 }, { "d", 0 }, { "big", 0 },
		{ "e", 0 }, { "late", 0 }, { "last", 0 }, { "call", 0 }, END };
	const struct btf_fixture_parameter none[] = { END };
	uint32_t number, wide, small, yes, pair, big, color, i;
	static struct btf_fixture f;
	struct kcatch_types *types;

	btf_fixture_init(&f);
	number = btf_fixture_int(&f, "int", 4, BTF_INT_SIGNED, 32);
	wide = btf_fixture_int(&f, "long int", 8, BTF_INT_SIGNED, 64);
	small = btf_fixture_int(&f, "unsigned int", 4, 0, 32);
	yes = btf_fixture_int(&f, "_Bool", 1, BTF_INT_BOOL, 8);
	pair = btf_fixture_type(&f, "pair", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(&f, "first", wide, 0, 0);
	btf_fixture_member(&f, "second", number, 64, 0);
	big = btf_fixture_type(&f, "big", BTF_KIND_STRUCT, false, 2, 24);
	btf_fixture_member(&f, "x", wide, 0, 0);
	btf_fixture_member(&f, "z", number, 160, 0);
	color = btf_fixture_type(&f, "color", BTF_KIND_ENUM, false, 2, 4);
	btf_fixture_word(&f, btf_fixture_name(&f, "RED_ONE"));
	btf_fixture_word(&f, 7);
	btf_fixture_word(&f, btf_fixture_name(&f, "small_one"));
	btf_fixture_word(&f, 8);
	btf_fixture_type(&f, "flags", BTF_KIND_ENUM, false, 1, 4);
	btf_fixture_word(&f, btf_fixture_name(&f, "LATE_FLAG"));
	btf_fixture_word(&f, 0xeffffffe);
	btf_fixture_type(&f, "signed_ones", BTF_KIND_ENUM, true, 1, 4);
	btf_fixture_word(&f, btf_fixture_name(&f, "BELOW"));
	btf_fixture_word(&f, (uint32_t)-1);
	btf_fixture_int(&f, "__int128", 16, BTF_INT_SIGNED, 128);
	i = btf_fixture_array(&f, btf_fixture_int(&f, "char", 1, 0, 8), 16);
	btf_fixture_type(&f, "named", BTF_KIND_STRUCT, false, 2, 24);
	btf_fixture_member(&f, "number", wide, 0, 0);
	btf_fixture_member(&f, "name", i, 64, 0);
	/* Two files have a struct slot each, and the second one is an argument. */
	btf_fixture_type(&f, "slot", BTF_KIND_STRUCT, false, 1, 8);
	btf_fixture_member(&f, "number", wide, 0, 0);
	i = btf_fixture_type(&f, "slot", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(&f, "list", wide, 0, 0);
	btf_fixture_member(&f, "number", wide, 64, 0);
	i = btf_fixture_pointer(&f, i);
	btf_fixture_function(&f, "slots", number, (struct btf_fixture_parameter[]){
		{ "slot", i }, { "data", wide }, END });
	for (i = 0; i < 2; i++) {
		btf_fixture_type(&f, "twice", BTF_KIND_STRUCT, false, 1, 8);
		btf_fixture_member(&f, "number", wide, 0, 0);
	}
	for (i = 0; i < 9; i++)
		parameters[i].type = number;
	parameters[2].type = pair;
	parameters[5].type = big;
	parameters[7].type = wide;
	i = btf_fixture_type(&f, NULL, BTF_KIND_FUNC_PROTO, false, 0, number);
	parameters[9].type = btf_fixture_pointer(&f, i);
	btf_fixture_function(&f, "f", number, parameters);
	btf_fixture_function(&f, "number", number, none);
	btf_fixture_function(&f, "wide", wide, none);
	btf_fixture_function(&f, "small", small, none);
	btf_fixture_function(&f, "bool", yes, none);
	btf_fixture_function(&f, "pointer", btf_fixture_pointer(&f, pair), none);
	btf_fixture_function(&f, "nothing", 0, none);
	btf_fixture_function(&f, "enum", color, none);
	if (btf_fixture_open(&f, &types))
		return -1;
	*state = types;
	return 0;
}

static int close_types(void **state)
{
	kcatch_types_close(*state);
	return 0;
}

static int compile(struct kcatch_types *types, const char *function, const char *text,
		   unsigned int fails, struct kcatch_condition_code *code)
{
	struct kcatch_type proto = { .id = 0 };
	struct kcatch_expression *expression = NULL;
	int ret;

	if (function)
		assert_int_equal(kcatch_types_function(types, NULL, function, &proto), 0);
	if (text && kcatch_expression_parse(text, &expression))
		fail_msg("%s", kcatch_error_text());
	ret = kcatch_condition_compile(expression, types, proto, true, fails, code);
	kcatch_expression_destroy(expression);
	return ret;
}

static bool holds(const struct kcatch_condition_code *code, const struct code_input *data)
{
	return code_says(code, data) == '1';
}

/* The char of these types has no sign, as in kernels since 6.2. Others: condition_cases.inc. */
static void character(void **state)
{
	static const struct {
		const char *text;
		uint64_t arg0;
		bool holds;
	} cases[] = {
		{ "a == '\\x80'", 128, true }, { "a == '\\x80'", (uint64_t)-128, false },
		{ "a == '\\200'", 128, true }, { "'\\xff' > 0", 0, true },
		{ "(char)a > 200", 0xffff, true }, { "(char)a < 0", 0xffff, false },
		{ "(signed char)a < 0", 0xffff, true }, { "a == 'A'", 65, true },
	};
	struct code_input data = { .pid = 1 };
	struct kcatch_condition_code code;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (compile(*state, "f", cases[i].text, 0, &code))
			fail_msg("%s: %s", cases[i].text, kcatch_error_text());
		data.args[0] = cases[i].arg0;
		if (holds(&code, &data) != cases[i].holds)
			fail_msg("%s of %#llx", cases[i].text, (unsigned long long)cases[i].arg0);
		kcatch_condition_code_deinit(&code);
	}
	/* Without types nobody knows. */
	assert_int_equal(compile(NULL, NULL, "arg0 == '\\x80'", 0, &code), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "char"));
	assert_int_equal(compile(NULL, NULL, "(char)arg0 == 1", 0, &code), -EINVAL);
	assert_int_equal(compile(NULL, NULL, "arg0 == 'A'", 0, &code), 0);
	kcatch_condition_code_deinit(&code);
}

static void places(void **state)
{
	static const struct {
		const char *text;
		int32_t stack;		/* byte of it; -1: a register */
		unsigned int reg;
		uint64_t value, other;
	} table[] = {
		{ "a == -3", -1, 0, 0xfffffffd, 3 },
		{ "pair.first == 0x123456789", -1, 2, 0x123456789, 0x23456789 },
		{ "pair.second == 5", -1, 3, 0xaa00000005, 0x500000000 },
		{ "d == 9", -1, 5, 9, 8 },
		{ "big.x == -1", 0, 0, ~0ULL, UINT32_MAX },
		{ "big.z == 4", 16, 0, 4ULL << 32, 4 },
		{ "e == 6", 24, 0, 0xbb00000006, 0x600000000 },
		{ "late == 0x100000000", 32, 0, 0x100000000, 0 },
		{ "last == -7", 40, 0, 0xfffffff9, 7 },
		{ "last != -7 && last", 40, 0, 7, 0xfffffff9 },
	};
	struct kcatch_condition_code code;
	struct code_input data;
	size_t i, wrong;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (compile(*state, "f", table[i].text, 0, &code))
			fail_msg("%s", kcatch_error_text());
		for (wrong = 0; wrong < 2; wrong++) {
			uint64_t value = wrong ? table[i].other : table[i].value;

			memset(&data, 0, sizeof(data));
			if (table[i].stack < 0) {
				assert_int_equal(code.nr_fields, 0);
				data.args[table[i].reg] = value;
			} else {
				assert_int_equal(code.fields[0].from, KCATCH_ITEM_STACK);
				assert_int_equal(code.fields[0].start, table[i].stack);
				memcpy(data.fields, &value, 8);
			}
			if (holds(&code, &data) == wrong)
				fail_msg("%s of %llx", table[i].text, (unsigned long long)value);
		}
		kcatch_condition_code_deinit(&code);
	}
	assert_int_equal(compile(*state, "f", "big == 1", 0, &code), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "struct big is no number"));
}

static void failures(void **state)
{
	enum { E = KCATCH_FAILS_ERRNO, F = KCATCH_FAILS_FALSE };
	static const struct {
		const char *function;
		unsigned int fails;
		uint64_t ret;
		int holds;	/* -1: the type cannot say */
	} table[] = {
		{ "number", E, (uint32_t)-5, 1 }, { "number", E, 0xabcd0000fffffffb, 1 },
		{ "number", E, (uint32_t)-4095, 1 }, { "number", E, (uint32_t)-4096, 0 },
		{ "number", E, 0, 0 }, { "number", F, (uint32_t)-5, -1 },
		{ "wide", E, (uint64_t)-12, 1 }, { "wide", E, (uint32_t)-12, 0 },
		{ "wide", E, (uint64_t)-4096, 0 }, { "pointer", E, 0, 1 },
		{ "pointer", E, (uint64_t)-2, 1 }, { "pointer", E, 0xffff888000000000, 0 },
		{ "bool", E, 0, -1 }, { "bool", E | F, 0xff00, 1 }, { "bool", E | F, 1, 0 },
		{ "small", E | F, (uint32_t)-5, -1 }, { "enum", E | F, (uint32_t)-5, -1 },
		{ "nothing", E | F, 0, -1 }, { NULL, E, (uint64_t)-5, 1 },
		{ NULL, E, (uint32_t)-5, 1 }, { NULL, E, 0, 0 }, { NULL, E, 1ULL << 40, 0 },
	};
	struct kcatch_condition_code code;
	struct code_input data;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int ret = compile(*state, table[i].function, NULL, table[i].fails, &code);

		if (table[i].holds < 0) {
			assert_int_equal(ret, -EOPNOTSUPP);
			continue;
		}
		assert_int_equal(ret, 0);
		assert_int_equal(code.nr_entry, 0);
		memset(&data, 0, sizeof(data));
		data.ret = table[i].ret;
		if (holds(&code, &data) != table[i].holds)
			fail_msg("case %zu: %s", i, table[i].function ? table[i].function : "no types");
		kcatch_condition_code_deinit(&code);
	}
}

static void kernel_names(void **state)
{
	struct code_input data = { .args[0] = 7 };
	struct kcatch_condition_code code;

	if (compile(*state, "f", "a == RED_ONE && b == TASK_RUNNING", 0, &code))
		fail_msg("%s", kcatch_error_text());
	assert_true(holds(&code, &data));
	kcatch_condition_code_deinit(&code);
	/* Every enum has names like this one: an argument is meant. */
	assert_int_equal(compile(*state, "f", "a == small_one", 0, &code), -ENOENT);
	assert_int_equal(compile(*state, "f", "((struct pear *)late)->first == 1", 0, &code),
			 -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "did you mean struct pair"));
	assert_int_equal(compile(*state, "f", "late == &there_is_no_such_thing", 0, &code),
			 -ENOENT);
	assert_int_equal(compile(*state, "f", "call == no_function_is_called_so", 0, &code),
			 -ENOENT);
	assert_non_null(strstr(kcatch_error_text(), "there is no no_function_is_called_so"));
}

/* An enumerator whose highest bit is set is no negative number where its enum is unsigned. */
static void high_enumerators(void **state)
{
	struct code_input data = { .args[0] = 7 };
	struct kcatch_condition_code code;
	uint64_t late = 0xeffffffe;

	if (compile(*state, "f", "late == LATE_FLAG", 0, &code))
		fail_msg("%s", kcatch_error_text());
	memcpy(data.fields, &late, sizeof(late));
	assert_true(holds(&code, &data));
	late = 0xffffffffeffffffe;
	memcpy(data.fields, &late, sizeof(late));
	assert_false(holds(&code, &data));
	kcatch_condition_code_deinit(&code);
}

static void expect_refused(struct kcatch_types *types, const char *text, const char *why)
{
	struct kcatch_condition_code code;

	assert_true(compile(types, "f", text, 0, &code) < 0);
	if (!strstr(kcatch_error_text(), why))
		fail_msg("%s: %s", text, kcatch_error_text());
}

/* A struct's name that several have, with other members. */
static void structs_of_one_name(void **state)
{
	struct kcatch_condition_code code;

	expect_refused(*state, "((struct slot *)late)->number == 3",
		       "several types of the kernel are called 'struct slot', and they differ");
	if (compile(*state, "f", "((struct twice *)late)->number == 3", 0, &code))
		fail_msg("%s", kcatch_error_text());
	kcatch_condition_code_deinit(&code);
	if (compile(*state, "slots", "((struct slot *)data)->number == 3", 0, &code))
		fail_msg("%s", kcatch_error_text());
	assert_int_equal(code.fields[0].put, KCATCH_ITEM_WORD);
	assert_int_equal(code.fields[0].offset, 8);
	kcatch_condition_code_deinit(&code);
}

/* A module's struct that is called like one of the kernel's: each side means its own. */
static void struct_of_the_module(void **state)
{
	static struct btf_fixture kernel, module;
	struct kcatch_expression *expression;
	struct kcatch_condition_code code;
	struct kcatch_types *types;
	struct kcatch_type proto;
	uint32_t wide, i;

	(void)state;
	btf_fixture_init(&kernel);
	wide = btf_fixture_int(&kernel, "long int", 8, BTF_INT_SIGNED, 64);
	btf_fixture_type(&kernel, "state", BTF_KIND_STRUCT, false, 1, 8);
	btf_fixture_member(&kernel, "number", wide, 0, 0);
	btf_fixture_function(&kernel, "f", wide, (struct btf_fixture_parameter[]){
		{ "data", wide }, END });
	btf_fixture_init_module(&module, &kernel);
	btf_fixture_type(&module, "state", BTF_KIND_STRUCT, false, 2, 16);
	btf_fixture_member(&module, "list", wide, 0, 0);
	btf_fixture_member(&module, "number", wide, 64, 0);
	btf_fixture_function(&module, "g", wide, (struct btf_fixture_parameter[]){
		{ "data", wide }, END });
	assert_int_equal(btf_fixture_open_with_module(&kernel, &module, &types), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(kcatch_types_function(types, i ? "module" : NULL, i ? "g" : "f",
						       &proto), 0);
		assert_int_equal(kcatch_expression_parse("((struct state *)data)->number == 3",
							 &expression), 0);
		if (kcatch_condition_compile(expression, types, proto, false, 0, &code))
			fail_msg("%s", kcatch_error_text());
		assert_int_equal(code.fields[0].put, KCATCH_ITEM_WORD);
		assert_int_equal(code.fields[0].offset, i ? 8 : 0);
		kcatch_condition_code_deinit(&code);
		kcatch_expression_destroy(expression);
	}
	kcatch_types_close(types);
}

/* What would be cut to another number or place. */
static void too_large(void **state)
{
	expect_refused(*state, "(__int128)late == 0x100000000",
		       "a number of 16 bytes is not supported");
	expect_refused(*state, "((struct named *)late)[100000000].name == \"x\"",
		       "the offset is too large");
	expect_refused(*state, "((struct named *)late)[100000000].number == 1",
		       "the offset is too large");
	expect_refused(*state, "((struct named *)late)[-100000000].name == \"x\"",
		       "the offset is too large");
}

/* A condition on what @function returned. */
struct returned {
	const char *function;	/* NULL: without types */
	const char *text;
	uint64_t ret;
	bool holds;
};

static void try_returned(struct kcatch_types *types, const struct returned *table, size_t nr)
{
	struct kcatch_condition_code code;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct code_input data = { .ret = table[i].ret };

		if (compile(types, table[i].function, table[i].text, 0, &code))
			fail_msg("%s: %s", table[i].text, kcatch_error_text());
		if (holds(&code, &data) != table[i].holds)
			fail_msg("%s: %s of %llx", table[i].function ? table[i].function : "?",
				 table[i].text, (unsigned long long)data.ret);
		kcatch_condition_code_deinit(&code);
	}
}

#define POINTER 0xffff888012345678ULL

static void failures_as_numbers(void **state)
{
	static const struct returned table[] = {
		{ "number", "failure == -2", 0xabcd00000000 | (uint32_t)-2, true },
		{ "number", "failure == 0", 7, true },
		{ "number", "failure == 0", (uint32_t)-4096, true },
		{ "number", "failure < 0", (uint32_t)-4095, true },
		{ "wide", "failure == -ENOENT", -2ULL, true },
		{ "wide", "failure == 0", 0xfffffffe, true },
		{ "small", "failure == 0", (uint32_t)-2, true },
		{ "bool", "failure == 0", 0, true },
		{ "pointer", "failure == -12", -12ULL, true },
		{ "pointer", "failure == 1", 0, true },
		{ "pointer", "failure == 0", POINTER, true },
		{ "nothing", "failure == 0", -2ULL, true },
		{ "enum", "failure", 7, false },
		{ NULL, "failure == -2", (uint32_t)-2, true },
		{ NULL, "failure == -2", -2ULL, true },
		{ NULL, "failure == 0", 0, true },
	};

	try_returned(*state, table, sizeof(table) / sizeof(table[0]));
}

/* An error pointer is less than 0, any other pointer more; NULL is 0. */
static void signs_of_pointers(void **state)
{
	static const struct returned table[] = {
		{ "pointer", "ret < 0", -2ULL, true }, { "pointer", "ret < 0", -4095ULL, true },
		{ "pointer", "ret < 0", -4096ULL, false }, { "pointer", "ret < 0", 0, false },
		{ "pointer", "ret < 0", POINTER, false }, { "pointer", "0 > ret", -2ULL, true },
		{ "pointer", "ret >= 0", -2ULL, false }, { "pointer", "ret >= 0", 0, true },
		{ "pointer", "ret >= 0", POINTER, true },
		{ "pointer", "!(ret < 0)", POINTER, true },
		{ "pointer", "ret <= 0", 0, true }, { "pointer", "ret <= 0", -1ULL, true },
		{ "pointer", "ret <= 0", POINTER, false }, { "pointer", "ret > 0", POINTER, true },
		{ "pointer", "ret > 0", 0, false }, { "pointer", "ret > 0", -12ULL, false },
		{ "pointer", "ret < -10", -12ULL, true }, { "pointer", "ret < -10", -10ULL, false },
		{ "pointer", "ret < -10", POINTER, false }, { "pointer", "ret > -10", -9ULL, true },
		{ "pointer", "ret > -10", -10ULL, false },
		{ "pointer", "ret > -10", POINTER, true },
		{ "pointer", "ret >= -ENOMEM", -12ULL, true },
		{ "pointer", "ret >= -ENOMEM", -13ULL, false },
		{ "pointer", "ret <= -ENOMEM", -12ULL, true },
		{ "pointer", "ret <= -ENOMEM", -11ULL, false },
		{ "pointer", "ret == -ENOMEM", -12ULL, true },
		{ "pointer", "ret > 4096", POINTER, true },
		{ "pointer", "ret < 0 ? 1 : 0", -12ULL, true },
		{ "pointer", "(u64)ret < 0", -12ULL, false },
		{ "small", "(int)ret < 0", (uint32_t)-2, true },
		{ "small", "ret > 0", 7, true },
		{ "number", "ret < 0", (uint32_t)-2, true },
	};
	static const char *const never[] = { "small", "bool", "enum" };
	struct kcatch_condition_code code;
	size_t i;

	try_returned(*state, table, sizeof(table) / sizeof(table[0]));
	for (i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		assert_int_equal(compile(*state, never[i], "ret < 0", 0, &code), -ENOENT);
		assert_non_null(strstr(kcatch_error_text(), "never negative"));
		assert_int_equal(compile(*state, never[i], "0 <= ret", 0, &code), -ENOENT);
		assert_int_equal(compile(*state, never[i], "ret > -1", 0, &code), -ENOENT);
		assert_int_equal(compile(*state, never[i], "ret <= -EINVAL", 0, &code), -ENOENT);
		assert_int_equal(compile(*state, never[i], "-1 < ret", 0, &code), -ENOENT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failures_as_numbers),
		cmocka_unit_test(signs_of_pointers),
		cmocka_unit_test(character),
		cmocka_unit_test(places),
		cmocka_unit_test(failures),
		cmocka_unit_test(kernel_names),
		cmocka_unit_test(high_enumerators),
		cmocka_unit_test(too_large),
		cmocka_unit_test(structs_of_one_name),
		cmocka_unit_test(struct_of_the_module),
	};

	return cmocka_run_group_tests_name("conditions of functions", tests, open_types,
					   close_types);
}
