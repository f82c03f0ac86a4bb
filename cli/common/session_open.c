/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_open.c - open and arm a session; load the module if needed
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_text.h>

#include "arming.h"
#include "command.h"
#include "session_open.h"
#include "words.h"

int session_open(struct kcatch_session **session)
{
	int ret = kcatch_session_open(session);

	if (ret == -ENOENT && geteuid() != 0) {
		say("the kcatch module is not loaded; run as root and kcatch loads it: try sudo");
		return ret;
	}
	if (ret == -ENOENT) {
		say("the kcatch module is not loaded; loading it: modprobe kcatch");
		ret = kcatch_module_load();
		if (!ret)
			ret = kcatch_session_open(session);
	}
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

/* Functions written MODULE:NAME and DO_TRACE events may appear when a module is loaded. */
static bool may_get_probes(const struct kcatch_request *request)
{
	size_t i;

	for (i = 0; i < request->nr_events; i++)
		if (!strncmp(request->events[i], "ktrace:", 7))
			return true;
	for (i = 0; i < request->nr_functions; i++)
		if (strchr(request->functions[i], ':'))
			return true;
	return false;
}

void session_say_notes(const struct kcatch_session *session)
{
	const char *note;
	size_t i;

	for (i = 0; (note = kcatch_session_note(session, i)); i++)
		say("%s", note);
}

void session_say_modules(const struct kcatch_session *session)
{
	const char *module, *file;
	size_t i;

	for (i = 0; i < kcatch_session_nr_awaited(session) &&
	     !kcatch_session_awaited(session, i, &module, &file); i++)
		say("waiting for module %s%s", module, file ? "" : ": there is no file of it in "
		    "/lib/modules or here, so its functions and types are not known yet");
}

int session_arm(struct kcatch_session *session, uint64_t ring_size,
		const struct kcatch_request *request)
{
	int ret = kcatch_session_setup(session, ring_size, request);
	struct arming arming;

	arming_begin(&arming, session, request);
	if (!ret)
		ret = kcatch_session_add(session, request);
	arming_end(&arming);
	return session_check(session, request, ret);
}

int session_begin(struct kcatch_session **session, uint64_t ring_size,
		  const struct kcatch_request *request)
{
	int ret = session_open(session);

	if (!ret)
		ret = session_arm(*session, ring_size, request);
	if (ret)
		return ret;
	ret = kcatch_session_start(*session);
	if (ret)
		say("%s", kcatch_error_text());
	return ret;
}

/* These tracepoints are called for nobody unless the kernel keeps statistics of its scheduler. */
static void hint_at_schedstats(const struct kcatch_request *request)
{
	static const char *const names[] = { "sched_stat_wait", "sched_stat_sleep",
					     "sched_stat_iowait", "sched_stat_blocked" };
	FILE *file = request->nr_events ? fopen("/proc/sys/kernel/sched_schedstats", "re") : NULL;
	int setting = file ? fgetc(file) : EOF;
	size_t i, j;

	if (file)
		fclose(file);
	if (setting != '0')
		return;
	for (i = 0; i < request->nr_events; i++) {
		const char *colon = strchr(request->events[i], ':');
		const char *pattern = colon ? colon + 1 : request->events[i];

		if (colon && strncmp(request->events[i], "sched:", 6) != 0)
			continue;
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			if (!kcatch_glob_match(pattern, names[j]))
				continue;
			say("sched:%s does not happen while kernel.sched_schedstats is 0: sysctl "
			    "kernel.sched_schedstats=1", names[j]);
			return;
		}
	}
}

int session_check(struct kcatch_session *session, const struct kcatch_request *request, int ret)
{
	if (ret) {
		say("%s", kcatch_error_text());
		words_hint(request);
		return ret;
	}
	session_say_notes(session);
	hint_at_schedstats(request);
	if (kcatch_session_nr_probes(session) || may_get_probes(request))
		return 0;
	say("none of the requested functions can be traced");
	return -ENOENT;
}
