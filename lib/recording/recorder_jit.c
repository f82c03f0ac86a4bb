/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_jit.c - records the names of code that programs make at run time
 *
 * Only of a recording with user stacks. The file that a program writes (perf_map.h) is copied when
 * the first record of its process is written, and again when it has grown: each second, for a tenth
 * of all time, and at the end. A process that has ended by then has what was copied before.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/timing.h"
#include "debuginfo/perf_map.h"
#include "debuginfo/process_identity.h"
#include "recording/recorder.h"
#include "ring/calls.h"

#define UPDATE_NS     1000000000ULL
#define PROCESSES_MAX 4096 /* that live at once and have records; of others nothing is copied */
#define BYTES_MAX     (512ULL << 20) /* that are copied of all */
#define COPY_BYTES    65536
#define NEW           "perf.new"

struct kcatch_recorder_jit {
	uint32_t pid;
	off_t copied; /* bytes of the file that are in the recording */
};

static int copy(struct kcatch_recorder *recorder, const struct kcatch_perf_map_file *from, int to)
{
	char bytes[COPY_BYTES];
	off_t at = 0;

	while (at < from->status.st_size) {
		size_t left = (size_t)(from->status.st_size - at);
		ssize_t got = pread(from->fd, bytes, left < sizeof(bytes) ? left : sizeof(bytes),
				    at);

		if (got <= 0)
			break;
		if (write(to, bytes, (size_t)got) != got)
			return kcatch_recorder_fail_file(recorder, NEW, errno ? errno : ENOSPC);
		at += got;
	}
	return 0;
}

/* The copy is whole when it has its name. */
static int copy_map(struct kcatch_recorder *recorder, uint32_t pid,
		    const struct kcatch_perf_map_file *from)
{
	char name[48];
	int fd, ret;

	unlinkat(recorder->side, NEW, 0);
	fd = openat(recorder->side, NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return kcatch_recorder_fail_file(recorder, NEW, errno);
	ret = copy(recorder, from, fd);
	snprintf(name, sizeof(name), KCATCH_RECORDING_JIT "-%u-%u.map", pid, from->number);
	if (close(fd) && !ret)
		ret = kcatch_recorder_fail_file(recorder, NEW, errno);
	if (!ret && renameat(recorder->side, NEW, recorder->side, name))
		ret = kcatch_recorder_fail_file(recorder, name, errno);
	if (ret)
		unlinkat(recorder->side, NEW, 0);
	return ret;
}

/* Copies the file of a process, if it has one that has grown. */
static int look_at(struct kcatch_recorder *recorder, struct kcatch_recorder_jit *process,
		   uint32_t reader)
{
	struct kcatch_perf_map_file file;
	int ret = 0;

	if (!kcatch_perf_map_open(reader, &file))
		return 0;
	if (file.status.st_size != process->copied &&
	    recorder->jit_bytes + (uint64_t)file.status.st_size <= BYTES_MAX) {
		ret = copy_map(recorder, process->pid, &file);
		recorder->jit_bytes += (uint64_t)(file.status.st_size - process->copied);
		process->copied = file.status.st_size;
	}
	close(file.fd);
	return ret;
}

static bool is_known(const struct kcatch_recorder *recorder, uint32_t pid)
{
	size_t i;

	for (i = 0; i < recorder->nr_jit; i++)
		if (recorder->jit[i].pid == pid)
			return true;
	return false;
}

static int note_process(struct kcatch_recorder *recorder, uint32_t pid)
{
	struct kcatch_recorder_jit *process;
	struct kcatch_process_identity identity;
	uint32_t reader;

	/* The same as before, mostly. */
	if (pid == recorder->last_jit)
		return 0;
	recorder->last_jit = pid;
	if (is_known(recorder, pid) || recorder->nr_jit == PROCESSES_MAX)
		return 0;
	reader = kcatch_process_identity_reader(pid, &identity);
	if (!identity.start_stack)
		return 0;
	if (!recorder->jit)
		recorder->jit = calloc(PROCESSES_MAX, sizeof(*recorder->jit));
	if (!recorder->jit)
		return kcatch_error_memory();
	process = &recorder->jit[recorder->nr_jit++];
	*process = (struct kcatch_recorder_jit){ .pid = pid };
	return look_at(recorder, process, reader);
}

/* 0: the record has no user stack. */
static uint32_t process_of(const struct kcatch_record *record)
{
	const struct kcatch_hit *hit = (const struct kcatch_hit *)record;
	const uint32_t kind = KCATCH_RECORD_KIND(record->id);
	const struct kcatch_call_part *part;

	if ((kind != KCATCH_RECORD_ENTRY && kind != KCATCH_RECORD_CALL) ||
	    record->size < sizeof(*hit) ||
	    record->size - sizeof(*hit) < hit->nr_frames * sizeof(hit->frames[0]) + sizeof(*part))
		return 0;
	part = kcatch_call_part(hit);
	return part->user_size ? hit->pid : 0;
}

int kcatch_recorder_note_jit(struct kcatch_recorder *recorder, const void *packet, size_t size)
{
	const struct kcatch_record *record;
	size_t at = sizeof(struct kcatch_packet);
	int ret = 0;

	if (!recorder->request.user_stack)
		return 0;
	while (!ret && (record = kcatch_recorder_next_record(packet, size, &at))) {
		uint32_t pid = process_of(record);

		if (pid)
			ret = note_process(recorder, pid);
	}
	return ret;
}

int kcatch_recorder_end_jit(struct kcatch_recorder *recorder)
{
	struct kcatch_process_identity identity;
	size_t i, kept = 0;
	int ret = 0;

	for (i = 0; !ret && i < recorder->nr_jit; i++) {
		struct kcatch_recorder_jit process = recorder->jit[i];
		uint32_t reader = kcatch_process_identity_reader(process.pid, &identity);

		/* Another process may get its number. */
		if (!identity.start_stack)
			continue;
		ret = look_at(recorder, &process, reader);
		recorder->jit[kept++] = process;
	}
	recorder->nr_jit = kept;
	recorder->last_jit = 0;
	return ret;
}

int kcatch_recorder_update_jit(struct kcatch_recorder *recorder)
{
	uint64_t now = kcatch_timing_now_ns(), took;
	int ret;

	if (!recorder->nr_jit || now < recorder->next_jit)
		return 0;
	ret = kcatch_recorder_end_jit(recorder);
	took = kcatch_timing_now_ns() - now;
	recorder->next_jit = now + UPDATE_NS + 10 * took;
	return ret;
}

void kcatch_recorder_forget_jit(struct kcatch_recorder *recorder)
{
	free(recorder->jit);
	recorder->jit = NULL;
	recorder->nr_jit = 0;
	recorder->last_jit = 0;
	recorder->jit_bytes = 0;
}
