/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_tree.c - a tree of calls, in which each call is a child of its caller
 *
 * Two hash tables, chained through the nodes: by_call finds every call by its number,
 * by_parent finds the first orphan of a missing call by that call's number. Places are chosen
 * by multiplicative hashing (Knuth, TAOCP vol. 3, 6.4; the constant is 2^64 / golden ratio).
 */
#include <errno.h>
#include <stdlib.h>

#include "call_tree.h"

#define ROOM_FIRST 1024U	/* places of a new table; always a power of two */

static size_t place_of(const struct call_tree *tree, uint64_t call)
{
	return (size_t)(call * 0x9e3779b97f4a7c15ULL >> 32) & (tree->room - 1);
}

static void list_add(struct call_list *list, struct call_node *node)
{
	node->before = list->last;
	node->behind = NULL;
	if (list->last)
		list->last->behind = node;
	else
		list->first = node;
	list->last = node;
}

static void list_remove(struct call_list *list, struct call_node *node)
{
	if (node->before)
		node->before->behind = node->behind;
	else
		list->first = node->behind;
	if (node->behind)
		node->behind->before = node->before;
	else
		list->last = node->before;
}

/* The link that points to a call, or the NULL link at which to insert it. */
static struct call_node **link_of(struct call_tree *tree, uint64_t call)
{
	struct call_node **link = &tree->by_call[place_of(tree, call)];

	for (; *link && (*link)->call != call; link = &(*link)->call_chain)
		tree->steps++;
	return link;
}

/* The link that points to a call's first orphan, or the NULL link at which to insert it. */
static struct call_node **orphans_of(struct call_tree *tree, uint64_t parent)
{
	struct call_node **link = &tree->by_parent[place_of(tree, parent)];

	for (; *link && (*link)->parent_call != parent; link = &(*link)->parent_chain)
		tree->steps++;
	return link;
}

/* Double the tables: there are at least as many places as calls. */
static int grow(struct call_tree *tree)
{
	size_t room = tree->room ? 2 * tree->room : ROOM_FIRST, old = tree->room, i;
	struct call_node **calls = calloc(room, sizeof(struct call_node *));
	struct call_node **parents = calloc(room, sizeof(struct call_node *));
	struct call_node **old_calls = tree->by_call, **old_parents = tree->by_parent, *node, *next;

	if (!calls || !parents) {
		free(calls);
		free(parents);
		return -ENOMEM;
	}
	tree->by_call = calls;
	tree->by_parent = parents;
	tree->room = room;
	for (i = 0; i < old; i++) {
		for (node = old_calls[i]; node; node = next) {
			next = node->call_chain;
			node->call_chain = calls[place_of(tree, node->call)];
			calls[place_of(tree, node->call)] = node;
		}
		for (node = old_parents[i]; node; node = next) {
			next = node->parent_chain;
			node->parent_chain = parents[place_of(tree, node->parent_call)];
			parents[place_of(tree, node->parent_call)] = node;
		}
	}
	free(old_calls);
	free(old_parents);
	return 0;
}

static void adopt(struct call_node *parent, struct call_node *child)
{
	child->parent = parent;
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->children = child;
	parent->last = child;
}

/* Move a call's orphans, which came before it, under the call. */
static void adopt_orphans(struct call_tree *tree, struct call_node *node)
{
	struct call_node **link = orphans_of(tree, node->call), *orphan = *link, *next;

	if (!orphan)
		return;
	*link = orphan->parent_chain;
	for (; orphan; orphan = next) {
		next = orphan->orphan_next;
		list_remove(&tree->orphans, orphan);
		adopt(node, orphan);
		tree->steps++;
	}
}

static void add_orphan(struct call_tree *tree, struct call_node *node)
{
	struct call_node **link = orphans_of(tree, node->parent_call), *first = *link;

	list_add(&tree->orphans, node);
	node->orphan_next = NULL;
	if (first) {
		first->orphan_last->orphan_next = node;
		first->orphan_last = node;
		return;
	}
	node->orphan_last = node;
	node->parent_chain = NULL;
	*link = node;
}

int call_tree_add(struct call_tree *tree, struct call_node *node)
{
	struct call_node *parent, **link;

	if (tree->count >= tree->room && grow(tree))
		return -ENOMEM;
	link = link_of(tree, node->call);
	node->call_chain = *link;
	*link = node;
	tree->count++;
	tree->bytes += node->bytes;
	adopt_orphans(tree, node);
	parent = node->parent_call ? *link_of(tree, node->parent_call) : NULL;
	if (parent) {
		adopt(parent, node);
		/* Takes as many steps as calls of one thread are nested. */
		while (parent->parent)
			parent = parent->parent;
		parent->quiet = 0;
	} else if (!node->parent_call || tree->bytes > tree->bytes_max) {
		node->torn = node->parent_call != 0;
		tree->torn += node->torn;
		tree->nr_roots += !node->torn;
		list_add(&tree->roots, node);
	} else {
		add_orphan(tree, node);
	}
	return 0;
}

static void forget(struct call_tree *tree, struct call_node *node)
{
	struct call_node **link = &tree->by_call[place_of(tree, node->call)];

	while (*link != node)
		link = &(*link)->call_chain;
	*link = node->call_chain;
	tree->count--;
	tree->bytes -= node->bytes;
	tree->destroy(node);
}

/* Destroy a tree from the leaves up, without recursion. */
static void release(struct call_tree *tree, struct call_node *root)
{
	struct call_node *node = root, *parent;

	for (;;) {
		while (node->children)
			node = node->children;
		parent = node == root ? NULL : node->parent;
		if (parent)
			parent->children = node->next;
		forget(tree, node);
		if (!parent)
			return;
		node = parent;
	}
}

/* No more calls will come: every orphan becomes a root. */
static void end_orphans(struct call_tree *tree)
{
	struct call_node *orphan;

	while ((orphan = tree->orphans.first)) {
		list_remove(&tree->orphans, orphan);
		list_add(&tree->roots, orphan);
		tree->nr_roots++;
	}
	for (size_t i = 0; i < tree->room; i++)
		tree->by_parent[i] = NULL;
}

void call_tree_flush(struct call_tree *tree, unsigned int looks,
		     void (*print)(struct call_node *root, void *arg), void *arg)
{
	struct call_node *root, *next;

	if (!looks)
		end_orphans(tree);
	for (root = tree->roots.first; root; root = next) {
		next = root->behind;
		if (++root->quiet < looks)
			continue;
		list_remove(&tree->roots, root);
		print(root, arg);
		release(tree, root);
	}
}

static void print_nothing(struct call_node *root, void *arg)
{
	(void)root;
	(void)arg;
}

void call_tree_deinit(struct call_tree *tree)
{
	call_tree_flush(tree, 0, print_nothing, NULL);
	free(tree->by_call);
	free(tree->by_parent);
	tree->by_call = tree->by_parent = NULL;
	tree->room = 0;
}
