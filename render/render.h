/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render.h - the forms in which what was caught is shown */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

/**
 * struct render_options - what is shown of an event, and of the end
 * @count: events (with @groups: trees and chains) that were asked for; 0: all
 * @depth: frames of a stack that were asked for; 0: no limit was given
 * @arguments: arguments were asked for
 * @deep: pointers inside structs were followed: structs are shown in full
 * @groups: calls that belong together are shown together
 * @verbose: nothing is shortened, and there are figures of each probe at the end
 */
struct render_options {
	uint64_t count;
	unsigned int depth;
	bool arguments;
	bool deep;
	bool groups;
	bool verbose;
};

/**
 * struct outcome - how a catch ended
 * @totals: the counters
 * @shown: events (with --tree and --errors: trees and chains) that were shown
 * @events: calls that were shown, those in trees and chains as well
 * @elapsed_ns: between start and stop
 * @end: why it ended: "count", "time", "interrupt", "exit" (the process), "gone" (the module)
 */
struct outcome {
	struct kcatch_totals totals;
	uint64_t shown;
	uint64_t events;
	uint64_t elapsed_ns;
	const char *end;
};

/**
 * struct renderer - a form
 * @event: write a caught call; 0 or -errno with an error text
 * @summary: say how it ended
 */
struct renderer {
	int (*event)(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		     const struct render_options *options);
	int (*summary)(struct kcatch_session *session, const struct outcome *outcome,
		       const struct render_options *options);
};

extern const struct renderer render_text;
extern const struct renderer render_json;

/**
 * struct colours - what to write around a part of the text; "" where no colours are
 */
struct colours {
	const char *head, *name, *dim, *warn, *off;
};

/**
 * render_colours - those of standard output
 *
 * Return: the colours.
 */
const struct colours *render_colours(void);

/**
 * render_function - "vfs_read", "ovl_open [overlay]"
 * @out: where to
 * @probe: which
 */
void render_function(FILE *out, const struct kcatch_probe *probe);

/**
 * render_head - who, where, when: the first line of an event
 * @out: where to
 * @event: the event
 * @probe: its probe
 */
void render_head(FILE *out, const struct kcatch_event *event, const struct kcatch_probe *probe);

/**
 * render_frame - one frame in a line of its own
 * @out: where to
 * @frame: the frame
 */
void render_frame(FILE *out, const struct kcatch_frame *frame);

struct json_object;

/** render_json_frame - the same as an object, to be released */
struct json_object *render_json_frame(const struct kcatch_frame *frame);

/**
 * render_stack - the stack, and the user's when it was taken
 * @out: where to
 * @session: the session
 * @event: the event
 * @options: what is shown
 *
 * Return: 0 or -errno.
 */
int render_stack(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		 const struct render_options *options);

/**
 * render_call - a call in one line: "vfs_read(file=/etc/passwd, count=4096) = 4096"
 * @out: where to
 * @session: the session
 * @event: the event
 * @probe: its probe
 * @options: what is shown
 * @indent: columns before it in its line: on a terminal the arguments are cut so that
 *	the line fits
 *
 * Return: 1 when the call failed, 0 when not, -errno.
 */
int render_call(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		const struct kcatch_probe *probe, const struct render_options *options,
		size_t indent);

#endif
