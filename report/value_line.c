/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_line.c - arguments and return value of an event in one line
 */
#include "put.h"
#include "report.h"
#include "value_text.h"

int report_print_args(FILE *out, struct report *report, const struct kcatch_event *event)
{
	const struct kcatch_value *value;
	bool any = false;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(report->session, i, &value);
		if (ret)
			return ret;
		if (value->is_raw)
			continue;
		if (any)
			put_text(out, ", ");
		any = true;
		value_text_argument(out, value, 0);
	}
	return 0;
}

int report_print_return(FILE *out, struct report *report, const struct kcatch_event *event)
{
	static const char *const states[] = {
		[KCATCH_RETURN_NOT_ASKED] = "", [KCATCH_RETURN_PENDING] = "(has not returned)",
		[KCATCH_RETURN_NO_SLOT] = "(not caught)", [KCATCH_RETURN_LOST] = "(lost)",
		[KCATCH_RETURN_FORGOTTEN] = "(not kept)", [KCATCH_RETURN_UNDER_WAY] = "",
	};
	const struct kcatch_value *value;
	int ret;

	if (event->returned != KCATCH_RETURN_SEEN) {
		put_text(out, states[event->returned]);
		return 0;
	}
	ret = kcatch_session_return_value(report->session, &value);
	if (!ret && value->kind != KCATCH_VALUE_VOID)
		value_text_return(out, value);
	return ret;
}
