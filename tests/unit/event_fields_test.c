// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: in the table of the events' fields each expression is one, each event stands once,
 * and rows of one name follow each other. A field is shown as the kernel prints it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <kcatch_text.h>
#include "condition/event_fields.h"
#include "constants/constant_sets.h"

static const char *event; /* the row of the events at hand */

static void expressions(void **state)
{
	const struct kcatch_field_row *row;
	struct kcatch_expression *expression;

	(void)state;
	for (row = kcatch_event_table(); row->name; row++) {
		event = row->expression ? event : row->name;
		if (row->expression &&
		    kcatch_expression_parse_as("field", row->expression, &expression))
			fail_msg("%s: %s: %s", event, row->name, kcatch_error_text());
		if (row->expression)
			kcatch_expression_destroy(expression);
	}
}

static void names_once(void **state)
{
	const struct kcatch_field_row *row, *other;

	(void)state;
	for (row = kcatch_event_table(); row->name; row++) {
		event = row->expression ? event : row->name;
		if (!row->expression)
			continue;
		for (other = row + 1; other->expression && !strcmp(other->name, row->name);)
			other++;
		for (; other->expression; other++)
			if (!strcmp(other->name, row->name))
				fail_msg("%s: %s", event, row->name);
	}
}

static void events_once(void **state)
{
	const struct kcatch_field_row *row;
	unsigned int events = 0;
	char name[200], system[40];
	const char *at;
	size_t length;

	(void)state;
	for (row = kcatch_event_table(); row->name; row++) {
		if (row->expression)
			continue;
		length = strcspn(row->name, ":");
		assert_true(length && length < sizeof(system));
		memcpy(system, row->name, length);
		system[length] = '\0';
		for (at = row->name + length; *at; at += length) {
			length = strcspn(++at, " ");
			snprintf(name, sizeof(name), "%s:%.*s", system, (int)length, at);
			if (kcatch_event_rows(name) != row + 1)
				fail_msg("%s", name);
			events++;
		}
	}
	assert_in_range(events, 20, 500);
	assert_null(kcatch_event_rows("sched:sched_switc"));
	assert_null(kcatch_event_rows("block:sched_switch"));
	assert_null(kcatch_event_rows("sched:"));
	assert_null(kcatch_event_rows("sched_switch"));
	assert_null(kcatch_event_rows(NULL));
}

#define KIND(name)                           \
	{                                    \
		.kind = KCATCH_NUMBER_##name \
	}
#define NAMES(set)                                   \
	{                                            \
		.constants = &kcatch_constants_##set \
	}

static void shown(void **state)
{
	static const struct {
		struct kcatch_number_form form;
		uint64_t number;
		const char *text;
	} known[] = {
		{ { 0 }, 5, "" },
		{ KIND(HEX), 0x800, "0x800" },
		{ KIND(DEVICE), 7 << 20 | 3, "7:3" },
		{ KIND(IPV4), 0x7f000001, "127.0.0.1" },
		{ KIND(TASK_STATE), 0, "R" },
		{ KIND(TASK_STATE), 256, "R+" },
		{ KIND(TASK_STATE), 2, "D" },
		{ KIND(TASK_STATE), 128, "I" },
		{ KIND(BLOCK_OP), 0, "R" },
		{ KIND(BLOCK_OP), 1 | 1 << 11, "WS" },
		{ KIND(BLOCK_OP), 1 << 18 | 1 | 1 << 17, "FWF" },
		{ KIND(BLOCK_OP), 5, "DE" },
		{ KIND(BLOCK_OP), 15, "" },
		{ NAMES(family), 2, "AF_INET" },
		{ NAMES(family), 10, "AF_INET6" },
		{ NAMES(tcp_state), 7, "TCP_CLOSE" },
		{ NAMES(tcp_state), 99, "" },
	};
	char text[KCATCH_NUMBER_TEXT];
	uint64_t number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(
			kcatch_number_text(&known[i].form, known[i].number, text, sizeof(text)),
			strlen(known[i].text));
		if (*known[i].text)
			assert_string_equal(text, known[i].text);
		if (*known[i].text && known[i].form.kind != KCATCH_NUMBER_HEX) {
			assert_true(kcatch_number_of_text(&known[i].form, known[i].text, &number));
			assert_int_equal(number, known[i].number);
		}
	}
}

static void not_shown(void **state)
{
	static const struct {
		struct kcatch_number_form form;
		const char *text;
	} unknown[] = {
		{ KIND(TASK_STATE), "Q" },     { KIND(DEVICE), "7:0x" },
		{ KIND(DEVICE), "7" },         { KIND(DEVICE), "7:1048576" },
		{ KIND(IPV4), "localhost" },   { KIND(BLOCK_OP), "SW" },
		{ NAMES(tcp_state), "CLOSE" }, { { 0 }, "1" },
	};
	uint64_t number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_false(kcatch_number_of_text(&unknown[i].form, unknown[i].text, &number));
}

static void softirqs_have_names(void **state)
{
	const struct kcatch_number_form *form = &kcatch_event_rows("irq:softirq_entry")->form;
	char text[KCATCH_NUMBER_TEXT];
	uint64_t number;

	(void)state;
	assert_int_equal(kcatch_number_text(form, 9, text, sizeof(text)), 3);
	assert_string_equal(text, "RCU");
	assert_int_equal(kcatch_number_text(form, 10, text, sizeof(text)), 0);
	assert_true(kcatch_number_of_text(form, "HI", &number));
	assert_int_equal(number, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions), cmocka_unit_test(names_once),
		cmocka_unit_test(events_once), cmocka_unit_test(shown),
		cmocka_unit_test(not_shown),   cmocka_unit_test(softirqs_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
