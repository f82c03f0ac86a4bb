/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recording.h - inside of a session that is a recording */
#ifndef LIB_RECORDING_H
#define LIB_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "kcatch.h"
#include "recording_streams.h"
#include "symbol_list.h"
#include "task_names.h"

/**
 * struct kcatch_recording - what a session has in place of the module
 * @directory: descriptor
 * @side: descriptor of the directory beside the streams
 * @shape: of its packets
 * @same_boot: it was made since this machine was started: its addresses are ours
 * @info: for the caller; its texts are our own
 * @streams: the packets
 * @symbols: names of its addresses; NULL: none
 * @tasks: names of its threads, as far as is known
 * @cpus: counters of each CPU
 * @taken: events of each CPU that were handed out
 * @complete: all of them were
 * @damage: the first that was found beside the streams
 * @told: room for it and that of the streams
 * @settled: up to here calls were looked through for those that wait in vain
 */
struct kcatch_recording {
	int directory;
	int side;
	struct kcatch_recording_shape shape;
	bool same_boot;
	struct kcatch_recording_info info;
	struct kcatch_recording_streams *streams;
	struct kcatch_symbol_list *symbols;
	struct kcatch_task_names tasks;
	struct kcatch_totals *cpus;
	uint64_t *taken;
	bool complete;
	char damage[200];
	char told[420];
	uint64_t settled;
};

/**
 * kcatch_recording_close - forget it
 * @recording: may be NULL
 */
void kcatch_recording_close(struct kcatch_recording *recording);

/**
 * kcatch_recording_load - all but the streams, into a session
 * @session: the session, whose @recording has its descriptors
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM, another -errno.
 */
int kcatch_recording_load(struct kcatch_session *session);

/**
 * kcatch_recording_note - something is damaged, and reading goes on
 * @session: the session; it is counted
 * @format: where and what, for people; the first is kept
 */
void kcatch_recording_note(struct kcatch_session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kcatch_recording_complete - what only a recording knows of a new event
 * @session: the session; the thread's name is noted or filled in
 */
void kcatch_recording_complete(struct kcatch_session *session);

/**
 * kcatch_recording_refuse - a recording cannot do that
 * @what: "start"
 *
 * Return: -EROFS, with an error text.
 */
int kcatch_recording_refuse(const char *what);

#endif
