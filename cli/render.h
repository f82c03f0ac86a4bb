/* SPDX-License-Identifier: GPL-2.0-or-later */
/* render.h - the forms in which what was caught is shown */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kcatch.h>

#include "options.h"

/**
 * struct outcome - how a catch ended
 * @totals: the counters
 * @shown: events that were handed to the renderer
 * @elapsed_ns: between start and stop
 * @end: why it ended: "count", "time", "interrupt", "exit" (the process), "gone" (the module)
 */
struct outcome {
	struct kcatch_totals totals;
	uint64_t shown;
	uint64_t elapsed_ns;
	const char *end;
};

/**
 * struct renderer - a form
 * @event: show a caught call on stdout; 0 or -errno with an error text
 * @summary: say how it ended
 */
struct renderer {
	int (*event)(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct options *options);
	int (*summary)(struct kcatch_session *session, const struct outcome *outcome,
		       const struct options *options);
};

extern const struct renderer render_text;
extern const struct renderer render_json;

#endif
