/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* task_states.c - the letters of a task's state, as ps shows them */
#include <stdio.h>

#include "constants/constant_sets.h"

#define IDLE     0x402U  /* TASK_UNINTERRUPTIBLE, and no part of the load */
#define AS_D     0x9000U /* waits for a lock of an rt kernel, or is frozen: shown as D */
#define DEAD     0x80U   /* exit_state tells which */
#define REPORTED 0x7fU   /* TASK_REPORT; the bits above are about the bit below them */

/* As __task_state_index() of the kernel (include/linux/sched.h) chooses it. */
static void put_state(uint32_t state, char *text, size_t room)
{
	static const char letters[] = "RSDTtXZP";
	uint32_t shown = state & REPORTED, highest = 0;

	if ((state & IDLE) == IDLE) {
		snprintf(text, room, "I");
		return;
	}
	if (state & AS_D)
		shown = 2;
	if (!shown && state & DEAD) {
		snprintf(text, room, "X or Z");
		return;
	}
	for (; shown; shown >>= 1)
		highest++;
	snprintf(text, room, "%c", letters[highest]);
}

static void put_exit_state(uint32_t state, char *text, size_t room)
{
	if (state & 0x30)
		snprintf(text, room, state & 0x20 ? "Z" : "X");
}

const struct kcatch_constants kcatch_constants_task_state = { .put_other = put_state };
const struct kcatch_constants kcatch_constants_exit_state = { .put_other = put_exit_state };
