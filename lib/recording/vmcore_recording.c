/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * vmcore_recording.c - completes a recording that lacks its streams from the dump of the
 * crashed machine
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/json_object.h"
#include <kcatch.h>
#include <kcatch_text.h>
#include "base/printable.h"
#include "recording/recorder.h"
#include "recording/recorder_stream.h"
#include "recording/vmcore.h"

#define SESSION_MAX (16 << 20)	/* bytes of session.json */
#define CPUS_MAX 65536

/*
 * The directories are opened once, and all is done in what was opened: who can write to the
 * recording's may exchange what has a name there.
 * @path: its name, for messages
 * @directory: that of the streams; -1: not open
 * @side: that of the other files; -1: not open
 */
struct place {
	const char *path;
	int directory, side;
};

/* What session.json says: a dump is believed nothing that does not fit. */
struct wanted {
	uint8_t uuid[16];
	uint64_t nr_cpus;
	uint64_t ring_size;
	uint64_t packet_size;
};

struct target {
	int directory;
	struct kcatch_recorder_stream stream;
	uint64_t bytes;
	uint64_t *room;		/* bytes that may still come out of the dump */
};

/* A pipe or a device of that name is not waited for. */
static struct json_object *read_session(int side)
{
	int fd = openat(side, "session.json", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	struct json_object *object = NULL;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size <= SESSION_MAX)
		object = json_object_from_fd(fd);
	close(fd);
	return object;
}

static bool find_wanted(int side, struct wanted *wanted)
{
	struct json_object *object = read_session(side);
	const char *text = kcatch_json_text(object, "uuid");
	bool good = text && strlen(text) == 2 * sizeof(wanted->uuid);
	size_t i;

	for (i = 0; good && i < sizeof(wanted->uuid); i++)
		good = sscanf(text + 2 * i, "%2hhx", &wanted->uuid[i]) == 1;
	good = good && kcatch_json_number(object, "nr_cpus", CPUS_MAX, &wanted->nr_cpus) &&
	       kcatch_json_number(object, "ring_size", KCATCH_RING_SIZE_MAX, &wanted->ring_size) &&
	       kcatch_json_number(object, "packet_size", KCATCH_PACKET_SIZE_MAX,
				  &wanted->packet_size);
	json_object_put(object);
	return good;
}

static int write_packets(void *arg, uint32_t cpu, const void *packets, size_t size)
{
	struct target *target = arg;
	struct kcatch_packet head;
	int ret = 0;

	/* A page may belong to many rings in a dump that was made to fill a disk. */
	if (size > *target->room)
		return kcatch_error_set(EINVAL, "more is to come out of the dump than it holds: "
					"it is damaged");
	*target->room -= size;
	memcpy(&head, packets, sizeof(head));
	if (target->stream.fd < 0)
		ret = kcatch_recorder_stream_open(&target->stream, target->directory, cpu);
	if (!ret)
		ret = kcatch_recorder_stream_write(&target->stream, &head, packets, 1,
						   (uint32_t)(head.content_size / 8));
	if (ret)
		return kcatch_error_set(ret, "cannot write the records of CPU %u: %s", cpu,
					strerror(-ret));
	target->bytes += size;
	return 0;
}

static int write_ring(struct kcatch_vmcore *vmcore, const struct kcatch_vmcore_ring *ring,
		      struct target *target, struct kcatch_vmcore_stats *stats)
{
	size_t missing = 0;
	int ret, other;

	target->bytes = 0;
	target->stream = (struct kcatch_recorder_stream){
		.fd = -1, .packet_size = ring->map.packet_size };
	ret = kcatch_vmcore_packets(vmcore, ring, write_packets, target, &missing);
	/* Its own page was left out, or is damaged: those of other CPUs may be good. */
	if (ret == -EBADMSG) {
		missing = ring->nr_pages;
		ret = 0;
	}
	other = target->stream.fd >= 0 ? kcatch_recorder_stream_close(&target->stream, false) : 0;
	if (other && !ret)
		ret = kcatch_error_set(other, "cannot write the records of CPU %u: %s",
				       ring->map.cpu, strerror(-other));
	stats->bytes += target->bytes;
	stats->missing_pages += missing;
	stats->rings++;
	return ret;
}

/* One ring for each CPU of the session, and as large as it was made. */
static bool fits(const struct kcatch_vmcore_ring *ring, const struct wanted *wanted, int directory)
{
	char name[24];

	snprintf(name, sizeof(name), "cpu%u", ring->map.cpu);
	return ring->map.cpu < wanted->nr_cpus && ring->map.ring_size == wanted->ring_size &&
	       ring->map.packet_size == wanted->packet_size &&
	       faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

static int write_rings(struct kcatch_vmcore *vmcore, const struct wanted *wanted, int directory,
		       struct kcatch_vmcore_stats *stats)
{
	uint64_t room = kcatch_vmcore_size(vmcore);
	struct target target = { .directory = directory, .room = &room };
	const struct kcatch_vmcore_ring *rings;
	size_t nr, i;
	int ret = 0;

	rings = kcatch_vmcore_rings(vmcore, &nr);
	for (i = 0; !ret && i < nr; i++) {
		if (memcmp(rings[i].map.uuid, wanted->uuid, sizeof(wanted->uuid)))
			continue;
		if (fits(&rings[i], wanted, directory)) {
			ret = write_ring(vmcore, &rings[i], &target, stats);
		} else {
			stats->rings++;
			stats->missing_pages += rings[i].nr_pages;
		}
	}
	return ret;
}

/* Visit the streams that are there: have they any? */
static bool find_streams(int directory, bool remove)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool found = false;

	if (fd >= 0 && !listing)
		close(fd);
	while (listing && (entry = readdir(listing))) {
		size_t digits = strncmp(entry->d_name, "cpu", 3) ? 0 :
				strspn(entry->d_name + 3, "0123456789");

		if (!digits || entry->d_name[3 + digits])
			continue;
		found = true;
		if (remove)
			unlinkat(directory, entry->d_name, 0);
	}
	if (listing)
		closedir(listing);
	return found;
}

static int refuse_write(const struct place *place)
{
	return kcatch_error_set(errno, "cannot write to %s: %s", SHOWN(place->path),
				strerror(errno));
}

/* The mark is there from before the first stream until all are whole. */
static bool is_partial(const struct place *place)
{
	return !faccessat(place->side, KCATCH_RECORDING_PARTIAL, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* A mark says that what is there is not all, should we be killed. */
static int begin(const struct place *place)
{
	int fd, ret = 0;

	/* An earlier try was: what it left is not taken for whole. */
	if (is_partial(place))
		find_streams(place->directory, true);
	fd = openat(place->side, KCATCH_RECORDING_PARTIAL,
		    O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return refuse_write(place);
	/* The mark must be on the disk before the first stream is. */
	if (fsync(fd) && errno != EINVAL)
		ret = refuse_write(place);
	close(fd);
	return ret;
}

static int end(const struct place *place, int ret)
{
	if (ret)
		find_streams(place->directory, true);
	else if (syncfs(place->directory))
		return refuse_write(place);
	if (unlinkat(place->side, KCATCH_RECORDING_PARTIAL, 0) && !ret)
		return refuse_write(place);
	return ret;
}

static size_t count_sessions(const struct kcatch_vmcore_ring *rings, size_t nr)
{
	size_t i, sessions = 0;

	for (i = 0; i < nr; i++)
		sessions += !i || memcmp(rings[i].map.uuid, rings[i - 1].map.uuid, 16);
	return sessions;
}

static int complete(struct kcatch_vmcore *vmcore, const struct wanted *wanted,
		    const struct place *place, struct kcatch_vmcore_stats *stats)
{
	int ret = begin(place);

	if (ret)
		return ret;
	ret = write_rings(vmcore, wanted, place->directory, stats);
	return end(place, ret);
}

static int refuse_place(const struct place *place)
{
	return kcatch_error_set(ENOENT, "%s is not what 'kcatch record --standby' makes",
				SHOWN(place->path));
}

/* A link to a side directory would have us read and write elsewhere: it is none. */
static int open_place(struct place *place)
{
	place->directory = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place->directory >= 0)
		place->side = openat(place->directory, KCATCH_RECORDING_SIDE,
				     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (place->side >= 0)
		return 0;
	if (place->directory < 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP))
		return kcatch_error_set(errno, "cannot read %s: %s", SHOWN(place->path),
					strerror(errno));
	return refuse_place(place);
}

static int take_from(const char *path, const struct place *place, struct kcatch_vmcore_stats *stats)
{
	const struct kcatch_vmcore_ring *rings;
	struct kcatch_vmcore *vmcore = NULL;
	struct wanted wanted;
	size_t nr;
	int ret;

	if (!find_wanted(place->side, &wanted))
		return refuse_place(place);
	if (find_streams(place->directory, false) && !is_partial(place))
		return kcatch_error_set(EEXIST, "%s has its records already: 'kcatch report' reads "
					"it as it is", SHOWN(place->path));
	ret = kcatch_vmcore_open(path, &vmcore);
	if (ret)
		return ret;
	rings = kcatch_vmcore_rings(vmcore, &nr);
	stats->sessions = count_sessions(rings, nr);
	ret = complete(vmcore, &wanted, place, stats);
	if (!ret && !stats->rings)
		ret = kcatch_error_set(ESRCH, "%s was not running when that machine died: in %s are %zu session%s, "
				       "none of them this one", SHOWN(place->path), SHOWN(path),
				       (size_t)stats->sessions, stats->sessions == 1 ? "" : "s");
	kcatch_vmcore_close(vmcore);
	return ret;
}

int kcatch_recording_from_vmcore(const char *path, const char *directory,
				 struct kcatch_vmcore_stats *stats)
{
	struct place place = { .path = directory, .directory = -1, .side = -1 };
	int ret;

	memset(stats, 0, sizeof(*stats));
	ret = open_place(&place);
	if (!ret)
		ret = take_from(path, &place, stats);
	if (place.side >= 0)
		close(place.side);
	if (place.directory >= 0)
		close(place.directory);
	return ret;
}
