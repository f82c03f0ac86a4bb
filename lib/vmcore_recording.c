/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * vmcore_recording.c - a recording of which all is there but the streams gets them from
 * the dump of the machine that died
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "error.h"
#include "kcatch.h"
#include "recorder.h"
#include "recorder_stream.h"
#include "text.h"
#include "vmcore.h"

struct target {
	int directory;
	struct kcatch_recorder_stream stream;
	uint64_t bytes;
};

static bool uuid_of(int directory, uint8_t uuid[16])
{
	int fd = openat(directory, KCATCH_RECORDING_SIDE "/session.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct json_object *object = fd < 0 ? NULL : json_object_from_fd(fd), *member;
	const char *text = NULL;
	bool good = false;
	size_t i;

	if (fd >= 0)
		close(fd);
	if (object && json_object_object_get_ex(object, "uuid", &member))
		text = json_object_get_string(member);
	if (text && strlen(text) == 32) {
		good = true;
		for (i = 0; i < 16; i++)
			good &= sscanf(text + 2 * i, "%2hhx", &uuid[i]) == 1;
	}
	json_object_put(object);
	return good;
}

static int write_packets(void *arg, uint32_t cpu, const void *packets, size_t size)
{
	struct target *target = arg;
	struct kcatch_packet head;
	char name[24];
	int ret = 0;

	memcpy(&head, packets, sizeof(head));
	if (target->stream.fd < 0) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		ret = kcatch_recorder_stream_open(&target->stream, target->directory, name);
	}
	if (!ret)
		ret = kcatch_recorder_stream_write(&target->stream, &head, packets, 1,
						   (uint32_t)(head.content_size / 8));
	if (ret)
		return kcatch_error_set(ret, "cannot write the records of CPU %u: %s", cpu, strerror(-ret));
	target->bytes += size;
	return 0;
}

static int write_ring(struct kcatch_vmcore *vmcore, const struct kcatch_vmcore_ring *ring,
		      int directory, struct kcatch_vmcore_stats *stats)
{
	struct target target = {
		.directory = directory,
		.stream = { .fd = -1, .packet_size = ring->map.packet_size },
	};
	size_t missing;
	int ret = kcatch_vmcore_packets(vmcore, ring, write_packets, &target, &missing), other;

	other = target.stream.fd >= 0 ? kcatch_recorder_stream_close(&target.stream, false) : 0;
	if (other && !ret)
		ret = kcatch_error_set(other, "cannot write the records of CPU %u: %s", ring->map.cpu,
				       strerror(-other));
	stats->bytes += target.bytes;
	stats->missing_pages += missing;
	stats->rings++;
	return ret;
}

static bool has_streams(int directory)
{
	return !faccessat(directory, "cpu0", F_OK, AT_SYMLINK_NOFOLLOW) ||
	       !faccessat(directory, "cpu1", F_OK, AT_SYMLINK_NOFOLLOW);
}

static size_t count_sessions(const struct kcatch_vmcore_ring *rings, size_t nr)
{
	size_t i, sessions = 0;

	for (i = 0; i < nr; i++)
		sessions += !i || memcmp(rings[i].map.uuid, rings[i - 1].map.uuid, 16);
	return sessions;
}

int kcatch_recording_from_vmcore(const char *path, const char *directory,
				 struct kcatch_vmcore_stats *stats)
{
	int at = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	const struct kcatch_vmcore_ring *rings;
	struct kcatch_vmcore *vmcore = NULL;
	uint8_t uuid[16];
	size_t nr, i;

	memset(stats, 0, sizeof(*stats));
	if (at < 0)
		return kcatch_error_set(errno, "cannot read %s: %s", SHOWN(directory), strerror(errno));
	if (!uuid_of(at, uuid))
		ret = kcatch_error_set(ENOENT, "%s is not what 'kcatch record --standby' makes",
				       SHOWN(directory));
	else if (has_streams(at))
		ret = kcatch_error_set(EEXIST, "%s has its records already: 'kcatch report' reads it as it is",
				       SHOWN(directory));
	else
		ret = kcatch_vmcore_open(path, &vmcore);
	if (ret) {
		close(at);
		return ret;
	}
	rings = kcatch_vmcore_rings(vmcore, &nr);
	stats->sessions = count_sessions(rings, nr);
	for (i = 0; !ret && i < nr; i++) {
		if (!memcmp(rings[i].map.uuid, uuid, sizeof(uuid)))
			ret = write_ring(vmcore, &rings[i], at, stats);
	}
	if (!ret && !stats->rings)
		ret = kcatch_error_set(ESRCH, "%s was not running when that machine died: in %s are %zu session%s, "
				       "none of them this one", SHOWN(directory), SHOWN(path),
				       (size_t)stats->sessions, stats->sessions == 1 ? "" : "s");
	kcatch_vmcore_close(vmcore);
	close(at);
	return ret;
}
