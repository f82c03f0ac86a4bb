/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses of code for the kernel log, which may be read by more people than may see addresses.
 */
#ifndef _KCATCH_FRAME_TEXT_H
#define _KCATCH_FRAME_TEXT_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <uapi/kcatch.h>

#define KCATCH_FRAME_TEXT	160	/* bytes; a longer name is cut */

/**
 * kcatch_frame_text() - name an address: "function+0x1/0x10 [module]"
 * @text: room for KCATCH_FRAME_TEXT bytes
 * @address: what no symbol has (code of BPF, of a module that is gone) becomes a number that stands
 *	for it, the same for the same address until the next boot: %p
 * @is_return: it is the address behind a call
 *
 * Context: any
 */
static inline void kcatch_frame_text(char *text, unsigned long address, bool is_return)
{
	if (address == KCATCH_FRAME_HOOKED) {
		strcpy(text, "[return hooked by another tracer]");
		return;
	}
	scnprintf(text, KCATCH_FRAME_TEXT, is_return ? "%pB" : "%pS", (void *)address);
	if (!strncmp(text, "0x", 2))
		scnprintf(text, KCATCH_FRAME_TEXT, "%p", (void *)address);
}

/** kcatch_hit_frame_text() - name frame @frame of @hit, likewise. Context: any */
static inline void kcatch_hit_frame_text(char *text, const struct kcatch_hit *hit, u32 frame)
{
	bool is_return = true;
	int i;

	for (i = 0; i < ARRAY_SIZE(hit->interrupted); i++)
		if (hit->interrupted[i] == frame + 1)
			is_return = false;
	if (hit->frames[frame] == KCATCH_FRAME_SELF)
		strcpy(text, "[kcatch]");
	else
		kcatch_frame_text(text, hit->frames[frame], is_return);
}

#endif
