/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry of what DO_TRACE declares in loaded modules.
 *
 * An event is known by its name. It stays known when its last module has gone, so that
 * its number stays its own: the same name and format get it back. Numbers count up
 * from 0 without gaps. Memory: 0.5 KB an event, at most KCATCH_EVENTS_MAX of them.
 */
#ifndef _KCATCH_EVENT_H
#define _KCATCH_EVENT_H

#include <linux/list.h>
#include <linux/types.h>
#include <uapi/kcatch.h>
#include "hook.h"

#define KCATCH_EVENTS_MAX	4096U

struct module;

/**
 * struct kcatch_event - one event; never freed while kcatch is loaded
 * @site: what probes of it stand at; attached while there are any
 * @size: bytes of its payload, without texts
 * @id: its number
 * @nr_sites: places in loaded modules; 0: gone. kcatch_sites_lock, as the rest
 * @sites: struct kcatch_event_site.list
 * @nr_args: arguments
 * @args: KCATCH_EVENT_ARG_*, as the format says
 * @name: with an end mark
 * @format: with an end mark
 */
struct kcatch_event {
	struct kcatch_site site;
	u32 size;
	u32 id;
	u32 nr_sites;
	struct list_head sites;
	u32 nr_args;
	u8 args[KCATCH_EVENT_ARGS_MAX];
	char name[KCATCH_EVENT_NAME_LEN];
	char format[KCATCH_EVENT_FORMAT_LEN];
};

int kcatch_event_init(void);
void kcatch_event_exit(void);

/**
 * kcatch_event_module_comes() - note the places of a module, and switch on what is recorded
 * kcatch_event_module_goes() - forget them
 *
 * Context: the module notifier, after that of the kernel's jump labels.
 */
void kcatch_event_module_comes(struct module *module);
void kcatch_event_module_goes(struct module *module);

/**
 * kcatch_event_count() - numbers used so far; they only grow
 * kcatch_event_of() - the event of a number
 *
 * Context: any. Return: the event; NULL: no such number
 */
u32 kcatch_event_count(void);
struct kcatch_event *kcatch_event_of(u32 id);

/** kcatch_event_describe() - as KCATCH_IOC_EVENTS tells it. Context: may sleep */
void kcatch_event_describe(struct kcatch_event *event, struct kcatch_event_info *info);

/**
 * kcatch_event_matches() - is it meant by this name or glob?
 *
 * Events whose modules have gone are, unless another took the name: they may come back.
 *
 * Context: kcatch_sites_lock held.
 */
bool kcatch_event_matches(const struct kcatch_event *event, const char *pattern);

/**
 * kcatch_event_nr_sessions() - sessions that record it
 *
 * Context: kcatch_sites_lock not held, may sleep.
 */
u32 kcatch_event_nr_sessions(const struct kcatch_event *event);

#endif
