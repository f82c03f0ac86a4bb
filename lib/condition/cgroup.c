/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * cgroup.c - the name `cgroup` in a condition: a number in the kernel, a path for people
 *
 * A path becomes the id of its cgroup. "PATH/" with a star is the cgroups below PATH: the id of the
 * ancestor at PATH's level is compared, so that cgroups which are made later count too. Any other
 * pattern is the ids of those that match it now. In a recording, the paths themselves are compared.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <kcatch_text.h>
#include "base/cgroups.h"
#include "base/printable.h"
#include "condition/typing.h"

#define MATCHES_MAX 64U	/* cgroups that a pattern may match */

typedef const struct kcatch_expression_node node;

/* The id of the thread's cgroup, or of its ancestor at a level. */
static const struct ir *load_id(struct condition *c, uint32_t at, bool ancestor, unsigned int level)
{
	const struct chain *chain = chain_link(c, NULL, LINK_CGROUP, ancestor, 0,
					       (int32_t)level);
	int item = item_find(c, chain);

	if (item == -E2BIG)
		term_error(c, EINVAL, at, "too much has to be read from memory; ask for less");
	if (item < 0)
		return NULL;
	return ir_make(c, (struct ir){ .op = IR_LOAD, .wide = true, .at = at, .item = item });
}

int cgroup_lookup(struct condition *c, node *it, struct term *term)
{
	term->is_cgroup = true;
	if (c->recorded)
		return recorded_cgroup(c, it, term);
	term->kind = TERM_NUMBER;
	term->ir = load_id(c, it->at, false, 0);
	return term->ir ? 0 : -EINVAL;
}

static const struct ir *equals(struct condition *c, const struct ir *id, uint64_t number)
{
	return ir_compare(c, KCATCH_EX_EQ, id, ir_const(c, number, true, false));
}

/* kcatch_cgroup_find() with an error text that points to the place. */
static int find(struct condition *c, const struct term *path, const char *text, uint64_t *id,
		unsigned int *level)
{
	char reason[600];
	int ret = kcatch_cgroup_find(text, id, level);

	if (!ret)
		return 0;
	snprintf(reason, sizeof(reason), "%s", kcatch_error_text());
	return term_error(c, -ret, path->at, "%s", reason);
}

static int below(struct condition *c, const struct term *term, const struct term *path,
		 const struct ir **ir)
{
	char text[KCATCH_CGROUP_PATH_MAX];
	unsigned int level;
	uint64_t id;
	int ret;

	snprintf(text, sizeof(text), "%.*s", (int)path->length - 2, path->text);
	ret = find(c, path, text, &id, &level);
	if (ret)
		return ret;
	*ir = ir_truth(c, IR_ALL, equals(c, load_id(c, path->at, true, level), id),
		       ir_truth(c, IR_NOT, equals(c, term->ir, id), NULL));
	return *ir ? 0 : -ENOMEM;
}

struct matching {
	struct condition *c;
	const struct term *term;
	const char *pattern;
	const struct ir *any;
	unsigned int nr;
};

static int match(void *arg, uint64_t id, const char *path)
{
	struct matching *matching = arg;
	const struct ir *one;

	if (!kcatch_glob_match(matching->pattern, path))
		return 0;
	if (++matching->nr > MATCHES_MAX)
		return -E2BIG;
	one = equals(matching->c, matching->term->ir, id);
	matching->any = matching->any ? ir_truth(matching->c, IR_ANY, matching->any, one) : one;
	return matching->any ? 0 : -ENOMEM;
}

static int matches(struct condition *c, const struct term *term, const struct term *path,
		   const struct ir **ir)
{
	struct matching matching = { .c = c, .term = term };
	struct term plain = *path;
	int ret = cgroup_plain_path(c, &plain);

	if (ret)
		return ret;
	matching.pattern = plain.text;
	ret = kcatch_cgroup_each(match, &matching);
	if (ret == -E2BIG)
		return term_error(c, EINVAL, path->at, "more than %u cgroups match; \"PATH/*\" is any "
				  "number of them", MATCHES_MAX);
	if (!ret && !matching.nr)
		return term_error(c, ENOENT, path->at, "no cgroup matches this now; \"PATH/*\" is also "
				  "those below PATH that are made later");
	*ir = matching.any;
	return ret;
}

int cgroup_compare(struct condition *c, node *it, const struct term *term, const struct term *path,
		   struct term *result)
{
	size_t special = strcspn(path->text, "*?[");
	const struct ir *ir = NULL;
	uint64_t id;
	int ret;

	if (it->op != KCATCH_EX_EQ && it->op != KCATCH_EX_NE && it->op != KCATCH_EX_MATCH)
		return term_error(c, EINVAL, it->at, "paths of cgroups are compared by == != and ~");
	if (it->op == KCATCH_EX_MATCH && special + 1 == path->length && special > 0 &&
	    !strcmp(path->text + special - 1, "/*")) {
		ret = below(c, term, path, &ir);
	} else if (it->op == KCATCH_EX_MATCH && special < path->length) {
		ret = matches(c, term, path, &ir);
	} else {
		ret = find(c, path, path->text, &id, NULL);
		if (!ret)
			ir = equals(c, term->ir, id);
	}
	if (ret)
		return ret;
	if (it->op == KCATCH_EX_NE)
		ir = ir_truth(c, IR_NOT, ir, NULL);
	*result = (struct term){ .kind = TERM_TRUTH, .at = it->at, .ir = ir };
	return ir ? 0 : -ENOMEM;
}

/* ---- in a recording ---------------------------------------------------------------------- */

/*
 * A path in the form that recordings have: it begins behind the mount point, and each component has
 * one slash before it. kcatch_cgroup_find() takes the other forms too.
 */
int cgroup_plain_path(struct condition *c, struct term *path)
{
	static const char mount[] = "/sys/fs/cgroup";
	const char *from = path->text, *end = path->text + path->length;
	size_t skip = sizeof(mount) - 1, length = 0;
	char *text;

	if (path->length >= skip && !memcmp(from, mount, skip) &&
	    (path->length == skip || from[skip] == '/'))
		from += skip;
	if (from < end && *from != '/' && !strchr("*?[", *from))
		return term_error(c, EINVAL, path->at, "%s is no path of a cgroup; it begins at the root: "
				  "/system.slice", SHOWN(path->text));
	text = kcatch_pieces_take(&c->pieces, (size_t)(end - from) + 2);
	if (!text)
		return kcatch_error_memory();
	for (; from < end; from++)
		if (*from != '/' || !length || text[length - 1] != '/')
			text[length++] = *from;
	if (length > 1 && text[length - 1] == '/')
		length--;
	if (!length)
		text[length++] = '/';
	text[length] = '\0';
	path->text = text;
	path->length = length;
	return 0;
}
