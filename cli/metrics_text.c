/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_text.c - metrics as Prometheus and OpenMetrics want them
 *
 * The two formats differ in how a counter's family is called, in units and in created times.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>

#include "metrics_text.h"

struct form {
	FILE *out;
	bool open;
};

/* ---- numbers ---------------------------------------------------------------------------- */

/* Exact: 10^9 parts of a second, without zeros at the end. */
static void put_seconds(FILE *out, __int128 ns)
{
	unsigned __int128 size = ns < 0 ? -(unsigned __int128)ns : (unsigned __int128)ns;
	char text[16];
	size_t length;

	snprintf(text, sizeof(text), ".%09u", (unsigned int)(size % 1000000000));
	for (length = strlen(text); text[length - 1] == '0'; length--)
		;
	text[text[length - 1] == '.' ? length - 1 : length] = '\0';
	fprintf(out, "%s%" PRIu64 "%s", ns < 0 ? "-" : "", (uint64_t)(size / 1000000000), text);
}

static void put_value(FILE *out, __int128 value, bool seconds)
{
	if (seconds)
		put_seconds(out, value);
	else if (value >= INT64_MIN && value <= INT64_MAX)
		fprintf(out, "%" PRId64, (int64_t)value);
	else
		fprintf(out, "%.17g", (double)value);
}

/* ---- families --------------------------------------------------------------------------- */

/* A rule may compare with a name of any bytes; only UTF-8 is served. OpenMetrics quotes quotes. */
static void put_help(const struct form *form, const char *text)
{
	size_t length = strlen(text);
	char *good = malloc(3 * length + 1), *at;

	if (good)
		kcatch_text_utf8(text, length, good, 3 * length + 1);
	for (at = good; at && *at; at++) {
		if (*at == '\\' || (form->open && *at == '"'))
			fputc('\\', form->out);
		fputc(*at == '\t' ? ' ' : *at, form->out);
	}
	fputc('\n', form->out);
	free(good);
}

/* @type: "counter", ... A counter is called name_total in the older format. */
static void begin_family(const struct form *form, const char *name, const char *type,
			 const char *unit, const char *help)
{
	const char *end = !form->open && !strcmp(type, "counter") ? "_total" : "";

	fprintf(form->out, "# TYPE %s%s %s\n", name, end, type);
	if (form->open && unit)
		fprintf(form->out, "# UNIT %s %s\n", name, unit);
	fprintf(form->out, "# HELP %s%s ", name, end);
	put_help(form, help);
}

static void put_name(FILE *out, const char *name, const char *end, const char *labels)
{
	fprintf(out, "%s%s%s%s%s ", name, end, *labels ? "{" : "", labels, *labels ? "}" : "");
}

static void put_number(FILE *out, const char *name, const char *end, const char *labels,
		       uint64_t number)
{
	put_name(out, name, end, labels);
	fprintf(out, "%" PRIu64 "\n", number);
}

static void put_created(const struct form *form, const char *name, const char *labels,
			uint64_t created_ns)
{
	if (!form->open)
		return;
	put_name(form->out, name, "_created", labels);
	put_seconds(form->out, created_ns);
	fputc('\n', form->out);
}

/* ---- the metrics of rules ----------------------------------------------------------------- */

/* Return: number of values, which may be fewer than calls if some could not be read. */
static uint64_t put_buckets(const struct form *form, const struct metrics_source *source,
			    const struct metrics_series *series)
{
	const char *name = source->rule->name, *comma = *series->labels ? "," : "";
	bool seconds = source->store->seconds;
	uint64_t sum = 0, most;
	unsigned int i;

	for (i = 0; metrics_bucket_most(seconds, i, &most); i++) {
		sum += series->buckets[i];
		fprintf(form->out, "%s_bucket{%s%sle=\"", name, series->labels, comma);
		put_value(form->out, most, seconds);
		fprintf(form->out, "%s\"} %" PRIu64 "\n", seconds ? "" : ".0", sum);
	}
	sum += series->buckets[METRICS_BUCKETS];
	fprintf(form->out, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, series->labels, comma,
		sum);
	return sum;
}

static void put_series(const struct form *form, const struct metrics_source *source,
		       const struct metrics_series *series)
{
	const char *name = source->rule->name;
	uint64_t values = series->values;

	if (source->rule->kind == METRICS_COUNTER) {
		put_number(form->out, name, "_total", series->labels, series->count);
	} else {
		if (series->buckets)
			values = put_buckets(form, source, series);
		put_number(form->out, name, "_count", series->labels, values);
		put_name(form->out, name, "_sum", series->labels);
		put_value(form->out, series->sum, source->store->seconds);
		fputc('\n', form->out);
	}
	put_created(form, name, series->labels, source->created_ns);
}

static void put_rule(const struct form *form, const struct metrics_source *source)
{
	static const char *const types[] = { "counter", "summary", "histogram" };
	static const char *const units[] = { NULL, "seconds", "bytes" };
	const struct metrics_store *store = source->store;
	size_t i;

	begin_family(form, source->rule->name, types[source->rule->kind],
		     units[source->rule->unit], source->rule->help);
	for (i = 0; i < store->nr; i++)
		put_series(form, source, store->series[i]);
	if (store->other->count)
		put_series(form, source, store->other);
}

/* ---- the equation --------------------------------------------------------------------------- */

/* Calls in the series that have labels of their own. */
static uint64_t counted(const struct metrics_source *source)
{
	const struct metrics_store *store = source->store;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < store->nr; i++)
		sum += store->series[i]->count;
	return sum;
}

static uint64_t over_series(const struct metrics_source *source)
{
	const struct metrics_store *store = source->store;

	return store->other->count - (store->has_buckets ? 0 : store->table_other);
}

static uint64_t over_table(const struct metrics_source *source)
{
	return source->store->table_other;
}

#define VALUE(term, words, help) \
	static uint64_t term(const struct metrics_source *source) { return source->totals.term; }
VALUE(hits, , )
KCATCH_COUNTERS(VALUE)
#undef VALUE

/* Of the counters those with a help: the others are told by what the rule counts. */
static const struct term {
	const char *name;
	uint64_t (*value)(const struct metrics_source *source);
	const char *help;
} terms[] = {
	{ "kcatch_hits", hits, "Calls that reached the probes of a rule: the sum of counted, "
	  "overflowed, filtered, over_budget, undecided and missed. If the rule needs the return, calls that "
	  "have not returned yet are here alone." },
	{ "kcatch_counted", counted, "Calls that are in the series of a rule." },
	{ "kcatch_overflowed_series", over_series, "Calls counted as (other), because the rule has "
	  "as many series as it may have: --series." },
	{ "kcatch_overflowed_table", over_table, "Calls counted without their keys, because the "
	  "table in the kernel was full: --size. A histogram lacks them." },
#define TERM(term, words, help) { "kcatch_" #term, term, help },
	KCATCH_COUNTERS(TERM)
#undef TERM
};

static void put_terms(const struct form *form, const struct metrics_source *sources, size_t nr)
{
	char label[160];
	size_t i, j;

	for (i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (!terms[i].help)
			continue;
		begin_family(form, terms[i].name, "counter", NULL, terms[i].help);
		for (j = 0; j < nr; j++) {
			snprintf(label, sizeof(label), "rule=\"%s\"", sources[j].rule->name);
			put_number(form->out, terms[i].name, "_total", label,
				   terms[i].value(&sources[j]));
			put_created(form, terms[i].name, label, sources[j].created_ns);
		}
	}
}

static void put_limits(const struct form *form, const struct metrics_source *sources, size_t nr)
{
	char label[160];
	size_t j;

	begin_family(form, "kcatch_series", "gauge", NULL, "Series of a rule, without (other).");
	for (j = 0; j < nr; j++) {
		snprintf(label, sizeof(label), "rule=\"%s\"", sources[j].rule->name);
		put_number(form->out, "kcatch_series", "", label, sources[j].store->nr);
	}
	begin_family(form, "kcatch_series_limit", "gauge", NULL,
		     "Series that a rule may have: --series.");
	for (j = 0; j < nr; j++) {
		snprintf(label, sizeof(label), "rule=\"%s\"", sources[j].rule->name);
		put_number(form->out, "kcatch_series_limit", "", label, sources[j].store->max);
	}
	begin_family(form, "kcatch_gone", "gauge", NULL, "Functions and events of a rule that are not "
		     "counted, as their module was unloaded.");
	for (j = 0; j < nr; j++) {
		snprintf(label, sizeof(label), "rule=\"%s\"", sources[j].rule->name);
		put_number(form->out, "kcatch_gone", "", label, sources[j].gone);
	}
}

static void put_self(const struct form *form, const struct metrics_state *state)
{
	begin_family(form, "kcatch_reload_success", "gauge", NULL,
		     "1 if the rules were read without an error when they were read last.");
	put_number(form->out, "kcatch_reload_success", "", "", state->reload_good);
	begin_family(form, "kcatch_reload_timestamp_seconds", "gauge", "seconds",
		     "When the rules in use were read.");
	put_name(form->out, "kcatch_reload_timestamp_seconds", "", "");
	put_seconds(form->out, state->reload_ns);
	fputc('\n', form->out);
	begin_family(form, "kcatch_errors", "counter", NULL,
		     "Times that counts could not be taken from the kernel, or not be written.");
	put_number(form->out, "kcatch_errors", "_total", "", state->errors);
	begin_family(form, "kcatch_build_info", "gauge", NULL, "The release of kcatch.");
	fprintf(form->out, "kcatch_build_info{version=\"%s\",module=\"%s\"} 1\n", KCATCH_VERSION,
		state->version);
}

void metrics_print(FILE *out, bool open, const struct metrics_source *sources, size_t nr,
		   const struct metrics_state *state)
{
	const struct form form = { out, open };
	size_t i;

	for (i = 0; i < nr; i++)
		put_rule(&form, &sources[i]);
	put_terms(&form, sources, nr);
	put_limits(&form, sources, nr);
	put_self(&form, state);
	if (open)
		fputs("# EOF\n", out);
}
