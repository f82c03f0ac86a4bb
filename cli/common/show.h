/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - events shown as they come, from the start of tracing to the exit status */
#ifndef CLI_COMMON_SHOW_H
#define CLI_COMMON_SHOW_H

#include <stdbool.h>

#include "follow.h"
#include "losses.h"
#include "options.h"
#include "render.h"

/**
 * struct show - what is shown; the rest zeroed
 * @follow: its session, @event and @arg, perhaps @stays, @pid and @look_ms
 * @options: of the command: count, time_ns, json hold
 * @view: what is shown of an event
 * @announce: tracing has begun: say what it waits for
 * @look: as in struct follow, and once more when tracing has stopped
 * @say_nothing: it has ended, and nothing was caught: why
 * @renderer: the form; set by show_init()
 * @outcome: how it ended; @shown and @events are @look's when there is one
 * @losses: what was lost; @torn is @look's
 * @stopped: tracing has stopped
 */
struct show {
	struct follow follow;
	const struct options *options;
	struct render_options view;
	void (*announce)(struct show *show);
	int (*look)(struct show *show, uint64_t now);
	void (*say_nothing)(struct show *show);

	const struct renderer *renderer;
	struct outcome outcome;
	struct losses losses;
	bool stopped;
};

/**
 * show_init - by the shared options
 * @show: zeroed
 * @options: of the command, settled; must outlive it
 */
void show_init(struct show *show, const struct options *options);

/**
 * show_run - start tracing, show what comes, stop, print the summary, judge
 * @show: what; its session is armed
 *
 * Return: the exit status.
 */
int show_run(struct show *show);

#endif
