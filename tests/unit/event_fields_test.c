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

static void shown(void **state)
{
	static const struct {
		enum kcatch_field_show show;
		uint64_t number;
		const char *text;
	} known[] = {
		{ KCATCH_FIELD_PLAIN, 5, "" },
		{ KCATCH_FIELD_HEX, 0x800, "0x800" },
		{ KCATCH_FIELD_DEVICE, 7 << 20 | 3, "7:3" },
		{ KCATCH_FIELD_IPV4, 0x7f000001, "127.0.0.1" },
		{ KCATCH_FIELD_STATE, 0, "R" },
		{ KCATCH_FIELD_STATE, 256, "R+" },
		{ KCATCH_FIELD_STATE, 2, "D" },
		{ KCATCH_FIELD_STATE, 128, "I" },
		{ KCATCH_FIELD_SOFTIRQ, 9, "RCU" },
		{ KCATCH_FIELD_SOFTIRQ, 10, "" },
		{ KCATCH_FIELD_RWBS, 0, "R" },
		{ KCATCH_FIELD_RWBS, 1 | 1 << 11, "WS" },
		{ KCATCH_FIELD_RWBS, 1 << 18 | 1 | 1 << 17, "FWF" },
		{ KCATCH_FIELD_RWBS, 5, "DE" },
		{ KCATCH_FIELD_RWBS, 15, "" },
		{ KCATCH_FIELD_FAMILY, 2, "AF_INET" },
		{ KCATCH_FIELD_FAMILY, 10, "AF_INET6" },
		{ KCATCH_FIELD_TCP, 7, "TCP_CLOSE" },
		{ KCATCH_FIELD_TCP, 99, "" },
	};
	char text[KCATCH_FIELD_TEXT];
	uint64_t number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(
			kcatch_field_text(known[i].show, known[i].number, text, sizeof(text)),
			strlen(known[i].text));
		if (*known[i].text)
			assert_string_equal(text, known[i].text);
		if (*known[i].text && known[i].show != KCATCH_FIELD_HEX) {
			assert_true(kcatch_field_number(known[i].show, known[i].text, &number));
			assert_int_equal(number, known[i].number);
		}
	}
}

static void not_shown(void **state)
{
	uint64_t number;

	(void)state;
	assert_false(kcatch_field_number(KCATCH_FIELD_STATE, "Q", &number));
	assert_false(kcatch_field_number(KCATCH_FIELD_DEVICE, "7:0x", &number));
	assert_false(kcatch_field_number(KCATCH_FIELD_DEVICE, "7", &number));
	assert_false(kcatch_field_number(KCATCH_FIELD_IPV4, "localhost", &number));
	assert_false(kcatch_field_number(KCATCH_FIELD_RWBS, "SW", &number));
	assert_false(kcatch_field_number(KCATCH_FIELD_PLAIN, "1", &number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions), cmocka_unit_test(names_once),
		cmocka_unit_test(events_once), cmocka_unit_test(shown),
		cmocka_unit_test(not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
