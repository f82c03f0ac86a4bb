/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_open.c - a session, and the module for it
 */
#include <errno.h>
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
