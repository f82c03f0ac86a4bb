/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * awaited.c - reads functions of modules that are not loaded yet from the modules' files
 *
 * The file that a module will be loaded from has its functions and their types. A name that the
 * file lacks is a mistake: a session that waited for it would wait for ever.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/array.h"
#include <kcatch.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "session/awaited.h"
#include "symbols/module_file.h"
#include "symbols/module_symbols.h"

void kcatch_awaited_deinit(struct kcatch_awaited *awaited)
{
	size_t i;

	for (i = 0; i < awaited->nr_modules; i++) {
		free(awaited->modules[i].module);
		free(awaited->modules[i].file);
	}
	for (i = 0; i < awaited->nr_names; i++)
		free(awaited->names[i].name);
	free(awaited->modules);
	free(awaited->names);
	free(awaited->plans);
	memset(awaited, 0, sizeof(*awaited));
}

/* ---- the module's file --------------------------------------------------------- */

struct listed {
	const char *module;
	struct kcatch_suggest *nearest;
	bool found;
};

static int offer(const char *name, const char *path, void *arg)
{
	struct listed *listed = arg;

	(void)path;
	kcatch_suggest_offer(listed->nearest, name, strlen(name));
	listed->found |= !strcmp(name, listed->module);
	return 0;
}

/* There is no file: a mistake, or a module whose file is nobody's business. */
static int check_unknown(const struct kcatch_target_spec *spec)
{
	char names[KCATCH_SUGGEST_MAX * (KCATCH_SUGGEST_LENGTH + 8)];
	struct kcatch_suggest nearest;
	struct listed listed = { spec->module, &nearest, false };
	size_t length = strlen(spec->module);
	struct utsname uts;

	kcatch_suggest_init(&nearest, spec->module);
	uname(&uts);
	kcatch_module_list_read(uts.release, "modules.builtin", offer, &listed);
	if (listed.found)
		return kcatch_error_set(ENOENT, "%s: %s is built into this kernel, no module; try: kcatch %s",
					SHOWN(spec->name), spec->module, spec->symbol);
	kcatch_module_list_read(uts.release, "modules.dep", offer, &listed);
	kcatch_suggest_format(&nearest, names, sizeof(names));
	/* One letter in four is a slip; more is another name. */
	if (!nearest.count || length > KCATCH_SUGGEST_LENGTH ||
	    kcatch_suggest_distance(spec->module, length, nearest.names[0],
				    strlen(nearest.names[0]), length / 4) > length / 4)
		return 0;
	return kcatch_error_set(ENOENT, "%s: there is no module %s, neither loaded nor in /lib/modules nor here\n"
				"  did you mean %s?", SHOWN(spec->name), spec->module, names);
}

/* ---- its functions -------------------------------------------------------------- */

struct search {
	const struct kcatch_target_spec *spec;
	struct kcatch_suggest *nearest;		/* or NULL */
	struct kcatch_module_symbol found;	/* by name; its own name apart */
	size_t count;
	int (*visit)(const char *name, void *arg);
	void *arg;
};

static bool is_callable(const char *name)
{
	return !strstr(name, ".cold") && strncmp(name, "__pfx_", 6) && strncmp(name, "__cfi_", 6);
}

static int look(const struct kcatch_module_symbol *symbol, void *arg)
{
	struct search *search = arg;

	if (!is_callable(symbol->name))
		return 0;
	if (kcatch_target_matches(search->spec, symbol->name, search->spec->module)) {
		search->found = *symbol;
		search->count++;
		if (search->visit && search->spec->is_pattern)
			return search->visit(symbol->name, search->arg);
	} else if (search->nearest) {
		kcatch_suggest_offer(search->nearest, symbol->name, strlen(symbol->name));
	}
	return 0;
}

/* Other names of the function that was found, and itself. */
static int visit_aliases(const struct kcatch_module_symbol *symbol, void *arg)
{
	const struct search *search = arg;

	if (symbol->section != search->found.section || symbol->value != search->found.value ||
	    !is_callable(symbol->name))
		return 0;
	return search->visit(symbol->name, search->arg);
}

static int note_module(struct kcatch_awaited *awaited, const char *module, const char *file)
{
	struct kcatch_awaited_module *modules;
	size_t i;

	for (i = 0; i < awaited->nr_modules; i++)
		if (!strcmp(awaited->modules[i].module, module))
			return 0;
	modules = kcatch_array_grow(awaited->modules, awaited->nr_modules, sizeof(*modules));
	if (!modules)
		return kcatch_error_memory();
	awaited->modules = modules;
	modules += awaited->nr_modules;
	modules->module = strdup(module);
	modules->file = file ? strdup(file) : NULL;
	if (!modules->module || (file && !modules->file)) {
		free(modules->module);
		free(modules->file);
		return kcatch_error_memory();
	}
	awaited->nr_modules++;
	return 0;
}

static int read_and_close(const char *path, int file, kcatch_module_symbols_visit *visit, void *arg)
{
	int ret = kcatch_module_symbols_read(path, file, visit, arg);

	close(file);
	return ret;
}

int kcatch_awaited_check(struct kcatch_awaited *awaited, const struct kcatch_target_spec *spec)
{
	char path[PATH_MAX], names[KCATCH_SUGGEST_MAX * (KCATCH_SUGGEST_LENGTH + 8)];
	struct kcatch_suggest nearest;
	struct search search = { .spec = spec, .nearest = &nearest };
	int file, ret;

	if (kcatch_machine_module_loaded(spec->module))
		return 0;
	file = kcatch_module_file_open(spec->module, path, sizeof(path));
	if (file == -ENOENT) {
		ret = check_unknown(spec);
		return ret ? ret : note_module(awaited, spec->module, NULL);
	}
	kcatch_suggest_init(&nearest, spec->symbol);
	ret = file < 0 ? file : read_and_close(path, file, look, &search);
	if (!ret && !search.count) {
		kcatch_error_set(ENOENT, "%s: %s in module %s (%s)", SHOWN(spec->name),
				 spec->is_pattern ? "no function matches" : "there is no such function",
				 spec->module, path);
		kcatch_suggest_format(&nearest, names, sizeof(names));
		if (names[0])
			kcatch_error_append("\n  did you mean %s?", names);
		return -ENOENT;
	}
	return note_module(awaited, spec->module, path);
}

bool kcatch_awaited_exists(const struct kcatch_target_spec *spec)
{
	struct search search = { .spec = spec };
	char path[PATH_MAX];
	int file = kcatch_module_file_open(spec->module, path, sizeof(path));

	return file >= 0 && !read_and_close(path, file, look, &search) && search.count;
}

int kcatch_awaited_functions(const struct kcatch_target_spec *spec,
			     int (*visit)(const char *name, void *arg), void *arg)
{
	struct search search = { .spec = spec, .visit = visit, .arg = arg };
	char path[PATH_MAX];
	int file = kcatch_module_file_open(spec->module, path, sizeof(path)), ret;

	if (file < 0)
		return 0;
	ret = kcatch_module_symbols_read(path, file, look, &search);
	if (!ret && search.count && !spec->is_pattern)
		ret = kcatch_module_symbols_read(path, file, visit_aliases, &search);
	close(file);
	/* A file that cannot be read tells nothing: no fault of who asks. */
	return search.count ? ret : 0;
}

/* ---- what comes ------------------------------------------------------------------ */

int kcatch_awaited_name(struct kcatch_awaited *awaited, uint32_t group, uint32_t target,
			const char *name)
{
	struct kcatch_awaited_name *names = kcatch_array_grow(awaited->names, awaited->nr_names,
						      sizeof(*names));
	char *copy = strdup(name);

	if (names)
		awaited->names = names;
	if (!names || !copy) {
		free(copy);
		return kcatch_error_memory();
	}
	names[awaited->nr_names++] = (struct kcatch_awaited_name){ group, target, copy };
	return 0;
}

const char *kcatch_awaited_find_name(const struct kcatch_awaited *awaited, uint32_t group,
				     uint32_t target)
{
	size_t i;

	for (i = 0; i < awaited->nr_names; i++)
		if (awaited->names[i].group == group && awaited->names[i].target == target)
			return awaited->names[i].name;
	return NULL;
}

int kcatch_awaited_plan(struct kcatch_awaited *awaited, uint32_t program,
			const struct kcatch_plan *plan)
{
	struct kcatch_awaited_plan *plans;
	size_t i;

	for (i = awaited->nr_plans; i; i--)
		if (awaited->plans[i - 1].program == program)
			return 0;
	plans = kcatch_array_grow(awaited->plans, awaited->nr_plans, sizeof(*plans));
	if (!plans)
		return kcatch_error_memory();
	awaited->plans = plans;
	plans[awaited->nr_plans++] = (struct kcatch_awaited_plan){ program, plan };
	return 0;
}

const struct kcatch_plan *kcatch_awaited_find_plan(const struct kcatch_awaited *awaited,
						   uint32_t program)
{
	size_t i;

	for (i = 0; program && i < awaited->nr_plans; i++)
		if (awaited->plans[i].program == program)
			return awaited->plans[i].plan;
	return NULL;
}
