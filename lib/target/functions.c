/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * functions.c - lists the functions that match patterns and can be traced
 *
 * Two lists are combined: functions that ftrace can hook (tracefs), and other symbols that
 * kprobes may probe. Each is read once for all patterns: it has 60,000 lines and more. Memory: the
 * matching functions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "target/blacklist.h"
#include "target/diagnose.h"
#include "target/ftrace_list.h"
#include <kcatch.h>
#include "target/target.h"

struct entry {
	char *name;
	char *module;		/* behind @name in the same memory; "" for the kernel */
	enum kcatch_mechanism mechanism;
	unsigned int instances;
};

/* Of one pattern. */
struct list {
	struct kcatch_target_spec spec;
	struct kcatch_table known;	/* "name\0module": place in @entries */
	struct entry *entries;
	size_t count;
};

struct kcatch_functions {
	struct kcatch_blacklist blacklist;
	unsigned int nr;
	struct list lists[];
};

/* Find or make the entry of a function. NULL: no memory. */
static struct entry *entry_of(struct list *list, const char *name, const char *module,
			      enum kcatch_mechanism mechanism)
{
	size_t length = strlen(name) + 1 + strlen(module), *place;
	char *key = malloc(length + 1);
	struct entry *entries;

	if (!key)
		return NULL;
	memcpy(key, name, strlen(name) + 1);
	strcpy(key + strlen(name) + 1, module);
	place = kcatch_table_find(&list->known, key, length);
	if (place) {
		free(key);
		return &list->entries[*place];
	}
	entries = kcatch_array_grow(list->entries, list->count, sizeof(*entries));
	if (entries)
		list->entries = entries;
	if (!entries || kcatch_table_add(&list->known, key, length, list->count) < 0) {
		free(key);
		return NULL;
	}
	list->entries[list->count] = (struct entry){
		.name = key, .module = key + strlen(name) + 1, .mechanism = mechanism,
	};
	return &list->entries[list->count++];
}

static int visit_ftrace(const char *name, const char *module, void *arg)
{
	struct kcatch_functions *functions = arg;
	struct list *list;

	if (!strcmp(module, "kcatch"))
		return 0;
	for (list = functions->lists; list < functions->lists + functions->nr; list++)
		if (kcatch_target_matches(&list->spec, name, module) &&
		    !entry_of(list, name, module, KCATCH_BY_FTRACE))
			return kcatch_error_memory();
	return 0;
}

static int visit_symbol(const struct kcatch_kallsym *symbol, void *arg)
{
	struct kcatch_functions *functions = arg;
	struct entry *entry;
	struct list *list;

	if (symbol->in_init || !kcatch_kallsyms_is_function(symbol) ||
	    kcatch_kallsyms_is_label(symbol) || !strcmp(symbol->module, "kcatch"))
		return 0;
	for (list = functions->lists; list < functions->lists + functions->nr; list++) {
		if (!kcatch_target_matches(&list->spec, symbol->name, symbol->module) ||
		    kcatch_blacklist_has(&functions->blacklist, symbol->name, symbol->length))
			continue;
		entry = entry_of(list, symbol->name, symbol->module, KCATCH_BY_KPROBE);
		if (!entry)
			return kcatch_error_memory();
		entry->instances++;
	}
	return 0;
}

static int by_name(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->module, b->module);

	return order ? order : strcmp(a->name, b->name);
}

static int find_all(struct kcatch_functions *functions, const char *const *patterns,
		    unsigned int nr)
{
	int ret = 0;

	while (!ret && functions->nr < nr) {
		ret = kcatch_target_parse(patterns[functions->nr],
					  &functions->lists[functions->nr].spec);
		functions->nr += !ret;
	}
	if (!ret)
		ret = kcatch_ftrace_list_read(visit_ftrace, functions);
	/* Without the blacklist nobody knows what a kprobe may touch: say nothing then. */
	if (!ret && !kcatch_blacklist_init(&functions->blacklist))
		ret = kcatch_kallsyms_read_all(visit_symbol, functions);
	return ret;
}

int kcatch_functions_create(const char *const *patterns, unsigned int nr,
			    struct kcatch_functions **functions)
{
	struct kcatch_functions *new = calloc(1, sizeof(*new) + nr * sizeof(new->lists[0]));
	struct list *list;
	int ret;

	*functions = NULL;
	if (!new)
		return kcatch_error_memory();
	ret = find_all(new, patterns, nr);
	if (ret) {
		kcatch_functions_destroy(new);
		return ret;
	}
	for (list = new->lists; list < new->lists + nr; list++)
		if (list->count)
			qsort(list->entries, list->count, sizeof(*list->entries), by_name);
	*functions = new;
	return 0;
}

int kcatch_functions_list(const struct kcatch_functions *functions, unsigned int index,
			  int (*visit)(const struct kcatch_function *function, void *arg),
			  void *arg)
{
	const struct list *list = &functions->lists[index];
	size_t i;
	int ret = list->count ? 0 : kcatch_diagnose(&list->spec, ENOENT, NULL);

	for (i = 0; !ret && i < list->count; i++) {
		const struct entry *entry = &list->entries[i];
		struct kcatch_function function = {
			.name = entry->name,
			.module = entry->module[0] ? entry->module : NULL,
			.mechanism = entry->mechanism,
			.instances = entry->instances ? entry->instances : 1,
		};

		ret = visit(&function, arg);
	}
	return ret;
}

void kcatch_functions_destroy(struct kcatch_functions *functions)
{
	unsigned int i;
	size_t j;

	if (!functions)
		return;
	for (i = 0; i < functions->nr; i++) {
		struct list *list = &functions->lists[i];

		for (j = 0; j < list->count; j++)
			free(list->entries[j].name);
		free(list->entries);
		kcatch_table_deinit(&list->known);
		kcatch_target_deinit(&list->spec);
	}
	kcatch_blacklist_deinit(&functions->blacklist);
	free(functions);
}
