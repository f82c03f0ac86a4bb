/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * signatures.c - the arguments of functions and events with their types, before anything is armed
 *
 * Memory: the kernel's types, and those of modules that were asked about.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <uapi/kcatch.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "base/printable.h"
#include "condition/event_fields.h"
#include "fetch/decode_event.h"
#include "fetch/syscall_event.h"
#include "target/tracepoints.h"
#include "types/types.h"

struct kcatch_signatures {
	struct kcatch_types *types;
};

int kcatch_signatures_create(struct kcatch_signatures **signatures)
{
	struct kcatch_signatures *new = calloc(1, sizeof(*new));
	int ret;

	*signatures = NULL;
	if (!new)
		return kcatch_error_memory();
	ret = kcatch_types_open(&new->types);
	if (ret) {
		free(new);
		return ret;
	}
	*signatures = new;
	return 0;
}

void kcatch_signatures_destroy(struct kcatch_signatures *signatures)
{
	if (!signatures)
		return;
	kcatch_types_close(signatures->types);
	free(signatures);
}

static int visit_proto(struct kcatch_type proto, uint32_t first, bool returns,
		       kcatch_signature_visit *visit, void *arg)
{
	struct kcatch_member member;
	char text[256], name[16];
	uint32_t i;
	int ret = 0;

	for (i = first; !ret && !kcatch_type_member(proto, i, &member); i++) {
		snprintf(name, sizeof(name), "arg%u", i - first);
		kcatch_type_text(member.type, text, sizeof(text));
		/* The parameter "..." has no type, and none of its arguments is known. */
		ret = member.type.id ? visit(*member.name ? member.name : name, text, arg) :
				       visit("...", "", arg);
	}
	if (ret || !returns)
		return ret;
	kcatch_type_text(kcatch_type_target(proto), text, sizeof(text));
	return visit(NULL, text, arg);
}

static int visit_syscall(const struct kcatch_syscall_event *call, kcatch_signature_visit *visit,
			 void *arg)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < call->nr_args && !ret; i++)
		ret = visit(call->args[i].name, call->args[i].type, arg);
	return ret || (!call->is_function && !call->is_exit) ? ret :
	       visit(call->is_exit ? "ret" : NULL, "long", arg);
}

static int read_function(struct kcatch_signatures *signatures, const char *module,
			 const char *name, kcatch_signature_visit *visit, void *arg)
{
	struct kcatch_syscall_event *call = NULL;
	struct kcatch_type proto;
	int ret;

	if (!module) {
		ret = kcatch_syscall_of_function(signatures->types, name, &call);
		if (!ret && call)
			ret = visit_syscall(call, visit, arg);
		free(call);
		if (ret || call)
			return ret;
	}
	ret = kcatch_types_function(signatures->types, module, name, &proto);
	return ret ? ret : visit_proto(proto, 0, true, visit, arg);
}

/* The function that calls who listens to an event. Return: 0 or -ENOENT. */
static int event_proto(struct kcatch_signatures *signatures, const char *system, const char *name,
		       struct kcatch_type *proto)
{
	char function[160];
	int ret;

	snprintf(function, sizeof(function), "__traceiter_%s", name);
	ret = kcatch_types_function(signatures->types, NULL, function, proto);
	/* Those of a module are often in a system that is called like it. */
	return ret ? kcatch_types_function(signatures->types, system, function, proto) : 0;
}

/* Its arguments are those of that function, behind a pointer of who listens. */
static int read_tracepoint(struct kcatch_signatures *signatures, const char *system,
			   const char *name, kcatch_signature_visit *visit, void *arg)
{
	struct kcatch_syscall_event *call;
	struct kcatch_type proto;
	int ret;

	if (!strcmp(system, "syscalls")) {
		ret = kcatch_syscall_event_read(name, &call);
		if (ret)
			return ret;
		ret = visit_syscall(call, visit, arg);
		free(call);
		return ret;
	}
	ret = event_proto(signatures, system, name, &proto);
	return ret ? ret : visit_proto(proto, 1, false, visit, arg);
}

/* Return: 0 or -ENOENT. */
static int find_ktrace(const char *name, struct kcatch_event_info *info)
{
	int fd = open(KCATCH_DEVICE, O_RDWR | O_CLOEXEC);
	struct kcatch_query query = { .count = 1, .buffer = (uintptr_t)info };
	bool found = false;

	while (fd >= 0 && !found && !ioctl(fd, KCATCH_IOC_EVENTS, &query) && query.count) {
		info->name[sizeof(info->name) - 1] = '\0';
		info->format[sizeof(info->format) - 1] = '\0';
		found = info->nr_sites && !strcmp(info->name, name);
		query.first++;
	}
	if (fd >= 0)
		close(fd);
	return found ? 0 :
		       kcatch_error_set(ENOENT, "the kcatch module tells nothing of ktrace:%s",
					SHOWN(name));
}

/* Its arguments are what its format converts; the module knows them. */
static int read_ktrace(const char *name, kcatch_signature_visit *visit, void *arg)
{
	struct kcatch_event_info info;
	char argument[64];
	uint32_t i;
	int ret = find_ktrace(name, &info);

	for (i = 0; !ret && i < info.nr_args && i < KCATCH_EVENT_ARGS_MAX; i++) {
		kcatch_event_field_name(info.format, i, argument, sizeof(argument));
		ret = visit(argument, kcatch_event_type_name(info.args[i]), arg);
	}
	return ret;
}

int kcatch_signature_read(struct kcatch_signatures *signatures, enum kcatch_mechanism mechanism,
			  const char *module, const char *name, kcatch_signature_visit *visit,
			  void *arg)
{
	if (mechanism == KCATCH_BY_TRACEPOINT)
		return read_tracepoint(signatures, module, name, visit, arg);
	if (mechanism == KCATCH_BY_EVENT)
		return read_ktrace(name, visit, arg);
	return read_function(signatures, module, name, visit, arg);
}

int kcatch_signature_fields(struct kcatch_signatures *signatures, const char *system,
			    const char *name, kcatch_signature_visit *visit, void *arg)
{
	struct kcatch_event_fields *fields;
	struct kcatch_type proto;
	char event[200];
	uint32_t i;
	int ret;

	snprintf(event, sizeof(event), "%s:%s", system, name);
	if (!kcatch_event_rows(event) || event_proto(signatures, system, name, &proto))
		return 0;
	ret = kcatch_event_fields_create(signatures->types, proto, event, &fields);
	for (i = 0; !ret && fields && i < fields->nr; i++) {
		const struct kcatch_field_row *row = fields->fields[i].row;

		/* What a condition reads, not what is shown in place of it. */
		if (!i || strcmp(row->name, fields->fields[i - 1].row->name) != 0)
			ret = visit(row->name, row->expression, arg);
	}
	kcatch_event_fields_destroy(fields);
	return ret;
}

/* ---- events ------------------------------------------------------------------------------- */

static bool is_no_event(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return false;
}

/* Those of ktrace are the module's; each is a file. */
static int list_ktrace(const char *pattern,
		       int (*visit)(const char *system, const char *name, void *arg), void *arg)
{
	static const char path[] = "/sys/kernel/debug/ktrace/events";
	struct dirent **files;
	int nr = scandir(path, &files, NULL, alphasort), i, ret = 0;
	size_t found = 0;

	if (nr < 0)
		return kcatch_error_set(errno,
					"the events of ktrace are in %s: %s (the module "
					"kcatch is loaded, and debugfs mounted?)",
					path, strerror(errno));
	for (i = 0; i < nr; i++) {
		if (!ret && *files[i]->d_name != '.' &&
		    kcatch_glob_match(pattern, files[i]->d_name)) {
			found++;
			ret = visit("ktrace", files[i]->d_name, arg);
		}
		free(files[i]);
	}
	free(files);
	return ret || found ? ret :
			      kcatch_error_set(
				      ENOENT,
				      "ktrace has no event %s; all of them: kcatch list 'ktrace:*'",
				      SHOWN(pattern));
}

int kcatch_events_list(const char *pattern,
		       int (*visit)(const char *system, const char *name, void *arg), void *arg)
{
	struct kcatch_event_name *names;
	size_t nr, unknown, i;
	int ret;

	if (!strncmp(pattern, "ktrace:", strlen("ktrace:")))
		return list_ktrace(pattern + strlen("ktrace:"), visit, arg);
	ret = kcatch_tracepoints_find(&pattern, 1, is_no_event, NULL, &names, &nr, &unknown);
	if (ret)
		return ret;
	for (i = 0; i < nr && !ret; i++)
		ret = visit(names[i].system, names[i].name, arg);
	kcatch_tracepoints_free(names, nr);
	return ret;
}
