/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - show events as they are caught, from the start of tracing to the exit status */
#ifndef CLI_COMMON_SHOW_H
#define CLI_COMMON_SHOW_H

#include <stdbool.h>

#include "follow.h"
#include "losses.h"
#include "options.h"
#include "render.h"

/**
 * struct show - a command that shows events; zero the members that are not set
 * @follow: the loop; the command sets @session, @event and @arg, and may set @stays, @pid and
 *	@look_ms. First member
 * @options: the command's shared options
 * @view: what is shown of an event
 * @announce: called when tracing has begun: prints what kcatch waits for
 * @look: as in struct follow; called once more, with @now 0, after tracing has stopped.
 *	May be NULL
 * @between: called at each look while tracing runs, before @look; may be NULL. Return: 0; -errno
 *	after a message
 * @say_nothing: called at the end when nothing was caught: prints why
 * @renderer: text or JSON, set by show_init()
 * @outcome: how tracing ended; @look, if there is one, counts its @shown and @events
 * @losses: what was lost; @look, if there is one, sets its @torn
 * @pairs: what became of the events of pairs, if there are any
 * @stopped: tracing has stopped
 * @unstopped: it could not be stopped: a CPU takes no interrupts
 */
struct show {
	struct follow follow;
	const struct options *options;
	struct render_options view;
	void (*announce)(struct show *show);
	int (*look)(struct show *show, uint64_t now);
	int (*between)(struct show *show, uint64_t now);
	void (*say_nothing)(struct show *show);

	const struct renderer *renderer;
	struct outcome outcome;
	struct losses losses;
	struct kcatch_pairs pairs;
	bool stopped;
	bool unstopped;
};

/**
 * show_init - set the members that follow from the shared options
 * @show: zeroed
 * @options: the command's parsed options; must outlive @show
 */
void show_init(struct show *show, const struct options *options);

/**
 * show_run - start tracing, show events until the loop ends, stop, print summary and losses
 * @show: its session is armed
 *
 * Blocks until something ends the loop, see follow().
 *
 * Return: the exit status.
 */
int show_run(struct show *show);

/**
 * show_session - open a session, arm it, show its events and close it
 * @show: @follow.event, @follow.arg, @announce and @say_nothing are set, the others zero
 * @options: the command's parsed options; must outlive @show
 * @arm: adds the probes to @show's session, whose rings exist. Return: 0, or -errno with an
 *	error text
 *
 * Blocks as show_run() does.
 *
 * Return: the exit status.
 */
int show_session(struct show *show, const struct options *options, int (*arm)(struct show *show));

#endif
