/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * name_match.c - resolves many names and patterns to addresses
 *
 * The kernel resolves a few names faster than kallsyms can be read, but walks all its symbols
 * for each name. Above a certain number of names, one reading of kallsyms is cheaper.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_containers.h>
#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/array.h"
#include "base/machine.h"
#include "target/ftrace_list.h"
#include "target/name_match.h"

struct resolver {
	const struct kcatch_target_spec *specs;
	size_t nr_specs;
	struct kcatch_table names;	/* symbol: first spec of that symbol */
	size_t *next;			/* spec: next of the same symbol, or nr_specs */
	size_t *patterns;		/* specs that are patterns */
	size_t nr_patterns;
	struct kcatch_table reached;	/* of what patterns match: names that ftrace reaches */
	struct kcatch_place *places;
	size_t nr_places;
};

static int found(struct resolver *resolver, uint64_t address, size_t spec)
{
	struct kcatch_place *places = kcatch_array_grow(resolver->places, resolver->nr_places,
							sizeof(*places));

	if (!places)
		return kcatch_error_memory();
	resolver->places = places;
	places[resolver->nr_places].address = address;
	places[resolver->nr_places++].spec = (uint32_t)spec;
	return 0;
}

static int visit(const struct kcatch_kallsym *symbol, void *arg)
{
	struct resolver *resolver = arg;
	const size_t *first;
	size_t i;
	int ret;

	if (!kcatch_kallsyms_is_function(symbol) || symbol->in_init)
		return 0;
	if (!symbol->address)
		return kcatch_error_set(EACCES, "the kernel hides its addresses %s",
					kcatch_machine_hidden_text());
	first = kcatch_table_find(&resolver->names, symbol->name, symbol->length);
	for (i = first ? *first : resolver->nr_specs; i < resolver->nr_specs;
	     i = resolver->next[i]) {
		const struct kcatch_target_spec *spec = &resolver->specs[i];

		if (spec->module && strcmp(spec->module, symbol->module))
			continue;
		ret = found(resolver, symbol->address, i);
		if (ret)
			return ret;
	}
	if (!resolver->nr_patterns ||
	    !kcatch_table_find(&resolver->reached, symbol->name, symbol->length))
		return 0;
	for (i = 0; i < resolver->nr_patterns; i++) {
		if (!kcatch_target_matches(&resolver->specs[resolver->patterns[i]], symbol->name,
					   symbol->module))
			continue;
		ret = found(resolver, symbol->address, resolver->patterns[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* A pattern means what ftrace reaches: hundreds of kprobes are nobody's wish. */
static int visit_reached(const char *name, const char *module, void *arg)
{
	struct resolver *resolver = arg;
	size_t length = strlen(name), i;
	char *copy;
	int ret;

	for (i = 0; i < resolver->nr_patterns; i++) {
		if (!kcatch_target_matches(&resolver->specs[resolver->patterns[i]], name, module))
			continue;
		copy = strdup(name);
		ret = copy ? kcatch_table_add(&resolver->reached, copy, length, i) : -ENOMEM;
		if (ret)
			free(copy);
		return ret < 0 ? kcatch_error_memory() : 0;
	}
	return 0;
}

static int prepare(struct resolver *resolver)
{
	size_t i;
	int ret;

	resolver->next = malloc((resolver->nr_specs + 1) * sizeof(*resolver->next));
	resolver->patterns = malloc((resolver->nr_specs + 1) * sizeof(*resolver->patterns));
	if (!resolver->next || !resolver->patterns)
		return kcatch_error_memory();
	for (i = 0; i < resolver->nr_specs; i++) {
		const char *symbol = resolver->specs[i].symbol;

		resolver->next[i] = resolver->nr_specs;
		if (resolver->specs[i].is_pattern) {
			resolver->patterns[resolver->nr_patterns++] = i;
			continue;
		}
		ret = kcatch_table_add(&resolver->names, symbol, strlen(symbol), i);
		if (ret < 0)
			return kcatch_error_memory();
		if (ret) {
			size_t *first = kcatch_table_find(&resolver->names, symbol, strlen(symbol));

			resolver->next[i] = *first;
			*first = i;
		}
	}
	return resolver->nr_patterns ? kcatch_ftrace_list_read(visit_reached, resolver) : 0;
}

static int by_address(const void *left, const void *right, void *arg)
{
	const struct kcatch_target_spec *specs = arg;
	const struct kcatch_place *a = left, *b = right;
	const struct kcatch_target_spec *spec_a = &specs[a->spec], *spec_b = &specs[b->spec];

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (spec_a->offset != spec_b->offset)
		return spec_a->offset < spec_b->offset ? -1 : 1;
	if (spec_a->is_pattern != spec_b->is_pattern)
		return spec_a->is_pattern ? 1 : -1;
	return a->spec < b->spec ? -1 : a->spec > b->spec;
}

static int by_spec(const void *left, const void *right)
{
	const struct kcatch_place *a = left, *b = right;

	if (a->spec != b->spec)
		return a->spec < b->spec ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* Each address and offset once; also finds a spec that found nothing. */
static int tidy(struct resolver *resolver, size_t *missing, size_t *nr_missing)
{
	struct kcatch_place *places = resolver->places;
	bool *seen = calloc(resolver->nr_specs + 1, sizeof(*seen));
	size_t i, kept = 0;

	if (!seen)
		return kcatch_error_memory();
	/* Before doubles go: what another spec has taken was found all the same. */
	for (i = 0; i < resolver->nr_places; i++)
		seen[places[i].spec] = true;
	*missing = resolver->nr_specs;
	*nr_missing = 0;
	for (i = resolver->nr_specs; i > 0; i--) {
		if (seen[i - 1])
			continue;
		*missing = i - 1;
		++*nr_missing;
	}
	free(seen);
	if (!resolver->nr_places)
		return 0;
	qsort_r(places, resolver->nr_places, sizeof(*places), by_address, (void *)resolver->specs);
	for (i = 1; i < resolver->nr_places; i++) {
		if (places[i].address == places[kept].address &&
		    resolver->specs[places[i].spec].offset ==
			    resolver->specs[places[kept].spec].offset)
			continue;
		places[++kept] = places[i];
	}
	resolver->nr_places = kept + 1;
	qsort(places, resolver->nr_places, sizeof(*places), by_spec);
	return 0;
}

int kcatch_resolve(const struct kcatch_target_spec *specs, size_t nr_specs,
		   struct kcatch_place **places, size_t *nr_places, size_t *missing,
		   size_t *nr_missing)
{
	struct resolver resolver = { .specs = specs, .nr_specs = nr_specs };
	size_t i;
	int ret;

	*places = NULL;
	*nr_places = 0;
	ret = prepare(&resolver);
	if (!ret)
		ret = kcatch_kallsyms_read_all(visit, &resolver);
	if (!ret)
		ret = tidy(&resolver, missing, nr_missing);
	if (!ret) {
		*places = resolver.places;
		*nr_places = resolver.nr_places;
		resolver.places = NULL;
	}
	for (i = 0; i < resolver.reached.count; i++)
		free((void *)resolver.reached.entries[i].key);
	kcatch_table_deinit(&resolver.reached);
	kcatch_table_deinit(&resolver.names);
	free(resolver.next);
	free(resolver.patterns);
	free(resolver.places);
	return ret;
}
