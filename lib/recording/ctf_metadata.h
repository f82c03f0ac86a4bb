/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ctf_metadata.h - the metadata of a recording, in TSDL (CTF 1.8) */
#ifndef LIB_RECORDING_CTF_METADATA_H
#define LIB_RECORDING_CTF_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "recording/ctf_types.h"

/**
 * struct kcatch_ctf_clock - the session's clock
 * @frequency: ticks per second
 * @at: a reading of the session's clock, in ticks
 * @realtime: CLOCK_REALTIME at the same moment, in ns
 */
struct kcatch_ctf_clock {
	uint64_t frequency;
	uint64_t at;
	uint64_t realtime;
};

/**
 * struct kcatch_ctf_event - layout of one probe's records
 * @probe: number of the probe
 * @name: name of the probe's events, any bytes
 * @kinds: bits 1 << KCATCH_RECORD_*: the event classes to declare
 * @plan: number of the plan of fetched values; ~0: nothing is fetched
 * @ret: type of the return value, from kcatch_ctf_return()
 * @user_stack: a user stack may follow
 * @info: description of a DO_TRACE event; NULL: not a DO_TRACE event
 */
struct kcatch_ctf_event {
	uint32_t probe;
	const char *name;
	unsigned int kinds;
	uint32_t plan;
	const char *ret;
	bool user_stack;
	const struct kcatch_event_info *info;
};

/**
 * kcatch_ctf_begin - write the metadata that precedes the first event class
 * @ctf: the metadata text
 * @clock: the session's clock
 * @env: "name = value;" lines for TSDL's env block, valid TSDL
 */
void kcatch_ctf_begin(struct kcatch_ctf *ctf, const struct kcatch_ctf_clock *clock,
		      const char *env);

/**
 * kcatch_ctf_event - declare the event classes of one probe
 * @ctf: the metadata text
 * @event: the layout; its plan was declared before
 */
void kcatch_ctf_event(struct kcatch_ctf *ctf, const struct kcatch_ctf_event *event);

/**
 * kcatch_ctf_string - write a quoted TSDL string
 * @out: output file
 * @text: any bytes
 */
void kcatch_ctf_string(FILE *out, const char *text);

#endif
