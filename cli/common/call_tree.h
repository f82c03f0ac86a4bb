/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_tree.h - calls hung under those they were made from, in whatever order they come
 *
 * A call is found, added and adopted in constant time, however many there are. Memory: what
 * the owner keeps for each call; orphans stop being kept above a limit.
 */
#ifndef CLI_COMMON_CALL_TREE_H
#define CLI_COMMON_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct call_node - a call, at the beginning of the owner's own struct
 * @call: its number, not 0
 * @parent_call: number of the call it was made from; 0: it is an outermost one
 * @bytes: of memory that the owner keeps for it
 * @torn: its outer call had not come when there was no more room for orphans
 * @parent: the call it was made from, when that has come
 * @children: the first call made from it, in the order in which they came
 * @last: the last of them
 * @next: its next sibling
 * The others are for call_tree.c.
 */
struct call_node {
	uint64_t call;
	uint64_t parent_call;
	size_t bytes;
	bool torn;
	struct call_node *parent, *children, *last, *next;

	struct call_node *call_chain;		/* in the same place of by_call */
	struct call_node *parent_chain;		/* in the same place of by_parent */
	struct call_node *orphan_next;		/* orphans of the same parent */
	struct call_node *orphan_last;		/* of the first of them: the last one */
	struct call_node *before, *behind;	/* in roots or orphans */
	unsigned int quiet;			/* looks without anything new */
};

struct call_list {
	struct call_node *first, *last;
};

/**
 * struct call_tree - zeroed but for the first two members: nothing has come
 * @destroy: free a node
 * @bytes_max: above that nothing is kept for outer calls to come
 * @torn: calls that became roots for want of room, though not outermost
 * @nr_roots: outermost calls that came
 * @steps: links followed, for tests
 * The others are for call_tree.c.
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
 * call_tree_add - a call came; those made from it may have come before
 * @tree: the tree
 * @node: the call, zeroed but for its first three members; taken over
 *
 * Return: 0; -ENOMEM, and @node is still the caller's.
 */
int call_tree_add(struct call_tree *tree, struct call_node *node);

/**
 * call_tree_flush - take out the roots for which nothing came in some looks, and free them
 * @tree: the tree
 * @looks: how many, this one included; 0: no more will come, so orphans are roots, too
 * @print: is given each of them, in the order in which they came
 * @arg: for @print
 */
void call_tree_flush(struct call_tree *tree, unsigned int looks,
		     void (*print)(struct call_node *root, void *arg), void *arg);

/**
 * call_tree_deinit - free all calls
 * @tree: the tree
 */
void call_tree_deinit(struct call_tree *tree);

#endif
