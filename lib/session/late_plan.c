/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* late_plan.c - makes plans when the first call of a function is shown or recorded */
#include "session/late_plan.h"

#include <errno.h>
#include <string.h>

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
	if (!kcatch_plan_same_items(plan, late->like))
		return kcatch_error_set(EPROTO, "the arguments of two functions that are called alike "
					"are fetched differently: a fault of kcatch");
	late->plan = plan;
	return 0;
}

/* The plan for all functions of that type. */
static int only_return(struct kcatch_session *session, struct kcatch_type proto, bool cgroup,
		       const struct kcatch_plan **plan)
{
	struct {
		struct kcatch_type proto;
		uint64_t cgroup;
	} key, *kept;
	struct kcatch_plan *made;
	size_t *found;
	int ret;

	memset(&key, 0, sizeof(key));
	key.proto.btf = proto.btf;	/* (with no byte between them left to chance) */
	key.proto.id = proto.id;
	key.cgroup = cgroup;
	found = kcatch_table_find(&session->armed.only_returns, (const char *)&key, sizeof(key));
	if (found) {
		*plan = (const struct kcatch_plan *)*found;
		return 0;
	}
	ret = kcatch_plan_create_only_return(proto, cgroup, &made);
	if (!ret)
		ret = kcatch_programs_keep(session, made);
	if (ret)
		return ret;
	*plan = made;
	kept = kcatch_arena_take(&session->armed.late_plans, sizeof(key));
	if (!kept)
		return kcatch_error_memory();
	memcpy(kept, &key, sizeof(key));
	return kcatch_table_add(&session->armed.only_returns, (const char *)kept, sizeof(key),
				(size_t)made) < 0 ? kcatch_error_memory() : 0;
}

/* To look for a module's types opens its file, each time. */
static void find_proto(struct kcatch_session *session, const struct kcatch_probe *probe,
		       struct kcatch_type *proto)
{
	size_t size;

	memset(proto, 0, sizeof(*proto));
	if (probe->module && session->armed.untyped &&
	    !strcmp(probe->module, session->armed.untyped))
		return;
	kcatch_programs_proto(session, probe, proto);
	if (!proto->id && probe->module && session->types &&
	    !kcatch_types_bytes(session->types, probe->module, &size))
		session->armed.untyped = probe->module;
}

/*
 * Arguments were not asked for, so nobody has looked for the types of this function. That of the
 * return value says whether there is one, its sign and its size.
 */
static int make_only_return(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_probe_slot *slot = session->slots[number];
	bool cgroup = slot->plan && kcatch_plan_has_cgroup(slot->plan);
	const struct kcatch_probe *probe;
	struct kcatch_type proto;
	int ret;

	slot->return_tried = true;
	ret = kcatch_session_probe(session, number, &probe);
	if (ret)
		return ret;
	find_proto(session, probe, &proto);
	return proto.id ? only_return(session, proto, cgroup, &slot->plan) : 0;
}

int kcatch_session_make_plan(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_probe_slot *slot = session->slots[number];
	int ret = 0;

	if (slot->returns && !slot->late && !slot->return_tried &&
	    (!slot->plan || kcatch_plan_has_no_args(slot->plan)) && session->fd >= 0)
		return make_only_return(session, number);
	if (!slot->late || slot->plan)
		return 0;
	if (!slot->late->plan)
		ret = make(session, slot->late);
	slot->plan = slot->late->plan;
	return ret;
}
