/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* ctf_metadata.h - the description of a recording's packets, in TSDL (CTF 1.8) */
#ifndef LIB_CTF_METADATA_H
#define LIB_CTF_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "ctf_types.h"

/**
 * struct kcatch_ctf_clock - the session's clock
 * @frequency: of it, Hz
 * @at: the clock, when
 * @realtime: CLOCK_REALTIME was this, ns
 */
struct kcatch_ctf_clock {
	uint64_t frequency;
	uint64_t at;
	uint64_t realtime;
};

/**
 * struct kcatch_ctf_event - what records of one probe look like
 * @probe: its number
 * @name: of its events, any bytes
 * @kinds: bits 1 << KCATCH_RECORD_*: the classes to declare
 * @plan: number of what is fetched; ~0: nothing is
 * @ret: type of what is returned, of kcatch_ctf_return()
 * @user_stack: the user's stack may follow
 * @info: of DO_TRACE; NULL: it is none
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
 * kcatch_ctf_begin - all that comes before the first event
 * @ctf: the text
 * @clock: the clock
 * @env: "name = value;" lines for TSDL's env, which are good TSDL
 */
void kcatch_ctf_begin(struct kcatch_ctf *ctf, const struct kcatch_ctf_clock *clock, const char *env);

/**
 * kcatch_ctf_event - the classes of one probe
 * @ctf: the text
 * @event: what they are like; the plan was declared
 */
void kcatch_ctf_event(struct kcatch_ctf *ctf, const struct kcatch_ctf_event *event);

/**
 * kcatch_ctf_string - a string in quotes, as TSDL has it
 * @out: where to
 * @text: any bytes
 */
void kcatch_ctf_string(FILE *out, const char *text);

#endif
