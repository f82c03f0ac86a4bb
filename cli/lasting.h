/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lasting.h - kcatch --after: calls that have lasted long are shown while they last */
#ifndef CLI_LASTING_H
#define CLI_LASTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show.h"

/**
 * struct lasting - what was shown of such calls; zeroed
 * @after_ns: how long a call lasts before it is shown, nanoseconds; 0: none is
 * @no_stack: no stack is shown
 * @depth: at most so many frames are; 0: all
 * @due_ns: CLOCK_MONOTONIC of the next look
 * @shown: calls that were shown and may still be under way
 * @nr: number of entries in @shown
 * @room: allocated entries
 * @left_out: calls that the last look had to leave out
 */
struct lasting {
	uint64_t after_ns;
	bool no_stack;
	unsigned int depth;
	uint64_t due_ns;
	struct lasting_call {
		uint64_t call;
		uint32_t tid;
		uint32_t probe;
	} *shown;
	size_t nr, room;
	uint32_t left_out;
};

/**
 * lasting_look - show the calls that have come to last so long
 * @lasting: the state
 * @show: the command; its session runs
 * @now: CLOCK_MONOTONIC, nanoseconds
 *
 * Return: 0; -errno after a message.
 */
int lasting_look(struct lasting *lasting, struct show *show, uint64_t now);

/** lasting_deinit - free what is kept */
void lasting_deinit(struct lasting *lasting);

#endif
