// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints records to the kernel log. Process context, never inside a hook: printing takes locks
 * that the hooked code may hold.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <uapi/kcatch.h>
#include "frontends/kernel_log.h"
#include "stack/frame_text.h"

static const char * const contexts[] = { "process", "softirq", "hardirq", "NMI" };

void kcatch_log_circumstances(const char *frontend, const struct kcatch_hit *hit, unsigned int cpu)
{
	/* A process chooses its name, and might put lines of its own into the log. */
	pr_info("%s: pid %u comm %*pEhp cpu %u interrupts %s context %s\n", frontend, hit->pid,
		(int)strnlen(hit->comm, KCATCH_COMM_LEN), hit->comm, cpu,
		hit->context & KCATCH_CONTEXT_IRQS_OFF ? "off" : "on",
		contexts[hit->context & KCATCH_CONTEXT_MASK]);
}

static const char *log_ending(const struct kcatch_hit *hit)
{
	if (hit->stack_flags & KCATCH_STACK_DEPTH)
		return " ... cut here, there are more";
	if (hit->stack_flags & KCATCH_STACK_BROKEN)
		return " ... the unwinder gave up here";
	return NULL;
}

void kcatch_log_stack(const struct kcatch_hit *hit)
{
	u32 nr = hit->nr_frames, i;
	char text[KCATCH_FRAME_TEXT];

	pr_info("Call Trace:\n");
	for (i = 0; i < nr; i++) {
		kcatch_hit_frame_text(text, hit, i);
		pr_info(" %s\n", text);
	}
	if (log_ending(hit))
		pr_info("%s\n", log_ending(hit));
}

void kcatch_log_stack_short(const char *frontend, const struct kcatch_hit *hit)
{
	const int room = 900;	/* a log line holds about 1 KB */
	char *text = kzalloc(room, GFP_KERNEL);
	u32 nr = hit->nr_frames, i;
	char frame[KCATCH_FRAME_TEXT];
	int used = 0, length;

	if (!text) {
		kcatch_log_stack(hit);
		return;
	}
	for (i = 0; i < nr; i++) {
		kcatch_hit_frame_text(frame, hit, i);
		length = snprintf(text + used, room - used, " <- %s", frame);
		if (length >= room - used)
			break;
		used += length;
	}
	text[used] = '\0';	/* of a frame that does not fit, nothing */
	pr_info("%s:%s%s\n", frontend, text, i < nr ? " ..." : log_ending(hit) ?: "");
	kfree(text);
}
