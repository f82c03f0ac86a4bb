/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_recording.h - libkcatch: sessions that are recorded to files, and read back
 *
 * Part of kcatch.h, which includes it.
 */
#ifndef KCATCH_RECORDING_H
#define KCATCH_RECORDING_H

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kcatch_recorder;
struct kcatch_module_history;

/**
 * struct kcatch_recorder_options - where and how to record
 * @size: size of the struct: sizeof(), bytes
 * @directory: directory of the recording; created, or empty
 * @request: request of the session
 * @command: words of the command line, stored for the reader; NULL: none
 * @nr_command: number of entries in @command
 * @modules: flight recorder: the modules that were loaded while it waited, and how the clocks went;
 *	NULL: not known. Then frames of a module that has gone may have names of one that took its
 *	place, and times are less exact
 * @piece_bytes: kcatch_recorder_create(): begin a new piece when the streams of one have so many
 *	bytes; 0: whatever they have. Each piece is a recording of its own in @directory, which
 *	kcatch_recording_open() reads as one
 * @piece_ns: and after this time, ns; 0: whatever time it takes. With both 0 there are no pieces
 * @keep: with pieces: remove the oldest ones, so that so many are left, with the one that is being
 *	written; at least 2; 0: keep all
 */
struct kcatch_recorder_options {
	size_t size;
	const char *directory;
	const struct kcatch_request *request;
	const char *const *command;
	size_t nr_command;
	struct kcatch_module_history *modules;
	uint64_t piece_bytes;
	uint64_t piece_ns;
	uint32_t keep;
};

/**
 * kcatch_recorder_options_init - initialize empty options
 * @options: its size is set; every other member becomes zero
 */
static inline void kcatch_recorder_options_init(struct kcatch_recorder_options *options)
{
	memset(options, 0, sizeof(*options));
	options->size = sizeof(*options);
}

/**
 * struct kcatch_recorder_stats - progress of a recording
 * @bytes: bytes of the written packets, without those of pieces that were removed
 * @pieces: pieces that are there; 0: the recording is not written in pieces
 * @removed: pieces that were removed
 * @lost: hits that found no room in the ring buffers, on all CPUs
 * @unwritten: after the end: caught hits that could not be written
 * @unwritten_returns: after the end: caught returns that could not be written
 */
struct kcatch_recorder_stats {
	uint64_t bytes;
	uint32_t pieces;
	uint32_t removed;
	uint64_t lost;
	uint64_t unwritten;
	uint64_t unwritten_returns;
};

/**
 * kcatch_recorder_check_directory - check that a directory can hold a recording
 * @path: the directory, created when missing
 * @made: true: the directory was created, and is empty
 *
 * Reports obstacles early when the recording will be written later.
 *
 * Return: 0; -EEXIST @path is not empty; -EPERM @path belongs to another user, or others can
 *	write to it; -ENOENT the parent directory does not exist; another -errno.
 */
KCATCH_API int kcatch_recorder_check_directory(const char *path, bool *made);

/**
 * kcatch_recorder_create - begin a recording: a directory with a CTF 1.8 trace
 * @session: the session, fully armed but not started; nothing else reads it
 * @options: directory, request and command line
 * @recorder: the new recorder; destroy it before the session is closed
 *
 * Writes the files that are known before the first event: see kcatch-recording(5). On
 * failure no file is left behind.
 *
 * Return: 0; -EEXIST the directory is not empty; another -errno.
 */
KCATCH_API int kcatch_recorder_create(struct kcatch_session *session,
				      const struct kcatch_recorder_options *options,
				      struct kcatch_recorder **recorder);

/**
 * kcatch_recorder_write - write the full packets of all ring buffers
 * @recorder: the recorder
 * @flush: also write packets that are not full, and the counters so far
 *
 * In between it begins a new piece, where that is due.
 *
 * Return: 0; -ENOSPC or another -errno: data written earlier stays readable.
 */
KCATCH_API int kcatch_recorder_write(struct kcatch_recorder *recorder, bool flush);

/**
 * kcatch_recorder_finish - write all remaining data, after kcatch_session_stop()
 * @recorder: the recorder
 *
 * Return: 0, or the -errno of the first failure.
 */
KCATCH_API int kcatch_recorder_finish(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_snapshot - record the present contents of the ring buffers
 * @session: the session, fully armed; running, frozen or stopped. Nothing else reads a
 *	flight recorder (@request.overwrite)
 * @options: directory, request and command line
 * @stats: progress counters; NULL: not wanted
 *
 * The session is not changed. On success all data is on the disk.
 *
 * Return: 0; -EEXIST the directory is not empty; another -errno. On failure with
 *	@stats.bytes 0, no file is left behind; otherwise the records that found room can be
 *	read like those of a recorder that was killed.
 */
KCATCH_API int kcatch_recorder_snapshot(struct kcatch_session *session,
					const struct kcatch_recorder_options *options,
					struct kcatch_recorder_stats *stats);

/**
 * kcatch_recorder_prepare - write a recording without its records
 * @session: the session, fully armed
 * @options: directory, request and command line
 *
 * After a crash of this machine, kcatch_recording_from_vmcore() adds the records. The
 * directory must be on a disk that survives the crash. The session is not changed. From now on,
 * the history @options.modules appends each change to the directory, with the probes that came with
 * a module, and how the clocks go.
 *
 * Return: 0; -EEXIST the directory is not empty; another -errno.
 */
KCATCH_API int kcatch_recorder_prepare(struct kcatch_session *session,
				       const struct kcatch_recorder_options *options);

/**
 * kcatch_recorder_read_stats - read the progress of a recording
 * @recorder: the recorder
 * @stats: progress counters
 */
KCATCH_API void kcatch_recorder_read_stats(struct kcatch_recorder *recorder,
					   struct kcatch_recorder_stats *stats);

/**
 * kcatch_recorder_destroy - close the recording's files and free the recorder
 * @recorder: the recorder, or NULL
 */
KCATCH_API void kcatch_recorder_destroy(struct kcatch_recorder *recorder);

/**
 * kcatch_recorder_discard - remove what the recorder wrote, and free the recorder
 * @recorder: the recorder, or NULL
 *
 * For a recording that does not begin: no file is left behind, nor a directory that the recorder
 * made.
 */
KCATCH_API void kcatch_recorder_discard(struct kcatch_recorder *recorder);

/**
 * struct kcatch_vmcore_stats - contents of a memory dump
 * @sessions: number of sessions armed when the machine died
 * @rings: number of ring buffers of the requested session
 * @bytes: bytes of the packets found
 * @missing_pages: number of pages of these ring buffers that the dump lacks
 */
struct kcatch_vmcore_stats {
	uint64_t sessions;
	uint64_t rings;
	uint64_t bytes;
	uint64_t missing_pages;
};

/**
 * kcatch_recording_from_vmcore - complete a recording with the records of a memory dump
 * @path: the dump: from kdump (vmcore), makedumpfile, or QEMU (dump-guest-memory)
 * @directory: directory made by kcatch_recorder_prepare(); receives the streams
 * @stats: sessions, ring buffers and packets found
 *
 * Return: 0; -EEXIST @directory has streams already; -ESRCH the dump lacks the session;
 * -EOPNOTSUPP libkdumpfile is not installed; -EINVAL @path is no memory dump; another -errno.
 */
KCATCH_API int kcatch_recording_from_vmcore(const char *path, const char *directory,
					    struct kcatch_vmcore_stats *stats);

/**
 * kcatch_recording_open - read a recording
 * @directory: directory of the recording
 * @session: a stopped session with the events of the recording
 *
 * Functions that read (kcatch_session_next(), frames, arguments, probes, totals) work as on
 * the recorded session, on any machine. Functions that arm return -EROFS.
 * kcatch_session_nr_damaged() counts damaged records. There are no user frames. Memory: one
 * packet per CPU, symbols and types (some 20 MB), and the calls under way, as with a live
 * session; it does not grow with the size of the recording. A recording that was written in pieces
 * is read as one, and so is each of its pieces; kcatch_session_note() says what was removed.
 *
 * Return: 0; -ENOENT @directory has no recording; -EINVAL the recording is damaged, or of a
 * later release; another -errno.
 */
KCATCH_API int kcatch_recording_open(const char *directory, struct kcatch_session **session);

/**
 * struct kcatch_recording_info - properties of a recording
 * @format: format version of the directory
 * @version: release of the kcatch that recorded
 * @release: release of the recorded kernel
 * @host: name of the recorded machine
 * @command: the command line, words separated by blanks
 * @realtime_ns: start of the recording, CLOCK_REALTIME, ns; 0: unknown
 * @monotonic_ns: start of the recording, CLOCK_MONOTONIC, ns
 * @nr_cpus: number of possible CPUs of the machine
 * @finished: the recording ended cleanly: the counters are final
 * @bytes: size of all streams, bytes
 * @snapshot: taken from a flight recorder: events before the first were overwritten
 * @frozen: what froze the session
 * @frozen_probe: with KCATCH_FROZEN_BY_PROBE: number of the probe
 * @frozen_ns: time of freezing, CLOCK_MONOTONIC, ns
 * @counted_s: not @finished: how many seconds before its end the counters were read, at most
 * @pieces: number of pieces, if the recording was written in pieces and is read as a whole;
 *	else 0
 * @removed: earlier pieces that were removed
 * @removed_events: events that were recorded in them
 * @piece: number of the piece, if it is read alone; else 0
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
	uint32_t counted_s;
	size_t pieces;
	uint32_t removed;
	uint64_t removed_events;
	uint32_t piece;
};

/**
 * kcatch_session_recording - properties of the recording behind a session
 * @session: the session
 *
 * Return: the properties, valid as long as the session; NULL: a live session.
 */
KCATCH_API const struct kcatch_recording_info *
kcatch_session_recording(const struct kcatch_session *session);

/**
 * kcatch_recording_cpu_missing - number of recorded events that a CPU's stream now lacks
 * @session: a recording, read to its end
 * @cpu: CPU number
 *
 * Files may have been truncated, damaged or removed since. For a flight recorder and for a
 * recording that did not end cleanly the number is not known.
 *
 * Return: the number of events.
 */
KCATCH_API uint64_t kcatch_recording_cpu_missing(const struct kcatch_session *session,
						 uint32_t cpu);

/**
 * kcatch_recording_cpu_discarded - number of hits and returns that found no room on a CPU and that
 *	the recording's counters do not have
 * @session: a recording, read to its end
 * @cpu: CPU number
 *
 * The packets of a recording that did not end cleanly tell what was lost after its counters were
 * read, but not of which probe.
 *
 * Return: the number; 0 for a recording that ended cleanly, whose counters have all.
 */
KCATCH_API uint64_t kcatch_recording_cpu_discarded(const struct kcatch_session *session,
						   uint32_t cpu);

/**
 * kcatch_recording_damage - describe the first damage of a recording
 * @session: a recording; parts not read yet may be damaged, too
 *
 * Return: a message ("cpu1, byte 65536: no packet begins there"), valid until the next
 * call; "": no damage found.
 */
KCATCH_API const char *kcatch_recording_damage(const struct kcatch_session *session);

/**
 * kcatch_recording_withheld - tell why frames have no source lines although there is debug
 *	information
 * @session: a recording; events not read yet may have such frames, too
 *
 * The module was built anew or loaded elsewhere since: the lines would be those of other code.
 *
 * Return: a message that names the first module, valid until the next call; "": no lines were
 * withheld.
 */
KCATCH_API const char *kcatch_recording_withheld(const struct kcatch_session *session);

/**
 * kcatch_recording_progress - progress of kcatch_session_next() in a recording
 * @session: a recording
 * @done: bytes of the streams read so far
 * @all: size of all streams, bytes
 */
KCATCH_API void kcatch_recording_progress(const struct kcatch_session *session, uint64_t *done,
					  uint64_t *all);

/* ---- events for which a condition is true ---------------------------------------------- */

struct kcatch_filter;

enum kcatch_filter_answer {
	KCATCH_FILTER_NO,
	KCATCH_FILTER_YES,
	KCATCH_FILTER_UNDECIDED,	/* the record lacks a value that the condition needs */
};

/**
 * kcatch_filter_create - a condition over the events of a recording
 * @session: a recording; must stay open as long as the filter
 * @condition: expression in the language of kcatch-condition(7)
 * @name: returns the value of the name `event` for a probe; NULL: the filter will see no
 *	event of the probe. The text is copied
 * @arg: passed to @name
 * @filter: the new filter
 *
 * Probes that lack a name used in @condition are left out, unless all probes lack it.
 *
 * Return: 0; -EINVAL or -ENOENT when @condition is wrong or uses a value that the recording
 * lacks (the error text points at the place); -ENOMEM.
 */
KCATCH_API int kcatch_filter_create(struct kcatch_session *session, const char *condition,
				    const char *(*name)(void *arg, uint32_t probe), void *arg,
				    struct kcatch_filter **filter);

/**
 * kcatch_filter_answer - evaluate the condition for the current event
 * @filter: the filter
 * @event: the event from the last kcatch_session_next()
 *
 * Return: KCATCH_FILTER_*, or -ENOMEM.
 */
KCATCH_API int kcatch_filter_answer(struct kcatch_filter *filter, const struct kcatch_event *event);

/**
 * kcatch_filter_destroy - free the filter
 * @filter: the filter, or NULL
 */
KCATCH_API void kcatch_filter_destroy(struct kcatch_filter *filter);

/**
 * kcatch_session_stack_number - a number for the kernel stack of the current event
 * @session: the session
 * @number: the number; 0: none, as the stack is empty, or may be shown otherwise next time
 *
 * Events with the same number, except 0, have the same frames and @stack: what was made of the
 * first need not be made again. Equal stacks may have several numbers. Two sessions of a
 * program have no number in common. Return: 0, -ENOMEM.
 */
KCATCH_API int kcatch_session_stack_number(struct kcatch_session *session, uint64_t *number);

/* ---- where and when ------------------------------------------------------------------------ */

/**
 * struct kcatch_origin - what tells the events of a session from those of all other sessions
 * @host: name of the machine
 * @boot_id: id of its boot, as /proc/sys/kernel/random/boot_id has it; "": unknown
 * @release: release of its kernel
 * @arch: kind of its processors, as `uname -m` has it: "x86_64"
 * @session: number of the session, 32 hexadecimal digits; each recording has its own, and each
 *	live session
 * @nr_cpus: number of possible CPUs
 */
struct kcatch_origin {
	const char *host;
	const char *boot_id;
	const char *release;
	const char *arch;
	const char *session;
	uint32_t nr_cpus;
};

/**
 * kcatch_session_origin - where the events of a session come from
 * @session: a live session, or a recording
 * @origin: the origin, valid as long as the session; texts may hold any byte
 *
 * Return: 0 or -errno.
 */
KCATCH_API int kcatch_session_origin(struct kcatch_session *session,
				     const struct kcatch_origin **origin);

/**
 * kcatch_session_realtime - the wall-clock time of a moment
 * @session: a live session, or a recording
 * @monotonic_ns: the moment, CLOCK_MONOTONIC, ns, as events have it
 *
 * Of a recording, the clock's setting at that moment counts, known every ten seconds. Of a live
 * session, the present one.
 *
 * Return: CLOCK_REALTIME, ns since 1970; 0: the recording does not know.
 */
KCATCH_API uint64_t kcatch_session_realtime(const struct kcatch_session *session,
					    uint64_t monotonic_ns);

/**
 * kcatch_session_cpu_totals - the counters of one CPU, summed over all probes
 * @session: a live session, or a recording
 * @cpu: CPU number
 * @totals: counters of the CPU
 *
 * Return: 0, -ERANGE no such CPU, another -errno.
 */
KCATCH_API int kcatch_session_cpu_totals(struct kcatch_session *session, uint32_t cpu,
					 struct kcatch_totals *totals);

#ifdef __cplusplus
}
#endif

#endif
