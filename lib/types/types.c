/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* types.c - all types of the kernel, and those of modules on demand */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "base/timing.h"
#include "symbols/module_file.h"
#include "types/btf_data.h"
#include "types/running_kernel.h"
#include "types/types.h"

#define MODULE_NAME_MAX 64
/* A module without types is not looked for again so soon: a pattern matches thousands of functions,
 * and the module's file may be packed. */
#define UNTYPED_NS 1000000000U
#define DAMAGED_MAX 64U	/* files of a recording that are tried in vain: each may take a second */
/* All types of a recording: some kilobytes of it can unpack to anything. Kernels need 30 MB. */
#define MEMORY_MAX (128U << 20)

struct module {
	struct module *next;
	struct kcatch_btf *btf;
	char name[];
};

/* The answer to a lookup by kcatch_types_written(). */
struct written {
	struct kcatch_type type;
	char text[];
};

struct kcatch_types {
	struct kcatch_btf *kernel;
	struct module *modules;
	struct kcatch_table written;	/* text: struct written * */
	char *directory;		/* has the BTF files of the kernel and its modules */
	bool running;			/* @kernel is shared: the running kernel's */
	unsigned int damaged;		/* files of a recording that were tried in vain */
	size_t memory;			/* that the files of a recording take */
	char untyped[MODULE_NAME_MAX + 1];	/* a loaded module that had no types ... */
	uint64_t untyped_ns;		/* ... when it was looked for last */
};

/* Open a file of @types->directory. Links in a recording are not followed. */
static int open_file(const struct kcatch_types *types, const char *path,
		     const struct kcatch_btf *base, struct kcatch_btf **btf)
{
	struct stat status;

	if (!types->running && !lstat(path, &status)) {
		if (S_ISLNK(status.st_mode))
			return kcatch_error_set(ELOOP, "%s is a link", SHOWN(path));
		if (status.st_size > MEMORY_MAX)
			return kcatch_error_set(EFBIG, "%s is too large", SHOWN(path));
	}
	return kcatch_btf_open(btf, path, -1, base);
}

static int open_kernel(struct kcatch_types *types)
{
	char *path;
	int ret;

	if (types->running)
		return kcatch_running_kernel_get(&types->kernel);
	if (asprintf(&path, "%s/" KCATCH_BTF_KERNEL, types->directory) < 0)
		return kcatch_error_memory();
	ret = open_file(types, path, NULL, &types->kernel);
	free(path);
	if (!ret)
		types->memory = kcatch_btf_memory(types->kernel);
	return ret;
}

static int open_types(struct kcatch_types **types, const char *directory, bool running)
{
	struct kcatch_types *new = calloc(1, sizeof(*new));
	int ret;

	if (!new)
		return kcatch_error_memory();
	new->running = running;
	new->directory = strdup(directory);
	ret = new->directory ? open_kernel(new) : kcatch_error_memory();
	if (ret) {
		kcatch_types_close(new);
		return ret;
	}
	*types = new;
	return 0;
}

int kcatch_types_open_directory(struct kcatch_types **types, const char *directory)
{
	return open_types(types, directory, false);
}

int kcatch_types_open(struct kcatch_types **types)
{
	return open_types(types, KCATCH_BTF_DIRECTORY, true);
}

void kcatch_types_close(struct kcatch_types *types)
{
	size_t i;

	if (!types)
		return;
	while (types->modules) {
		struct module *module = types->modules;

		types->modules = module->next;
		kcatch_btf_close(module->btf);
		free(module);
	}
	for (i = 0; i < types->written.count; i++)
		free((struct written *)types->written.entries[i].value);
	kcatch_table_deinit(&types->written);
	if (!types->running)
		kcatch_btf_close(types->kernel);
	else if (types->kernel)
		kcatch_running_kernel_put();
	free(types->directory);
	free(types);
}

int kcatch_types_written(struct kcatch_types *types, const char *text, struct kcatch_type *type)
{
	size_t length = strlen(text), *found = kcatch_table_find(&types->written, text, length);
	struct written *written;
	int ret;

	if (found) {
		*type = ((struct written *)*found)->type;
		return type->id ? 0 : -ENOENT;
	}
	ret = kcatch_types_find_written(types, text, type);
	/* Without memory it is looked up again. */
	written = malloc(sizeof(*written) + length + 1);
	if (!written)
		return ret;
	written->type = ret ? (struct kcatch_type){ .id = 0 } : *type;
	memcpy(written->text, text, length + 1);
	if (kcatch_table_add(&types->written, written->text, length, (size_t)written))
		free(written);
	return ret;
}

/* The file that would be loaded. */
static int open_module_file(const char *name, const struct kcatch_btf *base,
			    struct kcatch_btf **btf)
{
	char path[PATH_MAX];
	int file = kcatch_module_file_open(name, path, sizeof(path)), ret;

	if (file < 0)
		return file;
	ret = kcatch_btf_open(btf, path, file, base);
	close(file);
	return ret;
}

/* Open a module's file in a recording. If there is no memory for it, no other file is tried. */
static int open_recorded(struct kcatch_types *types, const char *path, struct kcatch_btf **btf)
{
	int ret = open_file(types, path, types->kernel, btf);

	types->damaged += ret && !access(path, F_OK);
	if (ret)
		return ret;
	types->memory += kcatch_btf_memory(*btf);
	if (types->memory <= MEMORY_MAX)
		return 0;
	kcatch_btf_close(*btf);
	types->damaged = DAMAGED_MAX;
	return -EFBIG;
}

/*
 * The types of a module: the loaded module's, or (running kernel only) those in the file that
 * would be loaded. NULL: there are none.
 */
static struct kcatch_btf *module_btf(struct kcatch_types *types, const char *name)
{
	size_t length = strlen(name);
	struct module *module;
	char *path;
	int ret;

	for (module = types->modules; module; module = module->next)
		if (!strcmp(module->name, name))
			return module->btf;
	if (!length || length > MODULE_NAME_MAX || strchr(name, '/') ||
	    types->damaged >= DAMAGED_MAX)
		return NULL;
	if (!strcmp(name, types->untyped) &&
	    kcatch_timing_now_coarse_ns() - types->untyped_ns < UNTYPED_NS)
		return NULL;
	module = calloc(1, sizeof(*module) + length + 1);
	if (!module)
		return NULL;
	memcpy(module->name, name, length);
	if (asprintf(&path, "%s/%s", types->directory, name) < 0) {
		free(module);
		return NULL;
	}
	ret = types->running ? open_file(types, path, types->kernel, &module->btf) :
			       open_recorded(types, path, &module->btf);
	free(path);
	if (ret && types->running)
		ret = open_module_file(name, types->kernel, &module->btf);
	if (ret) {
		/* The module may be loaded later, or be unloaded and another build of it come. */
		if (types->running && kcatch_machine_module_loaded(name)) {
			memcpy(types->untyped, name, length + 1);
			types->untyped_ns = kcatch_timing_now_coarse_ns();
		}
		free(module);
		return NULL;
	}
	module->next = types->modules;
	types->modules = module;
	return module->btf;
}

const void *kcatch_types_bytes(const struct kcatch_types *types, const char *name, size_t *size)
{
	const struct module *module;

	if (!strcmp(name, KCATCH_BTF_KERNEL))
		return kcatch_btf_bytes(types->kernel, size);
	for (module = types->modules; module; module = module->next)
		if (!strcmp(module->name, name))
			return kcatch_btf_bytes(module->btf, size);
	return NULL;
}

int kcatch_types_unknown(const struct kcatch_types *types, bool *ends_early)
{
	return kcatch_btf_unknown(types->kernel, ends_early);
}

/* "", or why a type of a newer kernel may not be found. */
static const char *beyond(const struct kcatch_types *types, char text[120])
{
	bool ends_early;
	int kind = kcatch_types_unknown(types, &ends_early);

	*text = '\0';
	if (ends_early)
		snprintf(text, 120, ": the kernel's types of the kind %d, and all behind them, are newer "
			 "than this kcatch", kind);
	return text;
}

static int no_types(const struct kcatch_types *types, const char *name)
{
	char text[120];

	return kcatch_error_set(ENOENT, "no type information about %s%s", SHOWN(name),
				beyond(types, text));
}

void kcatch_types_expect_many(struct kcatch_types *types)
{
	kcatch_btf_expect_many(types->kernel);
}

/* Set the prototype of function @id. Return: false: it has none. */
static bool proto_of(const struct kcatch_btf *btf, uint32_t id, struct kcatch_type *proto)
{
	const struct btf_type *function = kcatch_btf_type(btf, id), *target;

	target = function ? kcatch_btf_type(btf, function->type) : NULL;
	if (!target || BTF_INFO_KIND(target->info) != BTF_KIND_FUNC_PROTO)
		return false;
	*proto = (struct kcatch_type){ .btf = btf, .id = function->type };
	return true;
}

bool kcatch_types_next_function(struct kcatch_types *types, uint32_t *at, const char **name,
				struct kcatch_type *proto)
{
	do {
		*at = kcatch_btf_next(types->kernel, BTF_KIND_FUNC, *at);
	} while (*at && !proto_of(types->kernel, *at, proto));
	if (*at)
		*name = kcatch_btf_string(types->kernel,
					  kcatch_btf_type(types->kernel, *at)->name_off);
	return *at;
}

/* Have they the same types? Their names may differ. */
static bool same_types(struct kcatch_type a, struct kcatch_type b)
{
	struct kcatch_member of_a, of_b;
	uint32_t i, nr = kcatch_type_nr_members(a);

	if (a.id == b.id)
		return true;
	if (nr != kcatch_type_nr_members(b) || kcatch_type_target(a).id != kcatch_type_target(b).id)
		return false;
	for (i = 0; i < nr; i++)
		if (kcatch_type_member(a, i, &of_a) || kcatch_type_member(b, i, &of_b) ||
		    of_a.type.id != of_b.type.id)
			return false;
	return true;
}

int kcatch_types_function(struct kcatch_types *types, const char *module, const char *name,
			  struct kcatch_type *proto)
{
	struct kcatch_btf *btf = module ? module_btf(types, module) : types->kernel;
	uint32_t id = btf && !strchr(name, '.') ? kcatch_btf_find(btf, BTF_KIND_FUNC, name) : 0;
	struct kcatch_type other;

	if (!id || !proto_of(btf, id, proto))
		return no_types(types, name);
	/* BTF does not tell which of them is at which address. */
	while ((id = kcatch_btf_find_other(btf, id)))
		if (!proto_of(btf, id, &other) || !same_types(*proto, other))
			return kcatch_error_set(ENOENT, "several functions are called %s, and not all "
						"of them have the same arguments", SHOWN(name));
	return 0;
}

bool kcatch_types_unsure(struct kcatch_types *types, const char *module)
{
	const struct kcatch_btf *btf = module ? module_btf(types, module) : types->kernel;

	return btf && kcatch_btf_has_namesakes(btf);
}

/* The BTF kinds that a C name can mean, by "struct", "union" or "enum"; skips that word. */
static const int *kinds_of(const char **name)
{
	static const int structs[] = { BTF_KIND_STRUCT, 0 }, unions[] = { BTF_KIND_UNION, 0 };
	static const int enums[] = { BTF_KIND_ENUM, BTF_KIND_ENUM64, 0 };
	static const int others[] = { BTF_KIND_TYPEDEF, BTF_KIND_INT, BTF_KIND_FLOAT, 0 };

	if (!strncmp(*name, "struct ", 7)) {
		*name += 7;
		return structs;
	}
	if (!strncmp(*name, "union ", 6)) {
		*name += 6;
		return unions;
	}
	if (!strncmp(*name, "enum ", 5)) {
		*name += 5;
		return enums;
	}
	return others;
}

static uint32_t find_kinds(const struct kcatch_btf *btf, const int *kinds, const char *name)
{
	uint32_t id = 0;

	for (; *kinds && !id; kinds++)
		id = kcatch_btf_find(btf, *kinds, name);
	return id;
}

int kcatch_types_struct_near(struct kcatch_types *types, struct kcatch_type near,
			     const char *name, struct kcatch_type *type)
{
	char text[120];
	const char *own = name;
	const int *kinds = kinds_of(&own);
	const struct kcatch_btf *btf = near.btf ? near.btf : types->kernel;
	struct module *module = types->modules;
	uint32_t id = 0;

	own += strspn(own, " ");
	if (*own)
		id = find_kinds(btf, kinds, own);
	if (*own && !id && btf != types->kernel) {
		btf = types->kernel;
		id = find_kinds(btf, kinds, own);
	}
	for (; *own && !id && module; module = module->next) {
		btf = module->btf;
		id = find_kinds(btf, kinds, own);
	}
	if (!id)
		return kcatch_error_set(ENOENT, "there is no type %s in the kernel%s", SHOWN(name),
					beyond(types, text));
	*type = (struct kcatch_type){ .btf = btf, .id = id };
	return 0;
}

int kcatch_types_struct(struct kcatch_types *types, const char *name, struct kcatch_type *type)
{
	return kcatch_types_struct_near(types, (struct kcatch_type){ .btf = NULL }, name, type);
}

static bool same_members(struct kcatch_type a, struct kcatch_type b)
{
	struct kcatch_member of_a, of_b;
	uint32_t i, nr = kcatch_type_nr_members(a);

	if (nr != kcatch_type_nr_members(b) || kcatch_type_size(a) != kcatch_type_size(b))
		return false;
	for (i = 0; i < nr; i++)
		if (kcatch_type_member(a, i, &of_a) || kcatch_type_member(b, i, &of_b) ||
		    strcmp(of_a.name, of_b.name) != 0 || of_a.bit_offset != of_b.bit_offset ||
		    of_a.bit_size != of_b.bit_size)
			return false;
	return true;
}

bool kcatch_types_has_other(struct kcatch_type type)
{
	struct kcatch_type other = { .btf = type.btf };
	const char *name = kcatch_type_name(type);
	int kind = kcatch_type_kind(type);

	if (!*name || (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION))
		return false;
	while ((other.id = kcatch_btf_next(type.btf, kind, other.id)))
		if (!strcmp(kcatch_type_name(other), name) && !same_members(type, other))
			return true;
	return false;
}

int kcatch_types_offset(struct kcatch_types *types, const char *type, const char *member,
			uint32_t *offset)
{
	struct kcatch_member found;
	struct kcatch_type of;

	if (kcatch_types_struct(types, type, &of) || kcatch_type_find(of, member, &found))
		return kcatch_error_set(ENOENT, "the kernel's types have no %s of %s", member,
					type);
	*offset = found.bit_offset / 8;
	return 0;
}

static void suggest_kind(const struct kcatch_btf *btf, int kind, size_t word,
			 const char *name, struct kcatch_suggest *suggest)
{
	char whole[KCATCH_SUGGEST_LENGTH + 1];
	uint32_t id;

	for (id = kcatch_btf_next(btf, kind, 0); id; id = kcatch_btf_next(btf, kind, id)) {
		const char *own = kcatch_btf_string(btf, kcatch_btf_type(btf, id)->name_off);
		int length = snprintf(whole, sizeof(whole), "%.*s%s", (int)word, name, own);

		if (*own && length > 0 && (size_t)length < sizeof(whole))
			kcatch_suggest_offer(suggest, whole, (size_t)length);
	}
}

void kcatch_types_suggest(struct kcatch_types *types, const char *name,
			  struct kcatch_suggest *suggest)
{
	const char *own = name;
	const int *kinds = kinds_of(&own);
	const struct module *module;

	kcatch_suggest_init(suggest, name);
	for (; *kinds; kinds++) {
		suggest_kind(types->kernel, *kinds, (size_t)(own - name), name, suggest);
		for (module = types->modules; module; module = module->next)
			suggest_kind(module->btf, *kinds, (size_t)(own - name), name, suggest);
	}
}

static int find_enumerator(const struct kcatch_btf *btf, int kind, const char *name,
			   struct kcatch_member *found, unsigned int *count)
{
	struct kcatch_member member;
	uint32_t id;

	for (id = kcatch_btf_next(btf, kind, 0); id; id = kcatch_btf_next(btf, kind, id)) {
		struct kcatch_type type = { .btf = btf, .id = id };

		if (kcatch_type_find(type, name, &member))
			continue;
		if (*count && found->value != member.value)
			return -ENOENT;
		*found = member;
		++*count;
	}
	return 0;
}

int kcatch_types_enumerator(struct kcatch_types *types, const char *name,
			    struct kcatch_member *member)
{
	static const int kinds[] = { BTF_KIND_ENUM, BTF_KIND_ENUM64 };
	const struct module *module;
	unsigned int count = 0, i;
	int ret = 0;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !ret; i++) {
		ret = find_enumerator(types->kernel, kinds[i], name, member, &count);
		for (module = types->modules; module && !ret; module = module->next)
			ret = find_enumerator(module->btf, kinds[i], name, member, &count);
	}
	return ret || !count ? -ENOENT : 0;
}

const char *kcatch_types_where(const struct kcatch_types *types, const struct kcatch_btf *btf)
{
	const struct module *module;

	if (btf == types->kernel)
		return KCATCH_BTF_KERNEL;
	for (module = types->modules; module; module = module->next)
		if (module->btf == btf)
			return module->name;
	return NULL;
}

int kcatch_types_at(struct kcatch_types *types, const char *where, uint32_t id,
		    struct kcatch_type *type)
{
	struct kcatch_btf *btf = strcmp(where, KCATCH_BTF_KERNEL) ? module_btf(types, where) :
								    types->kernel;

	if (!btf || (id && !kcatch_btf_type(btf, id)))
		return kcatch_error_set(ENOENT, "%s has no type %u", SHOWN(where), id);
	*type = (struct kcatch_type){ .btf = btf, .id = id };
	return 0;
}
