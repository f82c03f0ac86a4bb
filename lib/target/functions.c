/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * functions.c - lists the functions that match a pattern and can be traced
 *
 * Two lists are combined: functions that ftrace can hook (tracefs), and other symbols that
 * kprobes may probe. Memory: the matching functions.
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

struct list {
	const struct kcatch_target_spec *spec;
	struct kcatch_table known;	/* "name\0module": place in @entries */
	struct entry *entries;
	size_t count;
	struct kcatch_blacklist blacklist;
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
	struct list *list = arg;

	if (!strcmp(module, "kcatch") || !kcatch_target_matches(list->spec, name, module))
		return 0;
	return entry_of(list, name, module, KCATCH_BY_FTRACE) ? 0 : kcatch_error_memory();
}

static int visit_symbol(const struct kcatch_kallsym *symbol, void *arg)
{
	struct list *list = arg;
	struct entry *entry;

	if (symbol->in_init || !kcatch_kallsyms_is_function(symbol) ||
	    kcatch_kallsyms_is_label(symbol) ||
	    !strcmp(symbol->module, "kcatch"))
		return 0;
	if (!kcatch_target_matches(list->spec, symbol->name, symbol->module) ||
	    kcatch_blacklist_has(&list->blacklist, symbol->name, symbol->length))
		return 0;
	entry = entry_of(list, symbol->name, symbol->module, KCATCH_BY_KPROBE);
	if (!entry)
		return kcatch_error_memory();
	entry->instances++;
	return 0;
}

static int by_name(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->module, b->module);

	return order ? order : strcmp(a->name, b->name);
}

static void list_deinit(struct list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free(list->entries[i].name);
	free(list->entries);
	kcatch_table_deinit(&list->known);
	kcatch_blacklist_deinit(&list->blacklist);
}

int kcatch_functions_list(const char *pattern,
			  int (*visit)(const struct kcatch_function *function, void *arg),
			  void *arg)
{
	struct kcatch_target_spec spec;
	struct list list = { .spec = &spec };
	size_t i;
	int ret;

	ret = kcatch_target_parse(pattern, &spec);
	if (ret)
		return ret;
	ret = kcatch_ftrace_list_read(visit_ftrace, &list);
	/* Without the blacklist nobody knows what a kprobe may touch: say nothing then. */
	if (!ret && !kcatch_blacklist_init(&list.blacklist))
		ret = kcatch_kallsyms_read_all(visit_symbol, &list);
	if (!ret && !list.count)
		ret = kcatch_diagnose(&spec, ENOENT, NULL);
	if (!ret)
		qsort(list.entries, list.count, sizeof(*list.entries), by_name);
	for (i = 0; !ret && i < list.count; i++) {
		const struct entry *entry = &list.entries[i];
		struct kcatch_function function = {
			.name = entry->name,
			.module = entry->module[0] ? entry->module : NULL,
			.mechanism = entry->mechanism,
			.instances = entry->instances ? entry->instances : 1,
		};

		ret = visit(&function, arg);
	}
	list_deinit(&list);
	kcatch_target_deinit(&spec);
	return ret;
}
