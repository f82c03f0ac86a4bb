/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.c - stacks summed up in a tree of frames
 *
 * A child comes after its parent in the array, so one pass from the end sums up to the root.
 * A hash table of (parent, frame) finds a child in constant time on average, for any number
 * of siblings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include <kcatch_text.h>

#include "nesting.h"
#include "stacks.h"
#include "value_text.h"

#define PATH 1024U		/* frames of a stack; a deeper one is marked as cut */
#define CACHE (1U << 14)	/* frames of the cache, a power of two */
#define ADDED (1U << 14)	/* stacks whose node is remembered, a power of two */
#define OTHERS (1U << 16)	/* nodes reserved for "[other]"; the last is for the root's */

/* The cache compares pointers to names: the library keeps each name in one place. */
struct cached {
	const char *symbol, *module;
	uint64_t address;	/* this, line and inlined are set only with shape.exact */
	uint32_t line;
	bool inlined;
	uint32_t frame;
};

/* The node of a stack, by its number; comm is set only with shape.comm. */
struct added {
	uint64_t number;	/* 0: none */
	uint32_t probe;
	uint32_t node;
	char comm[16];
};

struct stacks {
	struct stacks_shape shape;
	struct stacks_node *nodes;
	uint32_t count, room;
	uint32_t *index;	/* hash table of node numbers, 0: free */
	uint32_t index_room;	/* its places, a power of two */
	struct stacks_frame *frames;
	uint32_t nr_frames, frames_room;
	struct kcatch_table names;
	struct kcatch_arena arena;
	struct cached cache[CACHE];
	struct added added[ADDED];
	struct nesting nesting;
	uint32_t path[PATH];
	uint32_t length;
	uint32_t other;		/* number of the frame "[other]" */
	bool crowded;		/* a frame of the path exceeds STACKS_FRAMES */
	uint64_t others;	/* events summed under "[other]" */
};

static uint32_t hash(uint32_t parent, uint32_t frame)
{
	uint64_t mix = ((uint64_t)parent << 32 | frame) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)(mix >> 32);
}

static int grow_index(struct stacks *stacks)
{
	uint32_t room = stacks->index_room ? 2 * stacks->index_room : 1024, i;
	uint32_t *index = calloc(room, sizeof(*index));

	if (!index)
		return kcatch_error_memory();
	for (i = 1; i < stacks->count; i++) {
		uint32_t at = hash(stacks->nodes[i].parent, stacks->nodes[i].frame) & (room - 1);

		while (index[at])
			at = (at + 1) & (room - 1);
		index[at] = i;
	}
	free(stacks->index);
	stacks->index = index;
	stacks->index_room = room;
	return 0;
}

static int grow_nodes(struct stacks *stacks)
{
	uint32_t room = stacks->room ? 2 * stacks->room : 512;
	struct stacks_node *nodes = realloc(stacks->nodes, room * sizeof(*nodes));

	if (!nodes)
		return kcatch_error_memory();
	stacks->nodes = nodes;
	stacks->room = room;
	return 0;
}

/* Find or create a child. Return: its number; 0: STACKS_NODES are in use; -errno. */
static int64_t child_of(struct stacks *stacks, uint32_t parent, uint32_t frame)
{
	uint32_t at, mask;
	int ret = 0;

	if (2 * stacks->count >= stacks->index_room)
		ret = grow_index(stacks);
	if (!ret && stacks->count == stacks->room)
		ret = grow_nodes(stacks);
	if (ret)
		return ret;
	mask = stacks->index_room - 1;
	for (at = hash(parent, frame) & mask; stacks->index[at]; at = (at + 1) & mask) {
		const struct stacks_node *node = &stacks->nodes[stacks->index[at]];

		if (node->parent == parent && node->frame == frame)
			return stacks->index[at];
	}
	if (stacks->count + (frame != stacks->other ? OTHERS : parent ? 1 : 0) >= STACKS_NODES)
		return 0;
	stacks->nodes[stacks->count] = (struct stacks_node){ .parent = parent, .frame = frame,
		.next = stacks->nodes[parent].child };
	stacks->nodes[parent].child = stacks->count;
	stacks->index[at] = stacks->count;
	return stacks->count++;
}

static const char *keep(struct stacks *stacks, const char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *copy;

	if (!text)
		return NULL;
	copy = kcatch_arena_take(&stacks->arena, length + 1);
	return copy ? memcpy(copy, text, length) : NULL;
}

/* Find or create a frame. Return: its number, or -errno. */
static int64_t intern(struct stacks *stacks, const char *name, enum stacks_kind kind,
		      const struct kcatch_frame *place)
{
	char key[STACKS_NAME + 32];
	size_t length = strlen(name), at, *known;
	bool exact = stacks->shape.exact && place;
	uint32_t number = stacks->nr_frames;
	struct stacks_frame *frame;
	char *kept;

	if (length > STACKS_NAME) {
		length = STACKS_NAME - 3;
		memcpy(key, name, length);
		memcpy(key + length, "...", 3);
		length = STACKS_NAME;
	} else {
		memcpy(key, name, length);
	}
	key[length] = (char)kind;
	at = length + 1;
	if (exact) {
		memcpy(key + at, &place->address, sizeof(place->address));
		memcpy(key + at + 8, &place->line, sizeof(place->line));
		key[at + 12] = place->inlined;
		at += 13;
	}
	known = kcatch_table_find(&stacks->names, key, at);
	if (known)
		return (int64_t)*known;
	if (number >= STACKS_FRAMES) {
		stacks->crowded = true;
		return stacks->other;
	}
	if (number == stacks->frames_room) {
		uint32_t room = number ? 2 * number : 256;

		frame = realloc(stacks->frames, room * sizeof(*frame));
		if (!frame)
			return kcatch_error_memory();
		stacks->frames = frame;
		stacks->frames_room = room;
	}
	kept = kcatch_arena_take(&stacks->arena, at + 1);
	if (!kept)
		return kcatch_error_memory();
	memcpy(kept, key, at);
	if (kcatch_table_add(&stacks->names, kept, at, number) < 0)
		return kcatch_error_memory();
	frame = &stacks->frames[number];
	*frame = (struct stacks_frame){ .name = kept, .length = length, .kind = kind };
	if (exact) {
		frame->address = place->address;
		frame->file = keep(stacks, place->file);
		frame->line = place->line;
		frame->inlined = place->inlined;
		frame->module = keep(stacks, place->module);
	}
	stacks->nr_frames++;
	return number;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int64_t frame_number(struct stacks *stacks, const struct kcatch_frame *frame, bool user)
{
	uintptr_t mix = ((uintptr_t)frame->symbol >> 1) ^ ((uintptr_t)frame->module << 3);
	struct cached wanted = { .symbol = frame->symbol, .module = frame->module }, *cached;
	bool cacheable = !user && frame->symbol;
	char name[STACKS_NAME + 64];
	enum stacks_kind kind;
	int64_t number;

	if (stacks->shape.exact) {
		wanted.address = frame->address;
		wanted.line = frame->line;
		wanted.inlined = frame->inlined;
		mix ^= frame->address;
	}
	cached = &stacks->cache[(mix * 0x9e3779b97f4a7c15ULL >> 40) & (CACHE - 1)];

	if (frame->self)
		return intern(stacks, "[kcatch]", STACKS_MARK, NULL);
	if (cacheable && cached->symbol == wanted.symbol && cached->module == wanted.module &&
	    cached->address == wanted.address && cached->line == wanted.line &&
	    cached->inlined == wanted.inlined)
		return cached->frame;
	kind = user ? STACKS_USER : frame->module ? STACKS_MODULE : STACKS_KERNEL;
	if (user && frame->module)
		snprintf(name, sizeof(name), frame->symbol ? "%s (%s)" : "%s[%s]",
			 frame->symbol ? frame->symbol : "", base_name(frame->module));
	else if (frame->module)
		snprintf(name, sizeof(name), "%s [%s]", frame->symbol ? frame->symbol : "[unknown]",
			 frame->module);
	else
		snprintf(name, sizeof(name), "%s", frame->symbol ? frame->symbol : "[unknown]");
	number = intern(stacks, name, kind, frame);
	if (cacheable && number >= 0) {
		wanted.frame = (uint32_t)number;
		*cached = wanted;
	}
	return number;
}

static int push(struct stacks *stacks, int64_t number)
{
	if (number < 0)
		return (int)number;
	if (stacks->length < PATH)
		stacks->path[stacks->length++] = (uint32_t)number;
	return 0;
}

static int push_end(struct stacks *stacks, enum kcatch_event_stack end)
{
	const char *mark = value_text_stack_mark(end);

	return mark ? push(stacks, intern(stacks, mark, STACKS_MARK, NULL)) : 0;
}

/* Collect the path of an event's frames, from the function outward. */
static int collect(struct stacks *stacks, struct report *report, const struct kcatch_event *event)
{
	enum stacks_kind kind = STACKS_EVENT;
	const struct kcatch_probe *probe;
	char name[STACKS_NAME + 200];	/* a longer one is cut by intern(), which says so */
	struct kcatch_frame frame;
	uint32_t i;
	int ret;

	stacks->length = 0;
	stacks->crowded = false;
	report_event_name(report, event->probe, name, sizeof(name));
	/* The same kind as when the function is a frame of another stack. */
	if (!event->is_event && !kcatch_session_probe(report->session, event->probe, &probe))
		kind = probe->module ? STACKS_MODULE : STACKS_KERNEL;
	ret = push(stacks, intern(stacks, name, kind, NULL));
	for (i = 0; i < event->nr_frames && i < PATH - 8 && !ret; i++) {
		ret = kcatch_session_frame(report->session, i, &frame);
		if (!ret)
			ret = push(stacks, frame_number(stacks, &frame, false));
	}
	if (!ret)
		ret = push_end(stacks, event->nr_frames < PATH - 8 ? event->stack :
								    KCATCH_STACK_CUT);
	for (i = 0; event->nr_user_frames > 0 && i < (uint32_t)event->nr_user_frames && !ret; i++) {
		if (stacks->length >= PATH - 4) {
			ret = push_end(stacks, KCATCH_STACK_CUT);
			break;
		}
		ret = kcatch_session_user_frame(report->session, i, &frame);
		if (!ret)
			ret = push(stacks, frame_number(stacks, &frame, true));
		if (!ret)
			ret = push_end(stacks, frame.end);
	}
	if (!ret && stacks->shape.comm) {
		snprintf(name, sizeof(name), "%.15s", event->comm[0] ? event->comm : "[unknown]");
		ret = push(stacks, intern(stacks, name, STACKS_COMM, NULL));
	}
	return ret;
}

/*
 * Find or create the path's nodes. If the nodes are exhausted, the last node is an "[other]"
 * below the known part of the path. Return: the last node, or -errno.
 */
static int64_t walk(struct stacks *stacks)
{
	uint32_t i, length = stacks->length;
	int64_t node = 0, child = 0;

	for (i = 0; i < length; i++, node = child) {
		child = child_of(stacks, (uint32_t)node,
				 stacks->path[stacks->shape.upward ? i : length - 1 - i]);
		if (child <= 0)
			break;
	}
	if (child < 0)
		return child;
	if (i < length || stacks->crowded)
		stacks->others++;
	if (i == length && node)
		return node;
	for (;;) {
		child = child_of(stacks, (uint32_t)node, stacks->other);
		if (child || !node)
			return child;
		node = stacks->nodes[node].parent;
	}
}

/* Describe an event's stack. Return: where its node may be remembered; NULL: nowhere. */
static struct added *describe(struct stacks *stacks, struct report *report,
			      const struct kcatch_event *event, struct added *wanted)
{
	memset(wanted, 0, sizeof(*wanted));
	if (event->nr_user_frames > 0 ||
	    kcatch_session_stack_number(report->session, &wanted->number) || !wanted->number)
		return NULL;
	wanted->probe = event->probe;
	if (stacks->shape.comm)
		memcpy(wanted->comm, event->comm, strnlen(event->comm, sizeof(event->comm)));
	return &stacks->added[((wanted->number * 0x9e3779b97f4a7c15ULL >> 40) ^ wanted->probe) &
			      (ADDED - 1)];
}

/* Find or create the node of an event's stack. Return: its number, or -errno. */
static int64_t node_of(struct stacks *stacks, struct report *report,
		       const struct kcatch_event *event)
{
	struct added wanted, *added = describe(stacks, report, event, &wanted);
	uint64_t others = stacks->others;
	int64_t number;
	int ret;

	if (added && added->number == wanted.number && added->probe == wanted.probe &&
	    !memcmp(added->comm, wanted.comm, sizeof(wanted.comm)))
		return added->node;
	ret = collect(stacks, report, event);
	number = ret ? ret : walk(stacks);
	/* What is summed under "[other]" is counted each time. */
	if (added && number > 0 && stacks->others == others) {
		wanted.node = (uint32_t)number;
		*added = wanted;
	}
	return number;
}

/*
 * Subtract the time of an inner call from its outer call's time. Whichever of the two is read
 * last does so.
 */
static int settle_nesting(struct stacks *stacks, const struct kcatch_event *event, uint32_t number)
{
	struct stacks_node *nodes = stacks->nodes;
	struct nesting_call *call;

	if (event->call) {
		call = nesting_call(&stacks->nesting, event->call);
		if (!call)
			return kcatch_error_memory();
		nodes[number].self_time -= (int64_t)call->inner_ns;
		call->node = number;
	}
	if (!event->parent)
		return 0;
	call = nesting_call(&stacks->nesting, event->parent);
	if (!call)
		return kcatch_error_memory();
	if (call->node)
		nodes[call->node].self_time -= (int64_t)event->latency_ns;
	else
		call->inner_ns += event->latency_ns;
	return 0;
}

int64_t stacks_add(struct stacks *stacks, struct report *report, const struct kcatch_event *event)
{
	int64_t number = node_of(stacks, report, event);
	struct stacks_node *node;
	int ret = 0;

	if (number <= 0)
		return number;
	node = &stacks->nodes[number];
	node->self++;
	if (event->returned == KCATCH_RETURN_SEEN) {
		node->self_time += (int64_t)event->latency_ns;
		if (report_event_failed(report, event))
			node->self_failed++;
		ret = settle_nesting(stacks, event, (uint32_t)number);
	}
	return ret ? ret : number;
}

void stacks_path_begin(struct stacks *stacks)
{
	stacks->length = 0;
	stacks->crowded = false;
}

int stacks_path_frame(struct stacks *stacks, const struct kcatch_frame *frame)
{
	return push(stacks, frame_number(stacks, frame, false));
}

int stacks_path_user_frame(struct stacks *stacks, const struct kcatch_frame *frame)
{
	return push(stacks, frame_number(stacks, frame, true));
}

int stacks_path_text(struct stacks *stacks, const char *text, enum stacks_kind kind)
{
	return push(stacks, intern(stacks, text, kind, NULL));
}

int stacks_path_end(struct stacks *stacks, uint64_t count, int64_t time)
{
	uint64_t others = stacks->others;
	int64_t number = walk(stacks);

	if (number < 0)
		return (int)number;
	if (stacks->others != others)
		stacks->others = others + count;
	stacks->nodes[number].self += count;
	stacks->nodes[number].self_time += time;
	return 0;
}

void stacks_finish(struct stacks *stacks)
{
	uint32_t i;

	for (i = stacks->count; i-- > 0;) {
		struct stacks_node *node = &stacks->nodes[i],
				   *parent = &stacks->nodes[node->parent];

		/* Negative if the filter passed inner calls, but not their outer call. */
		if (node->self_time < 0)
			node->self_time = 0;
		node->count += node->self;
		node->time += node->self_time;
		node->failed += node->self_failed;
		if (!i)
			break;
		parent->count += node->count;
		parent->time += node->time;
		parent->failed += node->failed;
	}
}

struct sorted {
	uint32_t node;
	uint64_t weight;
	uint32_t frame;
};

static int compare(const void *a, const void *b)
{
	const struct sorted *one = a, *two = b;

	if (one->weight != two->weight)
		return one->weight > two->weight ? -1 : 1;
	return one->frame < two->frame ? -1 : one->frame > two->frame;
}

int stacks_sort(struct stacks *stacks, bool by_time)
{
	struct sorted *sorted = malloc(stacks->count * sizeof(*sorted));
	uint32_t i, at, count;

	if (!sorted)
		return kcatch_error_memory();
	for (i = 0; i < stacks->count; i++) {
		uint32_t *link = &stacks->nodes[i].child;

		for (count = 0, at = *link; at; at = stacks->nodes[at].next, count++) {
			const struct stacks_node *node = &stacks->nodes[at];

			sorted[count] =
				(struct sorted){ at, by_time ? (uint64_t)node->time : node->count,
						 node->frame };
		}
		qsort(sorted, count, sizeof(*sorted), compare);
		for (at = 0; at < count; at++) {
			*link = sorted[at].node;
			link = &stacks->nodes[*link].next;
		}
		*link = 0;
	}
	free(sorted);
	return 0;
}

struct stacks *stacks_create(const struct stacks_shape *shape)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));
	int64_t root, other;

	if (!stacks)
		return NULL;
	stacks->shape = *shape;
	root = intern(stacks, "all", STACKS_MARK, NULL);
	other = intern(stacks, "[other]", STACKS_MARK, NULL);
	if (root < 0 || other < 0 || grow_nodes(stacks)) {
		stacks_destroy(stacks);
		return NULL;
	}
	stacks->other = (uint32_t)other;
	stacks->nodes[0] = (struct stacks_node){ .frame = (uint32_t)root };
	stacks->count = 1;
	return stacks;
}

void stacks_destroy(struct stacks *stacks)
{
	if (!stacks)
		return;
	free(stacks->nodes);
	free(stacks->index);
	free(stacks->frames);
	nesting_deinit(&stacks->nesting);
	kcatch_table_deinit(&stacks->names);
	kcatch_arena_deinit(&stacks->arena);
	free(stacks);
}

const struct stacks_node *stacks_nodes(const struct stacks *stacks)
{
	return stacks->nodes;
}

uint32_t stacks_count(const struct stacks *stacks)
{
	return stacks->count;
}

const struct stacks_frame *stacks_frame(const struct stacks *stacks, uint32_t index)
{
	return &stacks->frames[index];
}

uint32_t stacks_nr_frames(const struct stacks *stacks)
{
	return stacks->nr_frames;
}

uint64_t stacks_other(const struct stacks *stacks)
{
	return stacks->others;
}
