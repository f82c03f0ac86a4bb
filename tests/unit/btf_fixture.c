// SPDX-License-Identifier: GPL-2.0-or-later
/* btf_fixture.c - type information made by hand */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf_fixture.h"

void btf_fixture_init(struct btf_fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	fixture->strings_size = 1;
}

void btf_fixture_init_module(struct btf_fixture *fixture, const struct btf_fixture *kernel)
{
	btf_fixture_init(fixture);
	fixture->strings_before = kernel->strings_size;
	fixture->nr_types = kernel->nr_types;
}

uint32_t btf_fixture_name(struct btf_fixture *fixture, const char *name)
{
	uint32_t at = fixture->strings_size;

	if (!name)
		return 0;
	assert(at + strlen(name) + 1 <= sizeof(fixture->strings));
	strcpy(fixture->strings + at, name);
	fixture->strings_size += strlen(name) + 1;
	return fixture->strings_before + at;
}

void btf_fixture_word(struct btf_fixture *fixture, uint32_t word)
{
	assert(fixture->nr_words < sizeof(fixture->types) / sizeof(fixture->types[0]));
	fixture->types[fixture->nr_words++] = word;
}

uint32_t btf_fixture_type(struct btf_fixture *fixture, const char *name, int kind, bool flag,
			  uint32_t nr_parts, uint32_t value)
{
	btf_fixture_word(fixture, btf_fixture_name(fixture, name));
	btf_fixture_word(fixture, (uint32_t)flag << 31 | (uint32_t)kind << 24 | nr_parts);
	btf_fixture_word(fixture, value);
	return ++fixture->nr_types;
}

uint32_t btf_fixture_int(struct btf_fixture *fixture, const char *name, uint32_t size,
			 uint32_t encoding, uint32_t bits)
{
	uint32_t id = btf_fixture_type(fixture, name, BTF_KIND_INT, false, 0, size);

	btf_fixture_word(fixture, encoding << 24 | bits);
	return id;
}

uint32_t btf_fixture_pointer(struct btf_fixture *fixture, uint32_t to)
{
	return btf_fixture_type(fixture, NULL, BTF_KIND_PTR, false, 0, to);
}

uint32_t btf_fixture_const(struct btf_fixture *fixture, uint32_t of)
{
	return btf_fixture_type(fixture, NULL, BTF_KIND_CONST, false, 0, of);
}

uint32_t btf_fixture_array(struct btf_fixture *fixture, uint32_t element, uint32_t nr)
{
	uint32_t id = btf_fixture_type(fixture, NULL, BTF_KIND_ARRAY, false, 0, 0);

	btf_fixture_word(fixture, element);
	btf_fixture_word(fixture, element);	/* of its index, which nobody reads */
	btf_fixture_word(fixture, nr);
	return id;
}

void btf_fixture_member(struct btf_fixture *fixture, const char *name, uint32_t type,
			uint32_t bit_offset, uint32_t bit_size)
{
	btf_fixture_word(fixture, btf_fixture_name(fixture, name));
	btf_fixture_word(fixture, type);
	btf_fixture_word(fixture, bit_size << 24 | bit_offset);
}

uint32_t btf_fixture_function(struct btf_fixture *fixture, const char *name, uint32_t ret,
			      const struct btf_fixture_parameter *parameters)
{
	uint32_t i, nr = 0, proto;

	while (parameters[nr].type != ~0U)
		nr++;
	proto = btf_fixture_type(fixture, NULL, BTF_KIND_FUNC_PROTO, false, nr, ret);
	for (i = 0; i < nr; i++) {
		btf_fixture_word(fixture, btf_fixture_name(fixture, parameters[i].name));
		btf_fixture_word(fixture, parameters[i].type);
	}
	return btf_fixture_type(fixture, name, BTF_KIND_FUNC, false, 1, proto);
}

size_t btf_fixture_bytes(const struct btf_fixture *fixture, uint8_t *bytes, size_t room)
{
	const struct {
		struct btf_header plain;
		uint32_t layout_off, layout_len;
	} head = {
		.plain = {
			.magic = BTF_MAGIC, .version = BTF_VERSION,
			.hdr_len = fixture->nr_layouts ? sizeof(head) : sizeof(head.plain),
			.type_len = fixture->nr_words * 4,
			.str_off = fixture->nr_words * 4 + fixture->nr_layouts * 4,
			.str_len = fixture->strings_size,
		},
		.layout_off = fixture->nr_words * 4, .layout_len = fixture->nr_layouts * 4,
	};
	size_t at = head.plain.hdr_len;

	assert(at + head.plain.str_off + head.plain.str_len <= room);
	memcpy(bytes, &head, at);
	memcpy(bytes + at, fixture->types, head.plain.type_len);
	at += head.plain.type_len;
	memcpy(bytes + at, fixture->layouts, head.layout_len);
	at += head.layout_len;
	memcpy(bytes + at, fixture->strings, head.plain.str_len);
	return at + head.plain.str_len;
}

static void write_all(int file, const void *bytes, size_t size)
{
	ssize_t written = write(file, bytes, size);

	assert(written == (ssize_t)size);
}

int btf_fixture_open(const struct btf_fixture *fixture, struct kcatch_types **types)
{
	return btf_fixture_open_packed(fixture, NULL, types);
}

static void write_file(const char *path, const struct btf_fixture *fixture)
{
	uint8_t bytes[BTF_FIXTURE_SIZE];
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert(file >= 0);
	write_all(file, bytes, btf_fixture_bytes(fixture, bytes, sizeof(bytes)));
	close(file);
}

int btf_fixture_open_packed(const struct btf_fixture *fixture, const char *packer,
			    struct kcatch_types **types)
{
	char directory[] = "/tmp/kcatch-btf-XXXXXX", path[64], command[300];
	int ret;

	assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/vmlinux", directory);
	write_file(path, fixture);
	if (packer) {
		snprintf(command, sizeof(command), "(%s) <%s >%s.packed && mv %s.packed %s", packer,
			 path, path, path, path);
		assert(!system(command));
	}
	ret = kcatch_types_open_directory(types, directory);
	unlink(path);
	rmdir(directory);
	return ret;
}

int btf_fixture_open_with_module(const struct btf_fixture *fixture,
				 const struct btf_fixture *module, struct kcatch_types **types)
{
	char directory[] = "/tmp/kcatch-btf-XXXXXX", kernel[64], other[64];
	struct kcatch_type type;
	int ret;

	assert(mkdtemp(directory));
	snprintf(kernel, sizeof(kernel), "%s/vmlinux", directory);
	snprintf(other, sizeof(other), "%s/module", directory);
	write_file(kernel, fixture);
	write_file(other, module);
	ret = kcatch_types_open_directory(types, directory);
	/* A module's types are read at the first question. */
	if (!ret)
		ret = kcatch_types_at(*types, "module", 0, &type);
	unlink(other);
	unlink(kernel);
	rmdir(directory);
	return ret;
}

int btf_fixture_open_file(const char *file, struct kcatch_types **types)
{
	char directory[] = "/tmp/kcatch-btf-XXXXXX", path[64], command[300];
	int ret;

	assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/vmlinux", directory);
	snprintf(command, sizeof(command), "cat %s >%s", file, path);
	assert(access(file, F_OK) || !system(command));
	ret = kcatch_types_open_directory(types, directory);
	unlink(path);
	rmdir(directory);
	return ret;
}
