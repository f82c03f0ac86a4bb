/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_recording.h - libkcatch: sessions that go into files, and come back from there
 *
 * A part of kcatch.h, which includes it.
 */
#ifndef KCATCH_RECORDING_H
#define KCATCH_RECORDING_H

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kcatch_recorder;

/**
 * struct kcatch_recorder_options - of a recording that is to be made
 * @directory: which is made, or is empty
 * @request: what the session was asked for; stays until the recorder is destroyed
 * @command: words of the command line, for who reads it; NULL: none
 * @nr_command: how many
 */
struct kcatch_recorder_options {
	const char *directory;
	const struct kcatch_request *request;
	const char *const *command;
	size_t nr_command;
};

/**
 * struct kcatch_recorder_stats - how a recording gets on
 * @bytes: of packets that were written
 * @lost: hits that found no room, on all CPUs
 * @unwritten: after the end: hits that were caught and could not be written
 * @unwritten_returns: returns, alike
 */
struct kcatch_recorder_stats {
	uint64_t bytes;
	uint64_t lost;
	uint64_t unwritten;
	uint64_t unwritten_returns;
};

/**
 * kcatch_recorder_create - begin a recording: a directory with a CTF 1.8 trace
 * @session: all is armed, and it was not started; nothing else reads it
 * @options: where to
 * @recorder: the new recorder; destroy it before the session is closed
 *
 * Writes what is known before the first event: see kcatch-recording(5). Nothing is left
 * behind when it fails.
 *
 * Return: 0; -EEXIST something is there; another -errno.
 */
KCATCH_API int kcatch_recorder_create(struct kcatch_session *session,
				      const struct kcatch_recorder_options *options,
				      struct kcatch_recorder **recorder);

/**
 * kcatch_recorder_write - write packets that are full
 * @recorder: the recorder
 * @flush: those that are not, as well; and the counters so far
 *
 * Return: 0; -ENOSPC and others: what was written before can be read.
 */
KCATCH_API int kcatch_recorder_write(struct kcatch_recorder *recorder, bool flush);

/**
 * kcatch_recorder_finish - write all that is left, after kcatch_session_stop()
 * @recorder: the recorder
 *
 * Return: 0 or -errno: the first that went wrong.
 */
KCATCH_API int kcatch_recorder_finish(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_snapshot - a recording of what the rings hold now
 * @session: all is armed; it may run, be frozen, or be stopped. Of a flight recorder
 *	(@request.overwrite) nothing else reads
 * @options: where to
 * @stats: figures; NULL: not wanted
 *
 * The session stays as it is.
 *
 * Return: as kcatch_recorder_create(). Nothing is left behind when it fails.
 */
KCATCH_API int kcatch_recorder_snapshot(struct kcatch_session *session,
					const struct kcatch_recorder_options *options,
					struct kcatch_recorder_stats *stats);

/**
 * kcatch_recorder_prepare - all of a recording but the records
 * @session: all is armed
 * @options: where to
 *
 * For kcatch_recording_from_vmcore(), should this machine die: to be done before, and
 * on a disk that outlives it. The session stays as it is.
 *
 * Return: as kcatch_recorder_create().
 */
KCATCH_API int kcatch_recorder_prepare(struct kcatch_session *session,
				       const struct kcatch_recorder_options *options);

/**
 * kcatch_recorder_stats - how it gets on
 * @recorder: the recorder
 * @stats: figures
 */
KCATCH_API void kcatch_recorder_stats(struct kcatch_recorder *recorder,
				      struct kcatch_recorder_stats *stats);

/**
 * kcatch_recorder_destroy - close its files
 * @recorder: may be NULL
 */
KCATCH_API void kcatch_recorder_destroy(struct kcatch_recorder *recorder);

/**
 * struct kcatch_vmcore_stats - what a memory dump had
 * @sessions: that were armed when the machine died
 * @rings: of the one that was looked for
 * @bytes: of packets that were found
 * @missing_pages: pages of its rings that are not in the dump
 */
struct kcatch_vmcore_stats {
	uint64_t sessions;
	uint64_t rings;
	uint64_t bytes;
	uint64_t missing_pages;
};

/**
 * kcatch_recording_from_vmcore - complete a recording with what a memory dump holds
 * @path: the dump: kdump's vmcore, makedumpfile's, or QEMU's dump-guest-memory
 * @directory: of kcatch_recorder_prepare(); gets the streams
 * @stats: what was found
 *
 * Return: 0; -EEXIST @directory has streams; -ESRCH the dump has no such session;
 * -EOPNOTSUPP libkdumpfile is not installed; -EINVAL no memory dump; another -errno.
 */
KCATCH_API int kcatch_recording_from_vmcore(const char *path, const char *directory,
					    struct kcatch_vmcore_stats *stats);

/**
 * kcatch_recording_open - read a recording
 * @directory: of kcatch record
 * @session: a stopped session, whose events are those of the recording
 *
 * All that reads works as on the session that was recorded, on any machine:
 * kcatch_session_next(), frames, arguments, probes, totals. All that arms is refused with
 * -EROFS. What is damaged is counted by kcatch_session_nr_damaged(). There are no user
 * frames. Memory: a packet for each CPU, symbols and types (some 20 MB), and the
 * calls that are under way, as with a session that runs; never the size of the recording.
 *
 * Return: 0; -ENOENT no recording is there; -EINVAL it is damaged, or of a later release;
 * another -errno.
 */
KCATCH_API int kcatch_recording_open(const char *directory, struct kcatch_session **session);

/**
 * struct kcatch_recording_info - about a recording
 * @format: of the directory
 * @version: release of kcatch that made it
 * @release: of its kernel
 * @host: name of the machine
 * @command: the command line, words separated by blanks
 * @realtime_ns: CLOCK_REALTIME when it began; 0: not known
 * @monotonic_ns: CLOCK_MONOTONIC at that moment
 * @nr_cpus: CPUs that the machine could have
 * @finished: it ended in order: the counters are final
 * @bytes: of its streams
 * @snapshot: of a flight recorder: there were events before the first one
 * @frozen: what froze it
 * @frozen_probe: number of the probe with KCATCH_FROZEN_BY_PROBE
 * @frozen_ns: since when, CLOCK_MONOTONIC
 */
struct kcatch_recording_info {
	unsigned int format;
	const char *version;
	const char *release;
	const char *host;
	const char *command;
	uint64_t realtime_ns;
	uint64_t monotonic_ns;
	uint32_t nr_cpus;
	bool finished;
	uint64_t bytes;
	bool snapshot;
	enum kcatch_frozen frozen;
	uint32_t frozen_probe;
	uint64_t frozen_ns;
};

/**
 * kcatch_session_recording - is the session a recording, and which
 * @session: the session
 *
 * Return: about it, as long as the session; NULL: it is none.
 */
KCATCH_API const struct kcatch_recording_info *
kcatch_session_recording(const struct kcatch_session *session);

/**
 * kcatch_recording_cpu_totals - the counters of one CPU, of all probes
 * @session: a recording
 * @cpu: which
 * @totals: of it
 *
 * Return: 0, -ERANGE no such CPU, -EINVAL @session is no recording.
 */
KCATCH_API int kcatch_recording_cpu_totals(struct kcatch_session *session, uint32_t cpu,
					   struct kcatch_totals *totals);

/**
 * kcatch_recording_cpu_missing - events that were recorded on a CPU and are not there now
 * @session: a recording, all of which was read
 * @cpu: which
 *
 * Files may have been cut off, damaged or taken away since. Of a flight recorder and of what
 * did not end in order it is not known.
 *
 * Return: how many.
 */
KCATCH_API uint64_t kcatch_recording_cpu_missing(const struct kcatch_session *session, uint32_t cpu);

/**
 * kcatch_recording_damage - where a recording is damaged first, and what is wrong there
 * @session: a recording; what was not read yet may be damaged, too
 *
 * Return: a text for people ("cpu1, byte 65536: no packet begins there"), valid until the next
 * call; "" where nothing was found.
 */
KCATCH_API const char *kcatch_recording_damage(const struct kcatch_session *session);

/**
 * kcatch_recording_progress - how far kcatch_session_next() has come
 * @session: a recording
 * @done: bytes of the streams that were read
 * @all: bytes there are
 */
KCATCH_API void kcatch_recording_progress(const struct kcatch_session *session, uint64_t *done,
					  uint64_t *all);

#ifdef __cplusplus
}
#endif

#endif
