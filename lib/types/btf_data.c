/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * btf_data.c - reads the BTF (type information) of the kernel or of one module
 *
 * One pass over the file makes an array with the offset of each type; no library is needed.
 * The pass checks that each type, with its members, lies within the file. Type numbers and
 * string offsets are checked when they are used.
 *
 * Memory: the file (5 MB for a kernel; none where it can be mapped), 4 bytes a type, and for each
 * index 8 to 16 bytes for each type in it, once there were a few lookups.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "base/elf_image.h"
#include "base/printable.h"
#include "symbols/image_file.h"
#include "types/btf_data.h"

/* To make an index takes as long as a few searches through all types. */
#define LOOKUPS_WITHOUT_INDEX 2

/* By what a type is looked up. */
enum index_kind {
	FUNCTIONS,	/* by name */
	NAMED,		/* all others that have a name: by kind and name */
	POINTERS,	/* and what is const: by kind and target */
	NR_INDEXES,
};

/* Of each type at most, in all indexes: it is in one of them, or in none. */
#define INDEX_BYTES (4 * sizeof(uint32_t))

struct index {
	uint32_t *slots;	/* hash table: type numbers; 0: free slot. Atomic */
	uint32_t mask;		/* set before @slots is */
	unsigned int lookups;	/* while there is no hash table */
};

/* The header of newer kernels says where the layouts are: how large each kind's description is. */
struct newer_header {
	struct btf_header head;
	uint32_t layout_off;
	uint32_t layout_len;
};

/* Behind struct btf_type: so many bytes, and so many for each of its parts. */
struct layout {
	uint8_t info_size;
	uint8_t part_size;
	uint16_t flags;
};

struct key {
	int kind;		/* BTF_KIND_* */
	const char *name;	/* NULL: in POINTERS */
	uint32_t target;
};

struct kcatch_btf {
	const struct kcatch_btf *base;
	uint8_t *file;
	size_t file_size;
	bool mapped;		/* @file is, and cannot be written to */
	const uint8_t *bytes;	/* of @file: the BTF */
	size_t size;
	const uint8_t *types;
	const char *strings;
	uint32_t strings_size;
	uint32_t first_string;	/* offset at which our strings begin: behind the base's */
	uint32_t first_type;	/* number of our first type */
	uint32_t nr_types;	/* without the base's */
	uint32_t *offsets;	/* of each type in @types */
	const struct layout *layouts;	/* by kind */
	uint32_t nr_layouts;
	int unknown;		/* the first kind that is not known here; 0: all are */
	bool ends_early;	/* at a type of that kind: nobody knows where the next one is */
	bool tells_signs;	/* an enum of it does */
	pthread_mutex_t lock;	/* protects the making of @indexes, and their @lookups */
	bool has_namesakes;	/* set with the index of functions */
	struct index indexes[NR_INDEXES];
};

/*
 * Narrow @bytes and @size to the section .BTF of an ELF file; leave any other file as it is.
 * A module that was built out of tree may bring its own base in .BTF.base. The numbers of that
 * base are not those of the kernel's types, so the module's BTF cannot be used with @base.
 */
static int find_section(const uint8_t **bytes, size_t *size, bool has_base)
{
	const Elf64_Shdr *section;
	struct kcatch_elf_image image;
	int ret = kcatch_elf_image_init(&image, *bytes, *size);

	if (ret)
		return ret == -ENOEXEC ? 0 : ret;
	section = kcatch_elf_image_find(&image, ".BTF");
	if (!section || (has_base && kcatch_elf_image_find(&image, ".BTF.base")))
		return -ENOENT;
	*bytes = kcatch_elf_image_contents(&image, section);
	*size = section->sh_size;
	return *bytes ? 0 : -EINVAL;
}

/* Size of a type's description, bytes; 0: unknown kind. */
static size_t description_size(const struct btf_type *type)
{
	size_t nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return sizeof(*type);
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(*type) + sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(*type) + sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(*type) + nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(*type) + nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(*type) + nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(*type) + nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return sizeof(*type) + nr * sizeof(struct btf_var_secinfo);
	}
	return 0;
}

/* The same of a kind that came later than this file, by the layouts. */
static size_t newer_size(const struct kcatch_btf *btf, const struct btf_type *type)
{
	uint32_t kind = BTF_INFO_KIND(type->info);
	size_t size;

	if (kind >= btf->nr_layouts)
		return 0;
	size = sizeof(*type) + btf->layouts[kind].info_size +
	       (size_t)BTF_INFO_VLEN(type->info) * btf->layouts[kind].part_size;
	return size % 4 ? 0 : size;
}

static bool tells_sign(const struct btf_type *type)
{
	int kind = BTF_INFO_KIND(type->info);

	return kind == BTF_KIND_ENUM64 || (kind == BTF_KIND_ENUM && BTF_INFO_KFLAG(type->info));
}

static int index_types(struct kcatch_btf *btf, size_t size)
{
	size_t at = 0, room = 0, length;
	const struct btf_type *type;

	while (at < size) {
		if (size - at < sizeof(struct btf_type))
			return -EINVAL;
		type = (const void *)(btf->types + at);
		length = description_size(type);
		if (!length && BTF_INFO_KIND(type->info)) {
			length = newer_size(btf, type);
			if (!btf->unknown)
				btf->unknown = BTF_INFO_KIND(type->info);
			btf->ends_early = !length;
			if (btf->ends_early)
				return btf->nr_types ? 0 : -EOPNOTSUPP;
		}
		if (!length || length > size - at)
			return -EINVAL;
		if (btf->nr_types == room) {
			uint32_t *more;

			/* A type takes 26 bytes on average, so this usually suffices. */
			room = room ? 2 * room : size / 20 + 16;
			more = realloc(btf->offsets, room * sizeof(*more));
			if (!more)
				return -ENOMEM;
			btf->offsets = more;
		}
		btf->tells_signs |= tells_sign(type);
		btf->offsets[btf->nr_types++] = at;
		at += length;
	}
	return 0;
}

/* Layouts that cannot be read are none: they are wanted for kinds alone that are not known. */
static void find_layouts(struct kcatch_btf *btf, const struct btf_header *head,
			 const uint8_t *sections, size_t size)
{
	const struct newer_header *newer = (const void *)head;

	if (head->hdr_len < sizeof(*newer) || newer->layout_off % 4 || newer->layout_off > size ||
	    newer->layout_len > size - newer->layout_off)
		return;
	btf->layouts = (const void *)(sections + newer->layout_off);
	btf->nr_layouts = newer->layout_len / (uint32_t)sizeof(struct layout);
}

static int parse(struct kcatch_btf *btf, const uint8_t *bytes, size_t size)
{
	const struct btf_header *head = (const void *)bytes;

	if (size < sizeof(*head) || head->magic != BTF_MAGIC || head->version != BTF_VERSION ||
	    head->hdr_len < sizeof(*head) || head->hdr_len > size || head->hdr_len % 4)
		return -EINVAL;
	bytes += head->hdr_len;
	size -= head->hdr_len;
	if (head->type_off % 4 || head->type_off > size || head->type_len > size - head->type_off ||
	    head->str_off > size || head->str_len > size - head->str_off ||
	    !head->str_len || bytes[head->str_off + head->str_len - 1])
		return -EINVAL;
	/* The numbers of a module's types go on behind those of the kernel, all of which count. */
	if (btf->base && btf->base->ends_early) {
		btf->unknown = btf->base->unknown;
		return -EOPNOTSUPP;
	}
	find_layouts(btf, head, bytes, size);
	btf->types = bytes + head->type_off;
	btf->strings = (const char *)bytes + head->str_off;
	btf->strings_size = head->str_len;
	btf->first_type = 1;
	if (btf->base) {
		btf->first_type = btf->base->first_type + btf->base->nr_types;
		btf->first_string = btf->base->first_string + btf->base->strings_size;
	}
	return index_types(btf, head->type_len);
}

/*
 * Map the kernel's own type information, which kernels since 6.16 allow; read, it comes a page at
 * a time. Nothing else is mapped: who cuts a mapped file short ends its reader.
 */
static bool map_kernel(struct kcatch_btf *btf, const char *path, size_t *size)
{
	struct statfs system;
	struct stat status;
	void *bytes = MAP_FAILED;
	int file;

	if (statfs(path, &system) || system.f_type != SYSFS_MAGIC)
		return false;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	if (!fstat(file, &status) && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (bytes == MAP_FAILED)
		return false;
	btf->file = bytes;
	btf->mapped = true;
	*size = (size_t)status.st_size;
	return true;
}

int kcatch_btf_open(struct kcatch_btf **btf, const char *path, int file,
		    const struct kcatch_btf *base)
{
	struct kcatch_btf *new = calloc(1, sizeof(*new));
	const uint8_t *bytes;
	size_t size = 0;
	int ret;

	if (!new)
		return kcatch_error_memory();
	new->base = base;
	if (file < 0 && map_kernel(new, path, &size))
		ret = 0;
	else
		ret = kcatch_image_read(path, file, &new->file, &size);
	if (ret) {
		free(new);
		return ret;
	}
	pthread_mutex_init(&new->lock, NULL);
	new->file_size = size;
	bytes = new->file;
	ret = find_section(&bytes, &size, base != NULL);
	/* Descriptions are read as 32-bit words: align them. */
	if (!ret && !new->mapped && (bytes - new->file) % 4) {
		memmove(new->file, bytes, size);
		bytes = new->file;
	}
	if (!ret)
		ret = parse(new, bytes, size);
	if (ret) {
		if (ret == -EOPNOTSUPP)
			kcatch_error_set(EOPNOTSUPP, "%s: its types cannot be read: those of the kind %d "
					 "are newer than this kcatch", path, new->unknown);
		else if (ret == -ENOMEM)
			kcatch_error_memory();
		else
			kcatch_error_set(ret, "%s: %s", path, ret == -ENOENT ?
					 "no type information in it" : "damaged type information");
		kcatch_btf_close(new);
		return ret;
	}
	new->bytes = bytes;
	new->size = size;
	*btf = new;
	return 0;
}

int kcatch_btf_unknown(const struct kcatch_btf *btf, bool *ends_early)
{
	*ends_early = btf->ends_early;
	return btf->unknown;
}

const void *kcatch_btf_bytes(const struct kcatch_btf *btf, size_t *size)
{
	*size = btf->size;
	return btf->bytes;
}

size_t kcatch_btf_memory(const struct kcatch_btf *btf)
{
	return btf->file_size + btf->nr_types * (sizeof(*btf->offsets) + INDEX_BYTES);
}

void kcatch_btf_close(struct kcatch_btf *btf)
{
	int i;

	if (!btf)
		return;
	pthread_mutex_destroy(&btf->lock);
	for (i = 0; i < NR_INDEXES; i++)
		free(btf->indexes[i].slots);
	free(btf->offsets);
	if (btf->mapped)
		munmap(btf->file, btf->file_size);
	else
		free(btf->file);
	free(btf);
}

const struct btf_type *kcatch_btf_type(const struct kcatch_btf *btf, uint32_t id)
{
	while (btf && id < btf->first_type)
		btf = btf->base;
	if (!btf || id - btf->first_type >= btf->nr_types)
		return NULL;
	return (const void *)(btf->types + btf->offsets[id - btf->first_type]);
}

const char *kcatch_btf_string(const struct kcatch_btf *btf, uint32_t offset)
{
	while (btf && offset < btf->first_string)
		btf = btf->base;
	if (!btf || offset - btf->first_string >= btf->strings_size)
		return "";
	return btf->strings + (offset - btf->first_string);
}

static const struct btf_type *own_type(const struct kcatch_btf *btf, uint32_t index)
{
	return (const void *)(btf->types + btf->offsets[index]);
}

uint32_t kcatch_btf_next(const struct kcatch_btf *btf, int kind, uint32_t id)
{
	uint32_t i = id ? id - btf->first_type + 1 : 0;

	while (i < btf->nr_types && (int)BTF_INFO_KIND(own_type(btf, i)->info) != kind)
		i++;
	return i < btf->nr_types ? btf->first_type + i : 0;
}

/* ---- looking up ------------------------------------------------------------ */

static bool is_in(const struct btf_type *type, enum index_kind of)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_FUNC:
		return of == FUNCTIONS;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
		return of == POINTERS;
	}
	return of == NAMED && type->name_off;
}

static bool has_key(const struct kcatch_btf *btf, const struct btf_type *type,
		    const struct key *key)
{
	if ((int)BTF_INFO_KIND(type->info) != key->kind)
		return false;
	return key->name ? !strcmp(kcatch_btf_string(btf, type->name_off), key->name) :
			   type->type == key->target;
}

/* The slot of a key in an index, or the free slot where it belongs. */
static uint32_t *place(const struct kcatch_btf *btf, const struct index *index, uint32_t *slots,
		       const struct key *key)
{
	uint32_t at = (uint32_t)key->kind;

	at += key->name ? kcatch_hash_bytes(key->name, strlen(key->name)) :
			  kcatch_hash_bytes((const char *)&key->target, sizeof(key->target));
	at &= index->mask;
	while (slots[at] && !has_key(btf, kcatch_btf_type(btf, slots[at]), key))
		at = (at + 1) & index->mask;
	return &slots[at];
}

static uint32_t *make_index(struct kcatch_btf *btf, struct index *index, enum index_kind of)
{
	uint32_t i, nr = 0, room = 64, *slots;

	for (i = 0; i < btf->nr_types; i++)
		nr += is_in(own_type(btf, i), of);
	while (room < 2 * nr)
		room *= 2;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return NULL;
	index->mask = room - 1;
	for (i = 0; i < btf->nr_types; i++) {
		const struct btf_type *type = own_type(btf, i);
		struct key key = { .kind = BTF_INFO_KIND(type->info), .target = type->type };
		uint32_t *at;

		if (!is_in(type, of))
			continue;
		if (of != POINTERS)
			key.name = kcatch_btf_string(btf, type->name_off);
		at = place(btf, index, slots, &key);
		/* Functions of one name stand one behind the other, the first of them first. */
		btf->has_namesakes |= *at && of == FUNCTIONS;
		while (*at && of == FUNCTIONS)
			at = at < slots + index->mask ? at + 1 : slots;
		if (!*at)
			*at = btf->first_type + i;
	}
	return slots;
}

/* The hash table of an index, which is made when there were that many lookups. */
static uint32_t *slots_of(const struct kcatch_btf *known, enum index_kind of,
			  unsigned int lookups)
{
	/* No answer depends on whether there is an index. */
	struct kcatch_btf *btf = (struct kcatch_btf *)known;
	struct index *index = &btf->indexes[of];
	uint32_t *slots = __atomic_load_n(&index->slots, __ATOMIC_ACQUIRE);

	if (!slots) {
		pthread_mutex_lock(&btf->lock);
		index->lookups += lookups;
		slots = index->slots;
		if (!slots && index->lookups > LOOKUPS_WITHOUT_INDEX) {
			slots = make_index(btf, index, of);
			__atomic_store_n(&index->slots, slots, __ATOMIC_RELEASE);
		}
		pthread_mutex_unlock(&btf->lock);
	}
	return slots;
}

static uint32_t find(const struct kcatch_btf *btf, enum index_kind of, const struct key *key)
{
	uint32_t i, *slots = slots_of(btf, of, 1);

	if (slots)
		return *place(btf, &btf->indexes[of], slots, key);
	for (i = 0; i < btf->nr_types; i++)
		if (has_key(btf, own_type(btf, i), key))
			return btf->first_type + i;
	return 0;
}

void kcatch_btf_expect_many(struct kcatch_btf *btf)
{
	slots_of(btf, FUNCTIONS, LOOKUPS_WITHOUT_INDEX + 1);
}

uint32_t kcatch_btf_find(const struct kcatch_btf *btf, int kind, const char *name)
{
	const struct key key = { .kind = kind, .name = name };

	if (!*name)
		return 0;
	return find(btf, kind == BTF_KIND_FUNC ? FUNCTIONS : NAMED, &key);
}

const struct kcatch_btf *kcatch_btf_kernel(const struct kcatch_btf *btf)
{
	while (btf && btf->base)
		btf = btf->base;
	return btf;
}

bool kcatch_btf_tells_signs(const struct kcatch_btf *btf)
{
	while (btf && !btf->tells_signs)
		btf = btf->base;
	return btf;
}

bool kcatch_btf_has_namesakes(const struct kcatch_btf *btf)
{
	for (; btf; btf = btf->base)
		if (!slots_of(btf, FUNCTIONS, LOOKUPS_WITHOUT_INDEX + 1) || btf->has_namesakes)
			return true;
	return false;
}

uint32_t kcatch_btf_find_other(const struct kcatch_btf *btf, uint32_t id)
{
	const struct btf_type *function = kcatch_btf_type(btf, id);
	const struct index *index = &btf->indexes[FUNCTIONS];
	struct key key = { .kind = BTF_KIND_FUNC };
	uint32_t *slots, *at, i;

	if (!function || id < btf->first_type)
		return 0;
	key.name = kcatch_btf_string(btf, function->name_off);
	slots = slots_of(btf, FUNCTIONS, 0);
	if (!slots) {
		for (i = id - btf->first_type + 1; i < btf->nr_types; i++)
			if (has_key(btf, own_type(btf, i), &key))
				return btf->first_type + i;
		return 0;
	}
	for (at = place(btf, index, slots, &key); *at;
	     at = at < slots + index->mask ? at + 1 : slots)
		if (*at > id && has_key(btf, kcatch_btf_type(btf, *at), &key))
			return *at;
	return 0;
}

uint32_t kcatch_btf_pointer(const struct kcatch_btf *btf, uint32_t target, bool is_const)
{
	uint32_t id = 0;

	for (; btf && !id; btf = btf->base) {
		struct key key = { .kind = BTF_KIND_CONST, .target = target };

		if (is_const) {
			key.target = find(btf, POINTERS, &key);
			if (!key.target)
				continue;
		}
		key.kind = BTF_KIND_PTR;
		id = find(btf, POINTERS, &key);
	}
	return id;
}
