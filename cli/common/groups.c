/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.c - show related calls together: trees of calls (--tree), chains of failures (--errors)
 *
 * A call is rendered when it is read, because its values are valid no longer, and is then
 * added to a tree under its caller. An outermost call is printed with all its inner calls at
 * the end, or at the QUIET_LOOKS-th flush after the last of these calls was added. A call may
 * be read before its caller.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "call_tree.h"
#include "command.h"
#include "groups.h"
#include "value_text.h"

#define TREE_INDENT 15	/* columns before the name of a call */
#define CHAIN_INDENT 35	/* columns taken by the other text of a chain's line */
#define QUIET_LOOKS 3	/* as @looks of call_tree_flush() */
#define BYTES_MAX (256U << 20)	/* of rendered calls; above it no orphan is kept */

struct node {
	struct call_node place;	/* first member: node_at() converts back */
	uint64_t latency_ns;
	int64_t ret;
	bool seen;		/* the return was caught: latency_ns and ret are valid */
	bool failed;
	char *whole;		/* rendered as an event of its own */
	char *stack;		/* text only: head and stack */
	char *brief;		/* text only: the call in one line */
	char spent[128];	/* where its time went; empty: all of it on the CPU */
};

struct groups {
	const struct renderer *renderer;
	const struct render_options *view;
	bool json;
	bool tree;
	struct outcome *outcome;	/* valid during groups_flush() */
	struct call_tree calls;
};

static const struct node *node_at(const struct call_node *place)
{
	return (const struct node *)place;
}

static void node_destroy(struct call_node *place)
{
	struct node *node = (struct node *)place;

	free(node->whole);
	free(node->stack);
	free(node->brief);
	free(node);
}

struct groups *groups_create(const struct renderer *renderer, const struct render_options *view,
			     bool json, bool tree)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups)
		return NULL;
	groups->renderer = renderer;
	groups->view = view;
	groups->json = json;
	groups->tree = tree;
	groups->calls.destroy = node_destroy;
	groups->calls.bytes_max = BYTES_MAX;
	return groups;
}

void groups_destroy(struct groups *groups)
{
	if (!groups)
		return;
	call_tree_deinit(&groups->calls);
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
	ret = render_call(out, session, event, probe, groups->view,
			  groups->tree ? TREE_INDENT + 2 * (size_t)event->level : CHAIN_INDENT);
	fclose(out);
	if (ret < 0)
		return ret;
	node->failed = ret > 0;
	out = open_memstream(&node->stack, &size);
	if (!out)
		return -ENOMEM;
	render_head(out, session, event, probe, groups->view);
	ret = render_stack(out, session, event, groups->view);
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
	node->latency_ns = event->latency_ns;
	node->seen = event->returned == KCATCH_RETURN_SEEN;
	value_text_spent(event, node->spent, sizeof(node->spent));
	if (node->seen && !kcatch_session_return_value(session, &value))
		node->ret = (int64_t)value->number;
	/* Which parts are printed depends on the call's place, which is not known yet. */
	if (!groups->json)
		ret = render_texts(groups, node, session, event);
	out = ret ? NULL : open_memstream(&node->whole, &size);
	if (out) {
		ret = groups->renderer->event(out, session, event, groups->view);
		fclose(out);
	} else if (!ret) {
		ret = -ENOMEM;
	}
	if (ret) {
		node_destroy(&node->place);
		return ret;
	}
	*made = node;
	return 0;
}

static size_t length_of(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

int groups_add(struct groups *groups, struct kcatch_session *session,
	       const struct kcatch_event *event)
{
	struct node *node;
	int ret = node_create(groups, session, event, &node);

	if (ret)
		return ret;
	node->place.call = event->call;
	node->place.parent_call = event->parent;
	node->place.bytes = sizeof(*node) + length_of(node->whole) + length_of(node->stack) +
			    length_of(node->brief);
	ret = call_tree_add(&groups->calls, &node->place);
	if (ret)
		node_destroy(&node->place);
	return ret;
}

uint64_t groups_count(const struct groups *groups)
{
	return groups->calls.nr_roots;
}

uint64_t groups_torn(const struct groups *groups)
{
	return groups->calls.torn;
}

/* ---- printing ---- */

/* JSON: each call as an event of its own. Return: number of calls, as in all print functions. */
static uint64_t print_whole(const struct call_node *place)
{
	const struct call_node *child;
	uint64_t count = 1;

	fputs(node_at(place)->whole, stdout);
	for (child = place->children; child; child = child->next)
		count += print_whole(child);
	return count;
}

static uint64_t print_branch(const struct call_node *place, unsigned int level)
{
	const struct colours *c = render_colours();
	const struct node *node = node_at(place);
	const struct call_node *child;
	char latency[24] = "?";
	uint64_t count = 1;

	if (node->seen)
		value_text_latency(node->latency_ns, latency, sizeof(latency));
	printf("%12s %s%c%s %*s%s", latency, node->failed ? c->warn : "", node->failed ? '!' : ' ',
	       node->failed ? c->off : "", (int)(2 * level), "", node->brief);
	if (*node->spent)
		printf("  (%s)", node->spent);
	putchar('\n');
	for (child = place->children; child; child = child->next)
		count += print_branch(child, level + 1);
	return count;
}

static uint64_t print_tree(const struct call_node *root)
{
	uint64_t count;

	fputs(node_at(root)->stack, stdout);
	count = print_branch(root, 0);
	putchar('\n');
	return count;
}

/*
 * The call in which the failure began: follow the last child that returned the same value; if
 * none did, the last child.
 */
static const struct call_node *deepest(const struct call_node *place)
{
	const struct call_node *child, *same;

	for (; place->last; place = same ? same : place->last) {
		same = NULL;
		for (child = place->children; child; child = child->next) {
			if (node_at(child)->ret == node_at(place)->ret)
				same = child;
		}
	}
	return place;
}

static uint64_t count_calls(const struct call_node *place)
{
	const struct call_node *child;
	uint64_t count = 1;

	for (child = place->children; child; child = child->next)
		count += count_calls(child);
	return count;
}

/* Print the failing calls that are not on the path from @way up to the outermost call. */
static void print_others(const struct call_node *place, const struct call_node *way)
{
	const struct call_node *child, *on;
	bool is_on = false;

	for (on = way; on; on = on->parent)
		is_on |= on == place;
	if (!is_on)
		printf("    also failed inside: %s\n", node_at(place)->brief);
	for (child = place->children; child; child = child->next)
		print_others(child, way);
}

/* Print the deepest failing call with its stack, then its callers, innermost first. */
static uint64_t print_chain(const struct call_node *root)
{
	const struct call_node *first = deepest(root), *place;
	const char *whole = node_at(first)->whole;
	size_t length = strlen(whole);
	char latency[24];

	/* The empty line at the end of the event comes after the chain. */
	if (length > 1 && whole[length - 1] == '\n' && whole[length - 2] == '\n')
		length--;
	fwrite(whole, 1, length, stdout);
	if (first != root)
		fputs("  callers that failed as well, innermost first:\n", stdout);
	for (place = first->parent; place; place = place->parent) {
		const struct node *node = node_at(place);

		value_text_latency(node->latency_ns, latency, sizeof(latency));
		printf("    %s %s  after %s\n", node->ret == node_at(first)->ret ? "passed on by" : "then failed",
		       node->brief, latency);
	}
	print_others(root, first);
	putchar('\n');
	return count_calls(root);
}

static void print_root(struct call_node *root, void *arg)
{
	struct groups *groups = arg;
	struct outcome *outcome = groups->outcome;

	/* A torn root is printed, but does not count for -n. */
	if (!root->torn) {
		if (groups->view->count && outcome->shown >= groups->view->count)
			return;
		outcome->shown++;
	}
	if (groups->json)
		outcome->events += print_whole(root);
	else if (groups->tree)
		outcome->events += print_tree(root);
	else
		outcome->events += print_chain(root);
}

void groups_flush(struct groups *groups, bool everything, struct outcome *outcome)
{
	groups->outcome = outcome;
	call_tree_flush(&groups->calls, everything ? 0 : QUIET_LOOKS, print_root, groups);
}
