/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * probes.c - the armed probes and their counters
 *
 * A probe's name and address are read at first use: thousands of probes may be armed, but only
 * a few hit.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "ring/calls.h"
#include "session/handle.h"
#include "session/trace_events.h"

#define CHUNK 256	/* probes in one call */
#define NAMES 128	/* in one call: 600 bytes each */
#define PROBES_MAX (1U << 24)

const char *kcatch_mechanism_name(enum kcatch_mechanism mechanism)
{
	switch (mechanism) {
	case KCATCH_BY_FTRACE: return "ftrace";
	case KCATCH_BY_KPROBE: return "kprobe";
	case KCATCH_BY_TRACEPOINT: return "tracepoint";
	case KCATCH_BY_EVENT: return "ktrace";
	case KCATCH_BY_WATCH: return "watchpoint";
	}
	return "unknown";
}

size_t kcatch_session_nr_probes(const struct kcatch_session *session)
{
	return session->nr_slots;
}

void kcatch_session_arming(const struct kcatch_session *session, size_t *ready, size_t *found)
{
	*ready = __atomic_load_n(&session->armed.ready, __ATOMIC_RELAXED);
	*found = __atomic_load_n(&session->armed.found, __ATOMIC_RELAXED);
}

uint64_t kcatch_session_nr_skipped(const struct kcatch_session *session)
{
	return session->armed.skipped;
}

uint64_t kcatch_session_nr_left_out(const struct kcatch_session *session)
{
	return session->armed.left_out;
}

size_t kcatch_session_nr_waiting(const struct kcatch_session *session)
{
	return kcatch_calls_nr_waiting(session->calls);
}

uint64_t kcatch_session_nr_forgotten(const struct kcatch_session *session)
{
	return kcatch_calls_nr_forgotten(session->calls);
}

uint64_t kcatch_session_nr_unarmed(const struct kcatch_session *session)
{
	struct kcatch_status status;

	if (session->fd < 0)
		return session->unarmed;
	memset(&status, 0, sizeof(status));
	kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	return status.nr_unarmed;
}

uint64_t kcatch_session_nr_disarmed(const struct kcatch_session *session)
{
	struct kcatch_status status;

	if (session->fd < 0)
		return session->disarmed;
	memset(&status, 0, sizeof(status));
	kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	return status.nr_disarmed;
}

uint64_t kcatch_session_nr_died(const struct kcatch_session *session)
{
	struct kcatch_status status;

	if (session->fd < 0)
		return session->died;
	memset(&status, 0, sizeof(status));
	kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	return status.nr_died;
}

size_t kcatch_session_nr_attached(const struct kcatch_session *session)
{
	struct kcatch_status status;

	memset(&status, 0, sizeof(status));
	kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	return status.nr_attached;
}

int kcatch_session_grow(struct kcatch_session *session, size_t total)
{
	struct kcatch_slot_block *block;
	struct kcatch_probe_slot **slots;
	size_t nr, i;

	if (total <= session->nr_slots)
		return 0;
	slots = realloc(session->slots, total * sizeof(*slots));
	if (!slots)
		return kcatch_error_memory();
	session->slots = slots;
	nr = total - session->nr_slots;
	block = calloc(1, sizeof(*block) + nr * sizeof(block->slots[0]));
	if (!block)
		return kcatch_error_memory();
	block->next = session->slot_blocks;
	session->slot_blocks = block;
	for (i = 0; i < nr; i++)
		slots[session->nr_slots++] = &block->slots[i];
	return 0;
}

static enum kcatch_mechanism mechanism_of(uint16_t mechanism)
{
	switch (mechanism) {
	case KCATCH_MECHANISM_KPROBE: return KCATCH_BY_KPROBE;
	case KCATCH_MECHANISM_TRACEPOINT: return KCATCH_BY_TRACEPOINT;
	case KCATCH_MECHANISM_EVENT: return KCATCH_BY_EVENT;
	case KCATCH_MECHANISM_WATCH: return KCATCH_BY_WATCH;
	}
	return KCATCH_BY_FTRACE;
}

/* The name of an event is known from ADD or the module's list of them. */
static int name_event(struct kcatch_session *session, struct kcatch_probe_slot *slot)
{
	int ret = 0;

	if (slot->probe.mechanism == KCATCH_BY_EVENT) {
		ret = kcatch_events_inform(session, slot);
		slot->probe.function = ret ? NULL : slot->info->name;
		slot->probe.module = "ktrace";
	} else {
		slot->probe.function = slot->asked;
		slot->probe.module = slot->system;
	}
	slot->named = !ret;
	return ret;
}

/* Fill the slots from @first on, as far as one call goes. */
static int inform(struct kcatch_session *session, uint32_t first)
{
	struct kcatch_probe_info info[CHUNK];
	struct kcatch_query query = { .first = first, .count = CHUNK,
				      .buffer = (uintptr_t)info };
	uint32_t i;
	int ret;

	memset(info, 0, sizeof(info));
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PROBES, &query);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its probes");
	for (i = 0; i < query.count && i < CHUNK && first + i < session->nr_slots; i++) {
		struct kcatch_probe_slot *slot = session->slots[first + i];

		slot->probe.address = info[i].address;
		slot->probe.offset = info[i].offset;
		slot->probe.mechanism = mechanism_of(info[i].mechanism);
		if (info[i].mechanism == KCATCH_MECHANISM_WATCH)
			slot->probe.offset = 0;	/* says how it watches */
		slot->returns = info[i].flags & KCATCH_PROBE_RETURN;
		slot->group = info[i].group;
		slot->target = info[i].target;
		slot->program = info[i].program;
		slot->informed = true;
	}
	if (first < session->nr_slots && !session->slots[first]->informed)
		return kcatch_error_set(ERANGE, "the kcatch module does not know probe %u", first);
	return 0;
}

static int check_number(const struct kcatch_session *session, uint32_t number)
{
	if (number >= session->nr_slots)
		return kcatch_error_set(ERANGE, "there is no probe %u", number);
	return 0;
}

int kcatch_session_learn_names(struct kcatch_session *session, uint32_t first, uint32_t nr)
{
	uint64_t addresses[NAMES];
	uint32_t i, count = 0;
	int ret;

	for (i = first; i - first < nr; i++) {
		const struct kcatch_probe_slot *slot = session->slots[i];

		if (!slot->informed) {
			ret = inform(session, i);
			if (ret)
				return ret;
		}
		if (!slot->named && !kcatch_event_slot(slot))
			addresses[count++] = slot->probe.address;
		if (count == NAMES || (count > 1 && i - first == nr - 1)) {
			kcatch_symbols_learn(session->symbols, addresses, count);
			count = 0;
		}
	}
	return 0;
}

/* Its module may have gone since, and another one may be at its address. */
static int name_function(struct kcatch_session *session, uint32_t number, uint64_t address,
			 struct kcatch_name *name)
{
	if (session->armed.pending)
		return kcatch_symbols_find_probe(session->symbols, number, address, name);
	return kcatch_symbols_find(session->symbols, address, name);
}

/* Where the probe's function begins: ftrace's place is behind its ENDBR. */
static uint64_t begin(struct kcatch_session *session, uint32_t number, uint64_t address)
{
	struct kcatch_name name;

	memset(&name, 0, sizeof(name));
	if (name_function(session, number, address, &name) || !name.symbol)
		return address;
	return address - name.offset;
}

/* Is it one of several of its name, and which? Without memory it is told as if it were alone. */
static void find_which(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_probe_slot *slot = session->slots[number];
	struct kcatch_probe *probe = &slot->probe;

	if (slot->which_known || session->armed.which_later || session->nr_slots < 2 ||
	    !probe->function || probe->offset || kcatch_event_slot(slot) ||
	    probe->mechanism == KCATCH_BY_WATCH)
		return;
	slot->which_known = true;
	session->armed.which_later = true;
	if (kcatch_namesakes_of(session, probe) == 1) {
		if (kcatch_machine_hides_addresses() || !probe->address)
			number = asprintf(&slot->which, "#%u", number) < 0;
		else
			number = asprintf(&slot->which, "@0x%llx",
					  (unsigned long long)begin(session, number,
								    probe->address)) < 0;
		probe->which = number ? NULL : slot->which;
	}
	session->armed.which_later = false;
}

int kcatch_session_probe(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_probe **probe)
{
	struct kcatch_probe_slot *slot;
	struct kcatch_name name;
	int ret = check_number(session, number);

	*probe = NULL;
	if (ret)
		return ret;
	slot = session->slots[number];
	if (!kcatch_session_describes(session, number))
		return kcatch_error_set(ENOENT, "the recording does not describe probe %u", number);
	if (!slot->informed) {
		ret = inform(session, number);
		if (ret)
			return ret;
	}
	if (!slot->named && kcatch_event_slot(slot)) {
		ret = name_event(session, slot);
		if (ret)
			return ret;
	}
	if (!slot->named) {
		ret = name_function(session, number, slot->probe.address, &name);
		if (ret)
			return ret;
		/* Two names may stand at one address: the one asked for is right. */
		slot->probe.function = slot->asked ? slot->asked : name.symbol;
		slot->probe.module = name.module;
		slot->named = true;
	}
	find_which(session, number);
	*probe = &slot->probe;
	return 0;
}

/* A probe that came by itself: what it is called, and what it fetches. */
static int get_to_know(struct kcatch_session *session, uint32_t number)
{
	struct kcatch_probe_slot *slot = session->slots[number];
	const char *name;
	int ret = slot->informed ? 0 : inform(session, number);

	if (ret || kcatch_event_slot(slot))
		return ret ? ret : name_event(session, slot);
	name = kcatch_awaited_find_name(&session->armed.awaited, slot->group, slot->target);
	slot->plan = kcatch_awaited_find_plan(&session->armed.awaited, slot->program);
	if (name && !slot->asked) {
		slot->asked = strdup(name);
		if (!slot->asked)
			return kcatch_error_memory();
	}
	return 0;
}

int kcatch_session_learn(struct kcatch_session *session)
{
	struct kcatch_status status;
	size_t known = session->nr_slots, i;
	int ret;

	if (!session->armed.pending)
		return 0;
	memset(&status, 0, sizeof(status));
	ret = kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status);
	if (ret)
		return kcatch_error_system(ret, "ask the kcatch module for its probes");
	if (status.nr_probes > PROBES_MAX)
		return kcatch_error_set(E2BIG, "more probes came than there can be");
	if (status.nr_probes <= known)
		return 0;
	/* What was at an address of a module before is not there now. */
	kcatch_symbols_forget_modules(session->symbols);
	ret = kcatch_session_grow(session, status.nr_probes);
	for (i = known; !ret && i < session->nr_slots; i++)
		ret = get_to_know(session, (uint32_t)i);
	return ret;
}

size_t kcatch_session_nr_awaited(const struct kcatch_session *session)
{
	return session->armed.awaited.nr_modules;
}

int kcatch_session_awaited(const struct kcatch_session *session, size_t index,
			   const char **module, const char **file)
{
	if (index >= session->armed.awaited.nr_modules)
		return kcatch_error_set(ERANGE, "there is no module %zu that is waited for", index);
	*module = session->armed.awaited.modules[index].module;
	*file = session->armed.awaited.modules[index].file;
	return 0;
}

/* Counts the probes of one call, from @first on, by mechanism. Return: the first behind them. What
 * is known of each stays as it is: for tens of thousands of slots that would be megabytes. */
static size_t count_chunk(struct kcatch_session *session, size_t first)
{
	struct kcatch_probe_info info[CHUNK];
	struct kcatch_query query = { .first = (uint32_t)first, .count = CHUNK,
				      .buffer = (uintptr_t)info };
	uint32_t i;

	if (kcatch_session_ioctl(session, KCATCH_IOC_PROBES, &query) || !query.count ||
	    query.count > CHUNK)
		return first + 1;
	for (i = 0; i < query.count && first + i < session->nr_slots; i++)
		session->nr_by[mechanism_of(info[i].mechanism)]++;
	return first + i;
}

/* Nearly always all probes are ftrace's, which the module knows without a look at each. */
static void count_if_ftrace(struct kcatch_session *session)
{
	struct kcatch_status status = { .nr_probes = 0 };

	if (!session->nr_counted && session->nr_slots &&
	    !kcatch_session_ioctl(session, KCATCH_IOC_STATUS, &status) &&
	    status.nr_probes == session->nr_slots && status.nr_ftrace == session->nr_slots) {
		session->nr_by[KCATCH_BY_FTRACE] = session->nr_slots;
		session->nr_counted = session->nr_slots;
	}
}

size_t kcatch_session_nr_by(struct kcatch_session *session, enum kcatch_mechanism mechanism)
{
	if (mechanism > KCATCH_BY_WATCH)
		return 0;
	count_if_ftrace(session);
	while (session->nr_counted < session->nr_slots) {
		const struct kcatch_probe_slot *slot = session->slots[session->nr_counted];

		if (slot->informed || session->fd < 0) {
			session->nr_by[slot->probe.mechanism]++;
			session->nr_counted++;
		} else {
			session->nr_counted = count_chunk(session, session->nr_counted);
		}
	}
	return session->nr_by[mechanism];
}

int kcatch_session_totals(struct kcatch_session *session, struct kcatch_totals *totals)
{
	memset(totals, 0, sizeof(*totals));
	return kcatch_totals_settled(session->kind->totals(session, totals), totals);
}

int kcatch_session_probe_totals(struct kcatch_session *session, uint32_t number,
				struct kcatch_totals *totals)
{
	int ret = check_number(session, number);

	memset(totals, 0, sizeof(*totals));
	if (!ret)
		ret = session->kind->probe_totals(session, number, totals);
	return kcatch_totals_settled(ret, totals);
}
