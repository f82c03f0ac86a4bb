/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * debug_file.c - reads an ELF file with debug information: a vmlinux, a module, or another
 *
 * libdwfl relocates a module's debug information and chooses the addresses of its sections. To
 * look up an offset in a section, the caller adds the section's address.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/elf_image.h"
#include "debuginfo/debug_file.h"
#include "debuginfo/dwarf_lines.h"

#define NOTES_MAX 65536
#define SECTIONS_MAX 100000

struct kcatch_debug_file {
	const struct kcatch_libdw *dw;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	Dwarf *dwarf;
	uint64_t elf_bias, dwarf_bias;
};

/* ---- what needs no libdw ---------------------------------------------------- */

static size_t align4(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static int find_build_id(const uint8_t *notes, size_t size, struct kcatch_build_id *id)
{
	Elf64_Nhdr head;

	while (size >= sizeof(head)) {
		const uint8_t *name = notes + sizeof(head);
		size_t whole;

		memcpy(&head, notes, sizeof(head));
		whole = sizeof(head) + align4(head.n_namesz) + align4(head.n_descsz);
		if (head.n_namesz > size || head.n_descsz > size || whole > size)
			break;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    !memcmp(name, "GNU", 4) && head.n_descsz &&
		    head.n_descsz <= sizeof(id->bytes)) {
			id->size = head.n_descsz;
			memcpy(id->bytes, name + 4, id->size);
			return 0;
		}
		notes += whole;
		size -= whole;
	}
	return -ENOENT;
}

int kcatch_build_id_read(const char *path, struct kcatch_build_id *id)
{
	size_t size = 0;
	uint8_t *notes;
	int fd, ret;

	id->size = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	notes = malloc(NOTES_MAX);
	if (!notes) {
		close(fd);
		return -ENOMEM;
	}
	while (size < NOTES_MAX) {
		ssize_t more = read(fd, notes + size, NOTES_MAX - size);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		size += (size_t)more;
	}
	close(fd);
	ret = find_build_id(notes, size, id);
	free(notes);
	return ret;
}

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool has_debug_info(int fd)
{
	Elf64_Shdr section, names;
	Elf64_Ehdr head;
	char name[13];
	unsigned int i;

	if (!read_at(fd, &head, sizeof(head), 0) || !kcatch_elf_is_native(&head) ||
	    !read_at(fd, &names, sizeof(names), head.e_shoff + head.e_shstrndx * sizeof(names)))
		return false;
	for (i = 0; i < head.e_shnum; i++) {
		if (!read_at(fd, &section, sizeof(section), head.e_shoff + i * sizeof(section)))
			return false;
		if (section.sh_type == SHT_PROGBITS && !(section.sh_flags & SHF_ALLOC) &&
		    read_at(fd, name, sizeof(name), names.sh_offset + section.sh_name) &&
		    (!memcmp(name, ".debug_info", 12) || !memcmp(name, ".zdebug_info", 13)))
			return true;
	}
	return false;
}

bool kcatch_debug_file_is_useful(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool useful;

	if (fd < 0)
		return false;
	useful = has_debug_info(fd);
	close(fd);
	return useful;
}

/* ---- what does ----------------------------------------------------------------- */

/* The file is what is wanted itself: look for no other, and fetch none from a network. */
static int find_nothing(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *path, const char *link, GElf_Word crc, char **found)
{
	(void)module; (void)data; (void)name; (void)base;
	(void)path; (void)link; (void)crc; (void)found;
	return -1;
}

static int check_build_id(const struct kcatch_debug_file *file, const struct kcatch_build_id *id)
{
	const void *bytes;
	ssize_t size = file->dw->elf_build_id(file->elf, &bytes);

	if (!id->size || size != (ssize_t)id->size || memcmp(bytes, id->bytes, id->size))
		return -ESTALE;
	return 0;
}

static int load(struct kcatch_debug_file *file, const char *path, const struct kcatch_build_id *id)
{
	const struct kcatch_libdw *dw = file->dw;
	GElf_Addr bias;
	int ret;

	file->callbacks.find_debuginfo = find_nothing;
	file->callbacks.section_address = dw->offline_section;
	file->dwfl = dw->begin(&file->callbacks);
	if (!file->dwfl)
		return -ENOMEM;
	file->module = dw->report_offline(file->dwfl, "", path, -1);
	if (!file->module || dw->report_end(file->dwfl, NULL, NULL))
		return -EIO;
	file->elf = dw->module_elf(file->module, &bias);
	if (!file->elf)
		return -EIO;
	file->elf_bias = bias;
	ret = check_build_id(file, id);
	if (ret)
		return ret;
	file->dwarf = dw->module_dwarf(file->module, &bias);
	if (!file->dwarf)
		return -ENODATA;
	file->dwarf_bias = bias;
	return 0;
}

int kcatch_debug_file_open(const struct kcatch_libdw *dw, const char *path,
			   const struct kcatch_build_id *id, struct kcatch_debug_file **file)
{
	struct kcatch_debug_file *new = calloc(1, sizeof(*new));
	int ret;

	if (!new)
		return -ENOMEM;
	new->dw = dw;
	ret = load(new, path, id);
	if (ret) {
		kcatch_debug_file_close(new);
		return ret;
	}
	*file = new;
	return 0;
}

void kcatch_debug_file_close(struct kcatch_debug_file *file)
{
	if (!file)
		return;
	if (file->dwfl)
		file->dw->end(file->dwfl);
	free(file);
}

bool kcatch_debug_file_symbol(struct kcatch_debug_file *file, const char *name,
			      uint64_t *address)
{
	const struct kcatch_libdw *dw = file->dw;
	int nr = dw->module_symtab(file->module), i;

	for (i = 1; i < nr; i++) {
		GElf_Sym symbol;
		const char *found = dw->module_sym(file->module, i, &symbol, NULL);

		if (found && symbol.st_shndx != SHN_UNDEF && !strcmp(found, name)) {
			*address = symbol.st_value - file->elf_bias;
			return true;
		}
	}
	return false;
}

bool kcatch_debug_file_section(struct kcatch_debug_file *file, const char *name,
			       uint64_t *address, uint64_t *size)
{
	const struct kcatch_libdw *dw = file->dw;
	Elf_Scn *section = NULL;
	unsigned int seen = 0;
	GElf_Shdr head;
	size_t names;

	if (dw->getshdrstrndx(file->elf, &names))
		return false;
	while ((section = dw->nextscn(file->elf, section)) && seen++ < SECTIONS_MAX) {
		const char *found;

		if (!dw->getshdr(section, &head) || !(head.sh_flags & SHF_ALLOC))
			continue;
		found = dw->strptr(file->elf, names, head.sh_name);
		if (found && !strcmp(found, name)) {
			*address = head.sh_addr;
			*size = head.sh_size;
			return true;
		}
	}
	return false;
}

uint32_t kcatch_debug_file_lines(struct kcatch_debug_file *file, uint64_t address,
				 struct kcatch_source_line *lines, uint32_t room,
				 const char **directory)
{
	return kcatch_dwarf_lines(file->dw, file->dwarf,
				  address + file->elf_bias - file->dwarf_bias, lines, room,
				  directory);
}

int kcatch_debug_file_inlined(struct kcatch_debug_file *file, const char *name,
			      kcatch_inlined_copy *visit, void *arg)
{
	return kcatch_dwarf_inlined(file->dw, file->dwarf, name, visit, arg);
}
