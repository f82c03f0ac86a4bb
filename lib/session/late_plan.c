/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* late_plan.c - makes plans when the first call of a function is shown or recorded */
#include "session/late_plan.h"

#include <errno.h>

#include <kcatch_text.h>
#include "session/handle.h"
#include "session/programs.h"

static int make(struct kcatch_session *session, struct kcatch_late_plan *late)
{
	struct kcatch_plan *plan;
	int ret = kcatch_plan_create(session->types, late->proto, late->options, &plan);

	if (!ret)
		ret = kcatch_programs_keep(session, plan);
	if (ret)
		return ret;
	if (!kcatch_plan_same_steps(plan, late->like))
		return kcatch_error_set(EPROTO, "the arguments of two functions that are called alike "
					"are fetched differently: a fault of kcatch");
	late->plan = plan;
	return 0;
}

int kcatch_session_make_plan(struct kcatch_session *session, struct kcatch_probe_slot *slot)
{
	int ret = 0;

	if (!slot->late || slot->plan)
		return 0;
	if (!slot->late->plan)
		ret = make(session, slot->late);
	slot->plan = slot->late->plan;
	return ret;
}
