/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * calls.c - pairs entries with returns and hands out calls in order of entry
 *
 * A call is in one of three lists: waiting for its return, complete but held back (an outer
 * call of its thread has not returned), or ready. The thread's own list holds all its calls
 * that are not ready, in order of entry. A call becomes ready when it is complete and first in
 * that list. A call held back becomes ready after a fifth of a second at the latest, as an
 * outer call may never return.
 *
 * An interrupt runs in the thread that it interrupted: its calls are in that thread's list, but
 * not under any of the thread's calls. The idle threads of all CPUs share thread ID 0.
 *
 * For each context a thread has a second list, of open calls. The innermost of them is the
 * caller of a new entry. (A search among all calls of the thread would take as many steps as
 * calls have completed under the outer call.) A call whose return was lost stays open until the
 * stack of a later call shows that it has ended.
 *
 * A CALL comes at its return, behind the calls under it. These are the last of its siblings, and
 * move under it. So each call moves once, and its level is known when its caller is ready.
 *
 * Calls of a tree whose outermost call, the root, is decided at its return (KCATCH_CALL_INNER) wait
 * for the root, as long as there is room. If another root of the thread comes that began behind
 * them, or none comes, theirs was refused, and they are dropped.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "ring/calls.h"

#define CALLS_MAX	65536U		/* render/losses.h says both */
#define BYTES_MAX	(128U << 20)
#define BUCKETS		4096U		/* a power of two */
#define HOLD_PARTS	5		/* of a second that a call waits for an outer one */
#define ENDED_EVERY_MS	100
#define ENDED_MAX	64		/* threads looked at, at once */
#define CONTEXTS	(KCATCH_CONTEXT_MASK + 1)
#define STEPS_MAX	1024		/* past calls of other contexts, to the place of a CALL */
/* Calls within each other: a return address each on a stack of 16 KB. */
#define LEVELS_MAX	2048

struct kcatch_call_list {
	struct kcatch_call *first, *last;
	size_t count;
};

struct kcatch_thread {
	uint64_t key;
	struct kcatch_thread *chain;
	struct kcatch_call *outermost, *innermost;
	struct kcatch_call *open[CONTEXTS];	/* the innermost of each context */
	struct kcatch_siblings top[CONTEXTS];	/* calls that are under none */
};

struct kcatch_calls {
	uint64_t secret;		/* of the tables: a recording cannot choose its buckets */
	uint64_t hold;			/* ticks */
	uint64_t last_id;
	uint64_t forgotten;
	uint64_t forgotten_returns;	/* of those, returns that have not come */
	size_t bytes;
	bool checks_threads;
	uint64_t checked_ms;
	struct kcatch_call_list waiting;	/* by entry */
	struct kcatch_call_list held;		/* by when it was complete */
	struct kcatch_call_list ready;
	struct kcatch_call_list rootless;	/* complete, by when; wait for their root */
	uint64_t dropped_until;		/* latest end of those that had no room to wait */
	struct kcatch_call *numbers[BUCKETS];
	struct kcatch_thread *threads[BUCKETS];
};

/* ---- lists ------------------------------------------------------------------ */

static void list_add(struct kcatch_call_list *list, struct kcatch_call *call)
{
	call->list = list;
	call->before = list->last;
	call->behind = NULL;
	if (list->last)
		list->last->behind = call;
	else
		list->first = call;
	list->last = call;
	list->count++;
}

static void list_remove(struct kcatch_call *call)
{
	struct kcatch_call_list *list = call->list;

	if (call->before)
		call->before->behind = call->behind;
	else
		list->first = call->behind;
	if (call->behind)
		call->behind->before = call->before;
	else
		list->last = call->before;
	list->count--;
	call->list = NULL;
}

static void list_move(struct kcatch_call_list *list, struct kcatch_call *call)
{
	list_remove(call);
	list_add(list, call);
}

static size_t bucket_of(const struct kcatch_calls *calls, uint64_t key)
{
	return (size_t)kcatch_hash_number(key, calls->secret) & (BUCKETS - 1);
}

static struct kcatch_call **place_of_number(struct kcatch_calls *calls, uint64_t number)
{
	struct kcatch_call **place = &calls->numbers[bucket_of(calls, number)];

	while (*place && (*place)->number != number)
		place = &(*place)->chain;
	return place;
}

static void forget_number(struct kcatch_calls *calls, struct kcatch_call *call)
{
	struct kcatch_call **place = place_of_number(calls, call->number);

	if (*place == call)
		*place = call->chain;
}

/* ---- threads ------------------------------------------------------------------ */

static struct kcatch_thread **place_of_thread(struct kcatch_calls *calls, uint64_t key)
{
	struct kcatch_thread **place = &calls->threads[bucket_of(calls, key)];

	while (*place && (*place)->key != key)
		place = &(*place)->chain;
	return place;
}

static struct kcatch_thread *thread_of(struct kcatch_calls *calls, uint32_t tid, uint32_t cpu)
{
	uint64_t key = tid ? tid : 1ULL << 32 | cpu;
	struct kcatch_thread **place = place_of_thread(calls, key);

	if (!*place) {
		*place = calloc(1, sizeof(**place));
		if (*place)
			(*place)->key = key;
	}
	return *place;
}

/* Into the thread's list behind @outer (NULL: as the first). */
static void thread_insert(struct kcatch_thread *thread, struct kcatch_call *outer,
			  struct kcatch_call *call)
{
	call->thread = thread;
	call->outer = outer;
	call->inner = outer ? outer->inner : thread->outermost;
	if (call->inner)
		call->inner->outer = call;
	else
		thread->innermost = call;
	if (outer)
		outer->inner = call;
	else
		thread->outermost = call;
}

static unsigned int context_of(const struct kcatch_call *call)
{
	return call->hit->context & KCATCH_CONTEXT_MASK;
}

static void open_call(struct kcatch_call *call)
{
	struct kcatch_call **innermost = &call->thread->open[context_of(call)];

	call->open = true;
	call->open_outer = *innermost;
	call->open_inner = NULL;
	if (*innermost)
		(*innermost)->open_inner = call;
	*innermost = call;
}

static void close_call(struct kcatch_call *call)
{
	if (!call->open)
		return;
	call->open = false;
	if (call->open_outer)
		call->open_outer->open_inner = call->open_inner;
	if (call->open_inner)
		call->open_inner->open_outer = call->open_outer;
	else
		call->thread->open[context_of(call)] = call->open_outer;
}

/* ---- callers ------------------------------------------------------------------- */

static void leave_siblings(struct kcatch_call *call)
{
	struct kcatch_siblings *siblings = call->siblings;

	if (!siblings)
		return;
	if (call->older)
		call->older->younger = call->younger;
	else
		siblings->first = call->younger;
	if (call->younger)
		call->younger->older = call->older;
	else
		siblings->last = call->older;
	call->siblings = NULL;
	call->older = call->younger = NULL;
}

/* Under @outer, or under none, behind those that are there. */
static void put_under(struct kcatch_thread *thread, struct kcatch_call *outer,
		      struct kcatch_call *call)
{
	struct kcatch_siblings *siblings = outer ? &outer->calls : &thread->top[context_of(call)];

	call->under = outer;
	call->parent = outer ? outer->id : 0;
	call->level = 0;
	call->siblings = siblings;
	call->older = siblings->last;
	if (siblings->last)
		siblings->last->younger = call;
	else
		siblings->first = call;
	siblings->last = call;
}

/*
 * Was @inner within @call, a CALL that has come behind it? What had ended before @call was entered
 * was not. Times of entry alone do not tell: those of two calls may be equal.
 */
static bool is_within(const struct kcatch_call *inner, const struct kcatch_call *call)
{
	return (inner->done ? inner->done_time : inner->entry_time) > call->entry_time;
}

/* Those of @siblings that were within @call move under it. Return: the first; or NULL */
static struct kcatch_call *take_later(struct kcatch_siblings *siblings, struct kcatch_call *call)
{
	struct kcatch_call *later, *first = NULL;

	while ((later = siblings->last) && is_within(later, call)) {
		leave_siblings(later);
		later->under = call;
		later->parent = call->id;
		later->siblings = &call->calls;
		later->younger = first;
		if (first)
			first->older = later;
		else
			call->calls.last = later;
		call->calls.first = later;
		first = later;
	}
	return first;
}

static uint32_t level_of(const struct kcatch_call *call)
{
	uint32_t level = 0;

	for (; call->under && level < LEVELS_MAX; call = call->under)
		level++;
	return call->level + level;
}

/* Does it wait for its root? */
static bool is_rootless(const struct kcatch_call *call)
{
	for (; call->under && call->inner_only; call = call->under)
		;
	return call->inner_only && !call->parent && !call->refused;
}

/* Is it ready, and not to be handed out: has it no root? */
static bool is_refused(const struct kcatch_call *call)
{
	return call->refused || (call->inner_only && !call->parent);
}

/* It is ready: its level is known, and so is that of the calls under it. */
static void settle_level(struct kcatch_calls *calls, struct kcatch_call *call)
{
	struct kcatch_call *inner;

	call->level = level_of(call);
	call->under = NULL;
	leave_siblings(call);
	while ((inner = call->calls.first)) {
		leave_siblings(inner);
		inner->under = NULL;
		inner->level = call->level + 1;
		inner->refused |= is_refused(call);
		if (inner->list == &calls->rootless)
			list_move(&calls->held, inner);
	}
}

/*
 * Does the stack of @call show that it was not made within @outer? Then @outer has returned, and
 * its return was lost. Within it the stack ends with the frames of @outer, behind at least the
 * return into it, unless the function has jumped to another one in place of its own return.
 */
static bool is_outside(const struct kcatch_call *outer, const struct kcatch_call *call)
{
	const struct kcatch_hit *in = call->hit, *out = outer->hit;
	uint32_t nr_in = in->nr_frames, nr_out = out->nr_frames, more;

	if (in->stack_flags != KCATCH_STACK_COMPLETE || out->stack_flags != KCATCH_STACK_COMPLETE)
		return false;
	if (nr_in < nr_out)
		return true;
	more = nr_in - nr_out;
	if (!more && KCATCH_RECORD_PROBE(in->head.id) == KCATCH_RECORD_PROBE(out->head.id))
		return true;
	return memcmp(in->frames + more, out->frames, nr_out * sizeof(out->frames[0]));
}

/* The innermost call that is open and that @call is under; or NULL. Others inside of it have ended:
 * those entered after a CALL, and those that its stack does not have. */
static struct kcatch_call *outer_of(struct kcatch_thread *thread, const struct kcatch_call *call)
{
	struct kcatch_call **innermost = &thread->open[context_of(call)];

	while (*innermost && ((*innermost)->entry_time > call->entry_time ||
			      is_outside(*innermost, call)))
		close_call(*innermost);
	return *innermost;
}

static void thread_remove(struct kcatch_call *call)
{
	struct kcatch_thread *thread = call->thread;

	close_call(call);
	if (call->outer)
		call->outer->inner = call->inner;
	else
		thread->outermost = call->inner;
	if (call->inner)
		call->inner->outer = call->outer;
	else
		thread->innermost = call->outer;
	call->thread = NULL;
}

static void thread_release(struct kcatch_calls *calls, struct kcatch_thread *thread)
{
	struct kcatch_thread **place = place_of_thread(calls, thread->key);

	if (thread->outermost)
		return;
	*place = thread->chain;
	free(thread);
}

/* ---- from waiting to ready -------------------------------------------------------- */

static void make_ready(struct kcatch_calls *calls, struct kcatch_call *call)
{
	thread_remove(call);
	settle_level(calls, call);
	calls->bytes -= call->bytes;
	if (!is_refused(call)) {
		list_move(&calls->ready, call);
		return;
	}
	list_remove(call);
	kcatch_call_destroy(call);
}

/* What is complete at the thread's begin is ready. The thread may be gone then. */
static void settle(struct kcatch_calls *calls, struct kcatch_thread *thread)
{
	while (thread->outermost && thread->outermost->done && !is_rootless(thread->outermost))
		make_ready(calls, thread->outermost);
	thread_release(calls, thread);
}

static void complete(struct kcatch_calls *calls, struct kcatch_call *call,
		     enum kcatch_event_return returned, uint64_t now)
{
	if (call->number && !call->done)
		forget_number(calls, call);
	call->returned = returned;
	call->done = true;
	close_call(call);
	call->done_time = now;
	if (call->list == &calls->waiting)
		list_move(is_rootless(call) ? &calls->rootless : &calls->held, call);
}

/* Out of order, with what is known; @returned is said of one that has not completed. */
static void give_up(struct kcatch_calls *calls, struct kcatch_call *call,
		    enum kcatch_event_return returned)
{
	struct kcatch_thread *thread = call->thread;

	if (!call->done)
		complete(calls, call, returned, call->entry_time);
	make_ready(calls, call);
	settle(calls, thread);
}

/*
 * Completed calls first: they lose their place behind the call they are under, and
 * nothing else. One that waits for its return would lose that.
 */
static void keep_bound(struct kcatch_calls *calls)
{
	while (calls->waiting.count + calls->held.count + calls->rootless.count > CALLS_MAX ||
	       calls->bytes > BYTES_MAX) {
		if (calls->rootless.first) {
			struct kcatch_call *call = calls->rootless.first;

			if (is_rootless(call) && call->done_time > calls->dropped_until)
				calls->dropped_until = call->done_time;
			call->refused = is_rootless(call);
			give_up(calls, call, KCATCH_RETURN_PENDING);
		} else if (calls->held.first) {
			give_up(calls, calls->held.first, KCATCH_RETURN_PENDING);
		} else if (calls->waiting.first) {
			calls->forgotten++;
			calls->forgotten_returns++;
			give_up(calls, calls->waiting.first, KCATCH_RETURN_FORGOTTEN);
		} else {
			break;
		}
	}
}

/* ---- records ------------------------------------------------------------------------ */

static uint32_t kind_of(const struct kcatch_hit *hit)
{
	return KCATCH_RECORD_KIND(hit->head.id);
}

const struct kcatch_call_part *kcatch_call_part(const struct kcatch_hit *hit)
{
	if (kind_of(hit) == KCATCH_RECORD_HIT)
		return NULL;
	return (const struct kcatch_call_part *)&hit->frames[hit->nr_frames];
}

static void *copy_of(const void *bytes, size_t size)
{
	void *copy = malloc(size);

	if (copy)
		memcpy(copy, bytes, size);
	return copy;
}

/* An entry: it is under the innermost call of its context that has not returned. */
static void enter(struct kcatch_thread *thread, struct kcatch_call *call)
{
	put_under(thread, outer_of(thread, call), call);
	thread_insert(thread, thread->innermost, call);
}

/* A root has come: calls that wait for one and began before it had another one, which was
 * refused. */
static void refuse_older(struct kcatch_calls *calls, struct kcatch_siblings *siblings,
			 const struct kcatch_call *root)
{
	struct kcatch_call *older = siblings->last;

	/* Another root has done the same for those before it. */
	for (; older && older->inner_only && !older->refused; older = older->older)
		older->refused = true;
	/* Some of what was under it may have had no room. */
	if (root->entry_time < calls->dropped_until) {
		calls->forgotten++;
		calls->dropped_until = 0;
	}
}

/*
 * A whole call, which comes at its return: those entered since then are under it. In the thread's
 * list it stands before them, and before calls of other contexts that were entered later. If these
 * are more than anybody's interrupts, it stands behind some of them.
 */
static void enter_late(struct kcatch_calls *calls, struct kcatch_thread *thread,
		       struct kcatch_call *call)
{
	struct kcatch_call *outer = outer_of(thread, call), *first, *before;
	unsigned int i;

	first = take_later(outer ? &outer->calls : &thread->top[context_of(call)], call);
	if (!outer && !call->inner_only)
		refuse_older(calls, &thread->top[context_of(call)], call);
	put_under(thread, outer, call);
	before = first ? first->outer : thread->innermost;
	for (i = 0; before && before->entry_time > call->entry_time && i < STEPS_MAX; i++)
		before = before->outer;
	thread_insert(thread, before, call);
}

/* A damaged record may say that it began after its end. */
static uint64_t entry_time_of(const struct kcatch_hit *hit, const struct kcatch_call_part *part)
{
	return kind_of(hit) == KCATCH_RECORD_CALL && part->call < hit->head.time ? part->call :
										   hit->head.time;
}

static int take_call(struct kcatch_calls *calls, const struct kcatch_hit *hit, uint32_t cpu,
		     unsigned int how)
{
	struct kcatch_thread *thread = thread_of(calls, hit->tid, cpu);
	struct kcatch_call *call = calloc(1, sizeof(*call));
	const struct kcatch_call_part *part;

	if (call)
		call->hit = copy_of(hit, hit->head.size);
	if (!thread || !call || !call->hit) {
		if (thread)
			thread_release(calls, thread);
		kcatch_call_destroy(call);
		return kcatch_error_memory();
	}
	part = kcatch_call_part(call->hit);
	call->cpu = cpu;
	call->inner_only = how & KCATCH_CALL_INNER;
	call->id = ++calls->last_id;
	call->bytes = hit->head.size;
	call->entry_time = entry_time_of(call->hit, part);
	calls->bytes += call->bytes;
	list_add(&calls->waiting, call);

	if (kind_of(hit) == KCATCH_RECORD_CALL) {
		call->latency = part->latency;
		call->runnable = part->runnable;
		call->blocked = part->blocked;
		call->switches = part->switches;
		call->ret = part->ret;
		enter_late(calls, thread, call);
		complete(calls, call, KCATCH_RETURN_SEEN, hit->head.time);
		if (how & KCATCH_CALL_WAITS)
			return 0;
	} else {
		enter(thread, call);
		if (kind_of(hit) == KCATCH_RECORD_ENTRY && part->call &&
		    !*place_of_number(calls, part->call)) {
			call->number = part->call;
			*place_of_number(calls, part->call) = call;
			open_call(call);
			return 0;
		}
		complete(calls, call, kind_of(hit) == KCATCH_RECORD_ENTRY &&
				      how & KCATCH_CALL_RETURNS ?
			 KCATCH_RETURN_NO_SLOT : KCATCH_RETURN_NOT_ASKED, hit->head.time);
	}
	settle(calls, thread);
	return 0;
}

/* Numbers of forgotten calls are not kept: as many unknown returns are theirs. */
static bool return_of_forgotten(struct kcatch_calls *calls)
{
	if (!calls->forgotten_returns)
		return false;
	calls->forgotten_returns--;
	return true;
}

static int take_return(struct kcatch_calls *calls, const struct kcatch_return *end)
{
	struct kcatch_call *call = end->call ? *place_of_number(calls, end->call) : NULL;
	struct kcatch_call **innermost;

	if (!call || call->hit->head.id != KCATCH_RECORD_ID(KCATCH_RECORD_ENTRY,
							    KCATCH_RECORD_PROBE(end->head.id)))
		return return_of_forgotten(calls) ? 0 : 1;
	call->end = copy_of(end, end->head.size);
	if (!call->end)
		return kcatch_error_memory();
	call->bytes += end->head.size;
	calls->bytes += end->head.size;
	call->latency = end->latency;
	call->runnable = end->runnable;
	call->blocked = end->blocked;
	call->switches = end->switches;
	call->ret = end->ret;
	/* Calls under it have returned, too, though it was not seen. */
	innermost = &call->thread->open[context_of(call)];
	while (call->open && *innermost != call)
		close_call(*innermost);
	complete(calls, call, KCATCH_RETURN_SEEN, end->head.time);
	settle(calls, call->thread);
	return 0;
}

int kcatch_calls_take(struct kcatch_calls *calls, const struct kcatch_record *record,
		      uint32_t cpu, unsigned int how)
{
	int ret;

	switch (KCATCH_RECORD_KIND(record->id)) {
	case KCATCH_RECORD_HIT:
	case KCATCH_RECORD_ENTRY:
	case KCATCH_RECORD_CALL:
		ret = take_call(calls, (const struct kcatch_hit *)record, cpu, how);
		break;
	case KCATCH_RECORD_RETURN:
		ret = take_return(calls, (const struct kcatch_return *)record);
		break;
	default:
		return 0;	/* of a later release */
	}
	keep_bound(calls);
	return ret;
}

/* ---- threads that ended -------------------------------------------------------------- */

/* Does it only wait for its parent to ask how it ended? */
static bool is_zombie(const struct kcatch_hit *hit)
{
	char state = kcatch_text_task_state(hit->pid, hit->tid);

	return state == 'Z' || state == 'X';
}

/* Return: true if it had ended. */
static bool check_thread(struct kcatch_call *call)
{
	const struct kcatch_hit *hit = call->hit;

	if (!hit->tid)
		return false;	/* idle: nobody's number */
	if (syscall(SYS_tgkill, hit->pid, hit->tid, 0) && errno == ESRCH)
		call->suspect = true;
	else if (!is_zombie(hit))
		call->dying = false;
	else if (call->dying)
		call->suspect = true;
	else
		call->dying = true;	/* it may still run its last steps: look again */
	return call->suspect;
}

bool kcatch_calls_begin(struct kcatch_calls *calls)
{
	struct kcatch_call *call = calls->waiting.first;
	struct timespec now;
	uint64_t now_ms;
	unsigned int i;
	bool ended = false;

	if (!call || !calls->checks_threads)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	if (now_ms - calls->checked_ms < ENDED_EVERY_MS)
		return false;
	calls->checked_ms = now_ms;
	for (i = 0; call && i < ENDED_MAX; i++, call = call->behind)
		ended |= check_thread(call);
	return ended;
}

void kcatch_calls_end(struct kcatch_calls *calls, uint64_t now)
{
	struct kcatch_call *call = calls->waiting.first, *next;
	unsigned int i;

	for (i = 0; call && i < ENDED_MAX; i++, call = next) {
		next = call->behind;
		if (!call->suspect)
			continue;
		give_up(calls, call, KCATCH_RETURN_PENDING);
		next = calls->waiting.first;
	}
	while (calls->held.first && calls->held.first->done_time + calls->hold < now)
		give_up(calls, calls->held.first, KCATCH_RETURN_PENDING);
}

/* ---- returns that were lost --------------------------------------------------------------- */

static uint32_t probe_of(const struct kcatch_call *call)
{
	return KCATCH_RECORD_PROBE(call->hit->head.id);
}

static bool has(const uint32_t *probes, size_t nr, uint32_t probe)
{
	while (nr && probes[nr - 1] != probe)
		nr--;
	return nr;
}

bool kcatch_calls_waiting_probes(const struct kcatch_calls *calls, size_t first, size_t nr,
				 uint32_t *probes, size_t *nr_probes)
{
	const struct kcatch_call *call = calls->waiting.first;

	for (; call && first; call = call->behind)
		first--;
	for (*nr_probes = 0; call && nr; call = call->behind, nr--) {
		if (!has(probes, *nr_probes, probe_of(call)))
			probes[(*nr_probes)++] = probe_of(call);
	}
	return !call;
}

size_t kcatch_calls_nr_waiting_of(const struct kcatch_calls *calls, uint32_t probe)
{
	const struct kcatch_call *call;
	size_t nr = 0;

	for (call = calls->waiting.first; call; call = call->behind)
		nr += probe_of(call) == probe;
	return nr;
}

void kcatch_calls_lost(struct kcatch_calls *calls, uint32_t probe)
{
	struct kcatch_call *call = calls->waiting.first, *next;

	for (; call; call = next) {
		next = call->behind;
		if (probe_of(call) != probe)
			continue;
		complete(calls, call, KCATCH_RETURN_LOST, call->entry_time);
		settle(calls, call->thread);
	}
}

/* ---- the object ------------------------------------------------------------------------ */

static int by_entry(const void *left, const void *right)
{
	const struct kcatch_call *a = *(struct kcatch_call *const *)left;
	const struct kcatch_call *b = *(struct kcatch_call *const *)right;

	if (a->entry_time != b->entry_time)
		return a->entry_time < b->entry_time ? -1 : 1;
	return a->sort_level != b->sort_level ? (a->sort_level < b->sort_level ? -1 : 1) :
	       a->id < b->id ? -1 : a->id > b->id;
}

int kcatch_calls_flush(struct kcatch_calls *calls)
{
	size_t count = calls->waiting.count + calls->held.count + calls->rootless.count, i = 0;
	struct kcatch_call **all, *call;

	if (!count)
		return 0;
	all = malloc(count * sizeof(struct kcatch_call *));
	if (!all)
		return kcatch_error_memory();
	for (call = calls->waiting.first; call; call = call->behind)
		all[i++] = call;
	for (call = calls->held.first; call; call = call->behind)
		all[i++] = call;
	for (call = calls->rootless.first; call; call = call->behind)
		all[i++] = call;
	/* Only those are compared, so the callers' own may stay unknown till they are ready. */
	for (i = 0; i < count; i++)
		all[i]->sort_level = level_of(all[i]);
	qsort(all, count, sizeof(struct kcatch_call *), by_entry);
	for (i = 0; i < count; i++) {
		struct kcatch_thread *thread = all[i]->thread;

		if (!all[i]->done)
			complete(calls, all[i], KCATCH_RETURN_PENDING, all[i]->entry_time);
		make_ready(calls, all[i]);
		thread_release(calls, thread);
	}
	free(all);
	return 0;
}

struct kcatch_call *kcatch_calls_next(struct kcatch_calls *calls)
{
	struct kcatch_call *call = calls->ready.first;

	if (call)
		list_remove(call);
	return call;
}

uint64_t kcatch_calls_number(struct kcatch_calls *calls)
{
	return ++calls->last_id;
}

size_t kcatch_calls_nr_waiting(const struct kcatch_calls *calls)
{
	return calls ? calls->waiting.count : 0;
}

uint64_t kcatch_calls_nr_forgotten(const struct kcatch_calls *calls)
{
	return calls ? calls->forgotten : 0;
}

void kcatch_call_destroy(struct kcatch_call *call)
{
	if (!call)
		return;
	free(call->hit);
	free(call->end);
	free(call);
}

int kcatch_calls_create(uint64_t ticks, struct kcatch_calls **out)
{
	struct kcatch_calls *calls = calloc(1, sizeof(*calls));

	*out = calls;
	if (!calls)
		return kcatch_error_memory();
	calls->secret = kcatch_hash_secret();
	calls->hold = ticks / HOLD_PARTS;
	calls->checks_threads = kcatch_machine_shares_numbers();
	return 0;
}

static void forget_list(struct kcatch_call_list *list)
{
	struct kcatch_call *call;

	while ((call = list->first)) {
		list_remove(call);
		kcatch_call_destroy(call);
	}
}

void kcatch_calls_destroy(struct kcatch_calls *calls)
{
	size_t i;

	if (!calls)
		return;
	forget_list(&calls->waiting);
	forget_list(&calls->held);
	forget_list(&calls->rootless);
	forget_list(&calls->ready);
	for (i = 0; i < BUCKETS; i++) {
		while (calls->threads[i]) {
			struct kcatch_thread *thread = calls->threads[i];

			calls->threads[i] = thread->chain;
			free(thread);
		}
	}
	free(calls);
}
