/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c - who changes this variable
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kcatch.h>

#include "command.h"
#include "follow.h"
#include "output.h"
#include "render.h"
#include "session_open.h"
#include "words.h"

const char help_watch[] =
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
"  At most four things can be watched at once, by everybody (debug registers).\n"
"\n"
"  -a, --access      reads as well as writes\n"
"  -n, --count N     catch N, then end (default 1; 0: until Ctrl-C)\n"
"  -t, --time SEC    end after SEC seconds at the latest\n"
"  -p, --pid PID     only what this process does\n"
"  -c, --comm NAME   only what threads of this name do\n"
"      --depth N     at most N frames of the stack\n"
"      --size BYTES  ring buffer of each CPU (64K, 1M)\n"
"      --json        one object a line\n"
"  -h, --help\n"
"\n"
"Exit status: 0 caught, 1 error, 2 nothing was caught, 3 caught but something was lost.\n"
"More: man kcatch-watch\n";

static const struct option long_options[] = {
	{ "access", no_argument, NULL, 'a' },
	{ "count", required_argument, NULL, 'n' },
	{ "time", required_argument, NULL, 't' },
	{ "pid", required_argument, NULL, 'p' },
	{ "comm", required_argument, NULL, 'c' },
	{ "depth", required_argument, NULL, OPTION_DEPTH },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct watch {
	struct options options;
	const char *what;
	bool access;
};

static int take_option(struct watch *watch, int option, char **argv)
{
	struct options *options = &watch->options;
	int status;

	switch (option) {
	case 'a':
		watch->access = true;
		return -1;
	case 'h':
		help_print("watch");
		return STATUS_CAUGHT;
	default:
		status = options_take_shared(option, options);
		return status == OPTIONS_OTHER ? options_refuse(option, argv) : status;
	}
}

static int parse(int argc, char **argv, struct watch *watch)
{
	int option, status, i;

	opterr = 0;
	optind = 1;
	watch->options.count = 1;
	while ((option = getopt_long(argc, argv, ":an:t:p:c:h", long_options, NULL)) != -1) {
		status = take_option(watch, option, argv);
		if (status >= 0)
			return status;
	}
	for (i = optind; i < argc; i++) {
		if (!watch->what) {
			watch->what = argv[i];
		} else if (!watch->options.request.condition && word_is_condition(argv[i])) {
			watch->options.request.condition = argv[i];
		} else {
			say("%s: one thing can be watched, and one condition given; see kcatch help watch",
			    quoted(argv[i]));
			return STATUS_ERROR;
		}
	}
	if (!watch->what) {
		say("what is to be watched? try: kcatch watch panic_timeout");
		return STATUS_ERROR;
	}
	watch->options.request.budget = watch->options.count;
	return -1;
}

static int show_text(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct options *options)
{
	const struct colours *c = render_colours();
	const struct kcatch_probe *probe;
	struct kcatch_watch_hit hit;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (!ret)
		ret = kcatch_session_watch_hit(session, &hit);
	if (ret)
		return ret;
	render_head(stdout, event, probe);
	if (hit.access && hit.old_value == hit.new_value)
		printf("  is %s0x%" PRIx64 "%s, read (or written the same)", c->name, hit.new_value, c->off);
	else
		printf("  was %s0x%" PRIx64 "%s, is %s0x%" PRIx64 "%s", c->name, hit.old_value, c->off,
		       c->name, hit.new_value, c->off);
	printf("  (%u byte%s)\n  by ", hit.size, hit.size == 1 ? "" : "s");
	if (hit.by.symbol)
		printf("%s%s%s, the instruction before +0x%x", c->name, hit.by.symbol, c->off, hit.by.offset);
	else
		printf("the instruction before 0x%" PRIx64, hit.by.address);
	if (hit.by.module)
		printf(" [%s]", hit.by.module);
	printf(", called by\n");
	ret = render_stack(stdout, session, event, options);
	putchar('\n');
	return ret;
}

static int show_event(struct kcatch_session *session, const struct kcatch_event *event, void *arg)
{
	const struct watch *watch = arg;
	int ret = watch->options.json ? render_json.event(stdout, session, event, &watch->options) :
					show_text(session, event, &watch->options);

	return ret ? ret : 1;
}

static void announce(const struct watch *watch)
{
	char limit[64] = "", number[32] = "the next";

	if (watch->options.time_ns)
		snprintf(limit, sizeof(limit), ", for %.10g s", (double)watch->options.time_ns / 1e9);
	else if (!watch->options.count)
		snprintf(limit, sizeof(limit), ", until Ctrl-C");
	if (watch->options.count > 1)
		snprintf(number, sizeof(number), "the next %" PRIu64, watch->options.count);
	say("waiting for %s %s%s of %s%s", watch->options.count ? number : "all",
	    watch->access ? "access" : "write",
	    watch->options.count == 1 ? "" : watch->access ? "es" : "s", quoted(watch->what), limit);
}

int watch_main(int argc, char **argv)
{
	struct watch watch = { .what = NULL };
	struct follow how = { .options = &watch.options, .event = show_event, .arg = &watch };
	int status = parse(argc, argv, &watch);

	if (status >= 0)
		return output_finish(status);
	how.what = watch.access ? "access" : "write";
	status = STATUS_ERROR;
	if (session_open(&how.session) ||
	    kcatch_session_setup(how.session, watch.options.ring_size, &watch.options.request) ||
	    kcatch_session_watch(how.session, watch.what, watch.access, &watch.options.request)) {
		say("%s", kcatch_error_text());
	} else {
		announce(&watch);
		status = follow(&how);
	}
	kcatch_session_close(how.session);
	return output_finish(status);
}
