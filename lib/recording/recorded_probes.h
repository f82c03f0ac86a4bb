/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* recorded_probes.h - the probes that an expression of a recording is for, and values of events */
#ifndef LIB_RECORDING_RECORDED_PROBES_H
#define LIB_RECORDING_RECORDED_PROBES_H

#include <stddef.h>
#include <stdint.h>

#include "condition/recorded.h"

struct kcatch_session;

/**
 * struct kcatch_recorded_probes - zeroed: none
 * @session: the recording
 * @names: of each probe its name; NULL: the expression is not for it
 * @nr: number of entries in @names
 */
struct kcatch_recorded_probes {
	struct kcatch_session *session;
	char **names;
	size_t nr;
};

/**
 * kcatch_recorded_probes_init - try an expression on all probes that it is meant for
 * @probes: zeroed
 * @session: the recording
 * @name: name of a probe, as "event" has it; NULL: the expression is not meant for it
 * @name_arg: passed to @name
 * @try_one: whether the expression can be computed for a probe: 0; -ENOENT with an error text,
 *	the recording lacks something for this probe; another -errno. Only a few of 50,000 probes
 *	have events: what it makes is not worth keeping
 * @arg: passed to @try_one
 *
 * Return: 0; -ENOENT with the most helpful error text, if some probe lacks something and none
 * succeeds: the first that names what may have been meant, else the first of a probe with
 * arguments, else the first; another -errno of @try_one, with the name of the probe in its text.
 */
int kcatch_recorded_probes_init(struct kcatch_recorded_probes *probes,
				struct kcatch_session *session,
				const char *(*name)(void *arg, uint32_t probe), void *name_arg,
				int (*try_one)(void *arg, size_t number,
					       const struct kcatch_recorded_probe *probe),
				void *arg);

/** kcatch_recorded_probes_deinit - free the memory */
void kcatch_recorded_probes_deinit(struct kcatch_recorded_probes *probes);

/**
 * kcatch_recorded_probes_has - whether the expression can be computed for a probe
 * @probes: the probes
 * @number: number of any probe
 */
bool kcatch_recorded_probes_has(const struct kcatch_recorded_probes *probes, uint32_t number);

/**
 * kcatch_recorded_probes_get - describe the records of a probe to what prepares an expression
 * @probes: the probes
 * @number: number of the probe
 */
struct kcatch_recorded_probe
kcatch_recorded_probes_get(const struct kcatch_recorded_probes *probes, size_t number);

/**
 * kcatch_recorded_probes_event - describe the session's current event to what evaluates one
 * @probes: the probes; must outlive @event
 * @fetched: receives its items; must outlive @event
 * @event: receives the description
 */
void kcatch_recorded_probes_event(struct kcatch_recorded_probes *probes,
				  struct kcatch_fetched *fetched,
				  struct kcatch_recorded_event *event);

#endif
