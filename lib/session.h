/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * session.h - inside of a session, shared by session.c, request.c, programs.c, event.c,
 * frames.c, values.c and probes.c
 */
#ifndef LIB_SESSION_H
#define LIB_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "calls.h"
#include "decode.h"
#include "kcatch.h"
#include "pending.h"
#include "plan.h"
#include "programs.h"
#include "recording.h"
#include "ring_reader.h"
#include "source.h"
#include "symbols.h"
#include "types.h"
#include "user_stack.h"

struct kcatch_comms;

/**
 * struct kcatch_probe_slot - what is known of a probe so far
 * @probe: for the caller
 * @asked: name it was asked for by, in memory of its own; NULL: by pattern
 * @system: of a tracepoint, in memory of its own
 * @info: of a DO_TRACE event, in memory of its own; NULL: it is none
 * @syscall: of the event of one system call, in memory of its own; NULL: it is none
 * @informed: @probe has address, offset and mechanism
 * @named: @probe has function and module
 * @returns: its return is hooked
 * @counted: @totals are those at the end
 * @group: of its ADD
 * @target: of that, which
 * @program: number of its program; 0: none
 * @plan: what is fetched; the session's. NULL: nothing
 * @totals: to tell what came of its calls
 */
struct kcatch_probe_slot {
	struct kcatch_probe probe;
	char *asked;
	char *system;
	struct kcatch_event_info *info;
	struct kcatch_syscall_event *syscall;
	bool informed;
	bool named;
	bool returns;
	bool counted;
	uint32_t group;
	uint32_t target;
	uint32_t program;
	const struct kcatch_plan *plan;
	struct kcatch_totals totals;
};

/**
 * struct kcatch_shown_frame - a frame with its source line
 * @index: of the frame in the record
 * @inlined: stands in the same frame as the next
 * @line: function, file and line; zeroed: not known
 */
struct kcatch_shown_frame {
	uint32_t index;
	bool inlined;
	struct kcatch_source_line line;
};

/**
 * struct kcatch_session - one open file of the module
 * @fd: the file
 * @info: what the module said at open
 * @ring_size: bytes a CPU, 0 before setup
 * @packet_size: bytes
 * @running: between start and stop
 * @in_pass: kcatch_ring_reader_begin() was called, and not all of it was read
 * @broken: a failed add left probes behind: it must not be started
 * @reader: the rings; NULL before the first read
 * @symbols: names of addresses
 * @slots: probes by number, each in memory of its own
 * @nr_slots: how many
 * @skipped: functions that patterns left alone
 * @left_out: functions of patterns that the condition does not apply to
 * @pending: functions are waited for: probes may come while it runs
 * @awaited: what is known of those
 * @damaged: records of probes that do not exist
 * @types: the kernel's; NULL: not needed yet, or there are none
 * @types_tried: there are none, if they are not there
 * @plans: all that were made
 * @nr_plans: how many
 * @raw_plan: the one of them without types; NULL: not made yet
 * @decoder: NULL before the first value
 * @args: of @event; NULL: not decoded
 * @nr_args: how many
 * @source: NULL before the first frame
 * @shown: frames of @event with their lines
 * @nr_shown: how many; 0: frames are as recorded
 * @user_stacks: NULL before the first
 * @user_frames: of @event, KCATCH_USER_FRAMES of them
 * @calls: calls whose records have not all come; NULL before the first that needs it
 * @current: of @event; NULL: @event is a plain hit
 * @pairs: calls have returns or programs: all of them go through @calls
 * @drains: a pass has ended, and calls that it made ready come
 * @until: of the pass: what is of this time or later comes in the next
 * @clock_anchor: session clock, at the moment of @monotonic_anchor
 * @monotonic_anchor: CLOCK_MONOTONIC, ns
 * @last_ns: time of the last event: re-anchoring must not make time go back
 * @comms: names of threads; NULL before the first that is asked for
 * @hit: record of @event, in the reader's memory; NULL: it has no stack
 * @record: of an @event that is no call, in the reader's memory; else NULL
 * @event: for the caller
 * @recording: what it is in place of an open file; NULL: it is one
 * @names: of a recording's probes
 * @nr_names: how many
 */
struct kcatch_session {
	int fd;
	struct kcatch_info info;
	uint32_t ring_size;
	uint32_t packet_size;
	bool running;
	bool in_pass;
	bool broken;
	struct kcatch_ring_reader *reader;
	struct kcatch_symbols *symbols;
	struct kcatch_probe_slot **slots;
	size_t nr_slots;
	uint64_t skipped;
	uint64_t left_out;
	bool pending;
	struct kcatch_awaited awaited;
	uint64_t damaged;
	struct kcatch_types *types;
	bool types_tried;
	struct kcatch_plan **plans;
	size_t nr_plans;
	const struct kcatch_plan *raw_plan;
	struct kcatch_decoder *decoder;
	const struct kcatch_value *args;
	uint32_t nr_args;
	struct kcatch_source *source;
	struct kcatch_shown_frame *shown;
	uint32_t nr_shown;
	struct kcatch_user_stacks *user_stacks;
	struct kcatch_frame *user_frames;
	struct kcatch_calls *calls;
	struct kcatch_call *current;
	bool pairs;
	bool drains;
	uint64_t until;
	uint64_t clock_anchor;
	uint64_t monotonic_anchor;
	uint64_t last_ns;
	struct kcatch_comms *comms;
	const struct kcatch_hit *hit;
	const struct kcatch_record *record;
	struct kcatch_event event;
	struct kcatch_recording *recording;
	char **names;
	size_t nr_names;
};

/**
 * kcatch_session_call - ioctl(), not ended by signals
 * @session: the session
 * @request: KCATCH_IOC_*
 * @argument: its argument
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_session_call(const struct kcatch_session *session, unsigned long request,
			void *argument);

/**
 * kcatch_session_grow - have slots for so many probes
 * @session: the session
 * @total: how many
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_grow(struct kcatch_session *session, size_t total);

/**
 * kcatch_session_learn - learn of all probes that came while the session ran
 * @session: the session
 *
 * Return: 0 or -errno.
 */
int kcatch_session_learn(struct kcatch_session *session);

/**
 * kcatch_session_refresh - learn of probes that came while the session ran
 * @session: the session
 * @number: a probe that is not known
 *
 * Return: whether it is known now.
 */
bool kcatch_session_refresh(struct kcatch_session *session, uint32_t number);

/**
 * kcatch_request_gate - whose calls a request wants, and how many
 * @add: gets it
 * @request: which
 */
void kcatch_request_gate(struct kcatch_add *add, const struct kcatch_request *request);

#define KCATCH_USER_FRAMES 256U

/**
 * kcatch_session_show_frames - look up the lines of the new event's frames
 * @session: the session; @event.nr_frames is made to count inlined frames
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_show_frames(struct kcatch_session *session);

/**
 * kcatch_session_prepare_user - learn what a record's process has mapped while it lives
 * @session: the session
 * @record: a good one, just read; of any kind
 */
void kcatch_session_prepare_user(struct kcatch_session *session, const struct kcatch_record *record);

/**
 * kcatch_session_show_user - unwind the new event's user stack
 * @session: the session; @event.nr_user_frames is set
 *
 * Return: 0 or -ENOMEM.
 */
int kcatch_session_show_user(struct kcatch_session *session);

#endif
