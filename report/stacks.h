/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - stacks summed up: a tree of frames, each path once
 *
 * Memory: a node 64 bytes and 8 in the index, a frame its name and about 80 bytes; at most
 * STACKS_NODES and STACKS_FRAMES of them (below 150 MB in all). What comes after is summed
 * under nodes "[other]", each below as much of its path as is known, and counted.
 */
#ifndef REPORT_STACKS_H
#define REPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"

#define STACKS_NODES (1U << 20)
#define STACKS_FRAMES (1U << 18)
#define STACKS_NAME 512U	/* longest name, bytes; longer ones are cut and end in ... */

enum stacks_kind {
	STACKS_KERNEL,
	STACKS_MODULE,
	STACKS_USER,
	STACKS_COMM,	/* the command: the outermost */
	STACKS_MARK,	/* no function: "[cut]", "[other]", "[kcatch]" */
	STACKS_EVENT,	/* a tracepoint or DO_TRACE event */
};

/**
 * struct stacks_frame - a function, or (exact) a place in one
 * @name: with module or file; any bytes
 * @length: of @name
 * @file: source; NULL: not known. Exact only, as the rest
 * @line: in it
 * @kind: STACKS_*
 * @inlined: inlined into the next frame outward
 * @address: of the place
 * @module: kernel module or user's file; NULL: the kernel
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
 * struct stacks_node - a path from the root
 * @parent: the node before; the root is 0, its own parent
 * @child: first below; 0: none
 * @next: sibling; 0: none
 * @frame: index
 * @count: events that end here; after stacks_finish() also those below
 * @self: events that end here
 * @time: ns, the same for time in calls (without calls below that were caught too)
 * @self_time: of @time, of calls that end here
 * @failed: calls that failed; after stacks_finish() also those below
 * @self_failed: of them those that end here
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
 * struct stacks_shape - what makes a difference
 * @upward: paths begin at the function caught, else at the outermost frame
 * @exact: places, not functions
 * @comm: the command is the outermost frame
 */
struct stacks_shape {
	bool upward;
	bool exact;
	bool comm;
};

/**
 * stacks_create - empty ones
 * @shape: see there
 *
 * Return: the stacks, NULL without memory.
 */
struct stacks *stacks_create(const struct stacks_shape *shape);

/**
 * stacks_destroy - forget them
 * @stacks: may be NULL
 */
void stacks_destroy(struct stacks *stacks);

/**
 * stacks_add - add the event at hand
 * @stacks: the stacks
 * @report: its report
 * @event: the event
 *
 * Return: its node's number, or -errno.
 */
int64_t stacks_add(struct stacks *stacks, struct report *report, const struct kcatch_event *event);

/**
 * stacks_finish - sum up from the leaves to the root
 * @stacks: the stacks; nothing may be added afterwards
 */
void stacks_finish(struct stacks *stacks);

/**
 * stacks_sort - order siblings by count or time, the heaviest first
 * @stacks: finished
 * @by_time: by time
 *
 * Return: 0 or -ENOMEM.
 */
int stacks_sort(struct stacks *stacks, bool by_time);

/* The nodes, the root being 0; how many; a frame; events under "[other]". */
const struct stacks_node *stacks_nodes(const struct stacks *stacks);
uint32_t stacks_count(const struct stacks *stacks);
const struct stacks_frame *stacks_frame(const struct stacks *stacks, uint32_t index);
uint32_t stacks_nr_frames(const struct stacks *stacks);
uint64_t stacks_other(const struct stacks *stacks);

#endif
