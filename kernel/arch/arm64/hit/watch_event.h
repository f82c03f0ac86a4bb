/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's event of a watchpoint. watch_event.c says how an access is seen.
 */
#ifndef _KCATCH_HIT_WATCH_EVENT_H
#define _KCATCH_HIT_WATCH_EVENT_H

#include <linux/perf_event.h>

struct kcatch_site;

/* An access to what @site watches, whose instruction is done; @regs: behind it. Context: an
 * exception. In hook_watch.c. */
void kcatch_watch_hit(const struct kcatch_site *site, struct pt_regs *regs);

/** kcatch_watch_event() - watch, on one CPU, what @attr says. Context: may sleep.
 * Return: the event, or an error pointer */
struct perf_event *kcatch_watch_event(struct perf_event_attr *attr, unsigned int cpu,
				      struct kcatch_site *site);

/** kcatch_watch_event_end() - end it. No hit of it is under way any more. Context: may sleep */
void kcatch_watch_event_end(struct perf_event *event, unsigned int cpu);

/** kcatch_watch_events_begin() - before the first of a site's events. Context: may sleep.
 * Return: 0, -EOPNOTSUPP */
int kcatch_watch_events_begin(void);

/** kcatch_watch_events_end() - after the last of them. Context: may sleep */
void kcatch_watch_events_end(void);

#endif
