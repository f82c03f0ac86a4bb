/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * helper.c - a second thread that writes every other batch of a report's events
 *
 * Both threads read the whole recording, each with a session of its own: reading takes a tenth
 * of what writing text or JSON takes, and names, calls and losses depend on all records. The
 * report's own thread, the first one, writes the even batches straight to the output; the second
 * one writes the odd batches into memory, and the first copies them where they belong. So the
 * first one counts and reports what a report by one thread counts, and the output is the same.
 *
 * Only the places of batches are shared. Memory: a second session, and PLACES batches as text.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "report.h"

#define BATCH 512U	/* events */
#define PLACES 4U	/* by so many batches the second thread may be ahead */

/**
 * struct batch - a batch that the second thread wrote
 * @out: a stream that writes to @text
 * @text: the text
 * @length: its length, bytes
 * @events: number of events that were read for it
 * @reported: number of those that are in the text
 * @undecided: number of those left out undecided
 * @from_ns: earliest time of an event in the text
 * @to_ns: latest time of an event in the text
 * @ret: 0, or -errno: why there is no more
 */
struct batch {
	FILE *out;
	char *text;
	size_t length;
	uint64_t events;
	uint64_t reported;
	uint64_t undecided;
	uint64_t from_ns;
	uint64_t to_ns;
	int ret;
};

/**
 * struct report_helper - the second thread
 * @report: its report; only this thread touches it while it runs
 * @batches: batch N of this thread is in place N % PLACES
 * @thread: the thread
 * @lock: protects the members below
 * @changed: one of them has changed
 * @made: number of batches that are ready
 * @fetched: number of those that were copied: their places are free again
 * @stop: the first thread wants no more
 * @ended: the second thread makes no more
 * @ret: 0, or -errno: why it ended before the recording did
 * @error: its error text
 */
struct report_helper {
	struct report report;
	struct batch batches[PLACES];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t made;
	uint64_t fetched;
	bool stop;
	bool ended;
	int ret;
	char error[1000];
};

static bool is_odd(uint64_t events)
{
	return events / BATCH % 2;
}

/* ---- the second thread ----------------------------------------------------------------- */

/* Wait for a free place. NULL: no more is wanted. */
static struct batch *begin_batch(struct report_helper *helper)
{
	struct batch *batch = NULL;

	pthread_mutex_lock(&helper->lock);
	while (!helper->stop && helper->made - helper->fetched == PLACES)
		pthread_cond_wait(&helper->changed, &helper->lock);
	if (!helper->stop)
		batch = &helper->batches[helper->made % PLACES];
	pthread_mutex_unlock(&helper->lock);
	if (!batch)
		return NULL;
	rewind(batch->out);
	helper->report.out = batch->out;
	helper->report.reported = 0;
	helper->report.undecided = 0;
	return batch;
}

/* @ret: why it ends where it does; 0: it is whole, or the last one. */
static int end_batch(struct report_helper *helper, struct batch *batch, int ret)
{
	const struct report *report = &helper->report;

	batch->events = (report->events - 1) % BATCH + 1;
	batch->reported = report->reported;
	batch->undecided = report->undecided;
	batch->from_ns = report->from_ns;
	batch->to_ns = report->to_ns;
	if ((fflush(batch->out) || ferror(batch->out)) && !ret)
		ret = kcatch_error_set(ENOMEM, "out of memory");
	batch->ret = ret;
	pthread_mutex_lock(&helper->lock);
	helper->made++;
	pthread_cond_signal(&helper->changed);
	pthread_mutex_unlock(&helper->lock);
	return ret;
}

/* Return: 0, also when no more is wanted; -errno with an error text. */
static int make_batches(struct report_helper *helper)
{
	struct report *report = &helper->report;
	const struct kcatch_event *event;
	struct batch *batch = NULL;
	int ret;

	while ((ret = kcatch_session_next(report->session, &event)) > 0) {
		bool mine = is_odd(report->events);

		if (mine && !batch) {
			batch = begin_batch(helper);
			if (!batch)
				return 0;
		}
		ret = report_take(report, event, !mine);
		if (ret)
			break;
		if (batch && report->events % BATCH == 0) {
			ret = end_batch(helper, batch, 0);
			batch = NULL;
			if (ret)
				return ret;
		}
	}
	return batch ? end_batch(helper, batch, ret) : ret;
}

static void *run(void *arg)
{
	struct report_helper *helper = arg;
	int ret = make_batches(helper);

	pthread_mutex_lock(&helper->lock);
	helper->ret = ret;
	if (ret)
		snprintf(helper->error, sizeof(helper->error), "%s", kcatch_error_text());
	helper->ended = true;
	pthread_cond_signal(&helper->changed);
	pthread_mutex_unlock(&helper->lock);
	helper->report.options->format->forget();
	return NULL;
}

/* ---- the first thread -------------------------------------------------------------------- */

bool report_helper_writes(const struct report *report)
{
	return report->helper && is_odd(report->events);
}

static void add_batch(struct report *report, const struct batch *batch)
{
	fwrite(batch->text, 1, batch->length, report->out);
	report->undecided += batch->undecided;
	if (!batch->reported)
		return;
	if (!report->reported || batch->from_ns < report->from_ns)
		report->from_ns = batch->from_ns;
	if (!report->reported || batch->to_ns > report->to_ns)
		report->to_ns = batch->to_ns;
	report->reported += batch->reported;
}

int report_helper_fetch(struct report *report, bool at_end)
{
	struct report_helper *helper = report->helper;
	uint64_t events = (report->events - 1) % BATCH + 1, made = 0;
	struct batch *batch;
	int ret;

	if (!helper || !report->events || !is_odd(report->events - 1) ||
	    (report->events % BATCH == 0) == at_end)
		return 0;
	pthread_mutex_lock(&helper->lock);
	while (helper->made == helper->fetched && !helper->ended)
		pthread_cond_wait(&helper->changed, &helper->lock);
	batch = helper->made > helper->fetched ? &helper->batches[helper->fetched % PLACES] : NULL;
	ret = batch ? batch->ret : helper->ret;
	pthread_mutex_unlock(&helper->lock);
	if (batch) {
		made = batch->events;
		add_batch(report, batch);
		pthread_mutex_lock(&helper->lock);
		helper->fetched++;
		pthread_cond_signal(&helper->changed);
		while (ret && !helper->ended)
			pthread_cond_wait(&helper->changed, &helper->lock);
		pthread_mutex_unlock(&helper->lock);
	}
	if (ret)
		return kcatch_error_set(-ret, "%s", helper->error);
	if (made != events)
		return kcatch_error_set(EAGAIN, "the recording changed while it was read");
	return 0;
}

static void destroy(struct report_helper *helper)
{
	size_t i;

	for (i = 0; i < PLACES; i++) {
		if (helper->batches[i].out)
			fclose(helper->batches[i].out);
		free(helper->batches[i].text);
	}
	kcatch_filter_destroy(helper->report.condition);
	pthread_cond_destroy(&helper->changed);
	pthread_mutex_destroy(&helper->lock);
	free(helper);
}

/* Signals are for the first thread, which may wait for whoever reads the output. */
static int start_thread(struct report_helper *helper)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&helper->thread, NULL, run, helper);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int report_helper_start(struct report *report)
{
	struct report_helper *helper;
	bool able = true;
	int ret;
	size_t i;

	if (!report->second || !report->options->format->forget)
		return 0;
	helper = calloc(1, sizeof(*helper));
	if (!helper)
		return 0;
	helper->report.options = report->options;
	helper->report.session = report->second;
	pthread_mutex_init(&helper->lock, NULL);
	pthread_cond_init(&helper->changed, NULL);
	for (i = 0; i < PLACES; i++) {
		struct batch *batch = &helper->batches[i];

		batch->out = open_memstream(&batch->text, &batch->length);
		able = able && batch->out;
	}
	ret = report_filter_init(&helper->report);
	if (ret || !able || start_thread(helper)) {
		destroy(helper);
		return ret;
	}
	report->helper = helper;
	return 0;
}

void report_helper_stop(struct report *report)
{
	struct report_helper *helper = report->helper;

	if (!helper)
		return;
	pthread_mutex_lock(&helper->lock);
	helper->stop = true;
	pthread_cond_signal(&helper->changed);
	pthread_mutex_unlock(&helper->lock);
	pthread_join(helper->thread, NULL);
	report->helper = NULL;
	destroy(helper);
}
