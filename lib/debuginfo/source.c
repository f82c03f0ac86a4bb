/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * source.c - finds source lines and inlined functions of kernel addresses
 *
 * KASLR moves the kernel from its link-time address. The distance is the address of _text in
 * /proc/kallsyms minus its address in vmlinux. sysfs gives the addresses of a module's sections.
 *
 * Memory: each distinct string once, CACHE_SIZE results, and libdw's data of a file: some tens
 * of megabytes for a vmlinux, besides its mapping.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <kcatch_containers.h>
#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/timing.h"
#include "debuginfo/debug_file.h"
#include "debuginfo/debug_paths.h"
#include <kcatch.h>
#include "debuginfo/source.h"
#include "symbols/loaded_modules.h"

#define CACHE_SIZE 4096		/* a power of two */
#define LINES_MAX 32		/* of one address */
#define REFRESH_NS 1000000000ULL

struct cached {
	uint64_t address;
	uint32_t nr;
	bool known;
	struct kcatch_source_code code;
	struct kcatch_source_line *lines;
};

struct kcatch_source {
	char release[65];
	struct kcatch_libdw dw;
	struct kcatch_debug_file *kernel;
	uint64_t kernel_bias;
	const char *kernel_id;
	bool searched;
	struct kcatch_loaded_modules modules;
	uint64_t modules_time;
	struct kcatch_table strings;
	struct cached cache[CACHE_SIZE];
};

/* ---- strings -------------------------------------------------------------------- */

/* A copy that lives as long as @source; NULL for NULL and without memory. */
static const char *keep(struct kcatch_source *source, const char *string)
{
	size_t length, *found;
	char *copy;

	if (!string)
		return NULL;
	length = strlen(string);
	found = kcatch_table_find(&source->strings, string, length);
	if (found)
		return (const char *)*found;
	copy = strdup(string);
	if (!copy || kcatch_table_add(&source->strings, copy, length, (size_t)copy)) {
		free(copy);
		return NULL;
	}
	return copy;
}

/* Resolves "." and ".." by the letters; the path does not exist here. */
static void tidy(const char *path, char *out, size_t room)
{
	size_t at = 0;

	while (*path) {
		size_t length;

		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 2 && !memcmp(path, "..", 2)) {
			while (at && out[--at] != '/')
				;
		} else if (length && !(length == 1 && *path == '.')) {
			if (at + length + 2 > room)
				break;
			out[at++] = '/';
			memcpy(out + at, path, length);
			at += length;
		}
		path += length;
	}
	out[at] = '\0';
}

/*
 * Of a file in the kernel's tree, the part below the tree. The build's directory is the
 * tree, or one in it or beside its sources.
 */
static const char *below_tree(const char *file, const char *directory)
{
	size_t i, cut = 0;

	for (i = 0; file[i] && file[i] == directory[i]; i++) {
		if (file[i] == '/')
			cut = i;
	}
	if (file[i] == '/' && !directory[i])
		cut = i;
	return cut ? file + cut + 1 : file;
}

static const char *keep_file(struct kcatch_source *source, const char *file,
			     const char *directory, bool in_tree)
{
	char clean[4096], root[4096];

	if (!file || file[0] != '/')
		return keep(source, file);
	tidy(file, clean, sizeof(clean));
	if (!in_tree || !directory)
		return keep(source, clean);
	tidy(directory, root, sizeof(root));
	return keep(source, below_tree(clean, root));
}

/* ---- files ---------------------------------------------------------------------- */

struct attempt {
	struct kcatch_source *source;
	const struct kcatch_build_id *id;
	struct kcatch_debug_file *file;
};

/* Of a file of another build, or one that cannot be read: the next. */
static bool attempt_file(const char *path, void *arg)
{
	struct attempt *attempt = arg;
	struct kcatch_source *source = attempt->source;

	/* Without libdw no other file is of use either. */
	if (!source->dw.library && kcatch_libdw_open(&source->dw))
		return true;
	return !kcatch_debug_file_open(&source->dw, path, attempt->id, &attempt->file);
}

struct wanted {
	const char *name;
	uint64_t address;
};

static int find_symbol(const struct kcatch_kallsym *symbol, void *arg)
{
	struct wanted *wanted = arg;

	if (symbol->module[0] || strcmp(symbol->name, wanted->name))
		return 0;
	wanted->address = symbol->address;
	return 1;
}

/* How far from its linked address the kernel runs. */
static bool find_bias(struct kcatch_debug_file *file, uint64_t *bias)
{
	static const char *const names[] = { "_text", "_stext" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct wanted wanted = { .name = names[i] };
		uint64_t linked;

		if (kcatch_debug_file_symbol(file, names[i], &linked) &&
		    kcatch_kallsyms_read_all(find_symbol, &wanted) == 1 && wanted.address) {
			*bias = wanted.address - linked;
			return true;
		}
	}
	return false;
}

/* In hexadecimal; NULL: it has none. */
static const char *keep_id(struct kcatch_source *source, const struct kcatch_build_id *id)
{
	char text[2 * KCATCH_BUILD_ID_MAX + 1];
	size_t i;

	for (i = 0; i < id->size; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
	return id->size ? keep(source, text) : NULL;
}

static void search_kernel(struct kcatch_source *source)
{
	struct kcatch_build_id id;
	struct attempt attempt = { .source = source, .id = &id };

	source->searched = true;
	kcatch_build_id_read("/sys/kernel/notes", &id);
	source->kernel_id = keep_id(source, &id);
	kcatch_debug_paths_kernel(source->release, &id, attempt_file, &attempt);
	if (!attempt.file)
		return;
	if (find_bias(attempt.file, &source->kernel_bias)) {
		source->kernel = attempt.file;
		return;
	}
	/* /proc/kallsyms shows no addresses: the kernel's place in memory is hidden. */
	kcatch_debug_file_close(attempt.file);
}

static void search_module(struct kcatch_source *source, struct kcatch_loaded_module *module)
{
	struct kcatch_build_id id;
	struct attempt attempt = { .source = source, .id = &id };
	char path[128];

	module->searched = true;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module->name);
	kcatch_build_id_read(path, &id);
	module->build_id = keep_id(source, &id);
	kcatch_debug_paths_module(source->release, module->name, &id, attempt_file, &attempt);
	module->file = attempt.file;
}

/* ---- looking up ------------------------------------------------------------------ */

static void close_files(struct kcatch_loaded_modules *modules)
{
	size_t i;

	for (i = 0; i < modules->nr; i++)
		kcatch_debug_file_close(modules->list[i].file);
	kcatch_loaded_modules_deinit(modules);
}

static void empty_cache(struct kcatch_source *source)
{
	size_t i;

	for (i = 0; i < CACHE_SIZE; i++)
		free(source->cache[i].lines);
	memset(source->cache, 0, sizeof(source->cache));
}

/* Modules come and go, and others take their place. */
static void refresh_modules(struct kcatch_source *source)
{
	struct kcatch_loaded_modules modules = { 0 };
	uint64_t now = kcatch_timing_now_ns();

	if (source->modules_time && now - source->modules_time < REFRESH_NS)
		return;
	source->modules_time = now;
	if (kcatch_loaded_modules_read(&modules))
		return;
	if (!kcatch_loaded_modules_keep(&modules, &source->modules))
		empty_cache(source);
	close_files(&source->modules);
	source->modules = modules;
}

/* The strings are libdw's. */
static uint32_t module_lines(struct kcatch_source *source, struct kcatch_loaded_module *module,
			     const struct kcatch_module_section *section, uint64_t address,
			     struct kcatch_source_line *lines, const char **directory)
{
	uint64_t start, size;

	if (!module->searched)
		search_module(source, module);
	if (!module->file ||
	    !kcatch_debug_file_section(module->file, section->name, &start, &size) ||
	    address - section->address >= size)
		return 0;
	return kcatch_debug_file_lines(module->file, address - section->address + start, lines,
				       LINES_MAX, directory);
}

static uint32_t find_lines(struct kcatch_source *source, uint64_t address,
			   struct kcatch_source_line *lines, struct kcatch_source_code *code)
{
	const struct kcatch_module_section *section = NULL;
	struct kcatch_loaded_module *module;
	const char *directory = NULL;
	bool in_tree = true;
	uint32_t nr = 0, i;

	module = kcatch_loaded_modules_find(&source->modules, address, &section);
	if (module) {
		nr = module_lines(source, module, section, address, lines, &directory);
		in_tree = !module->out_of_tree;
		*code = (struct kcatch_source_code){ module->base, module->build_id };
	} else {
		if (!source->searched)
			search_kernel(source);
		*code = (struct kcatch_source_code){ 0, source->kernel_id };
		if (source->kernel)
			nr = kcatch_debug_file_lines(source->kernel, address - source->kernel_bias,
						     lines, LINES_MAX, &directory);
	}
	for (i = 0; i < nr; i++) {
		lines[i].function = keep(source, lines[i].function);
		lines[i].file = keep_file(source, lines[i].file, directory, in_tree);
	}
	return nr;
}

/* What is in the cache already, or is put there; NULL without memory. */
static const struct cached *find_cached(struct kcatch_source *source, uint64_t address)
{
	size_t place = (size_t)(address * 0x9e3779b97f4a7c15ULL >> 32) & (CACHE_SIZE - 1);
	struct kcatch_source_line lines[LINES_MAX], *copy = NULL;
	struct cached *cached = &source->cache[place];
	struct kcatch_source_code code;
	uint32_t nr;

	if (cached->known && cached->address == address)
		return cached;
	nr = find_lines(source, address, lines, &code);
	if (nr) {
		copy = malloc(nr * sizeof(*copy));
		if (!copy)
			return NULL;
		memcpy(copy, lines, nr * sizeof(*copy));
	}
	free(cached->lines);
	*cached = (struct cached){ .address = address, .nr = nr, .known = true, .code = code,
				   .lines = copy };
	return cached;
}

bool kcatch_source_is(struct kcatch_source *source, uint64_t address, bool exact,
		      const struct kcatch_source_code *code)
{
	const struct cached *cached = find_cached(source, exact ? address : address - 1);

	return cached && cached->code.build_id && cached->code.base == code->base &&
	       !strcmp(cached->code.build_id, code->build_id);
}

int kcatch_source_lines(struct kcatch_source *source, uint64_t address, bool exact,
			struct kcatch_source_line *lines, uint32_t room)
{
	const struct cached *cached;
	uint32_t nr;

	refresh_modules(source);
	cached = find_cached(source, exact ? address : address - 1);
	if (!cached)
		return 0;
	nr = cached->nr < room ? cached->nr : room;
	if (nr)
		memcpy(lines, cached->lines, nr * sizeof(*lines));
	return (int)nr;
}

static struct kcatch_debug_file *file_of(struct kcatch_source *source, const char *module)
{
	size_t i;

	if (!module) {
		if (!source->searched)
			search_kernel(source);
		return source->kernel;
	}
	refresh_modules(source);
	for (i = 0; i < source->modules.nr; i++) {
		struct kcatch_loaded_module *loaded = &source->modules.list[i];

		if (strcmp(loaded->name, module))
			continue;
		if (!loaded->searched)
			search_module(source, loaded);
		return loaded->file;
	}
	return NULL;
}

int kcatch_source_inlined(struct kcatch_source *source, const char *module, const char *name,
			  kcatch_inlined_copy *visit, void *arg)
{
	struct kcatch_debug_file *file = file_of(source, module);
	int ret = file ? visit(NULL, arg) : -ENODATA;

	return ret ? ret : kcatch_debug_file_inlined(file, name, visit, arg);
}

int kcatch_source_open(struct kcatch_source **source)
{
	struct kcatch_source *new = calloc(1, sizeof(*new));
	struct utsname uts;

	if (!new)
		return kcatch_error_memory();
	uname(&uts);
	snprintf(new->release, sizeof(new->release), "%s", uts.release);
	*source = new;
	return 0;
}

void kcatch_source_close(struct kcatch_source *source)
{
	size_t i;

	if (!source)
		return;
	close_files(&source->modules);
	kcatch_debug_file_close(source->kernel);
	kcatch_libdw_close(&source->dw);
	empty_cache(source);
	for (i = 0; i < source->strings.count; i++)
		free((char *)source->strings.entries[i].key);
	kcatch_table_deinit(&source->strings);
	free(source);
}
