/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * file_waits.c - finds the file whose page, block or lock a thread waits for
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "stuck/open_files.h"
#include "stuck/wait_detail.h"

#define PAGE_SIZE UINT64_C(4096)
#define SHOWN_ROOM 560	/* of one that is shown, in which odd bytes are escaped */
#define FREEZE_LEVELS 3U	/* locks of a file system that is frozen: SB_FREEZE_LEVELS */
#define FREEZE_COMPLETE 4U	/* SB_FREEZE_COMPLETE */
#define ANONYMOUS 3ULL	/* low bits of struct folio.mapping: no file's */

/* A file of sysfs, without the line's end. Return: whether it could be read. */
static bool read_line(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "re");
	bool is = file && fgets(text, (int)room, file);

	if (file)
		fclose(file);
	if (is)
		text[strcspn(text, "\n")] = '\0';
	return is;
}

/* Of the device mapper: it takes no requests until it is resumed. */
static bool is_suspended(const char *name)
{
	char path[128], text[8];

	snprintf(path, sizeof(path), "/sys/block/%.60s/dm/suspended", name);
	return read_line(path, text, sizeof(text)) && text[0] == '1';
}

const char *kcatch_stuck_suspended_find(struct kcatch_stuck_details *details)
{
	char found[512] = "", path[128], name[128], shown[4 * sizeof(name) + 1];
	DIR *directory = opendir("/sys/block");
	struct dirent *entry;
	size_t used = 0;

	while (directory && (entry = readdir(directory))) {
		if (strncmp(entry->d_name, "dm-", 3) != 0 || !is_suspended(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "/sys/block/%.60s/dm/name", entry->d_name);
		if (!read_line(path, name, sizeof(name)))
			name[0] = '\0';
		kcatch_text_escape(name, strlen(name), shown, sizeof(shown));
		used += (size_t)snprintf(found + used, sizeof(found) - used, "%s%s (%.100s)",
					 used ? ", " : "", entry->d_name, shown);
		if (used + 200 > sizeof(found))
			break;
	}
	if (directory)
		closedir(directory);
	return used ? kcatch_stuck_say(details, "%s", found) : NULL;
}

/* "8:1 (sda1)" */
static bool show_device(uint32_t device, char *text, size_t room)
{
	uint32_t major = device >> 20, minor = device & 0xfffff;
	char path[64], target[256], *name;
	ssize_t length;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	length = readlink(path, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	name = strrchr(target, '/');
	snprintf(text, room, "%.60s%s%u:%u%s%s", name ? name + 1 : "", name ? " (" : "", major,
		 minor, name ? ")" : "", name && is_suspended(name + 1) ? ", which is suspended" : "");
	return name;
}

static bool show_inode(struct kcatch_stuck_details *details, uint64_t inode, char *text,
		       size_t room)
{
	enum { NUMBER, SUPER, RDEV, ALIASES, TYPE, NAME_OF_TYPE, DEVICE, ALIAS, NAME, MODE };
	struct kcatch_stuck_place places[] = {
		[MODE] = { "struct inode", "i_mode", 0 },
		[NUMBER] = { "struct inode", "i_ino", 0 },
		[SUPER] = { "struct inode", "i_sb", 0 },
		[RDEV] = { "struct inode", "i_rdev", 0 },
		[ALIASES] = { "struct inode", "i_dentry", 0 },
		[TYPE] = { "struct super_block", "s_type", 0 },
		[NAME_OF_TYPE] = { "struct file_system_type", "name", 0 },
		[DEVICE] = { "struct super_block", "s_dev", 0 },
		[ALIAS] = { "struct dentry", "d_u", 0 },
		[NAME] = { "struct dentry", "d_name", 0 },
	};
	struct kcatch_type qstr;
	struct kcatch_member pointer;
	uint32_t unused;
	char type[64], name[SHOWN_ROOM] = "", device[128];
	uint64_t super, alias;

	/* Since 7.x the union has no name. */
	if (details->types && kcatch_types_offset(details->types, "struct dentry", "d_u", &unused))
		places[ALIAS].member = "d_alias";
	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])) ||
	    kcatch_types_struct(details->types, "struct qstr", &qstr) ||
	    kcatch_type_find(qstr, "name", &pointer))
		return false;
	super = kcatch_stuck_word(details, inode + places[SUPER].offset);
	if (!super)
		return false;
	kcatch_stuck_text(
		details,
		kcatch_stuck_word(details, kcatch_stuck_word(details, super + places[TYPE].offset) +
						   places[NAME_OF_TYPE].offset),
		type, sizeof(type));
	if (!strcmp(type, "bdev") ||
	    S_ISBLK((uint16_t)kcatch_stuck_word(details, inode + places[MODE].offset))) {
		show_device((uint32_t)kcatch_stuck_word(details, inode + places[RDEV].offset),
			    device, sizeof(device));
		snprintf(text, room, "block device %s", device);
		return true;
	}
	show_device((uint32_t)kcatch_stuck_word(details, super + places[DEVICE].offset), device,
		    sizeof(device));
	alias = kcatch_stuck_word(details, inode + places[ALIASES].offset);
	if (alias)
		kcatch_stuck_text(details,
			  kcatch_stuck_word(details, alias - places[ALIAS].offset +
							     places[NAME].offset +
							     pointer.bit_offset / 8),
			  name, sizeof(name));
	snprintf(text, room, "%s%s%sinode %" PRIu64 " of %s on %s", name[0] ? "file " : "", name,
		 name[0] ? ", " : "", kcatch_stuck_word(details, inode + places[NUMBER].offset),
		 type, device);
	return true;
}

void kcatch_stuck_page_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread)
{
	enum { WAIT, FOLIO, PRIVATE, FUNC, MAPPING, INDEX, HOST };
	struct kcatch_stuck_place places[] = {
		[WAIT] = { "struct wait_page_queue", "wait", 0 },
		[FOLIO] = { "struct wait_page_queue", "folio", 0 },
		[PRIVATE] = { "struct wait_queue_entry", "private", 0 },
		[FUNC] = { "struct wait_queue_entry", "func", 0 },
		[MAPPING] = { "struct folio", "mapping", 0 },
		[INDEX] = { "struct folio", "index", 0 },
		[HOST] = { "struct address_space", "host", 0 },
	};
	uint64_t entry, folio, mapping, host;
	char file[800];

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return;
	entry = kcatch_stuck_entry_find(details, &details->list->tasks[at],
					places[WAIT].offset + places[PRIVATE].offset,
					places[WAIT].offset + places[FUNC].offset, "wake_page_function");
	folio = entry ? kcatch_stuck_word(details, entry + places[FOLIO].offset) : 0;
	mapping = folio ? kcatch_stuck_word(details, folio + places[MAPPING].offset) : 0;
	if (!mapping || mapping & ANONYMOUS)
		return;
	host = kcatch_stuck_word(details, mapping + places[HOST].offset);
	if (!host || !show_inode(details, host, file, sizeof(file)))
		return;
	thread->reason = kcatch_stuck_say(details, "%s: offset %" PRIu64 " of %s", thread->reason,
		kcatch_stuck_word(details, folio + places[INDEX].offset) * PAGE_SIZE,
		file) ?: thread->reason;
}

void kcatch_stuck_buffer_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread)
{
	enum { ENTRY, KEY, FLAGS, PRIVATE, FUNC, DEVICE, BLOCK, SIZE, NUMBER };
	struct kcatch_stuck_place places[] = {
		[ENTRY] = { "struct wait_bit_queue_entry", "wq_entry", 0 },
		[KEY] = { "struct wait_bit_queue_entry", "key", 0 },
		[FLAGS] = { "struct wait_bit_key", "flags", 0 },
		[PRIVATE] = { "struct wait_queue_entry", "private", 0 },
		[FUNC] = { "struct wait_queue_entry", "func", 0 },
		[DEVICE] = { "struct buffer_head", "b_bdev", 0 },
		[BLOCK] = { "struct buffer_head", "b_blocknr", 0 },
		[SIZE] = { "struct buffer_head", "b_size", 0 },
		[NUMBER] = { "struct block_device", "bd_dev", 0 },
	};
	uint64_t entry, buffer, device, size;
	char name[128];

	if (!kcatch_stuck_learn(details, places, sizeof(places) / sizeof(places[0])))
		return;
	entry = kcatch_stuck_entry_find(details, &details->list->tasks[at],
					places[ENTRY].offset + places[PRIVATE].offset,
					places[ENTRY].offset + places[FUNC].offset, "wake_bit_function");
	/* The bit is in the first word of the buffer's head. */
	buffer = entry ? kcatch_stuck_word(details,
					   entry + places[KEY].offset + places[FLAGS].offset) :
			 0;
	device = buffer ? kcatch_stuck_word(details, buffer + places[DEVICE].offset) : 0;
	size = buffer ? kcatch_stuck_word(details, buffer + places[SIZE].offset) : 0;
	/* Other structures have bits to wait for, too. */
	if (!device || size < 512 || size > 65536 || size & (size - 1) ||
	    !show_device((uint32_t)kcatch_stuck_word(details, device + places[NUMBER].offset), name,
			 sizeof(name)))
		return;
	thread->reason = kcatch_stuck_say(details, "a buffer of a block device: block %" PRIu64
		" (of %" PRIu64 " bytes) of %s", kcatch_stuck_word(details,
		buffer + places[BLOCK].offset),
		size, name) ?: thread->reason;
}

void kcatch_stuck_direct_find(struct kcatch_stuck_details *details, uint32_t at,
			      struct kcatch_stuck_thread *thread)
{
	const struct kcatch_task *task = &details->list->tasks[at];
	struct kcatch_open_file file;
	char text[800];

	if (!kcatch_stuck_file_read(details, kcatch_stuck_file_at(details, task,
						kcatch_stuck_descriptor(task, false)), &file) ||
	    !show_inode(details, file.inode, text, sizeof(text)))
		return;
	thread->reason = kcatch_stuck_say(details, "%s: %s", thread->reason, text) ?:
			 thread->reason;
}

/* ---- file systems --------------------------------------------------------------------- */

void kcatch_stuck_thaw_find(struct kcatch_stuck_details *details, uint32_t at,
			    struct kcatch_stuck_thread *thread)
{
	enum { QUEUE, WRITERS, FROZEN, LOCKS, ROOT, DENTRY_SUPER, TYPE, NAME, DEVICE };
	struct kcatch_stuck_place p[] = {
		[QUEUE] = { "struct percpu_rw_semaphore", "waiters", 0 },
		[WRITERS] = { "struct super_block", "s_writers", 0 },
		[FROZEN] = { "struct sb_writers", "frozen", 0 },
		[LOCKS] = { "struct sb_writers", "rw_sem", 0 },
		[ROOT] = { "struct super_block", "s_root", 0 },
		[DENTRY_SUPER] = { "struct dentry", "d_sb", 0 },
		[TYPE] = { "struct super_block", "s_type", 0 },
		[NAME] = { "struct file_system_type", "name", 0 },
		[DEVICE] = { "struct super_block", "s_dev", 0 },
	};
	uint64_t lock = kcatch_stuck_queue_find(details, &details->list->tasks[at],
						"percpu_rwsem_wake_function");
	uint64_t super, root;
	char device[128], name[64];
	struct kcatch_type type;
	uint32_t level, frozen;

	if (!lock || !kcatch_stuck_learn(details, p, sizeof(p) / sizeof(p[0])) ||
	    kcatch_types_struct(details->types, "struct percpu_rw_semaphore", &type))
		return;
	lock -= p[QUEUE].offset;
	/* One for writes, one for page faults, one for what the file system does itself. */
	for (level = 0; level < FREEZE_LEVELS; level++) {
		super = lock - p[WRITERS].offset - p[LOCKS].offset -
			level * (uint64_t)kcatch_type_size(type);
		root = kcatch_stuck_word(details, super + p[ROOT].offset);
		if (!root || kcatch_stuck_word(details, root + p[DENTRY_SUPER].offset) != super)
			continue;
		kcatch_stuck_text(details, kcatch_stuck_word(details, kcatch_stuck_word(details,
					  super + p[TYPE].offset) + p[NAME].offset),
				  name, sizeof(name));
		show_device((uint32_t)kcatch_stuck_word(details, super + p[DEVICE].offset), device,
			    sizeof(device));
		frozen = (uint16_t)kcatch_stuck_word(details, super + p[WRITERS].offset +
								      p[FROZEN].offset);
		thread->reason = kcatch_stuck_say(details, "file system %s to be thawed: it is %s, on %s",
						  name, frozen == FREEZE_COMPLETE ? "frozen" :
						  "being frozen", device) ?: thread->reason;
		return;
	}
}

/* ---- flock() and fcntl() ------------------------------------------------------------ */

/* The inode behind a file descriptor, without asking the file system. */
static uint64_t inode_of(uint32_t tid, uint32_t fd)
{
	char path[64], line[256];
	uint64_t inode = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/fdinfo/%u", tid, fd);
	file = fopen(path, "re");
	while (file && !inode && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "ino:", 4))
			inode = strtoull(line + 4, NULL, 10);
	}
	if (file)
		fclose(file);
	return inode;
}

/* The type that /proc/locks has for what a thread waits for; NULL: not known, or of open files. */
static const char *wanted_type(const struct kcatch_task *task)
{
	if (!kcatch_task_is_wide(task))
		return NULL;
	if (kcatch_task_call(task) == SYS_flock)
		return "FLOCK";
	return kcatch_task_call(task) == SYS_fcntl &&
			       (uint32_t)kcatch_task_arg(task, 1) == F_SETLKW ?
		       "POSIX" :
		       NULL;
}

/*
 * "7: POSIX  ADVISORY  WRITE 123 08:01:4711 0 EOF" is a lock; lines of the same number with
 * an arrow are those who wait for it. They name processes: when several threads of one wait for
 * parts of a file, which line is whose is not known.
 * Return: the process that holds what all of them wait for; negative: an open file does; 0: none,
 * or several.
 */
static int holder_of(uint32_t pid, const char *type, uint64_t inode)
{
	FILE *file = fopen("/proc/locks", "re");
	int holder = 0, found = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		char *rest = strchr(line, ':'), *arrow = rest ? strstr(rest, "->") : NULL, *number;
		char of[16], where[64];
		int who;

		if (!rest || sscanf(arrow ? arrow + 2 : rest + 1, "%15s %*s %*s %d %63s", of, &who,
				    where) != 3)
			continue;
		number = strrchr(where, ':');
		if (!arrow)
			holder = who;
		if (!arrow || who != (int)pid || strcmp(of, type) || !number ||
		    strtoull(number + 1, NULL, 10) != inode)
			continue;
		if (found && found != holder) {
			found = 0;
			break;
		}
		found = holder;
	}
	if (file)
		fclose(file);
	return found;
}

void kcatch_stuck_file_lock_find(struct kcatch_stuck_details *details, uint32_t at,
				 struct kcatch_stuck_thread *thread)
{
	const struct kcatch_task *task = &details->list->tasks[at], *owner;
	const char *type = wanted_type(task);
	uint64_t inode = type ? inode_of(task->tid, (uint32_t)kcatch_task_arg(task, 0)) : 0;
	char kind[40], shown[4 * sizeof(task->comm) + 1];
	int found = inode ? holder_of(task->pid, type, inode) : 0;

	if (!found)
		return;
	snprintf(kind, sizeof(kind), "a lock on a file (%s)", strcmp(type, "FLOCK") ? "fcntl" : "flock");
	owner = found > 0 ? kcatch_task_list_of(details->list, (uint32_t)found) : NULL;
	if (!owner) {
		thread->reason = kcatch_stuck_say(details, found > 0 ?
			"%s, which process %d took, which has ended: whoever has that file from it has it" :
			"%s of an open file: who has that open is not known", kind, found) ?:
			thread->reason;
		return;
	}
	kcatch_text_escape(owner->comm, strnlen(owner->comm, sizeof(owner->comm)), shown,
			   sizeof(shown));
	thread->reason = kcatch_stuck_say(details, "%s, which %s(%u) took", kind, shown,
					  owner->tid) ?: thread->reason;
	thread->waits_for = (uint32_t)(owner - details->list->tasks);
	thread->named = true;
	/* A lock of flock() belongs to the open file, which others may have, too. */
	thread->certain = !strcmp(type, "POSIX") && owner->nr_threads == 1 &&
			  (task->state == 'S' || task->state == 'D');
}
