/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * tracepoints.c - resolves names and patterns to tracepoints and DO_TRACE events
 *
 * tracefs lists the tracepoints of each system; it is read only if a tracepoint is requested.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "fetch/syscall_event.h"
#include "symbols/module_file.h"
#include "target/target.h"
#include "target/tracepoints.h"

#define KTRACE "ktrace"
#define SYSCALLS "syscalls"

/* The built-in set: what ktrace had, and who wakes whom. Those that this kernel has are taken. */
static const char *const core[] = {
	"raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
	"irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry", "irq:softirq_exit",
	"irq_vectors:*_entry", "irq_vectors:*_exit",
	"exceptions:page_fault_user", "exceptions:page_fault_kernel",
	"sched:sched_switch", "sched:sched_waking", "sched:sched_process_fork", "sched:sched_process_exec",
	"sched:sched_process_wait", "sched:sched_process_exit", "sched:sched_process_free",
};

/* In tracefs, and no tracepoints; for syscalls see syscall_event.h. */
static const char *const others[] = { SYSCALLS, "ftrace", "kprobes", "uprobes", "synthetic" };

struct listed {
	char *text;		/* "system:name" in one, with an end mark between */
	const char *name;
};

struct finder {
	struct listed *listed;
	size_t nr_listed;
	bool is_read;
	struct kcatch_event_name *names;
	size_t nr;
	struct kcatch_table seen;	/* "system:name" of @names */
	char **keys;
	bool (*is_event)(void *arg, const char *name);
	void *arg;
	size_t asked;
	size_t nr_unknown;	/* system calls of patterns */
};

static int add_listed(struct finder *f, const char *line)
{
	struct listed *listed = kcatch_array_grow(f->listed, f->nr_listed, sizeof(*listed));
	char *colon;

	if (!listed)
		return kcatch_error_memory();
	f->listed = listed;
	listed += f->nr_listed;
	listed->text = strdup(line);
	if (!listed->text)
		return kcatch_error_memory();
	f->nr_listed++;
	colon = strchr(listed->text, ':');
	if (colon)
		*colon = '\0';
	listed->name = colon ? colon + 1 : "";
	return 0;
}

static int read_list(struct finder *f)
{
	char *line = NULL;
	size_t size = 0;
	int ret = 0;
	FILE *file;

	if (f->is_read)
		return 0;
	ret = kcatch_machine_open_tracefs("available_events", "the kernel's tracepoints", &file);
	if (ret)
		return ret;
	while (!ret && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		ret = add_listed(f, line);
	}
	free(line);
	fclose(file);
	f->is_read = !ret;
	return ret;
}

static int add_name(struct finder *f, const char *system, const char *name, bool by_pattern)
{
	struct kcatch_event_name *names = kcatch_array_grow(f->names, f->nr, sizeof(*names));
	char **keys = kcatch_array_grow(f->keys, f->nr, sizeof(*keys)), *key;
	int ret;

	f->names = names ? names : f->names;
	f->keys = keys ? keys : f->keys;
	if (!names || !keys || asprintf(&key, "%s:%s", system, name) < 0)
		return kcatch_error_memory();
	ret = kcatch_table_add(&f->seen, key, strlen(key), f->nr);
	if (ret) {
		size_t *before = kcatch_table_find(&f->seen, key, strlen(key));

		/* Asked for by its name as well: it must be there. */
		if (before)
			names[*before].by_pattern &= by_pattern;
		free(key);
		return ret < 0 ? kcatch_error_memory() : 0;
	}
	keys[f->nr] = key;
	names[f->nr] = (struct kcatch_event_name){
		.system = strdup(system),
		.name = strdup(name),
		.by_pattern = by_pattern,
		.is_ktrace = !strcmp(system, KTRACE),
		.is_syscall = !strcmp(system, SYSCALLS),
		.asked = f->asked,
		.order = f->nr,
	};
	f->nr++;
	return names[f->nr - 1].system && names[f->nr - 1].name ? 0 : kcatch_error_memory();
}

static bool is_other(const char *system)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(system, others[i]))
			return true;
	return false;
}

/* An event of a system call, by its full name or its name alone. */
static bool is_of_syscall(const struct listed *listed, const char *system, const char *name)
{
	return !strcmp(listed->text, SYSCALLS) &&
	       (system ? !strcmp(system, SYSCALLS) : !strcmp(name, listed->name));
}

static bool is_syscall(const struct listed *listed, const char *system, const char *name)
{
	return is_of_syscall(listed, system, name) && kcatch_syscall_event_is(listed->name);
}

static int add_matching(struct finder *f, const char *system, const char *name, size_t *found)
{
	bool is_pattern = (system && kcatch_glob_is_pattern(system)) ||
			  kcatch_glob_is_pattern(name);
	size_t i;
	int ret = 0;

	*found = 0;
	for (i = 0; i < f->nr_listed && !ret; i++) {
		const struct listed *listed = &f->listed[i];

		/* Patterns of systems, and of names alone, do not mean what is twice in tracefs. */
		if (is_other(listed->text) && !is_syscall(listed, system, name)) {
			f->nr_unknown += is_pattern && is_of_syscall(listed, system, name) &&
					 kcatch_glob_match(name, listed->name);
			continue;
		}
		if ((system && !kcatch_glob_match(system, listed->text)) ||
		    !kcatch_glob_match(name, listed->name))
			continue;
		ret = add_name(f, listed->text, listed->name, is_pattern);
		++*found;
	}
	return ret;
}

static int add_core(struct finder *f)
{
	size_t i, found, all = 0;
	int ret = 0;

	for (i = 0; i < sizeof(core) / sizeof(core[0]) && !ret; i++) {
		char system[32];
		const char *colon = strchr(core[i], ':');

		snprintf(system, sizeof(system), "%.*s", (int)(colon - core[i]), core[i]);
		ret = add_matching(f, system, colon + 1, &found);
		all += found;
	}
	if (!ret && !all)
		return kcatch_error_set(ENOENT, "this kernel has none of the tracepoints of core");
	for (i = 0; i < f->nr; i++)
		if (f->names[i].asked == f->asked)
			f->names[i].by_pattern = true;
	return ret;
}

/* What is wrong with a name that nothing has. */
static int no_event(struct finder *f, const char *system, const char *name, const char *text)
{
	struct kcatch_suggest suggest;
	char near[600], path[512];
	size_t i;

	if (system && is_other(system) && strcmp(system, SYSCALLS))
		return kcatch_error_set(ENOENT, "%s is no tracepoint", SHOWN(text));
	kcatch_suggest_init(&suggest, system ? text : name);
	for (i = 0; i < f->nr_listed; i++) {
		char full[160];

		if (is_of_syscall(&f->listed[i], system, name) && !strcmp(f->listed[i].name, name))
			return kcatch_error_set(ENOENT, "%s: this kcatch is older than that system call; "
						"raw_syscalls:sys_enter and sys_exit have it, by its "
						"number", SHOWN(text));
		if (is_other(f->listed[i].text) && !is_syscall(&f->listed[i], system, name))
			continue;
		snprintf(full, sizeof(full), "%s:%s", f->listed[i].text, f->listed[i].name);
		if (system)
			kcatch_suggest_offer(&suggest, full, strlen(full));
		else
			kcatch_suggest_offer(&suggest, f->listed[i].name,
					     strlen(f->listed[i].name));
		/* The name is right, and the system is not. */
		if (system && !strcmp(f->listed[i].name, name))
			return kcatch_error_set(ENOENT, "there is no event %s; did you mean %s?",
						SHOWN(text), full);
	}
	kcatch_suggest_format(&suggest, near, sizeof(near));
	if (*near)
		return kcatch_error_set(ENOENT, "there is no event %s; did you mean %s?",
					SHOWN(text), near);
	if (system && !kcatch_glob_is_pattern(system) && !kcatch_machine_module_loaded(system) &&
	    kcatch_module_file_installed(system, path, sizeof(path)))
		return kcatch_error_set(ENOENT, "there is no event %s; it may be of the module %s, which is not "
					"loaded: modprobe %s", SHOWN(text), system, system);
	return kcatch_error_set(ENOENT,
				"there is no event %s; %s/available_events lists the tracepoints, "
				"those of ktrace are ktrace:NAME",
				SHOWN(text), kcatch_machine_tracefs());
}

/* Letters and the like, and what makes a pattern. */
static bool is_plausible(const char *text)
{
	const char *at;

	for (at = text; *at; at++)
		if (*at <= ' ' || *at >= 127 || *at == '/' || *at == '"')
			return false;
	return at > text;
}

static int find_one(struct finder *f, const char *text)
{
	const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : text;
	char *system = NULL;
	size_t found = 0;
	int ret;

	if (kcatch_target_check_pair(text))
		return -EINVAL;
	if (!is_plausible(text) || !*name || colon == text || strchr(name, ':'))
		return kcatch_error_set(EINVAL, "%s is not an event's name: give SYSTEM:NAME, "
					"NAME, ktrace:NAME or core%s", SHOWN(text),
					strchr(text, ' ') ? "; a condition is given apart from it"
							  : "");
	if (colon && colon - text == strlen(KTRACE) && !strncmp(text, KTRACE, strlen(KTRACE)))
		return add_name(f, KTRACE, name, false);
	ret = read_list(f);
	if (ret)
		return ret;
	if (!strcmp(text, "core"))
		return add_core(f);
	if (colon) {
		system = strndup(text, colon - text);
		if (!system)
			return kcatch_error_memory();
	}
	ret = add_matching(f, system, name, &found);
	if (!ret && !found) {
		if (!system && f->is_event(f->arg, name))
			ret = add_name(f, KTRACE, name, false);
		else
			ret = no_event(f, system, name, text);
	}
	free(system);
	return ret;
}

int kcatch_tracepoints_find(const char *const *asked, size_t nr_asked,
			    bool (*is_event)(void *arg, const char *name), void *arg,
			    struct kcatch_event_name **names, size_t *nr, size_t *nr_unknown)
{
	struct finder f = { .is_event = is_event, .arg = arg };
	size_t i;
	int ret = 0;

	for (f.asked = 0; f.asked < nr_asked && !ret; f.asked++)
		ret = find_one(&f, asked[f.asked]);
	for (i = 0; i < f.nr_listed; i++)
		free(f.listed[i].text);
	free(f.listed);
	kcatch_table_deinit(&f.seen);
	for (i = 0; i < f.nr; i++)
		free(f.keys[i]);
	free(f.keys);
	if (ret) {
		kcatch_tracepoints_free(f.names, f.nr);
		return ret;
	}
	*names = f.names;
	*nr = f.nr;
	*nr_unknown = f.nr_unknown;
	return 0;
}

void kcatch_tracepoints_free(struct kcatch_event_name *names, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		free(names[i].system);
		free(names[i].name);
	}
	free(names);
}
