/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_requests.c - requests and bios of block devices, and which one's end woke a thread */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "block_requests.h"
#include "sched_events.h"

/* ---- records ------------------------------------------------------------------------ */

enum block_event block_event_of_probe(const struct kcatch_probe *probe)
{
	static const struct {
		const char *name;
		enum block_event event;
	} known[] = {
		{ "block_rq_issue", BLOCK_RQ_ISSUE },
		{ "block_rq_complete", BLOCK_RQ_COMPLETE },
		{ "block_bio_queue", BLOCK_BIO_QUEUE },
		{ "block_bio_complete", BLOCK_BIO_COMPLETE },
	};
	size_t i;

	if (!probe->function || !probe->module || strcmp(probe->module, "block") != 0)
		return BLOCK_OTHER;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(probe->function, known[i].name))
			return known[i].event;
	}
	return BLOCK_OTHER;
}

static void copy(char *to, size_t room, const char *text, size_t length)
{
	if (length > room - 1)
		length = room - 1;
	memcpy(to, text, length);
	to[length] = '\0';
}

/* A bio has the name of its partition, and the sector of the disk: md0p1 is of md0. */
static void cut_partition(char *disk)
{
	size_t length = strlen(disk), at = length;

	while (at && isdigit((unsigned char)disk[at - 1]))
		at--;
	if (at < length && at > 1 && disk[at - 1] == 'p' && isdigit((unsigned char)disk[at - 2]))
		disk[at - 1] = '\0';
}

/* The text of a request is "loop0 sector=15942"; without one, "7:0" is that of its device. */
static void read_disk(const struct kcatch_value *object, const struct kcatch_value *dev,
		      struct block_record *record)
{
	const struct kcatch_value *value = object->text ? object : dev;
	const char *end = value->text ? memchr(value->text, ' ', value->length) : NULL;

	if (value->text)
		copy(record->disk, sizeof(record->disk), value->text,
		     end ? (size_t)(end - value->text) : value->length);
	cut_partition(record->disk);
}

static bool read_record(struct report *report, const struct kcatch_event *event,
			struct block_record *record)
{
	bool is_bio = record->kind == BLOCK_BIO_QUEUE || record->kind == BLOCK_BIO_COMPLETE;
	const struct kcatch_value *object = sched_event_arg(report, event, is_bio ? "bio" : "rq");
	const struct kcatch_value *dev = sched_event_arg(report, event, "dev");
	const struct kcatch_value *sector = sched_event_arg(report, event, "sector");
	const struct kcatch_value *sectors = sched_event_arg(report, event, "nr_sector");
	const struct kcatch_value *operation = sched_event_arg(report, event, "rwbs");

	if (!object || !dev || !sector || !sectors || sector->fault || sectors->fault)
		return false;
	record->object = object->number;
	record->sector = sector->number;
	record->sectors = sectors->number;
	read_disk(object, dev, record);
	if (operation && operation->text)
		copy(record->operation, sizeof(record->operation), operation->text,
		     operation->length);
	return *record->disk;
}

static struct block_record *make_room(struct block_requests *requests)
{
	struct block_record *more;
	size_t room;

	if (requests->nr < requests->room)
		return &requests->of[requests->nr];
	room = requests->room ? 2 * requests->room : 64;
	more = realloc(requests->of, room * sizeof(*more));
	if (!more)
		return NULL;
	requests->of = more;
	requests->room = room;
	return &more[requests->nr];
}

int block_requests_take(struct block_requests *requests, struct report *report,
			const struct kcatch_event *event, struct recorded_stacks *stacks)
{
	struct block_record record = { .stack = THREAD_STATES_NONE }, *kept;
	const struct kcatch_probe *probe;
	int64_t stack;

	if (!event->is_event || kcatch_session_probe(report->session, event->probe, &probe))
		return 0;
	record.kind = block_event_of_probe(probe);
	if (record.kind == BLOCK_OTHER || !read_record(report, event, &record))
		return 0;
	record.time_ns = event->time_ns;
	record.cpu = event->cpu;
	record.tid = event->tid;
	record.context = event->context;
	if (event->stack != KCATCH_STACK_ABSENT) {
		stack = recorded_stacks_add(stacks, report, event);
		if (stack < 0)
			return (int)stack;
		record.stack = (uint32_t)stack;
	}
	kept = make_room(requests);
	if (!kept)
		return kcatch_error_memory();
	*kept = record;
	requests->nr++;
	return 0;
}

/* ---- what woke a thread ------------------------------------------------------------- */

#define SOON_NS 1000000000U /* from the end to the waking: no softirq takes longer */

static bool is_function(const char *symbol, const char *function)
{
	size_t length = strlen(function);

	return symbol && !strncmp(symbol, function, length) &&
	       (!symbol[length] || symbol[length] == '.');
}

/* The innermost frame of a function; @end: there is none before it. */
static uint32_t find_frame(const struct recorded_stack *stack, uint32_t end, const char *function)
{
	uint32_t i;

	for (i = 0; i < end && !is_function(stack->frames[i].symbol, function); i++)
		;
	return i;
}

/* Are the frames from these on the same, to the end of the context or of a stack that was cut? */
static bool is_same_outwards(const struct recorded_stack *a, uint32_t at,
			     const struct recorded_stack *b, uint32_t from, uint32_t end)
{
	for (; from < end; at++, from++) {
		if (at == a->nr)
			return false;
		if (a->frames[at].symbol != b->frames[from].symbol || !a->frames[at].symbol)
			return false;
	}
	return true;
}

/* What the end of a request calls has its driver's functions further out on the stack. */
static bool ended_in_request(const struct recorded_stack *done, const struct recorded_stack *woke,
			     uint32_t end)
{
	uint32_t at = find_frame(done, done->nr, "blk_update_request");
	uint32_t from = find_frame(woke, end, "blk_update_request");

	return at < done->nr && from < end && is_same_outwards(done, at, woke, from, end);
}

/*
 * bio_endio() ends in the function that it calls by a jump, so it is not on the stack of the waking
 * itself; nor is that function if it ends by a jump as well.
 */
static bool ended_in_bio(const struct recorded_stack *done, const struct recorded_stack *woke,
			 uint32_t end)
{
	uint32_t at = find_frame(done, done->nr, "bio_endio"), from;

	if (at++ == done->nr || at == done->nr)
		return false;
	for (from = 1; from < end; from++)
		if (is_same_outwards(done, at, woke, from, end))
			return true;
	return false;
}

static size_t first_after(const struct block_requests *requests, uint64_t time_ns)
{
	size_t low = 0, high = requests->nr, at;

	while (low < high) {
		at = low + (high - low) / 2;
		if (requests->of[at].time_ns <= time_ns)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

static const struct block_record *find_begin(const struct block_requests *requests,
					     const struct block_record *done)
{
	enum block_event kind = done->kind == BLOCK_RQ_COMPLETE ? BLOCK_RQ_ISSUE : BLOCK_BIO_QUEUE;
	size_t at = (size_t)(done - requests->of);
	const struct block_record *record;

	while (at-- > 0) {
		record = &requests->of[at];
		/* It had another life between: its begin is not in the recording. */
		if (record->object != done->object)
			continue;
		if (record->kind == kind)
			return strcmp(record->disk, done->disk) ? NULL : record;
		if (record->kind == done->kind && kind == BLOCK_BIO_QUEUE)
			return NULL;
	}
	return NULL;
}

void block_requests_find(const struct block_requests *requests, const struct sched_record *waking,
			 const struct waker *waker, const struct recorded_stacks *stacks,
			 struct block_end *request, struct block_end *bio)
{
	const struct recorded_stack *woke = recorded_stacks_get(stacks, waking->stack), *stack;
	size_t at = first_after(requests, waking->time_ns);
	const struct block_record *record;

	*request = *bio = (struct block_end){ .done = NULL };
	while (woke && at-- > 0) {
		record = &requests->of[at];
		if (waking->time_ns - record->time_ns > SOON_NS)
			break;
		if (record->cpu != waking->cpu || record->tid != waking->from ||
		    record->context != waking->context ||
		    (record->kind != BLOCK_RQ_COMPLETE && record->kind != BLOCK_BIO_COMPLETE))
			continue;
		stack = recorded_stacks_get(stacks, record->stack);
		if (record->kind == BLOCK_BIO_COMPLETE && !bio->done && stack &&
		    ended_in_bio(stack, woke, waker->end))
			bio->done = record;
		if (record->kind == BLOCK_RQ_COMPLETE) {
			if (stack && ended_in_request(stack, woke, waker->end))
				request->done = record;
			break;
		}
		/* Something else ended meanwhile. */
		if (!bio->done)
			break;
	}
	if (request->done)
		request->begun = find_begin(requests, request->done);
	if (bio->done)
		bio->begun = find_begin(requests, bio->done);
}

void block_requests_deinit(struct block_requests *requests)
{
	free(requests->of);
	memset(requests, 0, sizeof(*requests));
}
