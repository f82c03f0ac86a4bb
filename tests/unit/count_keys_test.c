// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: keys and values of counts have, as parts that the kernel reads or computes, the
 * numbers that C gives; those that cannot be computed are marked; texts are no numbers. What may be
 * an address is no signed number. A caller is named, or is unknown. A pair has a key for each
 * of its events, and a latency.
 */
#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code_fixture.h"
#include "condition/count_parts.h"
#include "session/count_state.h"
#include "session/counts.h"
#include "session/pairs.h"
#include "symbols/symbol_list.h"
#include <kcatch.h>

/* Arguments of the call. */
#define A0 0xfffffffffffffff6ULL	/* -10 */
#define A1 0x123456789abcdef0ULL
#define A2 0ULL
#define RET 0xfffffffeULL		/* an int: -2 */

static struct code_input call(void)
{
	return (struct code_input){ .args = { A0, A1, A2, 3, 4, 5 }, .ret = RET,
					  .latency = 1500, .pid = 42, .tid = 43, .cpu = 1,
					  .uid = 0xfffffffe };
}

/* Compiles @text as the only key, of a function or of an event. */
static int compile_of(const struct kcatch_event_info *info, const char *text,
		      struct kcatch_count_wants *wants)
{
	static struct kcatch_expression *expression;
	const struct kcatch_count_source source = { .returns = !info, .event = info, .info = info };
	static const struct kcatch_expression *wanted[1];
	struct kcatch_condition_code code;
	int ret;

	assert_int_equal(kcatch_expression_parse(text, &expression), 0);
	wanted[0] = expression;
	memset(wants, 0, sizeof(*wants));
	wants->expressions = wanted;
	wants->nr = 1;
	ret = kcatch_condition_compile_count(&source, wants, &code);
	if (!ret)
		kcatch_condition_code_deinit(&code);
	kcatch_expression_destroy(expression);
	return ret;
}

static int compile(const char *text, struct kcatch_count_wants *wants)
{
	return compile_of(NULL, text, wants);
}

#define READ 16U	/* of the numbers are only read, the others computed */

static void numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} table[] = {
		{ "pid", 42 }, { "cpu", 1 }, { "uid", 0xfffffffe },
		{ "latency", 1500 }, { "arg1", A1 }, { "(int)arg0", -10ULL },
		{ "(u32)arg0", 0xfffffff6 }, { "(u8)arg1", 0xf0 },
		{ "(s8)arg1", -16ULL }, { "(s16)arg1", (uint64_t)(int16_t)0xdef0 },
		{ "(u16)arg1", 0xdef0 },
		{ "arg1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1 >> 1", A1 >> 12 },
		{ "arg1 << 1 << 1 << 1 << 1 << 1 << 1 << 1 << 1 << 1 << 1 << 1 << 1", A1 << 12 },
		{ "arg1 << 7", A1 << 7 }, { "arg1 >> 13", A1 >> 13 }, { "(s64)arg0 >> 1", -5ULL },
		{ "ret", -2ULL }, { "(int)ret", -2ULL }, { "arg1 + 1", A1 + 1 },
		{ "arg1 - arg0", A1 - A0 }, { "-(int)arg0", 10 },
		{ "(int)arg0 / 3", -3ULL }, { "(int)arg0 % 3", -1ULL },
		{ "arg1 / 4096", A1 / 4096 },
		{ "arg1 & 0xff00ff00ff00ff", A1 & 0xff00ff00ff00ffULL }, { "arg0 > 5", 1 },
		{ "(s64)arg0 > 5", 0 }, { "(s64)arg0 > 5 ? 7 : -1", -1ULL }, { "7", 7 },
		{ "pid * 1000", 42000 }, { "latency / 1024", 1 }, { "~arg2", ~0ULL },
		{ "failure", -2ULL },
		{ "(u32)(s8)arg1", 0xfffffff0 }, { "(u32)(s16)arg1", 0xffffdef0 },
		{ "arg1 / 1000", A1 / 1000 }, { "arg1 % 1000", A1 % 1000 },
		{ "arg1 / 1000000000", A1 / 1000000000 }, { "arg1 % 1000000", A1 % 1000000 },
		{ "arg1 / 65535", A1 / 65535 }, { "arg1 / 65521", A1 / 65521 },
		{ "arg1 / 4294836225", A1 / 4294836225 }, { "arg1 / 3 % 7", A1 / 3 % 7 },
		{ "(s64)arg0 / 3", -3ULL }, { "(s64)arg0 % 3", -1ULL },
		{ "(s64)arg0 % 1000000", -10ULL }, { "(s64)arg0 * 100000000 / 1000000", -1000ULL },
		{ "arg0 / 10", A0 / 10 }, { "arg0 % 10000000000", A0 % 10000000000 },
		{ "arg1 / (arg0 | 1)", A1 / (A0 | 1) }, { "arg1 << (arg1 & 7)", A1 << (A1 & 7) },
		{ "arg1 / 1000000007", A1 / 1000000007 },
		{ "(s64)arg1 / -3", (uint64_t)((int64_t)A1 / -3) },
		{ "((s64)1 << 63) / 3", 0xd555555555555556ULL }, { "latency / 1000", 1 },
		/* Each gives back the words that it needed: there are 8. */
		{ "(arg1 >> 3) + (arg1 >> 5) + (arg1 >> 7) + (arg1 >> 9) + (arg1 >> 11)",
		  (A1 >> 3) + (A1 >> 5) + (A1 >> 7) + (A1 >> 9) + (A1 >> 11) },
	};
	const struct code_input data = call();
	struct kcatch_count_wants wants;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (compile(table[i].text, &wants))
			fail_msg("%s: %s", table[i].text, kcatch_error_text());
		if (code_part(&wants, 0, &data) != table[i].value)
			fail_msg("%s: %llx", table[i].text,
				 (unsigned long long)code_part(&wants, 0, &data));
		if ((wants.codes[0].part.kind == KCATCH_PART_WORD) != (i < READ))
			fail_msg("%s: read or computed", table[i].text);
		assert_int_equal(code_marks(&wants, &data), 0);
		kcatch_count_wants_deinit(&wants);
	}
}

/* The payload of a DO_TRACE event is packed, and the kernel reads parts at their alignment only. */
static void packed_fields(void **state)
{
	static const struct kcatch_event_info info = {
		.nr_args = 4, .format = "a=%d b=%ld c=%hhd d=%u",
		.args = { 4 | KCATCH_EVENT_ARG_SIGNED, 8 | KCATCH_EVENT_ARG_SIGNED,
			  1 | KCATCH_EVENT_ARG_SIGNED, 4 },
	};
	static const struct {
		const char *text;
		uint64_t value;
	} table[] = { { "a", 0x78000001 }, { "b", -2ULL }, { "c", -3ULL }, { "d", 0x80000004 },
		      { "b + 1", -1ULL } };
	struct code_input data = call();
	struct kcatch_count_wants wants;
	size_t i;

	(void)state;
	memcpy(data.args, "\1\0\0\x78\xfe\xff\xff\xff\xff\xff\xff\xff\xfd\4\0\0\x80", 17);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (compile_of(&info, table[i].text, &wants))
			fail_msg("%s: %s", table[i].text, kcatch_error_text());
		assert_int_equal(code_part(&wants, 0, &data), table[i].value);
		kcatch_count_wants_deinit(&wants);
	}
}

static void marks(void **state)
{
	const struct code_input data = call();
	struct kcatch_count_wants wants;

	(void)state;
	assert_int_equal(compile("(int)arg1 / (int)arg2", &wants), 0);
	assert_int_equal(code_marks(&wants, &data), 1);
	kcatch_count_wants_deinit(&wants);
	assert_int_equal(compile("(int)arg2 ? (int)arg1 / (int)arg2 : 9", &wants), 0);
	assert_int_equal(code_marks(&wants, &data), 0);
	assert_int_equal(code_part(&wants, 0, &data), 9);
	kcatch_count_wants_deinit(&wants);
}

static void refusals(void **state)
{
	static const char *const table[] = { "\"text\"", "nosuch", "arg1 / 0" };
	struct kcatch_count_wants wants;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!compile(table[i], &wants))
			fail_msg("%s", table[i]);
	assert_int_equal(compile("comm", &wants), 0);
	assert_int_equal(wants.codes[0].part.kind, KCATCH_PART_COMM);
	kcatch_count_wants_deinit(&wants);
}

static void known(void **state)
{
	static const struct {
		const char *text;
		bool may_fail;
	} table[] = { { "pid", false }, { "comm", false }, { "latency / 16", true },
		      { "ret + arg0 * 2", false }, { "failure", false },
		      { "file->f_mode", true }, { "count", true }, { "(char *)arg0", true },
		      { "(int)arg0", false } };
	struct kcatch_expression *expression;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(kcatch_expression_parse(table[i].text, &expression), 0);
		assert_int_equal(kcatch_count_may_fail(expression), table[i].may_fail);
		kcatch_expression_destroy(expression);
	}
}

static void expect_address(const struct kcatch_event_info *info, const char *text, bool may_be,
			   bool is_narrow)
{
	struct kcatch_count_wants wants;

	assert_int_equal(compile_of(info, text, &wants), 0);
	if (wants.codes[0].type.may_be_address != may_be ||
	    wants.codes[0].type.is_narrow != is_narrow)
		fail_msg("%s", text);
	kcatch_count_wants_deinit(&wants);
}

/* The return of a function without types may be a pointer, and so may a number of 64 bits. */
static void addresses(void **state)
{
	static const struct {
		const char *text;
		bool may_be, is_narrow;
	} table[] = { { "ret", true, false }, { "(ret)", true, false }, { "arg0", true, false },
		      { "(u64)ret", true, false }, { "(s64)ret", false, false },
		      { "ret + 1", false, false }, { "(int)ret", false, true },
		      { "(u32)arg0", false, true }, { "pid", false, true },
		      { "failure", false, false } },
	  fields[] = { { "owner", false, false }, { "count", true, false },
		       { "node", false, true }, { "owner - 1", false, false } };
	static const struct kcatch_event_info info = {
		.nr_args = 3, .format = "owner=%ld count=%lu node=%d",
		.args = { 8 | KCATCH_EVENT_ARG_SIGNED, 8, 4 | KCATCH_EVENT_ARG_SIGNED },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		expect_address(NULL, table[i].text, table[i].may_be, table[i].is_narrow);
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		expect_address(&info, fields[i].text, fields[i].may_be, fields[i].is_narrow);
}

static void expect_key(const struct kcatch_part_type *type, uint64_t number,
		       enum kcatch_key_kind kind)
{
	struct kcatch_count_key key = { .kind = KCATCH_KEY_NUMBER };
	char text[COUNT_NAME_MAX];

	assert_int_equal(count_number_key(NULL, &key, type, number, 0, text, sizeof(text)), 0);
	assert_int_equal(key.kind, kind);
	assert_true(key.number == number);
}

/* A key that is a pointer in one function and an int in another is signed, and may be both. */
static void keys_of_two_types(void **state)
{
	const struct kcatch_part_type both = { .is_signed = true, .may_be_address = true };
	const struct kcatch_part_type number = { .is_signed = true };
	const struct kcatch_part_type pointer = { .is_pointer = true, .may_be_address = true };

	(void)state;
	expect_key(&both, 0xffff888012345678, KCATCH_KEY_ADDRESS);
	expect_key(&both, 0xff11000000000000, KCATCH_KEY_ADDRESS);	/* five levels of tables */
	expect_key(&both, 0xffffffffc0123456, KCATCH_KEY_ADDRESS);	/* a module's */
	expect_key(&both, (uint64_t)-70000, KCATCH_KEY_NUMBER);
	expect_key(&both, 0x8000000000000000, KCATCH_KEY_NUMBER);
	expect_key(&both, (uint64_t)-2, KCATCH_KEY_NUMBER);
	expect_key(&both, 4096, KCATCH_KEY_NUMBER);
	expect_key(&number, (uint64_t)-70000, KCATCH_KEY_NUMBER);
	expect_key(&pointer, 0x1000, KCATCH_KEY_ADDRESS);
}

static void expect_meaning(const struct kcatch_part_type *type, uint64_t number, const char *text)
{
	struct kcatch_count_key key = { .kind = KCATCH_KEY_NUMBER };
	char room[COUNT_NAME_MAX];

	assert_int_equal(count_number_key(NULL, &key, type, number, 0, room, sizeof(room)), 0);
	if (!text) {
		assert_int_equal(key.kind, KCATCH_KEY_NUMBER);
		return;
	}
	assert_int_equal(key.kind, KCATCH_KEY_TEXT);
	assert_string_equal(key.text, text);
}

static void expect_ip(const struct kcatch_part_type *type, uint64_t high, uint64_t low,
		      const char *text)
{
	struct kcatch_count_key key = { .kind = KCATCH_KEY_NUMBER };
	char room[COUNT_NAME_MAX];

	assert_int_equal(count_number_key(NULL, &key, type, high, low, room, sizeof(room)), 0);
	assert_int_equal(key.kind, KCATCH_KEY_TEXT);
	assert_string_equal(key.text, text);
}

/* A key says what its number means; what means another thing in another function is a number. */
static void keys_mean_something(void **state)
{
	struct kcatch_part_type mode = { .form.kind = KCATCH_NUMBER_MODE };
	const struct kcatch_part_type device = { .form.kind = KCATCH_NUMBER_DEVICE };
	const struct kcatch_part_type address = { .form = { .kind = KCATCH_NUMBER_NETWORK,
							    .name = "daddr" } };
	const struct kcatch_part_type sequence = { .form = { .kind = KCATCH_NUMBER_NETWORK,
							     .name = "seq" } };
	const struct kcatch_part_type number = { .is_signed = true };

	(void)state;
	expect_meaning(&mode, 0100644, "0100644");
	expect_meaning(&device, 7 << 20 | 3, "7:3");
	expect_meaning(&address, 0x7f000001, "127.0.0.1");
	expect_meaning(&sequence, 0x7f000001, NULL);
	assert_int_equal(kcatch_part_type_join(&mode, &mode), 0);
	expect_meaning(&mode, 0755, "0755");
	assert_int_equal(kcatch_part_type_join(&mode, &number), 0);
	expect_meaning(&mode, 0755, NULL);
	assert_true(mode.is_signed);
}

/* An address of IPv6 has two words, and is none of the numbers of another function. */
static void addresses_have_two_words(void **state)
{
	struct kcatch_part_type kernel = { .is_ip = true, .form.kind = KCATCH_NUMBER_IPV6 };
	const struct kcatch_part_type packet = { .is_ip = true, .form.kind = KCATCH_NUMBER_IP };
	const struct kcatch_part_type number = { .is_signed = true };
	const uint64_t four = htobe64(0xffff0a000001), doc = htobe64(0x20010db8ULL << 32);

	(void)state;
	expect_ip(&kernel, 0, four, "::ffff:10.0.0.1");
	expect_ip(&packet, 0, four, "10.0.0.1");
	expect_ip(&packet, doc, htobe64(1), "2001:db8::1");
	assert_int_equal(kcatch_part_type_join(&kernel, &number), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "an address of IPv6 in one function"));
}

static void expect_caller(struct kcatch_session *session, uint64_t address, const char *expected)
{
	char text[COUNT_NAME_MAX];

	assert_int_equal(count_caller_key(session, address, text, sizeof(text)), 0);
	assert_string_equal(text, expected);
}

static struct kcatch_count_key caller_key(struct kcatch_session *session, uint64_t address,
					  char *text)
{
	struct kcatch_count_key key;

	memset(&key, 0, sizeof(key));
	assert_int_equal(count_code_key(session, FIELD_CALLER, address, &key, text,
					COUNT_NAME_MAX), 0);
	return key;
}

/* One that has no name is an address and no text: who shows it knows that it may be hidden. */
static void expect_nameless(struct kcatch_session *session, uint64_t address)
{
	char text[COUNT_NAME_MAX];
	struct kcatch_count_key key = caller_key(session, address, text);

	assert_int_equal(key.kind, KCATCH_KEY_ADDRESS);
	assert_true(key.number == address);
	assert_null(key.text);
	key = caller_key(session, 0xffffffff81000010, text);
	assert_int_equal(key.kind, KCATCH_KEY_TEXT);
	assert_string_equal(key.text, "before");
	key = caller_key(session, KCATCH_FRAME_HOOKED, text);
	assert_int_equal(key.kind, KCATCH_KEY_TEXT);
	assert_string_equal(key.text, "[return hooked by another tracer]");
}

/* Where another tracer has hooked the return, the caller may not be known. */
static void callers(void **state)
{
	static const char symbols[] = "ffffffff81000000 before\n100 arch_rethook_trampoline\n"
				      "80 behind\n";
	struct kcatch_session session = { .fd = -1 };
	struct kcatch_symbol_list *list;

	(void)state;
	assert_int_equal(kcatch_symbol_list_create(strdup(symbols), sizeof(symbols) - 1, &list), 0);
	assert_int_equal(kcatch_symbols_create_list(list, &session.symbols), 0);
	expect_caller(&session, 0xffffffff81000010, "before");
	expect_caller(&session, KCATCH_FRAME_HOOKED, "[return hooked by another tracer]");
	expect_caller(&session, 0xffffffff81000100, "before");
	expect_caller(&session, 0xffffffff81000101, "arch_rethook_trampoline");
	expect_caller(&session, 0xffffffff81000180, "arch_rethook_trampoline");
	expect_nameless(&session, 0xffffffff80000010);
	kcatch_symbols_destroy(session.symbols);
	kcatch_symbol_list_destroy(list);
}

/* Compiles @text, a condition, and the key of a pair's second event, whose value is its latency. */
static int compile_second(const char *text, const char *key, struct kcatch_count_wants *wants,
			  struct kcatch_condition_code *code)
{
	const struct kcatch_expression *wanted[1];
	struct kcatch_expression *condition, *pair, *latency;
	struct kcatch_count_source source = { .second = true };
	int ret;

	assert_int_equal(kcatch_expression_parse(text, &condition), 0);
	assert_int_equal(kcatch_expression_parse(key, &pair), 0);
	assert_int_equal(kcatch_expression_parse("latency", &latency), 0);
	memset(wants, 0, sizeof(*wants));
	wanted[0] = latency;
	wants->expressions = wanted;
	wants->nr = 1;
	wants->pair = pair;
	source.expression = condition;
	ret = kcatch_condition_compile_count(&source, wants, code);
	kcatch_expression_destroy(condition);
	kcatch_expression_destroy(pair);
	kcatch_expression_destroy(latency);
	return ret;
}

/* The key's code as the kernel runs it: a word, and whether it is known. */
static struct kcatch_count_wants key_of(const struct kcatch_count_wants *wants)
{
	struct kcatch_count_wants key = {
		.code = wants->pair_code,
		.nr_code = wants->nr_pair_code,
		.marks = { .kind = KCATCH_PART_CODE, .index = 1 },
	};

	key.codes[0].part = (struct kcatch_part){ .kind = KCATCH_PART_CODE };
	return key;
}

static void pairs(void **state)
{
	const struct code_input data = call();
	struct kcatch_condition_code code;
	struct kcatch_count_wants wants, key;

	(void)state;
	assert_int_equal(compile_second("pid == 42 && latency > 1000", "(s8)arg1", &wants, &code),
			 0);
	key = key_of(&wants);
	assert_int_equal(code_part(&key, 0, &data), -16ULL);
	assert_int_equal(code_marks(&key, &data), 0);
	assert_int_equal(code_part(&wants, 0, &data), 1500);
	/* All of the condition is on the pair. */
	assert_int_equal(code.nr_entry, 0);
	assert_true(code.nr_return > 1);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	assert_int_equal(compile_second("pid == 42", "arg1 / arg2", &wants, &code), 0);
	key = key_of(&wants);
	assert_int_not_equal(code_marks(&key, &data), 0);
	assert_int_equal(code.nr_entry, 0);
	kcatch_count_wants_deinit(&wants);
	kcatch_condition_code_deinit(&code);
	assert_int_equal(compile_second("pid == 42", "comm", &wants, &code), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "a number as its key"));
	assert_int_equal(compile_second("ret == 0", "tid", &wants, &code), -EINVAL);
	assert_non_null(strstr(kcatch_error_text(), "a latency, but no ret"));
}

static void keys_of_pairs(void **state)
{
	static const struct {
		const char *first, *second;
		int ret;
	} table[] = {
		{ "rq", "rq", 0 },
		{ "p", "next", 0 },
		{ NULL, "rq", -EINVAL },
		{ "rq", NULL, -EINVAL },
		{ "rq", "latency", -EINVAL },
		{ "ret + 1", "rq", -EINVAL },
		{ "rq +", "rq", -EINVAL },
	};
	struct kcatch_pair_state *pair;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct kcatch_pair_request request = {
			.size = sizeof(request),
			.first = "a",
			.second = "b",
			.first_key = table[i].first,
			.second_key = table[i].second,
		};

		assert_int_equal(kcatch_pairs_create(&request, &pair), table[i].ret);
		if (!table[i].ret)
			kcatch_pairs_destroy(pair);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(packed_fields),
		cmocka_unit_test(marks),
		cmocka_unit_test(refusals),
		cmocka_unit_test(known),
		cmocka_unit_test(addresses),
		cmocka_unit_test(keys_of_two_types),
		cmocka_unit_test(keys_mean_something),
		cmocka_unit_test(addresses_have_two_words),
		cmocka_unit_test(callers),
		cmocka_unit_test(pairs),
		cmocka_unit_test(keys_of_pairs),
	};

	return cmocka_run_group_tests_name("keys of counts", tests, NULL, NULL);
}
