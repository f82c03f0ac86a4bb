/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * wanted_probes.c - tries an expression on the probes of a recording that it is meant for
 *
 * Conditions and keys of counts are tried before any event is read, so that what the recording
 * cannot answer is refused at once.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "fetch/plan.h"
#include "recording/wanted_probes.h"
#include "session/handle.h"

/* How much does the reason at hand, which is about this probe, tell? 1 or more. */
static int help_of_reason(const struct kcatch_probe_slot *slot)
{
	if (!slot->plan || kcatch_plan_has_no_args(slot->plan))
		return 1;
	if (strstr(kcatch_error_text(), "has no member"))
		return 4;
	return strstr(kcatch_error_text(), "did you mean") ? 3 : 2;
}

int kcatch_wanted_probes_try(const struct kcatch_wanted_probes *wanted)
{
	char why[1500] = "";
	int ret, help, best = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < wanted->session->nr_slots; i++) {
		const char *name = wanted->name(wanted->name_arg, (uint32_t)i);

		if (!name)
			continue;
		ret = wanted->try_one(wanted->try_arg, i, name);
		any |= !ret;
		if (ret == -ENOENT) {
			help = help_of_reason(wanted->session->slots[i]);
			if (help > best)
				snprintf(why, sizeof(why), "%s", kcatch_error_text());
			best = help > best ? help : best;
		} else if (ret) {
			if (ret != -ENOMEM)
				kcatch_error_append("\n  (of %s)", SHOWN(name));
			return ret;
		}
	}
	return *why && !any ? kcatch_error_set(ENOENT, "%s", why) : 0;
}
