/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_open.c - a session, and the module for it
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>

#include "command.h"
#include "session_open.h"

int session_open(struct kcatch_session **session)
{
	int ret = kcatch_session_open(session);

	if (ret != -ENOENT)
		return ret;
	if (geteuid() != 0) {
		say("the kcatch module is not loaded; run as root and kcatch loads it: try sudo");
		return ret;
	}
	say("the kcatch module is not loaded; loading it: modprobe kcatch");
	ret = kcatch_module_load();
	if (!ret)
		ret = kcatch_session_open(session);
	return ret;
}

/* A function of a module may come later. */
bool request_may_get_probes(const struct kcatch_request *request)
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
