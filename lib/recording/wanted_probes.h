/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* wanted_probes.h - tries an expression on the probes of a recording that it is meant for */
#ifndef LIB_RECORDING_WANTED_PROBES_H
#define LIB_RECORDING_WANTED_PROBES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct kcatch_wanted_probes - the probes, and what to try on each
 * @nr: number of probes of the recording
 * @name: name of a probe for messages; NULL: the expression is not meant for it
 * @name_arg: passed to @name
 * @try_one: whether the expression can be computed for a probe: 0; -ENOENT with an error text,
 *	the recording lacks something for this probe; another -errno
 * @try_arg: passed to @try_one
 */
struct kcatch_wanted_probes {
	size_t nr;
	const char *(*name)(void *arg, uint32_t probe);
	void *name_arg;
	int (*try_one)(void *arg, size_t probe, const char *name);
	void *try_arg;
};

/**
 * kcatch_wanted_probes_try - try all probes that have a name
 * @wanted: the probes
 *
 * Return: 0; -ENOENT with the error text of the first probe that lacks something, if there is one
 * and no probe succeeds; another -errno of @try_one, with the name of the probe in its text.
 */
int kcatch_wanted_probes_try(const struct kcatch_wanted_probes *wanted);

#endif
