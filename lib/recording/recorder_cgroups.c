/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_cgroups.c - records the paths of cgroups, by the numbers that records have
 *
 * Only of a recording whose records have them. Cgroups that exist when it begins are written then;
 * others when a record with their number is written, if they still exist. Each is looked up once,
 * or again a second later if it was too early to say whether it exists.
 */
#include <errno.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/cgroups.h"
#include "base/timing.h"
#include "fetch/decode_event.h"
#include "recording/recorder.h"

/* The least time between two looks at all cgroups, and at most a tenth of all time. Records that
 * come may look as often once more. */
#define UPDATE_NS	1000000000ULL

/* A line of the file, and the number is known from now on, with or without a path. */
static int write_path(struct kcatch_recorder *recorder, uint64_t id, const char *path)
{
	char shown[4 * KCATCH_CGROUP_PATH_MAX];

	if (path) {
		kcatch_text_escape(path, strlen(path), shown, sizeof(shown));
		fprintf(recorder->cgroups_file, "%llu %s\n", (unsigned long long)id, shown);
	}
	return kcatch_cgroup_names_add(&recorder->cgroups, id, "");
}

static int write_each(void *arg, uint64_t id, const char *path)
{
	struct kcatch_recorder *recorder = arg;

	return kcatch_cgroup_names_find(&recorder->cgroups, id) ? 0 :
								  write_path(recorder, id, path);
}

int kcatch_recorder_begin_cgroups(struct kcatch_recorder *recorder)
{
	int ret;

	if (!recorder->request.with_cgroup)
		return 0;
	recorder->cgroups_file = kcatch_recorder_file(recorder->side, "cgroups");
	if (!recorder->cgroups_file)
		return kcatch_recorder_fail_file(recorder, "cgroups", errno);
	ret = kcatch_cgroup_each(write_each, recorder);
	/* Without the file system no cgroup has a path here. */
	if (ret && ret != -ENODEV)
		return ret;
	return kcatch_recorder_check_file(recorder, recorder->cgroups_file, "cgroups");
}

/* 0: the record has none. */
static uint64_t cgroup_of(const struct kcatch_recorder *recorder,
			  const struct kcatch_record *record)
{
	uint32_t probe = KCATCH_RECORD_PROBE(record->id), kind = KCATCH_RECORD_KIND(record->id);
	const struct kcatch_session *session = recorder->session;
	const struct kcatch_call_part *part;
	uint64_t faults, cut;
	const uint8_t *data;
	uint32_t size;

	if (probe >= session->nr_slots || !session->slots[probe]->plan)
		return 0;
	if (kind == KCATCH_RECORD_ENTRY || kind == KCATCH_RECORD_CALL) {
		const uint8_t *end = (const uint8_t *)record + record->size;

		if (record->size < sizeof(struct kcatch_hit))
			return 0;
		part = kcatch_call_part((const struct kcatch_hit *)record);
		data = part->data;
		size = data < end ? (uint32_t)(end - data) : 0;
	} else if (kind == KCATCH_RECORD_EVENT || kind == KCATCH_RECORD_MARKED) {
		data = kcatch_event_data(record, &size, &faults, &cut);
	} else {
		return 0;
	}
	return kcatch_plan_cgroup(session->slots[probe]->plan, data, size);
}

static int note_record(struct kcatch_recorder *recorder, const struct kcatch_record *record)
{
	uint64_t id = cgroup_of(recorder, record);
	char path[KCATCH_CGROUP_PATH_MAX];
	int ret;

	/* The same as before, mostly. */
	if (!id || id == recorder->last_cgroup)
		return 0;
	recorder->last_cgroup = id;
	if (kcatch_cgroup_names_find(&recorder->cgroups, id))
		return 0;
	ret = kcatch_cgroup_path(id, path, 0);
	if (ret != -EAGAIN)
		return write_path(recorder, id, ret ? NULL : path);
	recorder->last_cgroup = 0;
	recorder->unsure_cgroups = true;
	return 0;
}

int kcatch_recorder_note_cgroups(struct kcatch_recorder *recorder, const void *packet, size_t size)
{
	const struct kcatch_record *record;
	size_t at = sizeof(struct kcatch_packet);
	int ret = 0;

	if (!recorder->cgroups_file)
		return 0;
	while (!ret && (record = kcatch_recorder_next_record(packet, size, &at)))
		ret = note_record(recorder, record);
	return ret ? ret :
		     kcatch_recorder_check_file(recorder, recorder->cgroups_file, "cgroups");
}

int kcatch_recorder_end_cgroups(struct kcatch_recorder *recorder)
{
	int ret;

	if (!recorder->cgroups_file || !recorder->unsure_cgroups)
		return 0;
	recorder->unsure_cgroups = false;
	ret = kcatch_cgroup_each(write_each, recorder);
	if (ret && ret != -ENODEV)
		return ret;
	return kcatch_recorder_check_file(recorder, recorder->cgroups_file, "cgroups");
}

/* Not later: they may be gone then, without another record. */
int kcatch_recorder_update_cgroups(struct kcatch_recorder *recorder)
{
	uint64_t now = kcatch_timing_now_ns(), took;
	int ret;

	if (!recorder->unsure_cgroups || now < recorder->next_cgroups)
		return 0;
	ret = kcatch_recorder_end_cgroups(recorder);
	took = kcatch_timing_now_ns() - now;
	recorder->next_cgroups = now + UPDATE_NS + 10 * took;
	return ret;
}
