/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * values.c - decodes arguments and return value of an event
 *
 * Values are decoded at the first request for them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "fetch/decode_event.h"
#include "session/field_values.h"
#include "session/handle.h"

static int name_address(void *arg, uint64_t address, char *text, size_t room)
{
	struct kcatch_session *session = arg;
	struct kcatch_name name;
	int ret = kcatch_session_name_then(session, address, &name);

	if (ret)
		return ret;
	if (!name.symbol)
		return -ENOENT;
	if (name.offset)
		snprintf(text, room, "%s+0x%x", name.symbol, name.offset);
	else
		snprintf(text, room, "%s", name.symbol);
	return 0;
}

static int have_decoder(struct kcatch_session *session)
{
	return session->decoder ? 0 :
	       kcatch_decoder_create(name_address, session, &session->decoder);
}

/* The sizes were checked when the record was read. */
static void find_fetched(const struct kcatch_session *session, struct kcatch_fetched *fetched)
{
	const struct kcatch_call *call = session->view.call;
	const struct kcatch_call_part *part = kcatch_call_part(call->hit);

	memset(fetched, 0, sizeof(*fetched));
	fetched->returned = call->returned == KCATCH_RETURN_SEEN;
	fetched->ret = call->ret;
	if (part) {
		fetched->entry = part->data;
		fetched->entry_size = part->size[0];
		fetched->entry_faults = part->faults[0];
		fetched->entry_cut = part->cut[0];
		fetched->at_return = part->data + part->size[0];
		fetched->return_size = part->size[1];
		fetched->return_faults = part->faults[1];
		fetched->return_cut = part->cut[1];
	}
	if (call->end) {
		fetched->at_return = call->end->data;
		fetched->return_size = call->end->size;
		fetched->return_faults = call->end->faults;
		fetched->return_cut = call->end->cut;
	}
}

void kcatch_session_fetched(const struct kcatch_session *session, struct kcatch_fetched *fetched)
{
	uint32_t size = 0;

	memset(fetched, 0, sizeof(*fetched));
	if (session->view.record) {
		fetched->entry = kcatch_event_data(session->view.record, &size,
						   &fetched->entry_faults, &fetched->entry_cut);
		fetched->entry_size = fetched->entry ? size : 0;
	} else if (session->view.call) {
		find_fetched(session, fetched);
	}
}

/* Of an event of all system calls, if the number is that of a 64-bit program. */
static const struct kcatch_named_argument call_number[] = {
	{ .name = "id", .constants = &kcatch_constants_call },
	{ .name = NULL },
};

/* The arguments of the current event's function whose numbers have names. */
static const struct kcatch_named_argument *named_arguments(struct kcatch_session *session)
{
	struct kcatch_probe_slot *slot = session->slots[session->view.event.probe];
	const struct kcatch_probe *probe;

	if (!slot->constants_known &&
	    !kcatch_session_probe(session, session->view.event.probe, &probe) && probe->function)
		slot->constants = kcatch_constants_of_function(probe->function);
	slot->constants_known = true;
	return slot->constants;
}

/* Of an event: its own record, whose sizes were checked. */
static int decode_event(struct kcatch_session *session)
{
	const struct kcatch_probe_slot *slot = session->slots[session->view.event.probe];
	struct kcatch_fetched fetched;
	int ret;

	kcatch_session_fetched(session, &fetched);
	fetched.named = session->view.is_wide_call ? call_number : named_arguments(session);
	session->view.nr_args = session->view.event.nr_args;
	if (slot->info)
		return kcatch_event_decode(session->decoder, slot->info, fetched.entry,
					   (uint32_t)fetched.entry_size, &session->view.args);
	ret = kcatch_decode_args(session->decoder, slot->plan, &fetched, &session->view.args,
				 &session->view.nr_args);
	return ret ? ret : kcatch_session_add_fields(session, &fetched);
}

static int decode_call(struct kcatch_session *session)
{
	struct kcatch_fetched fetched;
	int ret;

	find_fetched(session, &fetched);
	fetched.named = named_arguments(session);
	ret = kcatch_decode_args(session->decoder, session->slots[session->view.event.probe]->plan,
				 &fetched, &session->view.args, &session->view.nr_args);
	return ret ? ret : kcatch_session_add_fields(session, &fetched);
}

int kcatch_session_arg(struct kcatch_session *session, uint32_t index,
		       const struct kcatch_value **value)
{
	int ret;

	*value = NULL;
	if ((!session->view.call && !session->view.record) || index >= session->view.event.nr_args)
		return kcatch_error_set(ERANGE, "the event has no argument %u", index);
	if (!session->view.args) {
		ret = have_decoder(session);
		if (ret)
			return ret;
		if (session->view.record) {
			ret = decode_event(session);
		} else {
			ret = decode_call(session);
		}
		if (ret) {
			session->view.args = NULL;
			return ret;
		}
	}
	if (index >= session->view.nr_args)
		return kcatch_error_set(ERANGE, "the event has no argument %u", index);
	*value = &session->view.args[index];
	return 0;
}

/* What a return value is without types. */
static int raw_plan(struct kcatch_session *session, const struct kcatch_plan **plan)
{
	struct kcatch_plan *made;
	int ret;

	if (!session->armed.raw_plan) {
		ret = kcatch_plan_create_raw(NULL, &made);
		if (!ret)
			ret = kcatch_programs_keep(session, made);
		if (ret)
			return ret;
		session->armed.raw_plan = made;
	}
	*plan = session->armed.raw_plan;
	return 0;
}

int kcatch_session_return_value(struct kcatch_session *session, const struct kcatch_value **value)
{
	const struct kcatch_plan *plan;
	struct kcatch_fetched fetched;
	int ret;

	*value = NULL;
	if (!session->view.call || session->view.call->returned != KCATCH_RETURN_SEEN)
		return kcatch_error_set(ENODATA, "the event's return was not seen");
	ret = have_decoder(session);
	if (ret)
		return ret;
	plan = session->slots[KCATCH_RECORD_PROBE(session->view.hit->head.id)]->plan;
	if (!plan) {
		ret = raw_plan(session, &plan);
		if (ret)
			return ret;
	}
	find_fetched(session, &fetched);
	return kcatch_decode_return(session->decoder, plan, &fetched, value);
}
