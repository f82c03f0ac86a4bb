/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_tree_test.c - calls that come in any order, and how much work that is
 *
 * Description: the trees of --tree and --errors are right whatever comes first, and a call
 * costs the same among 300,000 as among three.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "call_tree.h"

#define MANY 300000U

static uint64_t destroyed;

static void destroy(struct call_node *node)
{
	destroyed++;
	free(node);
}

static struct call_tree empty_tree(size_t bytes_max)
{
	destroyed = 0;
	return (struct call_tree){ .destroy = destroy, .bytes_max = bytes_max };
}

static void add(struct call_tree *tree, uint64_t call, uint64_t parent)
{
	struct call_node *node = calloc(1, sizeof(*node));

	node->call = call;
	node->parent_call = parent;
	node->bytes = 100;
	assert_int_equal(call_tree_add(tree, node), 0);
}

/* "1(2(3)4)" and "!" before a root that was torn off. */
static void write_node(const struct call_node *node, FILE *out)
{
	const struct call_node *child;

	fprintf(out, "%s%llu", node->torn ? "!" : "", (unsigned long long)node->call);
	if (node->children)
		fputc('(', out);
	for (child = node->children; child; child = child->next) {
		assert_ptr_equal(child->parent, node);
		if (child != node->children)
			fputc(' ', out);
		write_node(child, out);
	}
	if (node->children)
		fputc(')', out);
}

static void write_root(struct call_node *root, void *arg)
{
	write_node(root, arg);
	fputc(';', arg);
}

static void expect(struct call_tree *tree, unsigned int looks, const char *expected)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	call_tree_flush(tree, looks, write_root, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void order_does_not_matter(void **state)
{
	struct call_tree tree = empty_tree(SIZE_MAX);

	(void)state;
	add(&tree, 1, 0);
	add(&tree, 2, 1);
	add(&tree, 3, 2);
	expect(&tree, 0, "1(2(3));");
	add(&tree, 3, 2);
	add(&tree, 2, 1);
	add(&tree, 4, 1);
	add(&tree, 1, 0);
	expect(&tree, 0, "1(2(3) 4);");
	add(&tree, 3, 2);
	add(&tree, 1, 0);
	add(&tree, 5, 1);
	add(&tree, 2, 1);
	add(&tree, 6, 2);
	add(&tree, 7, 0);
	expect(&tree, 0, "1(5 2(3 6));7;");
	assert_int_equal(destroyed, 13);
	assert_int_equal(tree.nr_roots, 4);
	call_tree_deinit(&tree);
}

static void outer_calls_that_never_come(void **state)
{
	struct call_tree tree = empty_tree(SIZE_MAX);

	(void)state;
	add(&tree, 12, 11);
	add(&tree, 22, 21);
	add(&tree, 13, 11);
	add(&tree, 14, 12);
	expect(&tree, 3, "");
	expect(&tree, 0, "12(14);22;13;");
	call_tree_deinit(&tree);
	assert_int_equal(destroyed, 4);
}

static void a_root_is_whole_when_nothing_comes(void **state)
{
	struct call_tree tree = empty_tree(SIZE_MAX);

	(void)state;
	add(&tree, 1, 0);
	add(&tree, 2, 1);
	expect(&tree, 3, "");
	expect(&tree, 3, "");
	add(&tree, 3, 2);
	add(&tree, 9, 0);
	expect(&tree, 3, "");
	expect(&tree, 3, "");
	expect(&tree, 3, "1(2(3));9;");
	call_tree_deinit(&tree);
}

static uint64_t sizes[4], nr_sizes;

static void count_root(struct call_node *root, void *arg)
{
	const struct call_node *child;

	(void)arg;
	sizes[nr_sizes] = 1;
	for (child = root->children; child; child = child->next)
		sizes[nr_sizes]++;
	nr_sizes++;
}

/* 300,000 calls inside one outer call, which comes last; then first. */
static void many_inner_calls(void **state)
{
	struct call_tree tree = empty_tree(SIZE_MAX);
	uint64_t i;

	(void)state;
	nr_sizes = 0;
	for (i = 2; i < MANY + 2; i++)
		add(&tree, i, 1);
	add(&tree, 1, 0);
	call_tree_flush(&tree, 0, count_root, NULL);
	add(&tree, 1, 0);
	for (i = 2; i < MANY + 2; i++)
		add(&tree, i, 1);
	call_tree_flush(&tree, 0, count_root, NULL);
	assert_int_equal(nr_sizes, 2);
	assert_int_equal(sizes[0], MANY + 1);
	assert_int_equal(sizes[1], MANY + 1);
	assert_int_equal(tree.nr_roots, 2);
	assert_int_equal(tree.torn, 0);
	/* A few links each: a list that is walked makes it 45,000,000,000. */
	assert_in_range(tree.steps, 1, 32 * (uint64_t)MANY);
	call_tree_deinit(&tree);
	assert_int_equal(destroyed, 2 * (MANY + 1));
}

/* As many calls, each of which waits for an outer one of its own. */
static void many_outer_calls(void **state)
{
	struct call_tree tree = empty_tree(SIZE_MAX);
	uint64_t i;

	(void)state;
	for (i = 1; i <= MANY; i++)
		add(&tree, 2 * i, 2 * i + 1);
	for (i = MANY; i; i--)
		add(&tree, 2 * i + 1, 0);
	assert_int_equal(tree.nr_roots, MANY);
	assert_in_range(tree.steps, 1, 32 * (uint64_t)MANY);
	call_tree_deinit(&tree);
	assert_int_equal(destroyed, 2 * MANY);
}

/* Above the limit orphans are torn off, which is told; what has its outer call is not. */
static void room_for_orphans_ends(void **state)
{
	struct call_tree tree = empty_tree(350);

	(void)state;
	add(&tree, 12, 11);
	add(&tree, 13, 11);
	add(&tree, 14, 11);
	add(&tree, 15, 11);
	add(&tree, 16, 15);
	add(&tree, 11, 0);
	add(&tree, 17, 11);
	assert_int_equal(tree.torn, 1);
	assert_int_equal(tree.nr_roots, 1);
	expect(&tree, 0, "!15(16);11(12 13 14 17);");
	call_tree_deinit(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(outer_calls_that_never_come),
		cmocka_unit_test(a_root_is_whole_when_nothing_comes),
		cmocka_unit_test(many_inner_calls),
		cmocka_unit_test(many_outer_calls),
		cmocka_unit_test(room_for_orphans_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
