/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry of ktrace's events: the built-in ones, and those that DO_TRACE declares in
 * loaded modules.
 *
 * An event is identified by its name. It stays registered when its last module is unloaded,
 * so that the same name and format get the same number again. Numbers count up from 0
 * without gaps; the built-in ones are first. Memory: 0.5 KB for each event, at most
 * KCATCH_EVENTS_MAX events.
 */
#ifndef _KCATCH_KTRACE_EVENT_H
#define _KCATCH_KTRACE_EVENT_H

#include <linux/list.h>
#include <linux/types.h>
#include <uapi/kcatch.h>
#include "core/hook.h"

#define KCATCH_EVENTS_MAX	4096U

struct module;
struct kcatch_ktrace_builtin;

/**
 * struct kcatch_ktrace_event - one event; never freed while kcatch is loaded
 * @site: site of the event's probes; attached while there are any
 * @same_hash: in the table of names
 * @size: bytes of its payload, without texts
 * @id: its number
 * @nr_sites: places in loaded modules and in the kernel; 0: gone. kcatch_sites_lock, as the
 *	rest
 * @sites: struct kcatch_event_site.list
 * @builtin: what the kernel emits; NULL: no built-in event
 * @nr_args: arguments
 * @args: KCATCH_EVENT_ARG_*, as the format says
 * @name: with an end mark
 * @format: with an end mark
 */
struct kcatch_ktrace_event {
	struct kcatch_site site;
	struct hlist_node same_hash;
	u32 size;
	u32 id;
	u32 nr_sites;
	struct list_head sites;
	const struct kcatch_ktrace_builtin *builtin;
	u32 nr_args;
	u8 args[KCATCH_EVENT_ARGS_MAX];
	char name[KCATCH_EVENT_NAME_LEN];
	char format[KCATCH_EVENT_FORMAT_LEN];
};

int kcatch_ktrace_event_init(void);
void kcatch_ktrace_event_exit(void);

/**
 * kcatch_ktrace_event_module_comes() - note the places of a module, and switch on what is recorded
 * kcatch_ktrace_event_module_goes() - forget them
 *
 * Context: the module notifier, after that of the kernel's jump labels.
 */
void kcatch_ktrace_event_module_comes(struct module *module);
void kcatch_ktrace_event_module_goes(struct module *module);

/**
 * kcatch_ktrace_event_count() - count of numbers used so far; it only grows
 * kcatch_ktrace_event_of() - the event with a number
 *
 * Context: any. Return: the event; NULL: no such number
 */
u32 kcatch_ktrace_event_count(void);
struct kcatch_ktrace_event *kcatch_ktrace_event_of(u32 id);

/** kcatch_ktrace_event_describe() - as KCATCH_IOC_EVENTS tells it. Context: may sleep */
void kcatch_ktrace_event_describe(struct kcatch_ktrace_event *event,
				  struct kcatch_event_info *info);

/**
 * kcatch_ktrace_event_matches() - does the event match this name or glob?
 *
 * An event whose modules were unloaded matches too, as they may be loaded again, unless
 * another event took the name.
 *
 * Context: kcatch_sites_lock held.
 */
bool kcatch_ktrace_event_matches(const struct kcatch_ktrace_event *event, const char *pattern);

/**
 * kcatch_ktrace_event_occurs() - may the event ever occur in this kernel?
 *
 * Context: kcatch_sites_lock held. Return: false: it is built in, and what it stands at is missing
 */
bool kcatch_ktrace_event_occurs(const struct kcatch_ktrace_event *event);

#endif
