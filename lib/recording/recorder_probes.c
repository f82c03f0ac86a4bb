/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_probes.c - describes the probes: what they are, what was fetched, with its types
 *
 * A probe is described in probes.json and as event classes in the metadata, its plan in plans.json.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "fetch/plan_json.h"
#include "recording/ctf_metadata.h"
#include "recording/recorder.h"
#include "session/late_plan.h"
#include "types/types.h"

/* ---- types ------------------------------------------------------------------------- */

#define COPY_BYTES	(64U << 10)

/* Since 6.16 the kernel's types are a mapping whose pages a file system cannot pin, as 9p, CIFS and
 * FUSE would for a write of theirs: it gets a copy. Return: 0 or errno */
static int write_copied(int to, const char *bytes, size_t size)
{
	char *copy = malloc(COPY_BYTES);
	int error = copy ? 0 : ENOMEM;

	while (!error && size) {
		size_t part = size < COPY_BYTES ? size : COPY_BYTES;
		ssize_t written;

		memcpy(copy, bytes, part);
		written = write(to, copy, part);
		if (written > 0) {
			bytes += written;
			size -= (size_t)written;
		} else if (written == 0 || errno != EINTR) {
			error = written ? errno : ENOSPC;
		}
	}
	free(copy);
	return error;
}

/* The types as they were used: by now the module may be gone, or another one may have its name. */
static int write_types(struct kcatch_recorder *recorder, const char *name)
{
	size_t size = 0;
	const char *bytes = kcatch_types_bytes(recorder->session->types, name, &size);
	int to, directory, error;

	if (!bytes)
		return kcatch_error_set(ENOENT, "the types of %s are not known", name);
	if (mkdirat(recorder->side, "btf", 0700) && errno != EEXIST)
		return kcatch_recorder_fail_file(recorder, "btf", errno);
	directory = openat(recorder->side, "btf", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory < 0)
		return kcatch_recorder_fail_file(recorder, "btf", errno);
	to = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	error = to < 0 ? errno : 0;
	close(directory);
	if (error)
		return error == EEXIST ? 0 : kcatch_recorder_fail_file(recorder, "btf", error);
	error = write_copied(to, bytes, size);
	if (close(to) && !error)
		error = errno;
	return error ? kcatch_recorder_fail_file(recorder, "types", error) : 0;
}

/* ---- probes and plans ----------------------------------------------------------------- */

/* The plan's number; it is written when it is new. */
static int plan_number(struct kcatch_recorder *recorder, const struct kcatch_plan *plan,
		       uint32_t *number)
{
	const size_t *found = kcatch_table_find(&recorder->numbers, (const char *)&plan,
						sizeof(plan));
	struct json_writer *json = &recorder->json;
	const char *where;
	void *key;
	int ret;

	if (found) {
		*number = (uint32_t)*found;
		return 0;
	}
	json_writer_reset(json);
	ret = kcatch_plan_to_json(plan, recorder->session->types, json, &where);
	if (ret)
		return ret;
	if (where)
		ret = write_types(recorder, "vmlinux");
	if (!ret && where && strcmp(where, "vmlinux"))
		ret = write_types(recorder, where);
	*number = recorder->nr_plans++;
	json_print(json, recorder->plans, "\n");
	/* Before the lines of probes that refer to it: the recorder may be killed at any time. */
	if (!ret)
		ret = kcatch_recorder_check_file(recorder, recorder->plans, "plans.json");
	if (!ret)
		ret = kcatch_ctf_plan(&recorder->ctf, plan, *number);
	key = malloc(sizeof(plan));
	if (!key)
		return kcatch_error_memory();
	memcpy(key, &plan, sizeof(plan));
	if (kcatch_table_add(&recorder->numbers, key, sizeof(plan), *number)) {
		free(key);
		return kcatch_error_memory();
	}
	return ret;
}

/* Which kinds of records a probe may make: more than it does make do no harm. */
static unsigned int kinds_of(const struct kcatch_recorder *recorder,
			     const struct kcatch_probe_slot *slot)
{
	const struct kcatch_request *request = &recorder->request;
	unsigned int kinds = 0;

	switch (slot->probe.mechanism) {
	case KCATCH_BY_TRACEPOINT:
	case KCATCH_BY_EVENT:
		return 1U << KCATCH_RECORD_EVENT | 1U << KCATCH_RECORD_MARKED |
		       (request->event_stacks || slot->group ? 1U << KCATCH_RECORD_ENTRY : 0);
	default:
		break;
	}
	/* Nothing is fetched: the plan may tell the return value's type all the same. */
	if (!slot->plan || (kcatch_plan_has_no_args(slot->plan) &&
			    !kcatch_plan_has_cgroup(slot->plan)))
		kinds |= 1U << KCATCH_RECORD_HIT;
	if (recorder->session->pairs)
		kinds |= 1U << KCATCH_RECORD_ENTRY;
	if (slot->returns)
		kinds |= 1U << KCATCH_RECORD_RETURN;
	/* Later groups may have conditions of their own. */
	if (slot->returns && (request->condition || request->errors || slot->group))
		kinds |= 1U << KCATCH_RECORD_CALL;
	return kinds;
}

static void event_name(const struct kcatch_probe *probe, char *name, size_t room)
{
	const char *function = probe->function ? probe->function : "?";
	int length = snprintf(name, room, "%s%s%s", probe->module ? probe->module : "",
			      probe->module ? ":" : "", function);

	if (probe->offset && length > 0 && (size_t)length < room)
		snprintf(name + length, room - (size_t)length, "+0x%x", probe->offset);
}

static void put_info(struct json_writer *json, const struct kcatch_event_info *info)
{
	uint32_t i;

	json_add_begin(json, "event", true);
	json_add_word(json, "name", info->name);
	json_add_word(json, "format", info->format);
	json_add_begin(json, "args", false);
	for (i = 0; i < info->nr_args && i < KCATCH_EVENT_ARGS_MAX; i++)
		json_put_number(json, info->args[i]);
	json_put_end(json);
	json_put_end(json);
}

/* The probe's line in probes.json; @plan is the number of its plan, or ~0. */
static int write_line(struct kcatch_recorder *recorder, uint32_t number, uint32_t plan)
{
	const struct kcatch_probe_slot *slot = recorder->session->slots[number];
	struct json_writer *json = &recorder->json;
	const struct kcatch_probe *probe;
	int ret = kcatch_session_probe(recorder->session, number, &probe);

	if (ret)
		return ret;
	json_writer_reset(json);
	json_put_begin(json, true);
	json_add_number(json, "probe", number);
	if (probe->function)
		json_add_word(json, "function", probe->function);
	if (probe->module)
		json_add_word(json, "module", probe->module);
	json_add_number(json, "address", probe->address);
	json_add_number(json, "mechanism", probe->mechanism);
	if (probe->offset)
		json_add_number(json, "offset", probe->offset);
	if (slot->returns)
		json_add_bool(json, "returns", true);
	if (slot->probe.in_call)
		json_add_bool(json, "in_call", true);
	if (slot->info)
		put_info(json, slot->info);
	if (plan != ~0U)
		json_add_number(json, "plan", plan);
	json_put_end(json);
	return json_print(json, recorder->probes, "\n");
}

static int write_probe(struct kcatch_recorder *recorder, uint32_t number)
{
	struct kcatch_probe_slot *slot = recorder->session->slots[number];
	struct kcatch_ctf_event event = { .probe = number, .plan = ~0U,
					  .user_stack = recorder->request.user_stack };
	char name[1024], ret_type[32];
	int ret = kcatch_session_make_plan(recorder->session, number);

	if (!ret && slot->plan)
		ret = plan_number(recorder, slot->plan, &event.plan);
	if (!ret)
		ret = write_line(recorder, number, event.plan);
	if (ret)
		return ret;
	event_name(&slot->probe, name, sizeof(name));
	kcatch_ctf_return(&recorder->ctf, slot->plan, ret_type, sizeof(ret_type));
	event.name = name;
	event.info = slot->info;
	event.ret = ret_type;
	event.kinds = kinds_of(recorder, slot);
	kcatch_ctf_event(&recorder->ctf, &event);
	return 0;
}

static int check_files(struct kcatch_recorder *recorder)
{
	int ret = kcatch_recorder_check_file(recorder, recorder->plans, "plans.json");

	if (!ret)
		ret = kcatch_recorder_check_file(recorder, recorder->probes, "probes.json");
	return ret ? ret : kcatch_recorder_write_metadata(recorder);
}

/* How many there are, when that has changed. */
static int tell_number(struct kcatch_recorder *recorder)
{
	size_t total = recorder->session->nr_slots;
	uint8_t *seen;

	if (recorder->nr_probes == total)
		return 0;
	if (total > KCATCH_RECORDING_PROBES)
		return kcatch_error_set(E2BIG, "modules were loaded so often that there are %zu probes, "
					"and a recording has at most %u: begin another one", total,
					KCATCH_RECORDING_PROBES);
	seen = realloc(recorder->seen, total);
	if (!seen)
		return kcatch_error_memory();
	memset(seen + recorder->nr_probes, 0, total - recorder->nr_probes);
	recorder->seen = seen;
	recorder->nr_probes = (uint32_t)total;
	fprintf(recorder->probes, "{\"probes\":%zu}\n", total);
	return 0;
}

int kcatch_recorder_write_some(struct kcatch_recorder *recorder, uint32_t most)
{
	uint32_t i;
	int ret = tell_number(recorder);

	for (i = 0; !ret && recorder->noted && i < recorder->nr_probes; i++) {
		if ((recorder->seen[i] & (KCATCH_SEEN_RECORD | KCATCH_SEEN_DESCRIBED)) !=
		    KCATCH_SEEN_RECORD)
			continue;
		if (!most--)
			return 0;
		ret = write_probe(recorder, i);
		if (!ret)
			recorder->seen[i] |= KCATCH_SEEN_DESCRIBED;
	}
	recorder->noted &= ret != 0;
	return ret;
}

/* So many have come with modules that the others are described when they are hit. */
static int begin_when_hit(struct kcatch_recorder *recorder)
{
	recorder->seen = malloc(recorder->nr_probes + 1);
	if (!recorder->seen)
		return kcatch_error_memory();
	memset(recorder->seen, KCATCH_SEEN_RECORD | KCATCH_SEEN_DESCRIBED, recorder->nr_probes);
	recorder->when_hit = true;
	return 0;
}

int kcatch_recorder_write_probes(struct kcatch_recorder *recorder)
{
	int ret = 0;

	if (!recorder->when_hit && !recorder->snapshot &&
	    recorder->session->nr_slots > KCATCH_RECORDER_PROBES)
		ret = begin_when_hit(recorder);
	if (!ret && recorder->when_hit)
		ret = kcatch_recorder_write_some(recorder, UINT32_MAX);
	while (!ret && recorder->nr_probes < recorder->session->nr_slots)
		ret = write_probe(recorder, recorder->nr_probes++);
	return ret ? ret : check_files(recorder);
}

int kcatch_recorder_note_probes(struct kcatch_recorder *recorder, const void *packet, size_t size)
{
	const struct kcatch_record *record;
	size_t at = sizeof(struct kcatch_packet);
	int ret = 0;

	if (!recorder->when_hit)
		return 0;
	while (!ret && (record = kcatch_recorder_next_record(packet, size, &at))) {
		uint32_t kind = KCATCH_RECORD_KIND(record->id);
		uint32_t number = KCATCH_RECORD_PROBE(record->id);

		if (kind < KCATCH_RECORD_HIT || kind > KCATCH_RECORD_MARKED)
			continue;
		/* A module has come since the rings were looked at. */
		if (number >= recorder->nr_probes)
			ret = kcatch_session_learn(recorder->session);
		if (!ret)
			ret = tell_number(recorder);
		if (ret || number >= recorder->nr_probes ||
		    recorder->seen[number] & KCATCH_SEEN_RECORD)
			continue;
		recorder->seen[number] |= KCATCH_SEEN_RECORD;
		recorder->noted = true;
	}
	return ret;
}

int kcatch_recorder_name_counted(struct kcatch_recorder *recorder)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && recorder->when_hit && i < recorder->nr_probes; i++) {
		if (recorder->seen[i] == KCATCH_SEEN_COUNTERS)
			ret = write_line(recorder, i, ~0U);
	}
	return ret ? ret : check_files(recorder);
}
