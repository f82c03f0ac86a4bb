/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* open_files.c - reads the kernel's tables of open files */
#include "stuck/open_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/array.h"
#include "stuck/wait_detail.h"

/* Descriptors that are read at once. */
#define PART (KCATCH_READ_MAX / 8)
/* Most bytes of a struct file up to the last member that is read. */
#define FILE_ROOM 512U

enum { FILES, TABLE, MAX, ARRAY, MODE, OPERATIONS, INODE, PRIVATE, NUMBER, NR_PLACES };

struct kcatch_stuck_files {
	bool known;	/* the places are */
	struct kcatch_stuck_place places[NR_PLACES];
	bool read;	/* the files were */
	bool whole;	/* all of them */
	struct kcatch_open_file *files;
	size_t nr;
};

static struct kcatch_stuck_files *get(struct kcatch_stuck_details *details)
{
	static const struct kcatch_stuck_place places[NR_PLACES] = {
		[FILES] = { "struct task_struct", "files", 0 },
		[TABLE] = { "struct files_struct", "fdt", 0 },
		[MAX] = { "struct fdtable", "max_fds", 0 },
		[ARRAY] = { "struct fdtable", "fd", 0 },
		[MODE] = { "struct file", "f_mode", 0 },
		[OPERATIONS] = { "struct file", "f_op", 0 },
		[INODE] = { "struct file", "f_inode", 0 },
		[PRIVATE] = { "struct file", "private_data", 0 },
		[NUMBER] = { "struct inode", "i_ino", 0 },
	};
	struct kcatch_stuck_files *files = details->files;
	size_t i;

	if (!files) {
		files = calloc(1, sizeof(*files));
		if (!files)
			return NULL;
		details->files = files;
		memcpy(files->places, places, sizeof(places));
		files->known = kcatch_stuck_learn(details, files->places, NR_PLACES);
		for (i = MODE; i <= PRIVATE; i++)
			files->known &= files->places[i].offset + 8 <= FILE_ROOM;
	}
	return files->known ? files : NULL;
}

/* The table of descriptors: kernel address of its first one, and how many it has room for. */
static uint64_t find_table(const struct kcatch_stuck_details *details,
			   const struct kcatch_stuck_files *files, uint64_t of, uint32_t *room)
{
	uint64_t table = of ? kcatch_stuck_word(details, of + files->places[TABLE].offset) : 0;

	if (!table)
		return 0;
	*room = (uint32_t)kcatch_stuck_word(details, table + files->places[MAX].offset);
	return kcatch_stuck_word(details, table + files->places[ARRAY].offset);
}

static uint64_t files_of(const struct kcatch_stuck_details *details,
			 const struct kcatch_stuck_files *files, const struct kcatch_task *task)
{
	return kcatch_stuck_word(details, task->address + files->places[FILES].offset);
}

int kcatch_stuck_descriptor(const struct kcatch_task *task, bool to_write)
{
	if (!kcatch_task_is_wide(task))
		return -1;
	switch (kcatch_task_call(task)) {
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_connect:
	case SYS_pread64:
	case SYS_preadv:
	case SYS_preadv2:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_pwritev2:
	case SYS_vmsplice:
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		break;
	case SYS_splice:
		if (to_write)
			return (int)kcatch_task_arg(task, 2);
		break;
	case SYS_tee:
		if (to_write)
			return (int)kcatch_task_arg(task, 1);
		break;
	default:
		return -1;
	}
	return (int)kcatch_task_arg(task, 0);
}

uint64_t kcatch_stuck_file_at(struct kcatch_stuck_details *details, const struct kcatch_task *task,
			      int fd)
{
	const struct kcatch_stuck_files *files = get(details);
	uint32_t room;
	uint64_t at;

	if (!files || fd < 0)
		return 0;
	at = find_table(details, files, files_of(details, files, task), &room);
	return at && (uint32_t)fd < room ? kcatch_stuck_word(details, at + (uint64_t)fd * 8) : 0;
}

bool kcatch_stuck_file_read(struct kcatch_stuck_details *details, uint64_t address,
			    struct kcatch_open_file *file)
{
	const struct kcatch_stuck_files *files = get(details);
	const struct kcatch_stuck_place *places;
	uint8_t bytes[FILE_ROOM];
	uint32_t size = 0, i;

	if (!files || !address)
		return false;
	places = files->places;
	for (i = MODE; i <= PRIVATE; i++) {
		if (places[i].offset + 8 > size)
			size = places[i].offset + 8;
	}
	if (kcatch_kernel_read(details->session, address, bytes, size))
		return false;
	*file = (struct kcatch_open_file){ .address = address, .fd = -1 };
	memcpy(&file->mode, bytes + places[MODE].offset, sizeof(file->mode));
	memcpy(&file->operations, bytes + places[OPERATIONS].offset, sizeof(file->operations));
	memcpy(&file->inode, bytes + places[INODE].offset, sizeof(file->inode));
	memcpy(&file->private, bytes + places[PRIVATE].offset, sizeof(file->private));
	return true;
}

/* All files of a struct files_struct. Return: false, memory is short */
static bool add_files(struct kcatch_stuck_details *details, struct kcatch_stuck_files *files,
		      uint64_t of, uint32_t thread, uint64_t *part)
{
	uint32_t room = 0, begin, nr, i;
	uint64_t at = find_table(details, files, of, &room);

	for (begin = 0; at && begin < room; begin += nr) {
		nr = room - begin < PART ? room - begin : PART;
		if (kcatch_kernel_read(details->session, at + (uint64_t)begin * 8, part, nr * 8))
			break;	/* it has ended, or has got another table */
		for (i = 0; i < nr; i++) {
			struct kcatch_open_file file, *more;

			if (!part[i] || !kcatch_stuck_file_read(details, part[i], &file))
				continue;
			file.thread = thread;
			file.fd = (int)(begin + i);
			more = kcatch_array_grow(files->files, files->nr, sizeof(*more));
			if (!more)
				return false;
			files->files = more;
			more[files->nr++] = file;
		}
	}
	return true;
}

uint64_t kcatch_stuck_file_number(struct kcatch_stuck_details *details,
				  struct kcatch_open_file *file)
{
	const struct kcatch_stuck_files *files = get(details);

	if (files && !file->number)
		file->number = kcatch_stuck_word(details,
						 file->inode + files->places[NUMBER].offset);
	return file->number;
}

struct kcatch_open_file *kcatch_stuck_files(struct kcatch_stuck_details *details, size_t *nr)
{
	const struct kcatch_task_list *list = details->list;
	struct kcatch_stuck_files *files = get(details);
	uint64_t *part, of, last = 0;
	uint32_t i, pid = 0;

	if (!files)
		return NULL;
	if (!files->read) {
		files->read = true;
		part = malloc(PART * sizeof(*part));
		files->whole = part;
		/* Threads may have files of their own, and one that has ended has none. */
		for (i = 0; files->whole && i < list->nr; i++) {
			const struct kcatch_task *task = &list->tasks[i];

			of = task->mm ? files_of(details, files, task) : 0;
			if (!of || (of == last && task->pid == pid))
				continue;
			last = of;
			pid = task->pid;
			files->whole = add_files(details, files, of, i, part);
		}
		free(part);
	}
	*nr = files->nr;
	return files->whole ? files->files : NULL;
}

void kcatch_stuck_files_destroy(struct kcatch_stuck_files *files)
{
	if (files)
		free(files->files);
	free(files);
}
