/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_json.h - parts of an event that JSON objects and rows have in common */
#ifndef RENDER_EVENT_JSON_H
#define RENDER_EVENT_JSON_H

#include <stdbool.h>

#include <kcatch.h>
#include <kcatch_json.h>

#include "value_json.h"

struct stack_texts;

/**
 * event_json_args - write the arguments of an event as an object
 * @json: the text, where a value may stand
 * @session: the session
 * @event: its current event
 *
 * Return: 0, or -errno with an error text.
 */
int event_json_args(struct json_writer *json, struct kcatch_session *session,
		    const struct kcatch_event *event);

/**
 * event_json_marks - write the member "args_cut", "args_unreadable", "args_read_at_return" or
 *	"args_bytes": names of parts
 *	of arguments, and of what was returned
 * @json: the text, in an object
 * @session: the session
 * @event: its current event
 * @mark: VALUE_*
 * @always: write an empty array where there is none; else nothing
 *
 * Return: 0, or -errno with an error text.
 */
int event_json_marks(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, enum value_mark mark, bool always);

/**
 * event_json_names - write the member "args_text": the names of the arguments' numbers
 * @json: the text, in an object
 * @session: the session
 * @event: its current event
 *
 * Nothing is written if there are none.
 *
 * Return: 0, or -errno with an error text.
 */
int event_json_names(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event);

/**
 * event_json_return_text - write the member "ret_text": "-ENOENT", "true", a string
 * @json: the text, in an object
 * @value: the return value
 *
 * Return: whether the value has a text; nothing is written if it has none.
 */
bool event_json_return_text(struct json_writer *json, const struct kcatch_value *value);

/** event_json_off_cpu - write the members "oncpu_ns", "runnable_ns", "blocked_ns" and "switches":
 * null where they are not known. @json: the text, in an object. @event: the event */
void event_json_off_cpu(struct json_writer *json, const struct kcatch_event *event);

/**
 * event_json_context - name an event's context
 * @event: the event
 *
 * Return: "task", "softirq", "hardirq" or "nmi".
 */
const char *event_json_context(const struct kcatch_event *event);

/**
 * event_json_cgroup - write the member "cgroup": a path, or null
 * @json: the text, in an object
 * @session: the session
 * @event: its current event
 *
 * Return: 0 or -ENOMEM with an error text.
 */
int event_json_cgroup(struct json_writer *json, struct kcatch_session *session,
		      const struct kcatch_event *event);

/** Writes the members about an event's stack. Return: 0, or -errno with an error text */
typedef int event_json_frames(struct json_writer *json, struct kcatch_session *session,
			      const struct kcatch_event *event);

/**
 * event_json_stack - write the members about an event's stack, kept where it comes again
 * @json: the text, in an object that has a member
 * @session: the session
 * @event: its current event
 * @texts: what @put_frames wrote before
 * @put_frames: writes those of a stack that is not among them
 *
 * Return: 0, or -errno with an error text.
 */
int event_json_stack(struct json_writer *json, struct kcatch_session *session,
		     const struct kcatch_event *event, struct stack_texts *texts,
		     event_json_frames *put_frames);

/** event_json_pairs - write the members "first" and "second": what became of the events of pairs */
void event_json_pairs(struct json_writer *json, const struct kcatch_pairs *pairs);

#endif
