// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads which files the current process has mapped as code. Any context, NMI too, inside a hook.
 *
 * The list of mappings is read under mmap_lock, which is only tried. To let go of it may wake a
 * waiting writer, which takes locks of the scheduler: the hook may be inside of these, but then
 * interrupts are off. So where they are off the lock is held a moment longer, until an interrupt
 * work lets go of it; one at a time on each CPU.
 *
 * The build ID is read from the file's first pages in the process's memory, where the loader has
 * mapped them. What is there is untrusted: each read is checked against the mapping, and loops are
 * bounded.
 */
#include <linux/elf.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/percpu.h>
#include "program/fetch_maps.h"
#include "program/fetch_memory.h"
#include "program/fetch_path.h"

/* Bounds of the time that it takes. */
#define NOTE_BUILD_ID	3	/* NT_GNU_BUILD_ID, which the kernel does not name */

#define LOOKED_AT_MAX	4096	/* mappings of a process */
#define PHDRS_MAX	64
#define NOTES_MAX	8
#define PHDRS_AT_ONCE	4
#define PATH_MOST	1024U	/* bytes */

/* ---- the lock -------------------------------------------------------------------- */

struct release {
	struct irq_work work;
	struct mm_struct *mm;	/* NULL: free */
};

static void release_in_irq(struct irq_work *work)
{
	struct release *release = container_of(work, struct release, work);
	struct mm_struct *mm = release->mm;

	WRITE_ONCE(release->mm, NULL);
	up_read_non_owner(&mm->mmap_lock);
}

static DEFINE_PER_CPU(struct release, releases);

/* With interrupts off, or NULL. No hit of this CPU comes between but one of an NMI. */
static bool claim_release(struct mm_struct *mm)
{
	struct release *release = this_cpu_ptr(&releases);

	return !IS_ENABLED(CONFIG_PREEMPT_RT) && !irq_work_is_busy(&release->work) &&
	       !cmpxchg(&release->mm, NULL, mm);
}

static bool lock_maps(struct mm_struct *mm, bool later)
{
	if (later && !claim_release(mm))
		return false;
	if (down_read_trylock(&mm->mmap_lock))
		return true;
	if (later)
		WRITE_ONCE(this_cpu_ptr(&releases)->mm, NULL);
	return false;
}

static void unlock_maps(struct mm_struct *mm, bool later)
{
	if (!later) {
		up_read(&mm->mmap_lock);
		return;
	}
	/* For lockdep: the interrupt work is not who took it. */
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	irq_work_queue(&this_cpu_ptr(&releases)->work);
}

/* At run time: older kernels do not relocate addresses in the per-CPU data of a module. */
void kcatch_fetch_maps_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(releases, cpu).work = IRQ_WORK_INIT_HARD(release_in_irq);
}

void kcatch_fetch_maps_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(releases, cpu).work);
}

/* ---- the build ID ----------------------------------------------------------------- */

/* The begin of a file, in the current task's memory. */
struct image {
	unsigned long start, size;
};

struct note_range {
	u64 offset, size, align;
};

static bool read_image(const struct image *image, u64 offset, void *to, u32 size)
{
	return offset <= image->size && size <= image->size - offset &&
	       kcatch_is_user(image->start + offset + size) &&
	       kcatch_copy_user(to, image->start + offset, size);
}

/* Return: size of a build ID, found among a range of notes; 0: none */
static u8 find_note(const struct image *image, const struct note_range *range, u8 *id, u32 room)
{
	const u64 align = range->align == 8 ? 8 : 4;
	u64 at = 0, body;
	u32 i;

	for (i = 0; i < NOTES_MAX && at < range->size; i++) {
		struct {
			struct elf64_note head;
			char name[4];
		} note;

		BUILD_BUG_ON(sizeof(note) != 16);
		if (!read_image(image, range->offset + at, &note, sizeof(note)))
			return 0;
		body = ALIGN(at + sizeof(note.head) + note.head.n_namesz, align);
		if (note.head.n_type == NOTE_BUILD_ID && note.head.n_namesz == 4 &&
		    !memcmp(note.name, "GNU", 4) && note.head.n_descsz <= room)
			return read_image(image, range->offset + body, id, note.head.n_descsz) ?
				       note.head.n_descsz : 0;
		at = ALIGN(body + note.head.n_descsz, align);
	}
	return 0;
}

union phdrs {
	struct elf64_phdr wide[PHDRS_AT_ONCE];
	struct elf32_phdr narrow[PHDRS_AT_ONCE];
};

/* Is a program header of notes? Then it is put into @range. */
static bool is_notes(const union phdrs *phdrs, u32 i, bool wide, struct note_range *range)
{
	if (wide)
		*range = (struct note_range){ phdrs->wide[i].p_offset, phdrs->wide[i].p_filesz,
					      phdrs->wide[i].p_align };
	else
		*range = (struct note_range){ phdrs->narrow[i].p_offset,
					      phdrs->narrow[i].p_filesz,
					      phdrs->narrow[i].p_align };
	return (wide ? phdrs->wide[i].p_type : phdrs->narrow[i].p_type) == PT_NOTE;
}

static u8 read_build_id(const struct image *image, u8 *id, u32 room)
{
	union {
		u8 ident[EI_NIDENT];
		struct elf64_hdr wide;
		struct elf32_hdr narrow;
	} head;
	union phdrs phdrs;
	struct note_range range;
	u32 nr, size, i;
	u64 offset;
	bool wide;
	u8 found;

	if (!read_image(image, 0, &head, sizeof(head)) || memcmp(head.ident, ELFMAG, SELFMAG))
		return 0;
	wide = head.ident[EI_CLASS] == ELFCLASS64;
	offset = wide ? head.wide.e_phoff : head.narrow.e_phoff;
	nr = min_t(u32, wide ? head.wide.e_phnum : head.narrow.e_phnum, PHDRS_MAX);
	size = wide ? sizeof(phdrs.wide[0]) : sizeof(phdrs.narrow[0]);
	for (i = 0; i < nr; i++) {
		u32 place = i % PHDRS_AT_ONCE;

		if (!place && !read_image(image, offset + i * size, &phdrs,
					  min_t(u32, nr - i, PHDRS_AT_ONCE) * size))
			return 0;
		if (!is_notes(&phdrs, place, wide, &range))
			continue;
		found = find_note(image, &range, id, room);
		if (found)
			return found;
	}
	return 0;
}

/* ---- mappings ----------------------------------------------------------------------- */

/* Neighbours of one file. */
struct run {
	struct file *file;	/* NULL: none yet, or the vDSO */
	unsigned long start, end, first_end;
	unsigned long last_page;	/* of the file, where its last mapping begins */
	u64 offset;
	bool has_code;
};

static const struct path *path_of(const struct file *file)
{
#ifdef KCATCH_HAVE_BACKING_FILES
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

static void maps_put_path(struct kcatch_user_map *map, const struct file *file, u32 room)
{
	const struct path *path = path_of(file);
	const struct inode *inode = d_inode(path->dentry);
	u32 size = min(room - KCATCH_FETCH_SPILL, PATH_MOST) & ~7U;

	map->inode = inode ? inode->i_ino : 0;
	size = kcatch_read_path((u8 *)map->path, (unsigned long)path, true, size);
	map->path_size = size & KCATCH_PATH_CUT ? 0 : size;
}

/* Return: false: no room */
static bool put_run(struct kcatch_user_maps *maps, u32 room, const struct run *run)
{
	struct kcatch_user_map *map = (void *)maps + maps->size;
	struct image image = { run->start, run->first_end - run->start };

	if (!run->has_code)
		return true;
	if (room - maps->size < sizeof(*map) + sizeof(u64) + KCATCH_FETCH_SPILL)
		return false;
	memset(map, 0, sizeof(*map));
	map->start = run->start;
	map->end = run->end;
	map->offset = run->offset;
	if (run->file) {
		maps_put_path(map, run->file, room - maps->size - sizeof(*map));
	} else {
		memcpy(map->path, "[vdso]\0", 8);
		map->path_size = 6;
	}
	if (!run->offset)
		map->id_size = read_build_id(&image, map->id, sizeof(map->id));
	map->size = sizeof(*map) + ALIGN(map->path_size, 8);
	memset(map->path + map->path_size, 0, map->size - sizeof(*map) - map->path_size);
	maps->size += map->size;
	return true;
}

/* Does a mapping go on with the file of @run? A lower place is that of a library loaded again. */
static bool maps_continue(const struct run *run, const struct vm_area_struct *vma)
{
	return run->file && file_inode(run->file) == file_inode(vma->vm_file) &&
	       vma->vm_pgoff >= run->last_page;
}

static bool maps_put_all(struct kcatch_user_maps *maps, u32 room, struct mm_struct *mm)
{
	const unsigned long vdso = (unsigned long)mm->context.vdso;
	struct vm_area_struct *vma;
	struct run run = {};
	u32 looked_at = 0;

	VMA_ITERATOR(vmas, mm, 0);

	for_each_vma(vmas, vma) {
		if (looked_at++ == LOOKED_AT_MAX)
			return false;
		if (!vma->vm_file && vma->vm_start != vdso)
			continue;
		if (!vma->vm_file || !maps_continue(&run, vma)) {
			if (!put_run(maps, room, &run))
				return false;
			run = (struct run){ .file = vma->vm_file, .start = vma->vm_start,
					    .first_end = vma->vm_end };
			run.offset = vma->vm_file ? (u64)vma->vm_pgoff << PAGE_SHIFT : 0;
		}
		run.end = vma->vm_end;
		run.last_page = vma->vm_pgoff;
		run.has_code |= !!(vma->vm_flags & VM_EXEC);
	}
	return put_run(maps, room, &run);
}

bool kcatch_fetch_maps(struct kcatch_user_maps *maps, u32 room)
{
	struct mm_struct *mm = current->mm;
	const bool later = irqs_disabled();

	if (!lock_maps(mm, later))
		return false;
	maps->size = sizeof(*maps);
	maps->flags = maps_put_all(maps, room, mm) ? 0 : KCATCH_MAPS_CUT;
	unlock_maps(mm, later);
	return true;
}
