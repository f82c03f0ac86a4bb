/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_tree.h - a tree of calls, in which each call is a child of its caller
 *
 * Calls may be added in any order. An orphan is a call whose caller has not been added yet.
 * Adding a call takes constant time on average, plus one step per orphan and per level.
 * Memory: the nodes, which the owner allocates. Above @bytes_max, a call without its caller
 * becomes a torn root at once instead of an orphan.
 */
#ifndef CLI_COMMON_CALL_TREE_H
#define CLI_COMMON_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct call_node - a call; the first member of the owner's struct
 * @call: its number, not 0
 * @parent_call: number of its caller; 0: the call is an outermost one
 * @bytes: memory that the owner keeps for it
 * @torn: a root only because its caller was missing when memory for orphans ran out
 * @parent: its caller; NULL: a root, or an orphan
 * @children: its first child, in the order in which they were added
 * @last: its last child
 * @next: its next sibling
 *
 * The other members are private to call_tree.c.
 */
struct call_node {
	uint64_t call;
	uint64_t parent_call;
	size_t bytes;
	bool torn;
	struct call_node *parent, *children, *last, *next;

	struct call_node *call_chain;		/* next in the same place of by_call */
	struct call_node *parent_chain;		/* next in the same place of by_parent */
	struct call_node *orphan_next;		/* next orphan of the same parent */
	struct call_node *orphan_last;		/* valid in the first orphan: the last one */
	struct call_node *before, *behind;	/* neighbours in roots or orphans */
	unsigned int quiet;			/* root: flushes since a call was added */
};

struct call_list {
	struct call_node *first, *last;
};

/**
 * struct call_tree - a tree of calls; set the first two members, zero the others
 * @destroy: frees a node; called once for each added node
 * @bytes_max: limit of the nodes' @bytes, above which no orphan is kept
 * @torn: number of torn roots so far
 * @nr_roots: number of outermost calls so far; orphans without a caller count at the end
 * @steps: number of links followed, for tests
 *
 * The other members are private to call_tree.c.
 */
struct call_tree {
	void (*destroy)(struct call_node *node);
	size_t bytes_max;
	uint64_t torn;
	uint64_t nr_roots;
	uint64_t steps;

	struct call_list roots, orphans;
	size_t bytes;
	size_t count;
	size_t room;
	struct call_node **by_call, **by_parent;
};

/**
 * call_tree_add - add a call; its children may have been added before
 * @tree: the tree
 * @node: the call; the first three members are set, the others zero. The tree owns it then
 *
 * Return: 0; -ENOMEM: @node still belongs to the caller.
 */
int call_tree_add(struct call_tree *tree, struct call_node *node);

/**
 * call_tree_flush - print and free the roots that have stopped growing
 * @tree: the tree
 * @looks: print a root at this many flushes after its last call was added; 0: print every
 *	root, and every orphan as a root, because no more calls will come
 * @print: called for each such root, in the order in which they became roots
 * @arg: passed to @print
 */
void call_tree_flush(struct call_tree *tree, unsigned int looks,
		     void (*print)(struct call_node *root, void *arg), void *arg);

/**
 * call_tree_deinit - free all calls and the tables
 * @tree: the tree; may be empty
 */
void call_tree_deinit(struct call_tree *tree);

#endif
