/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.c - count, rate, latency (median, 90th and 99th percentile, maximum), failures, losses
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "histogram.h"
#include "report.h"
#include "value_text.h"

#define ERRORS 12	/* different errors counted for a function */
#define CPUS 8192	/* CPUs counted one by one */
#define BAR 40		/* columns of the histogram's longest bar */

struct error_count {
	int64_t number;		/* a negative errno; 0: NULL */
	uint64_t count;
};

/* The sums of a probe. */
struct row {
	uint32_t probe;
	uint64_t count;
	uint64_t returned;	/* calls whose return was recorded */
	uint64_t failed;
	uint64_t other_errors;	/* failed calls that are not in errors */
	struct error_count errors[ERRORS];
	struct histogram latency;
	uint64_t oncpu_ns, runnable_ns, blocked_ns, switches;
	uint64_t unknown;	/* returned calls of which these are not known */
};

struct stats {
	struct row **rows;	/* by probe number; NULL: no event of it */
	size_t nr_rows;
	uint64_t cpus[CPUS];
	uint64_t other_cpus;
};

static int stats_begin(struct report *report)
{
	report->state = calloc(1, sizeof(struct stats));
	return report->state ? 0 : kcatch_error_memory();
}

static struct row *row_of(struct stats *stats, uint32_t probe)
{
	struct row **rows;
	size_t count;

	if (probe >= 1U << 24) {
		kcatch_error_set(EINVAL, "probe %" PRIu32 " cannot be", probe);
		return NULL;
	}
	if (probe >= stats->nr_rows) {
		count = probe + 64 + probe / 2;
		rows = realloc(stats->rows, count * sizeof(*rows));
		if (!rows) {
			kcatch_error_memory();
			return NULL;
		}
		memset(rows + stats->nr_rows, 0, (count - stats->nr_rows) * sizeof(*rows));
		stats->rows = rows;
		stats->nr_rows = count;
	}
	if (!stats->rows[probe]) {
		stats->rows[probe] = calloc(1, sizeof(struct row));
		if (stats->rows[probe])
			stats->rows[probe]->probe = probe;
		else
			kcatch_error_memory();
	}
	return stats->rows[probe];
}

static int count_error(struct report *report, struct row *row)
{
	const struct kcatch_value *value;
	int64_t number;
	size_t i;
	int ret = kcatch_session_return_value(report->session, &value);

	if (ret)
		return ret;
	number = value->is_error ? (int64_t)value->number : 0;
	row->failed++;
	for (i = 0; i < ERRORS; i++) {
		struct error_count *error = &row->errors[i];

		if (!error->count)
			error->number = number;
		if (error->number == number) {
			error->count++;
			return 0;
		}
	}
	row->other_errors++;
	return 0;
}

static int stats_event(struct report *report, const struct kcatch_event *event)
{
	struct stats *stats = report->state;
	struct row *row = row_of(stats, event->probe);
	int ret;

	if (!row)
		return -ENOMEM;
	row->count++;
	if (event->cpu < CPUS)
		stats->cpus[event->cpu]++;
	else
		stats->other_cpus++;
	if (event->returned != KCATCH_RETURN_SEEN)
		return 0;
	row->returned++;
	row->oncpu_ns += event->oncpu_ns;
	row->runnable_ns += event->runnable_ns;
	row->blocked_ns += event->blocked_ns;
	row->switches += event->switches;
	row->unknown += !event->off_cpu_known;
	ret = histogram_add(&row->latency, event->latency_ns);
	if (!ret && report_event_failed(report, event))
		ret = count_error(report, row);
	return ret;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *const *one = a, *const *two = b;

	if ((*one)->count != (*two)->count)
		return (*one)->count > (*two)->count ? -1 : 1;
	return (*one)->probe < (*two)->probe ? -1 : 1;
}

static void print_name(struct report *report, uint32_t probe)
{
	char name[600];

	report_event_name(report, probe, name, sizeof(name));
	value_text_escaped(report->out, name, strlen(name), false);
}

static void print_latency(FILE *out, uint64_t ns)
{
	char text[24];

	fprintf(out, " %10s", value_text_latency(ns, text, sizeof(text)));
}

static void print_errors(struct report *report, const struct row *row)
{
	FILE *out = report->out;
	size_t i;

	fputs("    failed:", out);
	for (i = 0; i < ERRORS && row->errors[i].count; i++) {
		const struct error_count *error = &row->errors[i];
		const char *name = error->number ? kcatch_errno_name((int)-error->number) : NULL;

		if (!error->number)
			fputs(" NULL", out);
		else if (name)
			fprintf(out, " -%s", name);
		else
			fprintf(out, " %" PRId64, error->number);
		fprintf(out, " %" PRIu64, error->count);
	}
	if (row->other_errors)
		fprintf(out, " others %" PRIu64, row->other_errors);
	fputc('\n', out);
}

static void print_part(FILE *out, uint64_t ns, double all, const char *where)
{
	char text[24];

	fprintf(out, "%s %s (%.1f %%), ", value_text_latency(ns, text, sizeof(text)), where,
		all > 0 ? 100 * (double)ns / all : 0);
}

/* Where the time of all calls went. */
static void print_spent(FILE *out, const struct row *row)
{
	const double all = (double)row->oncpu_ns + (double)row->runnable_ns +
			   (double)row->blocked_ns;

	if (row->unknown < row->returned) {
		fputs("    spent ", out);
		print_part(out, row->oncpu_ns, all, "on the CPU");
		print_part(out, row->runnable_ns, all, "waiting for one");
		print_part(out, row->blocked_ns, all, "blocked");
		fprintf(out, "switched out %" PRIu64 " times\n", row->switches);
	}
	if (row->unknown)
		fprintf(out, "    of %" PRIu64 " calls it is not known where their time went\n",
			row->unknown);
}

static void print_histogram(FILE *out, const struct histogram *histogram)
{
	unsigned int power, first = 64, last = 0, i;
	uint64_t most = 0, count;
	char from[24], to[24];

	for (power = 0; power < 64; power++) {
		count = histogram_power(histogram, power);
		if (!count)
			continue;
		first = first < power ? first : power;
		last = power;
		most = count > most ? count : most;
	}
	for (power = first; power <= last; power++) {
		unsigned int width;

		count = histogram_power(histogram, power);
		width = (unsigned int)((double)count / (double)most * BAR + 0.5);
		value_text_latency(power ? 1ULL << power : 0, from, sizeof(from));
		value_text_latency(power == 63 ? UINT64_MAX : 2ULL << power, to, sizeof(to));
		fprintf(out, "    %10s .. %-10s %10" PRIu64 " |", from, to, count);
		for (i = 0; i < (count && !width ? 1 : width); i++)
			fputs(width ? "#" : ".", out);
		fputc('\n', out);
	}
}

static void print_row(struct report *report, const struct row *row, double seconds)
{
	FILE *out = report->out;

	fprintf(out, "%10" PRIu64 " ", row->count);
	if (seconds > 0)
		fprintf(out, "%10.1f", (double)row->count / seconds);
	else
		fprintf(out, "%10s", "-");
	if (row->returned) {
		fprintf(out, " %8" PRIu64, row->failed);
		print_latency(out, histogram_percentile(&row->latency, 50));
		print_latency(out, histogram_percentile(&row->latency, 90));
		print_latency(out, histogram_percentile(&row->latency, 99));
		print_latency(out, row->latency.most);
	} else {
		fprintf(out, " %8s %10s %10s %10s %10s", "-", "-", "-", "-", "-");
	}
	fputs("  ", out);
	print_name(report, row->probe);
	fputc('\n', out);
}

static void print_terms(FILE *out, const struct kcatch_totals *t)
{
	char text[LOSSES_EQUATION];

	fprintf(out, "%s\n", losses_equation(t, false, text, sizeof(text)));
}

/* The counters of the probes that lost something. */
static void print_losses(struct report *report)
{
	size_t count = kcatch_session_nr_probes(report->session), i;
	struct kcatch_totals t;

	for (i = 0; i < count; i++) {
		if (kcatch_session_probe_totals(report->session, (uint32_t)i, &t) ||
		    !losses_in_totals(&t))
			continue;
		fputs("  ", report->out);
		print_name(report, (uint32_t)i);
		fputs(": ", report->out);
		print_terms(report->out, &t);
	}
}

static void print_cpu_losses(struct report *report)
{
	const struct kcatch_recording_info *info = kcatch_session_recording(report->session);
	struct kcatch_totals t;
	uint32_t cpu;

	for (cpu = 0; info && cpu < info->nr_cpus; cpu++) {
		uint64_t missing = kcatch_recording_cpu_missing(report->session, cpu);
		uint64_t discarded = kcatch_recording_cpu_discarded(report->session, cpu);

		if (missing)
			fprintf(report->out,
				"  CPU %u: %" PRIu64 " recorded events are not in its file\n", cpu,
				missing);
		if (discarded)
			fprintf(report->out,
				"  CPU %u: %" PRIu64 " records found no room after its counters were read\n",
				cpu, discarded);
		if (kcatch_session_cpu_totals(report->session, cpu, &t) ||
		    !losses_in_totals(&t))
			continue;
		fprintf(report->out, "  CPU %u: ", cpu);
		print_terms(report->out, &t);
	}
}

static void print_cpus(struct report *report)
{
	struct stats *stats = report->state;
	uint64_t shown = 0;
	size_t i;

	fputs("events by CPU:", report->out);
	for (i = 0; i < CPUS; i++) {
		if (!stats->cpus[i])
			continue;
		if (++shown <= 64)
			fprintf(report->out, " %zu: %" PRIu64, i, stats->cpus[i]);
	}
	if (shown > 64)
		fprintf(report->out, " and %" PRIu64 " more CPUs", shown - 64);
	if (stats->other_cpus)
		fprintf(report->out, " beyond: %" PRIu64, stats->other_cpus);
	fputc('\n', report->out);
}

static int stats_end(struct report *report)
{
	struct stats *stats = report->state;
	double seconds = (double)(report->to_ns - report->from_ns) / 1e9;
	struct row **sorted = malloc((stats->nr_rows + 1) * sizeof(*sorted));
	size_t count = 0, i;
	char losses[LOSSES_TEXT];
	FILE *out = report->out;

	if (!sorted)
		return kcatch_error_memory();
	for (i = 0; i < stats->nr_rows; i++) {
		if (stats->rows[i])
			sorted[count++] = stats->rows[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_rows);
	fprintf(out, "%" PRIu64 " event%s in %.6f s, of %" PRIu64 " in the recording; %s\n",
		report->reported, report->reported == 1 ? "" : "s", seconds, report->events,
		report_losses(report, losses, sizeof(losses)));
	print_terms(out, &report->losses.totals);
	print_losses(report);
	print_cpu_losses(report);
	print_cpus(report);
	fprintf(out, "\n%10s %10s %8s %10s %10s %10s %10s  %s\n", "count", "a second", "failed", "p50",
		"p90", "p99", "max", "function or event");
	for (i = 0; i < count; i++)
		print_row(report, sorted[i], seconds);
	for (i = 0; i < count; i++) {
		if (!sorted[i]->returned)
			continue;
		fputc('\n', out);
		print_name(report, sorted[i]->probe);
		fputc('\n', out);
		if (sorted[i]->failed)
			print_errors(report, sorted[i]);
		print_spent(out, sorted[i]);
		print_histogram(out, &sorted[i]->latency);
	}
	free(sorted);
	return 0;
}

static void stats_destroy(struct report *report)
{
	struct stats *stats = report->state;
	size_t i;

	if (!stats)
		return;
	for (i = 0; i < stats->nr_rows; i++) {
		if (stats->rows[i])
			histogram_deinit(&stats->rows[i]->latency);
		free(stats->rows[i]);
	}
	free(stats->rows);
	free(stats);
}

const struct report_format report_stats = {
	.name = "stats",
	.description = "counts, rates, latencies with percentiles, failures, losses",
	.begin = stats_begin,
	.event = stats_event,
	.end = stats_end,
	.destroy = stats_destroy,
};
