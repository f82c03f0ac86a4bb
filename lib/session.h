/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* session.h - inside of a session, shared by session.c, request.c, event.c and probes.c */
#ifndef LIB_SESSION_H
#define LIB_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/kcatch.h>

#include "kcatch.h"
#include "ring_reader.h"
#include "symbols.h"

/**
 * struct kcatch_probe_slot - what is known of a probe so far
 * @probe: for the caller
 * @asked: name it was asked for by, in memory of its own; NULL: by pattern
 * @informed: @probe has address, offset and mechanism
 * @named: @probe has function and module
 */
struct kcatch_probe_slot {
	struct kcatch_probe probe;
	char *asked;
	bool informed;
	bool named;
};

/**
 * struct kcatch_session - one open file of the module
 * @fd: the file
 * @info: what the module said at open
 * @ring_size: bytes a CPU, 0 before setup
 * @packet_size: bytes
 * @running: between start and stop
 * @in_pass: kcatch_ring_reader_begin() was called, and not all of it was read
 * @broken: a failed add left probes behind: it must not be started
 * @reader: the rings; NULL before the first read
 * @symbols: names of addresses
 * @slots: probes by number
 * @nr_slots: how many
 * @skipped: functions that patterns left alone
 * @damaged: records of probes that do not exist
 * @clock_anchor: session clock, at the moment of @monotonic_anchor
 * @monotonic_anchor: CLOCK_MONOTONIC, ns
 * @last_ns: time of the last event: re-anchoring must not make time go back
 * @hit: record of @event, in the reader's memory
 * @event: for the caller
 */
struct kcatch_session {
	int fd;
	struct kcatch_info info;
	uint32_t ring_size;
	uint32_t packet_size;
	bool running;
	bool in_pass;
	bool broken;
	struct kcatch_ring_reader *reader;
	struct kcatch_symbols *symbols;
	struct kcatch_probe_slot *slots;
	size_t nr_slots;
	uint64_t skipped;
	uint64_t damaged;
	uint64_t clock_anchor;
	uint64_t monotonic_anchor;
	uint64_t last_ns;
	const struct kcatch_hit *hit;
	struct kcatch_event event;
};

/**
 * kcatch_session_call - ioctl(), not ended by signals
 * @session: the session
 * @request: KCATCH_IOC_*
 * @argument: its argument
 *
 * Return: 0 or -errno, without an error text.
 */
int kcatch_session_call(const struct kcatch_session *session, unsigned long request,
			void *argument);

#endif
