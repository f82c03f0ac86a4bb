/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_text.c - for people
 *
 *	vfs_read  cat  pid 4711  cpu 1  time 123.456789012
 *	    ksys_read+0x5f
 *	    do_syscall_64+0x58
 *	    ext4_readdir+0x12 [ext4]
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "render.h"

struct colours {
	const char *head, *name, *dim, *warn, *off;
};

static const struct colours *colours(void)
{
	static const struct colours none = { "", "", "", "", "" };
	static const struct colours some = { "\x1b[1;36m", "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m" };
	static const struct colours *chosen;

	if (!chosen)
		chosen = output_has_colours() ? &some : &none;
	return chosen;
}

static void print_escaped(const char *text)
{
	char out[2100];

	kcatch_text_escape(text, strlen(text), out, sizeof(out));
	fputs(out, stdout);
}

static void print_head(const struct kcatch_event *event, const struct kcatch_probe *probe)
{
	static const char *const contexts[] = {
		[KCATCH_IN_TASK] = "", [KCATCH_IN_SOFTIRQ] = "  in softirq",
		[KCATCH_IN_HARDIRQ] = "  in irq", [KCATCH_IN_NMI] = "  in NMI",
	};
	const struct colours *c = colours();

	fputs(c->head, stdout);
	if (probe->function)
		print_escaped(probe->function);
	else
		printf("0x%" PRIx64, probe->address);
	if (probe->offset)
		printf("+0x%x", probe->offset);
	if (probe->module) {
		fputs(" [", stdout);
		print_escaped(probe->module);
		fputs("]", stdout);
	}
	printf("%s  %s", c->off, c->name);
	print_escaped(event->comm);
	printf("%s  pid %u", c->off, event->pid);
	if (event->tid != event->pid)
		printf("/%u", event->tid);
	printf("  cpu %u  time %" PRIu64 ".%09" PRIu64 "%s%s\n", event->cpu,
	       event->time_ns / 1000000000, event->time_ns % 1000000000,
	       contexts[event->context & 3], event->irqs_off ? "  irqs off" : "");
}

static void print_frame(const struct kcatch_frame *frame)
{
	const struct colours *c = colours();

	fputs("    ", stdout);
	if (frame->self) {
		printf("%s[kcatch]%s  (kcatch's own work was interrupted here)\n", c->dim, c->off);
		return;
	}
	if (frame->symbol) {
		print_escaped(frame->symbol);
		printf("%s+0x%x%s", c->dim, frame->offset, c->off);
	} else {
		printf("0x%016" PRIx64, frame->address);
	}
	if (frame->module) {
		printf(" %s[", c->dim);
		print_escaped(frame->module);
		printf("]%s", c->off);
	}
	if (frame->interrupted)
		printf("  %s(interrupted)%s", c->dim, c->off);
	putchar('\n');
}

static int show_event(struct kcatch_session *session, const struct kcatch_event *event,
		      const struct options *options)
{
	const struct kcatch_probe *probe;
	const struct colours *c = colours();
	struct kcatch_frame frame;
	uint32_t i;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	print_head(event, probe);
	for (i = 0; i < event->nr_frames; i++) {
		ret = kcatch_session_frame(session, i, &frame);
		if (ret)
			return ret;
		print_frame(&frame);
	}
	if (event->stack == KCATCH_STACK_CUT)
		printf("    %s... cut at --depth %u%s\n", c->warn,
		       options->request.depth ? options->request.depth : event->nr_frames, c->off);
	else if (event->stack == KCATCH_STACK_LOST_TRACK)
		printf("    %s... the unwinder gave up here%s\n", c->warn, c->off);
	if (event->stack != KCATCH_STACK_ABSENT)
		putchar('\n');
	return 0;
}

static void print_probes(struct kcatch_session *session)
{
	size_t count = kcatch_session_nr_probes(session), i;

	fprintf(stderr, "%10s %10s %10s %12s %8s %8s  %-6s  %s\n", "hits", "recorded", "filtered",
		"over budget", "missed", "lost", "by", "function");
	for (i = 0; i < count; i++) {
		const struct kcatch_probe *probe;
		struct kcatch_totals t;
		char name[2100];

		if (kcatch_session_probe(session, (uint32_t)i, &probe) ||
		    kcatch_session_probe_totals(session, (uint32_t)i, &t))
			continue;
		kcatch_text_escape(probe->function ? probe->function : "?",
				   strlen(probe->function ? probe->function : "?"), name, sizeof(name));
		fprintf(stderr, "%10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %12" PRIu64 " %8" PRIu64
			" %8" PRIu64 "  %-6s  %s", t.hits, t.recorded, t.filtered, t.over_budget,
			t.missed, t.lost, kcatch_mechanism_name(probe->mechanism), name);
		if (probe->offset)
			fprintf(stderr, "+0x%x", probe->offset);
		if (probe->module)
			fprintf(stderr, " [%s]", probe->module);
		fputc('\n', stderr);
	}
}

static int show_summary(struct kcatch_session *session, const struct outcome *outcome,
			const struct options *options)
{
	const struct kcatch_totals *t = &outcome->totals;
	char wanted[32] = "";

	fflush(stdout);
	if (options->verbose)
		print_probes(session);
	if (options->request.budget && outcome->shown < options->request.budget)
		snprintf(wanted, sizeof(wanted), " of %" PRIu64, options->request.budget);
	say("caught %" PRIu64 "%s in %.3f s; hits %" PRIu64 " = recorded %" PRIu64 " + filtered %" PRIu64
	    " + over budget %" PRIu64 " + missed %" PRIu64 " + lost %" PRIu64,
	    outcome->shown, wanted, (double)outcome->elapsed_ns / 1e9, t->hits, t->recorded,
	    t->filtered, t->over_budget, t->missed, t->lost);
	return 0;
}

const struct renderer render_text = { show_event, show_summary };
