/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c - kcatch watch: show who writes (or reads) a variable of the kernel
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>

#include "command.h"
#include "show.h"
#include "value_text.h"
#include "words.h"

struct watch {
	struct show show;	/* first member: announce() and others convert back */
	struct watch_options {
		struct options shared;
		bool access;
	} options;
	const char *what;
};

static int parse(int argc, char **argv, struct watch *watch)
{
	struct kcatch_request *request = &watch->options.shared.request;
	int status, i;

	watch->options.shared.count = 1;
	kcatch_request_init(request);
	status = options_parse(&command_watch, argc, argv, &watch->options);
	if (status >= 0)
		return status;
	for (i = optind; i < argc; i++) {
		if (!watch->what) {
			watch->what = argv[i];
		} else if (!request->condition && word_is_condition(argv[i])) {
			request->condition = argv[i];
		} else {
			say("%s: give one variable and at most one condition; see kcatch help watch",
			    quoted(argv[i]));
			return STATUS_ERROR;
		}
	}
	if (!watch->what) {
		say("what is to be watched? try: kcatch watch panic_timeout");
		return STATUS_ERROR;
	}
	request->budget = watch->options.shared.count;
	return -1;
}

static int show_text(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct render_options *options)
{
	const struct colours *c = render_colours();
	const struct kcatch_probe *probe;
	struct kcatch_watch_hit hit;
	char address[VALUE_ADDRESS_ROOM], before[VALUE_ADDRESS_ROOM];
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (!ret)
		ret = kcatch_session_watch_hit(session, &hit);
	if (ret)
		return ret;
	render_head(stdout, session, event, probe, options);
	/* The variable may be a pointer. */
	value_text_address(hit.new_value, address, sizeof(address));
	if (hit.access && hit.old_value == hit.new_value)
		printf("  is %s%s%s, read (or written the same)", c->name, address, c->off);
	else
		printf("  was %s%s%s, is %s%s%s", c->name,
		       value_text_address(hit.old_value, before, sizeof(before)), c->off, c->name,
		       address, c->off);
	printf("  (%u byte%s)\n  by ", hit.size, hit.size == 1 ? "" : "s");
	if (hit.by.symbol)
		printf("%s%s%s, the instruction before +0x%x", c->name, hit.by.symbol, c->off,
		       hit.by.offset);
	else
		printf("the instruction before %s",
		       value_text_address(hit.by.address, address, sizeof(address)));
	if (hit.by.module)
		printf(" [%s]", hit.by.module);
	printf(", called by\n");
	ret = render_stack(stdout, session, event, options);
	putchar('\n');
	return ret;
}

static int show_event(struct follow *follow, const struct kcatch_event *event)
{
	const struct watch *watch = follow->arg;
	const struct show *show = &watch->show;
	int ret = watch->options.shared.json ?
		  show->renderer->event(stdout, follow->session, event, &show->view) :
		  show_text(follow->session, event, &show->view);

	return ret ? ret : 1;
}

static void announce(struct show *show)
{
	const struct watch *watch = (const struct watch *)show;
	const struct options *options = &watch->options.shared;
	char limit[64], number[32] = "the next";

	if (options->count > 1)
		snprintf(number, sizeof(number), "the next %" PRIu64, options->count);
	say("waiting for %s %s%s of %s%s", options->count ? number : "all",
	    watch->options.access ? "access" : "write",
	    options->count == 1 ? "" : watch->options.access ? "es" : "s", quoted(watch->what),
	    options_limit_text(options, limit, sizeof(limit)));
}

static void say_nothing(struct show *show)
{
	const struct watch *watch = (const struct watch *)show;

	say("no %s was caught%s", watch->options.access ? "access" : "write",
	    show->losses.totals.filtered ? ": none of those seen was requested" : "");
}

static int arm(struct show *show)
{
	const struct watch *watch = (const struct watch *)show;

	return kcatch_session_watch(show->follow.session, watch->what, watch->options.access,
				    &watch->options.shared.request);
}

static int watch_main(int argc, char **argv)
{
	struct watch watch = {
		.show = { .follow = { .event = show_event, .arg = &watch },
			  .announce = announce, .say_nothing = say_nothing },
	};
	int status = parse(argc, argv, &watch);

	if (status < 0)
		status = show_session(&watch.show, &watch.options.shared, arm);
	return command_end(status);
}

static const struct option_rule option_access = {
	.name = "access", .letter = 'a', .help = "reads as well as writes",
	.kind = OPTION_ON, OPTION_INTO(struct watch_options, access),
};

static const struct option_use uses[] = {
	{ &option_access, NULL },
	{ &option_count, "catch N, then end (default 1; 0: until Ctrl-C)" },
	{ &option_time, NULL },
	{ &option_pid, NULL },
	{ &option_comm, NULL },
	{ &option_cgroup, NULL },
	{ &option_depth, NULL },
	{ &option_size, NULL },
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch watch - who changes this variable of the kernel?\n"
"\n"
"  kcatch watch panic_timeout      the next write: who, the value before and after, the\n"
"                                  instruction, and its stack\n"
"  kcatch watch -n 0 'dentry_stat+8:8'\n"
"                                  all writes of 8 bytes there, until Ctrl-C\n"
"  kcatch watch --access jiffies:4 -n 3\n"
"                                  three reads or writes\n"
"  kcatch watch kcatch_test:counter 'new > 100 && new != old'\n"
"                                  a variable of a module, and a condition\n"
"  kcatch watch 0xffffffff82a01234:4\n"
"\n"
"usage: kcatch watch [MODULE:]VARIABLE[+OFFSET][:SIZE] [CONDITION] [options]\n"
"       kcatch watch 0xADDRESS[:SIZE] [CONDITION] [options]\n"
"  SIZE is 1, 2, 4 or 8; without one it is what is left of the variable, at most 8.\n"
"  CONDITION is an expression of C over old, new (unsigned), pid, tid, uid, cpu, comm.\n"
"  A processor has four debug registers: at most four watches at once, by all users.\n"
"\n";

const struct command command_watch = {
	.name = "watch",
	.run = watch_main,
	.description = "who changes this variable of the kernel",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0 caught, 1 error, 2 nothing was caught, 3 caught but something was lost.\n"
	"More: man kcatch-watch\n",
};
