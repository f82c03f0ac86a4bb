/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render.h - show an event as text or as JSON */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>
#include <kcatch_json.h>

/**
 * struct render_options - what is shown of an event, and in the summary
 * @count: number of events (with @groups: of trees and chains) to show; 0: no limit
 * @depth: limit of a stack's frames, from --depth; 0: the default
 * @arguments: show the arguments of calls
 * @deep: pointers inside structs were followed: show structs in full
 * @groups: show related calls together
 * @verbose: shorten nothing, and show statistics of each probe in the summary
 * @waits: what the thread of a call that is under way waits for; NULL: not known, or another event
 * @wall: text: times are dates in UTC, not seconds since boot
 */
struct render_options {
	uint64_t count;
	unsigned int depth;
	bool arguments;
	bool deep;
	bool groups;
	bool verbose;
	bool wall;
	const char *waits;
};

/**
 * struct outcome - how a catch ended
 * @totals: the session's counters
 * @pairs: what became of the events of pairs; NULL: there are none
 * @shown: number of events (with --tree and --errors: trees and chains) that were shown
 * @events: number of calls that were shown, those inside trees and chains included
 * @elapsed_ns: time between start and stop, nanoseconds
 * @end: why it ended, as in struct follow
 * @unstopped: the session could not be stopped, so @totals are not final
 * @missing: of a recording: as in struct losses
 * @discarded: of a recording: as in struct losses
 */
struct outcome {
	struct kcatch_totals totals;
	const struct kcatch_pairs *pairs;
	uint64_t shown;
	uint64_t events;
	uint64_t elapsed_ns;
	const char *end;
	bool unstopped;
	uint64_t missing;
	uint64_t discarded;
};

/**
 * struct renderer - an output form: text or JSON
 * @event: writes the session's current event; returns 0, or -errno with an error text
 * @summary: writes how the catch ended; returns 0, or -errno with an error text
 * @progress: called several times a second while tracing goes on; returns 0, or -errno with an
 *	error text. May be NULL
 */
struct renderer {
	int (*event)(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		     const struct render_options *options);
	int (*summary)(struct kcatch_session *session, const struct outcome *outcome,
		       const struct render_options *options);
	int (*progress)(struct kcatch_session *session);
};

extern const struct renderer render_text;
extern const struct renderer render_json;
extern const struct renderer render_rows;

/**
 * render_text_forget, render_json_forget, render_rows_forget - free what the calling thread keeps
 *	from event to event
 *
 * Whatever shows an event as text, JSON or rows keeps stacks and room for a line, each thread its
 * own. A thread that ends calls this.
 */
void render_text_forget(void);
void render_json_forget(void);
void render_rows_forget(void);

/**
 * struct colours - escape sequences that begin and (@off) end a colour; all "" without colours
 */
struct colours {
	const char *head, *name, *dim, *warn, *off;
};

/**
 * render_colours - the colours for standard output, see stdout_has_colours()
 *
 * Return: the colours, static.
 */
const struct colours *render_colours(void);

/**
 * render_function - write a probe's function: "vfs_read", "ovl_open [overlay]"
 * @out: the output
 * @probe: the probe
 */
void render_function(FILE *out, const struct kcatch_probe *probe);

/**
 * render_time - write a time: "123.456789012", or "2026-11-22T15:04:05.123456789Z"
 * @out: the output
 * @session: the session
 * @ns: the time, CLOCK_MONOTONIC, ns
 * @options: its @wall decides. A recording that does not know the date has seconds
 */
void render_time(FILE *out, const struct kcatch_session *session, uint64_t ns,
		 const struct render_options *options);

/**
 * render_head - write the first line of an event: function, thread, cgroup if known, CPU, time
 * @out: the output
 * @session: the session
 * @event: the event
 * @probe: its probe
 * @options: what is shown
 */
void render_head(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		 const struct kcatch_probe *probe, const struct render_options *options);

/**
 * render_frame - write one frame of a stack as a line
 * @out: the output
 * @frame: the frame
 */
void render_frame(FILE *out, const struct kcatch_frame *frame);

/**
 * render_user_end - write behind a user stack that it goes on, if so
 * @out: the output
 * @last: its last frame
 */
void render_user_end(FILE *out, const struct kcatch_frame *last);

struct json_object;

/** render_json_frame - write a frame as an object, the next value of @json */
void render_json_frame(struct json_writer *json, const struct kcatch_frame *frame);

/**
 * render_stack - write the kernel stack, and the user stack if it was taken
 * @out: the output
 * @session: the session
 * @event: its current event
 * @options: what is shown
 *
 * Return: 0, or -errno with an error text.
 */
int render_stack(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		 const struct render_options *options);

/**
 * render_structs - write the members of structs that arguments and the return value point to
 * @out: the output
 * @session: the session
 * @event: its current event
 * @options: what is shown: all members with @verbose or @deep, otherwise some lines of each
 *
 * Return: 0, or -errno with an error text.
 */
int render_structs(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		   const struct render_options *options);

/**
 * render_call - write a call without a newline: "vfs_read(file=/etc/passwd, count=4096) = 4096"
 * @out: the output
 * @session: the session
 * @event: its current event
 * @probe: the event's probe
 * @options: what is shown
 * @indent: columns taken by other text in the line; on a terminal, the arguments are cut so
 *	that the line fits
 *
 * Return: 1: the call failed; 0: it did not, or has not returned; -errno with an error text.
 */
int render_call(FILE *out, struct kcatch_session *session, const struct kcatch_event *event,
		const struct kcatch_probe *probe, const struct render_options *options,
		size_t indent);

#endif
