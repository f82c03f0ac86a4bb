/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.c - calls that belong together: trees of calls, chains of failures
 *
 * Each call is rendered when it comes, for its values live no longer, and hung
 * under the one it was called from. An outermost call and all below it are
 * printed together: when there were two looks without anything new for it, or
 * at the end. A call may come before the one it belongs under.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "groups.h"
#include "value_text.h"

#define TREE_INDENT 15	/* columns before the name of a call */
#define CHAIN_INDENT 35	/* and of one in a chain, with the time after it */
#define QUIET_LOOKS 3
#define ORPHANS_MAX 100000	/* calls kept for an outer one to come */

struct node {
	struct node *parent, *children, *last, *next;
	struct node *orphan_next;
	uint64_t call, parent_call, latency_ns;
	int64_t ret;
	bool seen;		/* its return */
	bool failed;
	char *whole;		/* as an event of its own */
	char *stack;		/* text: head and stack */
	char *brief;		/* text: in one line */
	char *name;
};

/* A whole tree whose outermost call is there. */
struct root {
	struct root *next;
	struct node *node;
	unsigned int quiet;
};

struct groups {
	const struct options *options;
	const struct renderer *renderer;
	struct root *roots, **roots_end;
	struct node *orphans;
	size_t nr_orphans;
	uint64_t count;
};

struct groups *groups_create(const struct options *options, const struct renderer *renderer)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups)
		return NULL;
	groups->options = options;
	groups->renderer = renderer;
	groups->roots_end = &groups->roots;
	return groups;
}

static void node_destroy(struct node *node)
{
	while (node->children) {
		struct node *child = node->children;

		node->children = child->next;
		node_destroy(child);
	}
	free(node->whole);
	free(node->stack);
	free(node->brief);
	free(node->name);
	free(node);
}

void groups_destroy(struct groups *groups)
{
	if (!groups)
		return;
	while (groups->orphans) {
		struct node *node = groups->orphans;

		groups->orphans = node->orphan_next;
		node_destroy(node);
	}
	while (groups->roots) {
		struct root *root = groups->roots;

		groups->roots = root->next;
		node_destroy(root->node);
		free(root);
	}
	free(groups);
}

/* ---- one call ---- */

static int render_texts(struct groups *groups, struct node *node, struct kcatch_session *session,
			const struct kcatch_event *event)
{
	const struct kcatch_probe *probe;
	size_t size;
	FILE *out;
	int ret = kcatch_session_probe(session, event->probe, &probe);

	if (ret)
		return ret;
	out = open_memstream(&node->brief, &size);
	if (!out)
		return -ENOMEM;
	ret = render_call(out, session, event, probe, groups->options,
			  groups->options->tree ? TREE_INDENT + 2 * (size_t)event->level : CHAIN_INDENT);
	fclose(out);
	if (ret < 0)
		return ret;
	node->failed = ret > 0;
	out = open_memstream(&node->name, &size);
	if (!out)
		return -ENOMEM;
	render_function(out, probe);
	fclose(out);
	out = open_memstream(&node->stack, &size);
	if (!out)
		return -ENOMEM;
	render_head(out, event, probe);
	ret = render_stack(out, session, event, groups->options);
	fclose(out);
	return ret;
}

static int node_create(struct groups *groups, struct kcatch_session *session,
		       const struct kcatch_event *event, struct node **made)
{
	struct node *node = calloc(1, sizeof(*node));
	const struct kcatch_value *value;
	size_t size;
	FILE *out;
	int ret = 0;

	if (!node)
		return -ENOMEM;
	node->call = event->call;
	node->parent_call = event->parent;
	node->latency_ns = event->latency_ns;
	node->seen = event->returned == KCATCH_RETURN_SEEN;
	if (node->seen && !kcatch_session_return_value(session, &value))
		node->ret = (int64_t)value->number;
	/* In a tree the outermost call alone shows who called it. */
	if (!groups->options->json)
		ret = render_texts(groups, node, session, event);
	out = ret ? NULL : open_memstream(&node->whole, &size);
	if (out) {
		ret = groups->renderer->event(out, session, event, groups->options);
		fclose(out);
	} else if (!ret) {
		ret = -ENOMEM;
	}
	if (ret) {
		node_destroy(node);
		return ret;
	}
	*made = node;
	return 0;
}

/* ---- where it belongs ---- */

static struct node *find_below(struct node *node, uint64_t call)
{
	struct node *child, *found;

	if (node->call == call)
		return node;
	/* The innermost that came last is the likely one. */
	if (node->last && (found = find_below(node->last, call)))
		return found;
	for (child = node->children; child && child != node->last; child = child->next) {
		found = find_below(child, call);
		if (found)
			return found;
	}
	return NULL;
}

static void adopt(struct node *parent, struct node *child)
{
	child->parent = parent;
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->children = child;
	parent->last = child;
}

static struct node *find_parent(struct groups *groups, uint64_t call)
{
	struct root *root;
	struct node *orphan, *found;

	for (root = groups->roots; root; root = root->next) {
		found = find_below(root->node, call);
		if (found) {
			root->quiet = 0;
			return found;
		}
	}
	for (orphan = groups->orphans; orphan; orphan = orphan->orphan_next) {
		found = find_below(orphan, call);
		if (found)
			return found;
	}
	return NULL;
}

/* Calls that came before this one and belong under it. */
static void adopt_orphans(struct groups *groups, struct node *node)
{
	struct node **link = &groups->orphans;

	while (*link) {
		struct node *orphan = *link;

		if (orphan->parent_call != node->call) {
			link = &orphan->orphan_next;
			continue;
		}
		*link = orphan->orphan_next;
		groups->nr_orphans--;
		adopt(node, orphan);
	}
}

static int add_root(struct groups *groups, struct node *node)
{
	struct root *root = calloc(1, sizeof(*root));

	if (!root)
		return -ENOMEM;
	root->node = node;
	*groups->roots_end = root;
	groups->roots_end = &root->next;
	groups->count++;
	return 0;
}

static void add_orphan(struct groups *groups, struct node *node)
{
	struct node **end = &groups->orphans;

	while (*end)
		end = &(*end)->orphan_next;
	*end = node;
	node->orphan_next = NULL;
	groups->nr_orphans++;
}

int groups_add(struct groups *groups, struct kcatch_session *session,
	       const struct kcatch_event *event)
{
	struct node *node, *parent;
	int ret = node_create(groups, session, event, &node);

	if (ret)
		return ret;
	adopt_orphans(groups, node);
	if (!node->parent_call || groups->nr_orphans >= ORPHANS_MAX) {
		ret = add_root(groups, node);
		if (ret)
			node_destroy(node);
		return ret;
	}
	parent = find_parent(groups, node->parent_call);
	if (parent)
		adopt(parent, node);
	else
		add_orphan(groups, node);
	return 0;
}

uint64_t groups_count(const struct groups *groups)
{
	return groups->count;
}

/* ---- printing ---- */

static uint64_t print_whole(const struct node *node)
{
	const struct node *child;
	uint64_t count = 1;

	fputs(node->whole, stdout);
	for (child = node->children; child; child = child->next)
		count += print_whole(child);
	return count;
}

static uint64_t print_branch(const struct node *node, unsigned int level)
{
	const struct colours *c = render_colours();
	const struct node *child;
	char latency[24] = "?";
	uint64_t count = 1;

	if (node->seen)
		value_text_latency(node->latency_ns, latency, sizeof(latency));
	printf("%12s %s%c%s %*s%s\n", latency, node->failed ? c->warn : "", node->failed ? '!' : ' ',
	       node->failed ? c->off : "", (int)(2 * level), "", node->brief);
	for (child = node->children; child; child = child->next)
		count += print_branch(child, level + 1);
	return count;
}

static uint64_t print_tree(const struct node *root)
{
	uint64_t count;

	fputs(root->stack, stdout);
	count = print_branch(root, 0);
	putchar('\n');
	return count;
}

/* Where the failure came from: down along the calls that returned the same. */
static const struct node *deepest(const struct node *node)
{
	const struct node *child, *same, *last;

	for (;; node = same ? same : last) {
		same = last = NULL;
		for (child = node->children; child; child = child->next) {
			last = child;
			if (child->ret == node->ret)
				same = child;
		}
		if (!last)
			return node;
	}
}

static uint64_t count_calls(const struct node *node)
{
	const struct node *child;
	uint64_t count = 1;

	for (child = node->children; child; child = child->next)
		count += count_calls(child);
	return count;
}

/* Failing calls of the tree that are not on the way from @way to the outermost. */
static void print_others(const struct node *node, const struct node *way)
{
	const struct node *child, *on;
	bool is_on = false;

	for (on = way; on; on = on->parent)
		is_on |= on == node;
	if (!is_on)
		printf("    also failed inside: %s\n", node->brief);
	for (child = node->children; child; child = child->next)
		print_others(child, way);
}

/* The deepest with its stack, then who it passed through, inside out. */
static uint64_t print_chain(const struct node *root)
{
	const struct node *first = deepest(root), *node;
	size_t length = strlen(first->whole);
	char latency[24];

	/* The empty line at the end of the event comes after the chain. */
	if (length > 1 && first->whole[length - 1] == '\n' && first->whole[length - 2] == '\n')
		length--;
	fwrite(first->whole, 1, length, stdout);
	if (first != root)
		fputs("  the failing calls above it, inside out:\n", stdout);
	for (node = first->parent; node; node = node->parent) {
		value_text_latency(node->latency_ns, latency, sizeof(latency));
		printf("    %s %s  after %s\n", node->ret == first->ret ? "passed on by" : "then failed", node->brief,
		       latency);
	}
	print_others(root, first);
	putchar('\n');
	return count_calls(root);
}

static void print_root(struct groups *groups, const struct node *node, struct outcome *outcome)
{
	const struct options *options = groups->options;

	if (options->count && outcome->shown >= options->count)
		return;
	outcome->shown++;
	if (options->json)
		outcome->events += print_whole(node);
	else if (options->tree)
		outcome->events += print_tree(node);
	else
		outcome->events += print_chain(node);
}

void groups_flush(struct groups *groups, bool everything, struct outcome *outcome)
{
	struct root **link = &groups->roots;

	while (everything && groups->orphans) {
		struct node *orphan = groups->orphans;

		groups->orphans = orphan->orphan_next;
		groups->nr_orphans--;
		if (add_root(groups, orphan))
			node_destroy(orphan);
	}
	while (*link) {
		struct root *root = *link;

		if (!everything && ++root->quiet < QUIET_LOOKS) {
			link = &root->next;
			continue;
		}
		*link = root->next;
		print_root(groups, root->node, outcome);
		node_destroy(root->node);
		free(root);
	}
	groups->roots_end = link;
}
