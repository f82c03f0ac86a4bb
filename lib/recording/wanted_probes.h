/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wanted_probes.h - tries an expression on the probes of a recording that it is meant for */
#ifndef LIB_RECORDING_WANTED_PROBES_H
#define LIB_RECORDING_WANTED_PROBES_H

#include <stddef.h>
#include <stdint.h>

struct kcatch_session;

/**
 * struct kcatch_wanted_probes - the probes, and what to try on each
 * @session: the recording
 * @name: name of a probe for messages; NULL: the expression is not meant for it
 * @name_arg: passed to @name
 * @try_one: whether the expression can be computed for a probe: 0; -ENOENT with an error text,
 *	the recording lacks something for this probe; another -errno
 * @try_arg: passed to @try_one
 */
struct kcatch_wanted_probes {
	const struct kcatch_session *session;
	const char *(*name)(void *arg, uint32_t probe);
	void *name_arg;
	int (*try_one)(void *arg, size_t probe, const char *name);
	void *try_arg;
};

/**
 * kcatch_wanted_probes_try - try all probes that have a name
 * @wanted: the probes
 *
 * Return: 0; -ENOENT with the most helpful error text, if some probe lacks something and none
 * succeeds: the first that names what may have been meant, else the first of a probe with
 * arguments, else the first; another -errno of @try_one, with the name of the probe in its text.
 */
int kcatch_wanted_probes_try(const struct kcatch_wanted_probes *wanted);

#endif
