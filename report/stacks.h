/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - stacks summed up in a tree of frames, in which each path occurs once
 *
 * Memory: 72 bytes per node with its index, about 80 bytes and the name per frame; below
 * 150 MB for STACKS_NODES nodes and STACKS_FRAMES frames. Events of further stacks are summed
 * in nodes "[other]", below the part of the path that is in the tree, and counted.
 */
#ifndef REPORT_STACKS_H
#define REPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"

#define STACKS_NODES (1U << 20)		/* limit of nodes */
#define STACKS_FRAMES (1U << 18)	/* limit of different frames */
#define STACKS_NAME 512U		/* bytes of a name; a longer one is cut and ends in ... */

enum stacks_kind {
	STACKS_KERNEL,
	STACKS_MODULE,
	STACKS_USER,
	STACKS_COMM,	/* the command, as the outermost frame */
	STACKS_MARK,	/* not a function: "[cut]", "[other]", "[kcatch]" */
	STACKS_EVENT,	/* a tracepoint or DO_TRACE event */
};

/**
 * struct stacks_frame - a function, or (shape.exact) a place in a function
 * @name: function, with module or file; untrusted bytes, owned by the stacks
 * @length: bytes of @name
 * @file: source file; NULL: not known. Set only with shape.exact, like the members below
 *	except @kind
 * @line: line in @file; 0: not known
 * @kind: STACKS_*
 * @inlined: inlined into the next frame outward
 * @address: address of the place
 * @module: kernel module, or file of the program; NULL: the kernel
 */
struct stacks_frame {
	const char *name;
	size_t length;
	const char *file;
	uint32_t line;
	enum stacks_kind kind;
	bool inlined;
	uint64_t address;
	const char *module;
};

/**
 * struct stacks_node - a path from the root to a frame
 * @parent: number of the parent node; the root is node 0 and its own parent
 * @child: number of the first child; 0: none
 * @next: number of the next sibling; 0: none
 * @frame: number of the frame, for stacks_frame()
 * @count: events whose path ends in this node or below; valid after stacks_finish()
 * @self: events whose path ends in this node
 * @time: as @count, the time in calls; valid after stacks_finish()
 * @self_time: as @self, the time in calls without their caught inner calls, nanoseconds
 * @failed: as @count, the calls that failed; valid after stacks_finish()
 * @self_failed: as @self, the calls that failed
 */
struct stacks_node {
	uint32_t parent;
	uint32_t child;
	uint32_t next;
	uint32_t frame;
	uint64_t count;
	uint64_t self;
	int64_t time;
	int64_t self_time;
	uint64_t failed;
	uint64_t self_failed;
};

struct stacks;

/**
 * struct stacks_shape - what the paths are made of
 * @upward: paths begin at the caught function; false: at the outermost frame
 * @exact: frames are places (address, line); false: functions
 * @comm: add the command's name as the outermost frame
 */
struct stacks_shape {
	bool upward;
	bool exact;
	bool comm;
};

/**
 * stacks_create - create an empty tree
 * @shape: what the paths are made of
 *
 * Return: the stacks, to be freed with stacks_destroy(); NULL: out of memory.
 */
struct stacks *stacks_create(const struct stacks_shape *shape);

/**
 * stacks_destroy - free the tree
 * @stacks: the stacks, or NULL
 */
void stacks_destroy(struct stacks *stacks);

/**
 * stacks_add - add the path of an event, its time and whether it failed
 * @stacks: the stacks
 * @report: the report
 * @event: the session's current event
 *
 * Return: number of the path's last node, or -errno with an error text.
 */
int64_t stacks_add(struct stacks *stacks, struct report *report, const struct kcatch_event *event);

/**
 * stacks_path_begin - begin a path that is no event's
 * stacks_path_frame - append a kernel frame; a path goes from the innermost frame outward
 * stacks_path_user_frame - append a user frame
 * stacks_path_text - append a text of a kind
 * stacks_path_end - add the path
 * @stacks: the stacks
 * @frame: the frame
 * @text: the text
 * @kind: STACKS_*; STACKS_COMM only as the outermost
 * @count: how often it was counted
 * @time: its share of struct stacks_node.time
 *
 * Return: 0, or -errno with an error text.
 */
void stacks_path_begin(struct stacks *stacks);
int stacks_path_frame(struct stacks *stacks, const struct kcatch_frame *frame);
int stacks_path_user_frame(struct stacks *stacks, const struct kcatch_frame *frame);
int stacks_path_text(struct stacks *stacks, const char *text, enum stacks_kind kind);
int stacks_path_end(struct stacks *stacks, uint64_t count, int64_t time);

/**
 * stacks_finish - sum up from the leaves to the root
 * @stacks: the stacks; do not add events afterwards
 */
void stacks_finish(struct stacks *stacks);

/**
 * stacks_sort - sort siblings, the heaviest first
 * @stacks: the stacks, after stacks_finish()
 * @by_time: by time; false: by number of events
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int stacks_sort(struct stacks *stacks, bool by_time);

/** stacks_nodes - the array of nodes, the root first; valid until the next stacks_add() */
const struct stacks_node *stacks_nodes(const struct stacks *stacks);

/** stacks_count - number of nodes, the root included */
uint32_t stacks_count(const struct stacks *stacks);

/** stacks_frame - a frame by its number; valid until the next stacks_add() */
const struct stacks_frame *stacks_frame(const struct stacks *stacks, uint32_t index);

/** stacks_nr_frames - number of different frames */
uint32_t stacks_nr_frames(const struct stacks *stacks);

/** stacks_other - number of events summed under "[other]" */
uint64_t stacks_other(const struct stacks *stacks);

#endif
