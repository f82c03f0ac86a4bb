/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_picture.c - where the time of calls went, as a page draws it: a row for each thread of the
 * chain, with its states, and arrows from those who woke to those whom they woke
 *
 * What is narrower than 1/UNITS of a call is drawn together with what is next to it, so a row has
 * at most some 2 * UNITS parts; a call has at most ROWS rows and TEXTS texts. Both are said where
 * something was left out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "why.h"

#define UNITS    1000U         /* of a call's time: a pixel of a picture of that width */
#define ROWS     20U           /* of a call */
#define TEXTS    1000U         /* different ones of a call */
#define TOGETHER THREAD_STATES /* state of a part that was made of several */
#define NO_TEXT  (-1)
#define NO_ROW   (-1)

/*
 * A time of a row, from the begin of the call. @nr: TOGETHER: of how many states it was made, with
 * the sums by state.
 */
struct part {
	uint64_t from, to;
	unsigned int state;
	uint32_t cpu;
	int64_t text;
	uint64_t nr, sums[THREAD_STATES];
};

/* A thread, or an interrupt or a softirq that woke one. @tid: 0: it is no thread */
struct row {
	uint32_t tid;
	char *name;
	struct part *parts;
	size_t nr, room;
};

struct arrow {
	uint64_t at;
	int from, to; /* rows */
};

struct picture {
	const struct why *why;
	const struct why_call *call;
	struct row rows[ROWS];
	int nr_rows;
	struct arrow *arrows;
	size_t nr_arrows, room;
	uint64_t rowless;  /* wakings by those that have no row */
	uint64_t textless; /* parts whose text was left out */
	struct kcatch_table texts;
};

/* Make room for one more. Return: the array; NULL with an error text: out of memory. */
static void *grow(void *array, size_t nr, size_t *room, size_t size)
{
	void *more;

	if (nr < *room)
		return array;
	more = reallocarray(array, *room ? 2 * *room : 16, size);
	if (!more) {
		kcatch_error_memory();
		return NULL;
	}
	*room = *room ? 2 * *room : 16;
	return more;
}

/* ---- texts -------------------------------------------------------------------------- */

/* @text is taken over. Return: its number; NO_TEXT: there are too many; -ENOMEM - 1. */
static int64_t keep_text(struct picture *picture, char *text, size_t length)
{
	size_t *known = kcatch_table_find(&picture->texts, text, length);
	int64_t number = known ? (int64_t)*known : NO_TEXT;

	if (!known && picture->texts.count < TEXTS) {
		number = (int64_t)picture->texts.count;
		if (!kcatch_table_add(&picture->texts, text, length, (size_t)number))
			return number;
		number = kcatch_error_memory() - 1;
	}
	picture->textless += number == NO_TEXT;
	free(text);
	return number;
}

static void write_ready(const struct picture *picture, FILE *out,
			const struct thread_segment *segment)
{
	struct why_times times = { .ready_cpu = segment->cpu };

	fputs(segment->waking ? "after it was woken: " : "it lost its CPU to others: ", out);
	if (!thread_states_cpu(&picture->why->states, segment->cpu, segment->from_ns,
			       segment->to_ns, &times.ran)) {
		cpu_shares_sort(&times.ran);
		why_text_ready(out, picture->why, &times, 0);
	}
	why_times_deinit(&times);
}

/* The number of a text on a time, as keep_text() gives it. @sleep: of a time that it slept */
static int64_t describe(struct picture *picture, const struct thread_segment *segment,
			const struct why_sleep *sleep)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return kcatch_error_memory() - 1;
	if (segment->state == THREAD_RUNS && segment->cpu != THREAD_STATES_NONE)
		fprintf(out, "on CPU %" PRIu32, segment->cpu);
	else if (segment->state == THREAD_RUNNABLE)
		write_ready(picture, out, segment);
	else if (segment->state == THREAD_UNKNOWN)
		fprintf(out, "not known: %s", why_doubt_text(segment->doubt));
	else if (sleep)
		why_text_sleep(out, picture->why, sleep, 0);
	if (fclose(out)) {
		free(text);
		return kcatch_error_memory() - 1;
	}
	return keep_text(picture, text, length);
}

/* ---- rows --------------------------------------------------------------------------- */

/* @name is taken over. Return: the row; NO_ROW: there are too many. */
static int find_row(struct picture *picture, uint32_t tid, char *name)
{
	int i;

	for (i = 0; i < picture->nr_rows; i++)
		if (picture->rows[i].tid == tid && (tid || !strcmp(picture->rows[i].name, name)))
			break;
	if (i < picture->nr_rows || i == (int)ROWS) {
		free(name);
		return i == (int)ROWS ? NO_ROW : i;
	}
	picture->rows[i] = (struct row){ .tid = tid, .name = name };
	return picture->nr_rows++;
}

/* The row of the one that ended a sleep. Return: NO_ROW: there is none; -ENOMEM - 1. */
static int row_of_waker(struct picture *picture, const struct why_sleep *sleep)
{
	bool is_task = sleep->waker.context == KCATCH_IN_TASK;
	char *text = NULL;
	size_t length = 0;
	FILE *out;
	int row;

	if (!sleep->waker_stack)
		return NO_ROW;
	out = open_memstream(&text, &length);
	if (!out)
		return kcatch_error_memory() - 1;
	why_text_waker(out, picture->why, sleep);
	if (fclose(out)) {
		free(text);
		return kcatch_error_memory() - 1;
	}
	row = find_row(picture, is_task ? sleep->longest.waking->from : 0, text);
	picture->rowless += row == NO_ROW;
	return row;
}

/* A waking may begin while the thread is still on the way into its sleep. */
static int add_arrow(struct picture *picture, const struct thread_segment *sleep, int from, int to)
{
	uint64_t woken_ns = sleep->waking->time_ns;
	struct arrow *more = grow(picture->arrows, picture->nr_arrows, &picture->room,
				  sizeof(*more));

	if (!more)
		return -ENOMEM;
	picture->arrows = more;
	if (woken_ns < sleep->from_ns)
		woken_ns = sleep->from_ns;
	more[picture->nr_arrows++] = (struct arrow){ woken_ns - picture->call->from_ns, from, to };
	return 0;
}

static int add_times(struct picture *picture, int row, const struct why_times *times);

/* Who ended a sleep, with what it had done meanwhile. */
static int add_waker(struct picture *picture, int row, const struct why_sleep *sleep)
{
	const struct thread_segment *segment = &sleep->longest;
	struct why_itself *itself = sleep->itself, *found = NULL;
	int from = row_of_waker(picture, sleep), ret;

	if (from < 0)
		return from == NO_ROW ? 0 : -ENOMEM;
	ret = add_arrow(picture, segment, from, row);
	if (!ret && !row && !itself) {
		ret = why_itself_find(picture->why, picture->call, sleep, segment, &found);
		itself = found;
	}
	if (!ret && itself && !itself->again && !itself->deep)
		ret = add_times(picture, from, &itself->times);
	why_itself_destroy(found);
	return ret;
}

static struct part *add_part(struct picture *picture, struct row *row,
			     const struct thread_segment *segment)
{
	struct part *parts = grow(row->parts, row->nr, &row->room, sizeof(*parts));

	if (!parts)
		return NULL;
	row->parts = parts;
	parts[row->nr] = (struct part){ .from = segment->from_ns - picture->call->from_ns,
					.to = segment->to_ns - picture->call->from_ns,
					.state = segment->state,
					.cpu = segment->cpu,
					.text = NO_TEXT,
					.nr = 1 };
	parts[row->nr].sums[segment->state] = segment->to_ns - segment->from_ns;
	return &parts[row->nr++];
}

static bool is_narrow(const struct picture *picture, uint64_t ns)
{
	return ns < picture->call->latency_ns / UNITS;
}

static int add_segment(struct picture *picture, int row, const struct why_times *times,
		       const struct thread_segment *segment)
{
	struct part *part = add_part(picture, &picture->rows[row], segment);
	const struct why_sleep *sleeps = NULL;
	struct why_sleep sleep;

	if (!part)
		return -ENOMEM;
	if (is_narrow(picture, segment->to_ns - segment->from_ns))
		return 0;
	if (segment->state == THREAD_BLOCKED)
		sleeps = why_times_sleep(times, segment);
	if (sleeps) {
		/* This one of them. */
		sleep = *sleeps;
		sleep.longest = *segment;
		sleep.times = 1;
		if (segment->from_ns != sleeps->longest.from_ns) {
			memset(&sleep.request, 0, sizeof(sleep.request));
			memset(&sleep.bio, 0, sizeof(sleep.bio));
			sleep.itself = NULL;
		}
	}
	part->text = describe(picture, segment, sleeps ? &sleep : NULL);
	if (part->text < NO_TEXT)
		return -ENOMEM;
	return sleeps && segment->waking ? add_waker(picture, row, &sleep) : 0;
}

static int add_times(struct picture *picture, int row, const struct why_times *times)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < times->nr_segments && !ret; i++)
		ret = add_segment(picture, row, times, &times->segments[i]);
	return ret;
}

static int earliest_first(const void *a, const void *b)
{
	const struct part *one = a, *two = b;

	return one->from < two->from ? -1 : one->from > two->from;
}

/* Narrow parts without a gap between them are one, until that is no longer narrow. */
static void put_together(const struct picture *picture, struct row *row)
{
	size_t i, nr = 0, state;

	if (row->nr)
		qsort(row->parts, row->nr, sizeof(*row->parts), earliest_first);
	for (i = 0; i < row->nr; i++) {
		const struct part *part = &row->parts[i];
		struct part *last = nr ? &row->parts[nr - 1] : NULL;

		if (!last || last->to != part->from || !is_narrow(picture, part->to - part->from) ||
		    !is_narrow(picture, last->to - last->from)) {
			row->parts[nr++] = *part;
			continue;
		}
		last->state = TOGETHER;
		last->to = part->to;
		last->nr++;
		for (state = 0; state < THREAD_STATES; state++)
			last->sums[state] += part->sums[state];
	}
	row->nr = nr;
}

/* ---- JSON --------------------------------------------------------------------------- */

static void write_string(FILE *out, const char *text, size_t length)
{
	putc('"', out);
	report_write_json(out, text, length);
	putc('"', out);
}

/* [from, to, state, CPU or -1, text or -1], of several: [..., -1, -1, how many, [sums]] */
static void write_part(FILE *out, const struct part *part)
{
	size_t state;

	fprintf(out, "[%" PRIu64 ",%" PRIu64 ",%u,%" PRId64 ",%" PRId64, part->from, part->to,
		part->state,
		part->cpu == THREAD_STATES_NONE || part->state == TOGETHER ? -1 :
									     (int64_t)part->cpu,
		part->text);
	if (part->state == TOGETHER) {
		fprintf(out, ",%" PRIu64 ",[", part->nr);
		for (state = 0; state < THREAD_STATES; state++)
			fprintf(out, "%s%" PRIu64, state ? "," : "", part->sums[state]);
		putc(']', out);
	}
	putc(']', out);
}

static void write_rows(FILE *out, struct picture *picture)
{
	size_t j;
	int i;

	fputs(",\n\"rows\":[", out);
	for (i = 0; i < picture->nr_rows; i++) {
		struct row *row = &picture->rows[i];

		put_together(picture, row);
		fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
		write_string(out, row->name, strlen(row->name));
		fprintf(out, ",\"thread\":%s,\"parts\":[", row->tid ? "true" : "false");
		for (j = 0; j < row->nr; j++) {
			if (j)
				putc(',', out);
			write_part(out, &row->parts[j]);
		}
		fputs("]}", out);
	}
	fputs("],\n\"arrows\":[", out);
	for (j = 0; j < picture->nr_arrows; j++)
		fprintf(out, "%s[%" PRIu64 ",%d,%d]", j ? "," : "", picture->arrows[j].at,
			picture->arrows[j].from, picture->arrows[j].to);
	fprintf(out, "],\"rowless\":%" PRIu64 ",\"textless\":%" PRIu64 ",\n\"texts\":[",
		picture->rowless, picture->textless);
	for (j = 0; j < picture->texts.count; j++) {
		if (j)
			putc(',', out);
		write_string(out, picture->texts.entries[j].key, picture->texts.entries[j].length);
	}
	fputs("]", out);
}

/* The same as --format why --chain shows. */
static int write_account(FILE *out, const struct picture *picture, const struct why_times *times)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	int ret;

	if (!memory)
		return kcatch_error_memory();
	ret = why_text_call(memory, picture->why, picture->call, times);
	if (fclose(memory) && !ret)
		ret = kcatch_error_memory();
	fputs(",\n\"account\":", out);
	write_string(out, ret ? "" : text, ret ? 0 : length);
	free(text);
	return ret;
}

static void write_head(FILE *out, const struct why_call *call, uint64_t since_ns,
		       const struct why_times *times)
{
	size_t state;

	fputs("{\"name\":", out);
	write_string(out, call->name, strlen(call->name));
	fputs(",\"comm\":", out);
	write_string(out, call->comm, strnlen(call->comm, sizeof(call->comm)));
	fprintf(out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"returned\":", call->pid,
		call->tid);
	write_string(out, call->returned, strlen(call->returned));
	fprintf(out, ",\"from\":%" PRId64 ",\"ns\":%" PRIu64 ",\"sums\":[",
		(int64_t)(call->from_ns - since_ns), call->latency_ns);
	for (state = 0; state < THREAD_STATES; state++)
		fprintf(out, "%s%" PRIu64, state ? "," : "", times->sums[state]);
	putc(']', out);
}

static int write_call(FILE *out, const struct why *why, const struct why_call *call,
		      uint64_t since_ns)
{
	struct picture picture = { .why = why, .call = call };
	struct why_times times;
	char name[64];
	int ret = why_times_find(why, call, true, &times), i;
	size_t j;

	snprintf(name, sizeof(name), "%.15s(%" PRIu32 ")", *call->comm ? call->comm : "?",
		 call->tid);
	picture.rows[0] = (struct row){ .tid = call->tid, .name = strdup(name) };
	picture.nr_rows = 1;
	if (!ret && !picture.rows[0].name)
		ret = kcatch_error_memory();
	if (!ret)
		ret = add_times(&picture, 0, &times);
	write_head(out, call, since_ns, &times);
	if (!ret) {
		write_rows(out, &picture);
		ret = write_account(out, &picture, &times);
	}
	putc('}', out);
	for (i = 0; i < picture.nr_rows; i++) {
		free(picture.rows[i].name);
		free(picture.rows[i].parts);
	}
	free(picture.arrows);
	for (j = 0; j < picture.texts.count; j++)
		free((char *)picture.texts.entries[j].key);
	kcatch_table_deinit(&picture.texts);
	why_times_deinit(&times);
	return ret;
}

int why_picture_write(FILE *out, const struct why *why, uint64_t since_ns)
{
	size_t i;
	int ret = 0;

	putc('[', out);
	for (i = 0; i < why->nr && !ret; i++) {
		if (i)
			fputs(",\n", out);
		ret = write_call(out, why, &why->calls[i], since_ns);
	}
	putc(']', out);
	return ret;
}
