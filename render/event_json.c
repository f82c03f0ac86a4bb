/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_json.c - parts of an event that JSON objects and rows have in common */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_json.h"
#include "stack_texts.h"
#include "value_json.h"
#include "value_text.h"

/* Is an argument one that a field of the same name is made of? */
static bool is_replaced(struct kcatch_session *session, const struct kcatch_event *event,
			uint32_t index, const struct kcatch_value *raw)
{
	const struct kcatch_value *value;
	uint32_t i;

	for (i = index + 1; raw->is_raw && raw->name && i < event->nr_args; i++)
		if (!kcatch_session_arg(session, i, &value) && !value->is_raw &&
		    !strcmp(value->name, raw->name))
			return true;
	return false;
}

int event_json_args(struct json_writer *json, struct kcatch_session *session,
		    const struct kcatch_event *event)
{
	const struct kcatch_value *value;
	char number[16];
	uint32_t i;
	int ret;

	json_put_begin(json, true);
	for (i = 0; i < event->nr_args; i++) {
		const char *name;

		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		if (is_replaced(session, event, i, value))
			continue;
		name = value->name;
		if (!name || !*name) {
			snprintf(number, sizeof(number), "arg%u", i);
			name = number;
		}
		json_put_name(json, name, strlen(name));
		value_json(json, value);
	}
	json_put_end(json);
	return 0;
}

static void begin_marks(struct json_writer *json, enum value_mark mark)
{
	static const char *const names[] = {
		[VALUE_UNREADABLE] = "args_unreadable", [VALUE_CUT] = "args_cut",
		[VALUE_BYTES] = "args_bytes", [VALUE_LATE] = "args_read_at_return",
	};

	json_put_name(json, names[mark], strlen(names[mark]));
	json_put_begin(json, false);
}

int event_json_marks(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, enum value_mark mark, bool always)
{
	const struct kcatch_value *value;
	bool begun = always;
	uint32_t i;
	int ret;

	if (begun)
		begin_marks(json, mark);
	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		if (!value_json_marked(value, mark))
			continue;
		if (!begun)
			begin_marks(json, mark);
		begun = true;
		value_json_marks(json, value, mark);
	}
	if (event->returned == KCATCH_RETURN_SEEN) {
		ret = kcatch_session_return_value(session, &value);
		if (ret)
			return ret;
		if (value_json_marked(value, mark)) {
			if (!begun)
				begin_marks(json, mark);
			begun = true;
			value_json_return_marks(json, value, mark);
		}
	}
	if (begun)
		json_put_end(json);
	return 0;
}

int event_json_names(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event)
{
	const struct kcatch_value *value;
	bool begun = false;
	uint32_t i;
	int ret;

	for (i = 0; i < event->nr_args; i++) {
		ret = kcatch_session_arg(session, i, &value);
		if (ret)
			return ret;
		value_json_names(json, value, &begun);
	}
	if (begun)
		json_put_end(json);
	return 0;
}

bool event_json_return_text(struct json_writer *json, const struct kcatch_value *value)
{
	const char *text = NULL;
	char name[64];

	if (value->is_error && value->text) {
		snprintf(name, sizeof(name), "%s%.*s", value->text[0] == '-' ? "" : "-",
			 (int)value->length, value->text);
		text = name;
	} else if (value->kind == KCATCH_VALUE_BOOL)
		text = value->number ? "true" : "false";
	else if (value->kind == KCATCH_VALUE_POINTER && !value->number)
		text = "NULL";
	else if (value->kind == KCATCH_VALUE_STRING && value->text && !value->length)
		text = "";
	if (!text && (!(value->text && value->length) || value_hides_bytes(value)))
		return false;
	json_add(json, "ret_text");
	json_put_string(json, text ? text : value->text, text ? strlen(text) : value->length);
	return true;
}

void event_json_off_cpu(struct json_writer *json, const struct kcatch_event *event)
{
	if (event->off_cpu_known) {
		json_add_number(json, "oncpu_ns", event->oncpu_ns);
		json_add_number(json, "runnable_ns", event->runnable_ns);
		json_add_number(json, "blocked_ns", event->blocked_ns);
		json_add_number(json, "switches", event->switches);
		return;
	}
	json_add_null(json, "oncpu_ns");
	json_add_null(json, "runnable_ns");
	json_add_null(json, "blocked_ns");
	json_add_null(json, "switches");
}

const char *event_json_context(const struct kcatch_event *event)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "task", [KCATCH_IN_SOFTIRQ] = "softirq",
		[KCATCH_IN_HARDIRQ] = "hardirq", [KCATCH_IN_NMI] = "nmi",
	};

	return contexts[event->context & 3];
}

int event_json_cgroup(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event)
{
	const char *path = NULL;
	int ret = event->cgroup ? kcatch_session_cgroup(session, event->cgroup, &path) : 0;

	json_add(json, "cgroup");
	if (path)
		json_put_string(json, path, strlen(path));
	else
		json_put_null(json);
	return ret;
}

int event_json_stack(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, struct stack_texts *texts,
		     event_json_frames *put_frames)
{
	size_t from = json->length + strlen(",");
	const struct stack_text *kept;
	uint64_t number;
	char *text;
	int ret = kcatch_session_stack_number(session, &number);

	if (ret)
		return ret;
	kept = stack_texts_find(texts, number);
	if (kept) {
		json_put_ready(json, kept->text, kept->length);
		return 0;
	}
	ret = put_frames(json, session, event);
	text = ret || json->failed || !number ? NULL : malloc(json->length - from);
	if (text) {
		memcpy(text, json->text + from, json->length - from);
		stack_texts_keep(texts, number, text, json->length - from);
	}
	return ret;
}

void event_json_pairs(struct json_writer *json, const struct kcatch_pairs *pairs)
{
	const struct kcatch_totals *first = &pairs->first, *second = &pairs->second;

	json_add_begin(json, "first", true);
	json_add_number(json, "hits", first->hits);
	json_add_number(json, "paired", pairs->paired);
	json_add_number(json, "restarted", pairs->restarted);
	json_add_number(json, "open", pairs->open);
	json_add_number(json, "overflowed", pairs->overflow);
	json_add_number(json, "undecided", pairs->undecided_first);
	json_add_number(json, "filtered", first->filtered);
	json_add_number(json, "missed", first->missed + first->lost);
	json_put_end(json);
	json_add_begin(json, "second", true);
	json_add_number(json, "hits", second->hits);
	json_add_number(json, "paired", pairs->paired);
	json_add_number(json, "unmatched", pairs->unmatched);
	json_add_number(json, "undecided", pairs->undecided_second);
	json_add_number(json, "over_budget", pairs->not_paired);
	json_add_number(json, "missed", second->missed);
	json_put_end(json);
}
