/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.c - decide which events are reported; cheap tests first
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "report.h"

/* Parse one range of "0,2-3". Return: the rest of the list; NULL: not a range. */
static const char *parse_range(const char *at, unsigned long *first, unsigned long *last)
{
	char *end;

	if (*at < '0' || *at > '9')
		return NULL;
	*first = *last = strtoul(at, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return NULL;
		*last = strtoul(end + 1, &end, 10);
	}
	if (*last < *first || (*end && (*end != ',' || !end[1])))
		return NULL;
	return *end ? end + 1 : end;
}

bool report_cpus_valid(const char *list)
{
	unsigned long first, last;

	do {
		list = parse_range(list, &first, &last);
	} while (list && *list);
	return list != NULL;
}

static bool has_cpu(const char *list, uint32_t cpu)
{
	unsigned long first = 0, last = 0;

	while (list && *list) {
		list = parse_range(list, &first, &last);
		if (list && cpu >= first && cpu <= last)
			return true;
	}
	return false;
}

static bool matches_name(const struct report *report, uint32_t number)
{
	const struct report_filter *filter = &report->options->filter;
	const struct kcatch_probe *probe;
	char whole[600];
	size_t i;

	if (!filter->nr_patterns)
		return true;
	if (kcatch_session_probe(report->session, number, &probe) || !probe->function)
		return false;
	snprintf(whole, sizeof(whole), "%s:%s", probe->module ? probe->module : "",
		 probe->function);
	for (i = 0; i < filter->nr_patterns; i++) {
		const char *pattern = filter->patterns[i];

		if (kcatch_glob_match(pattern, strchr(pattern, ':') ? whole : probe->function))
			return true;
	}
	return false;
}

static bool has_name(const struct report *report, const char *name, struct kcatch_suggest *near)
{
	size_t count = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_probe *probe;
	char whole[600];

	for (i = 0; i < count; i++) {
		if (kcatch_session_probe(report->session, (uint32_t)i, &probe) || !probe->function)
			continue;
		snprintf(whole, sizeof(whole), "%s:%s", probe->module ? probe->module : "",
			 probe->function);
		if (!strcmp(name, strchr(name, ':') ? whole : probe->function))
			return true;
		kcatch_suggest_offer(near, strchr(name, ':') ? whole : probe->function,
				     strlen(strchr(name, ':') ? whole : probe->function));
	}
	return false;
}

const char *report_pattern_unknown(const struct report *report, char *text, size_t room)
{
	const struct report_filter *filter = &report->options->filter;
	struct kcatch_suggest near;
	size_t i;

	for (i = 0; i < filter->nr_patterns; i++) {
		if (strpbrk(filter->patterns[i], "*?["))
			continue;
		kcatch_suggest_init(&near, filter->patterns[i]);
		if (!has_name(report, filter->patterns[i], &near)) {
			kcatch_suggest_format(&near, text, room);
			return filter->patterns[i];
		}
	}
	return NULL;
}

const char *report_pattern_unknown_text(const struct report *report)
{
	size_t count = kcatch_session_nr_probes(report->session), i;
	const struct kcatch_probe *probe;

	for (i = 0; i < count; i++)
		if (kcatch_session_probe(report->session, (uint32_t)i, &probe))
			return "no function or event that was hit is called";
	return "no function or event of the recording is called";
}

static bool in_window(const struct report *report, uint64_t time_ns)
{
	const struct report_filter *filter = &report->options->filter;
	uint64_t since = filter->since_ns, until = filter->until_ns;

	if (filter->since_relative)
		since += report->first_ns;
	if (filter->until_relative)
		until += report->first_ns;
	return time_ns >= since && (!filter->until_ns || time_ns < until);
}

int report_filter_passes(struct report *report, const struct kcatch_event *event)
{
	const struct report_filter *filter = &report->options->filter;
	int answer;

	if (filter->pid && event->pid != filter->pid)
		return 0;
	if (filter->cpus && !has_cpu(filter->cpus, event->cpu))
		return 0;
	if (!in_window(report, event->time_ns))
		return 0;
	if (filter->comm && !kcatch_glob_match(filter->comm, event->comm))
		return 0;
	if (filter->slower_ns && (event->returned != KCATCH_RETURN_SEEN ||
				  event->latency_ns < filter->slower_ns))
		return 0;
	if (!matches_name(report, event->probe))
		return 0;
	if (filter->failing && !report_event_failed(report, event))
		return 0;
	if (!report->condition)
		return 1;
	answer = kcatch_filter_answer(report->condition, event);
	if (answer == KCATCH_FILTER_UNDECIDED)
		report->undecided++;
	return answer == KCATCH_FILTER_UNDECIDED ? 0 : answer;
}

void report_filter_print(const struct report_filter *filter, FILE *out)
{
	size_t i;

	for (i = 0; i < filter->nr_patterns; i++) {
		fputs(" -e ", out);
		report_write_shell(out, filter->patterns[i]);
	}
	if (filter->pid)
		fprintf(out, " -p %" PRIu32, filter->pid);
	if (filter->comm) {
		fputs(" -c ", out);
		report_write_shell(out, filter->comm);
	}
	if (filter->cpus)
		fprintf(out, " --cpu %s", filter->cpus);
	if (filter->failing)
		fputs(" --failing", out);
	if (filter->slower_ns)
		fprintf(out, " --slower %" PRIu64 "ns", filter->slower_ns);
	if (filter->condition) {
		fputs(" --filter ", out);
		report_write_shell(out, filter->condition);
	}
}

const char *report_wanted_name(void *arg, uint32_t number)
{
	struct report *report = arg;
	const struct kcatch_probe *probe;
	static char name[600];

	/* Nothing is known of its arguments, and it has no events. */
	if (kcatch_session_probe(report->session, number, &probe) || !matches_name(report, number))
		return NULL;
	return report_event_name(report, number, name, sizeof(name));
}

int report_filter_init(struct report *report)
{
	const char *condition = report->options->filter.condition;

	if (!condition)
		return 0;
	return kcatch_filter_create(report->session, condition, report_wanted_name, report,
				    &report->condition);
}
