/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * user_stack.c - unwinds user stacks from registers and a copy of stack memory
 *
 * libdw sees a stopped process with the registers and memory of the snapshot. Memory outside of
 * the snapshot does not exist for libdw, as the process has continued since.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_text.h>
#include "arch/arch.h"
#include "base/timing.h"
#include "base/machine.h"
#include "base/printable.h"
#include "debuginfo/demangle.h"
#include "debuginfo/dwarf_lines.h"
#include "debuginfo/frame_names.h"
#include "debuginfo/jit_names.h"
#include "debuginfo/libdw.h"
#include "debuginfo/process_identity.h"
#include "debuginfo/user_files.h"
#include "debuginfo/user_maps.h"
#include "debuginfo/user_stack.h"

#define PROCESSES_MAX 32
#define FRESH_NS 200000000ULL	/* maps this new are not read again */
#define STALE_NS 5000000000ULL	/* maps this old are */
#define LINES_MAX 32
#define STACK_LARGEST (64U << 20)	/* memory that far above is no stack: a wrong address */
struct process {
	uint32_t pid;
	uint64_t time;
	struct kcatch_process_identity identity;
	struct kcatch_user_files *files;	/* NULL: a free place */
	bool attached;
};

/* One unwind. */
struct walk {
	const struct kcatch_user *user;
	const struct process *process;
	struct kcatch_frame *frames;
	uint32_t room, nr, calls;
	const struct kcatch_perf_map *jit; /* names of code made at run time; NULL: none */
	bool jit_known;                    /* they were looked for */
	bool strange;	/* an address was in no file */
	bool whole;	/* the first frame of the thread was reached */
	bool cut;	/* there are more frames than fit */
	bool unread;	/* memory of the next frame could not be read */
	bool beyond;	/* it is above what was taken */
	bool unmapped;  /* a frame is in no file that is known, and there may be more files */
};

struct kcatch_user_stacks {
	struct kcatch_libdw dw;
	const struct kcatch_arch *arch; /* of the processes */
	bool here; /* the processes are this machine's */
	struct process processes[PROCESSES_MAX];
	struct kcatch_jit_names jit;
	struct kcatch_demangled names;
	struct kcatch_frame_names places;
	struct walk walk;
};

/* ---- what libdw asks for ---------------------------------------------------------- */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct kcatch_user_stacks *stacks = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = stacks;
	return (pid_t)stacks->walk.process->pid;
}

/* libdw takes the last module for that of all addresses behind it. */
static Dwfl_Module *module_at(const struct kcatch_libdw *dw, const struct process *process,
			      uint64_t address)
{
	Dwfl_Module *module = dw->addrmodule(process->files->dwfl, address);
	Dwarf_Addr start = 0, end = 0;

	if (module)
		dw->module_info(module, NULL, &start, &end, NULL, NULL, NULL, NULL);
	return address >= start && address < end ? module : NULL;
}

/* A return address without its signature, as code is there. */
static uint64_t without_signature(const struct kcatch_user_stacks *stacks, uint64_t word)
{
	uint64_t plain = word & ((1ULL << stacks->arch->user.signed_from) - 1);

	return module_at(&stacks->dw, stacks->walk.process, plain) ? plain : word;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *arg)
{
	const struct kcatch_user_stacks *stacks = arg;
	struct walk *walk = &((struct kcatch_user_stacks *)arg)->walk;
	const struct kcatch_user *user = walk->user;
	const size_t size = walk->process->files->elf_class == ELFCLASS32 ? 4 : sizeof(*word);
	uint64_t offset = address - user->regs[stacks->arch->user.sp];

	(void)dwfl;
	if (offset > user->size || user->size - offset < size) {
		walk->unread = true;
		walk->beyond |= offset < STACK_LARGEST;
		return false;
	}
	*word = 0;
	memcpy(word, user->stack + offset, size);
	if (stacks->arch->user.signed_from)
		*word = without_signature(stacks, *word);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct kcatch_user_stacks *stacks = arg;
	const bool narrow = stacks->walk.process->files->elf_class == ELFCLASS32;
	const struct kcatch_arch_user *known = &stacks->arch->user;
	const uint8_t *from = narrow ? known->narrow : known->dwarf;
	unsigned int nr = narrow ? known->nr_narrow : known->nr_dwarf, i;
	Dwarf_Word registers[KCATCH_ARCH_DWARF_MAX];

	for (i = 0; i < nr; i++)
		registers[i] = stacks->walk.user->regs[from[i]];
	/* Else it would take the register of return addresses for it. */
	stacks->dw.thread_pc(thread, stacks->walk.user->regs[known->ip]);
	return stacks->dw.thread_registers(thread, 0, nr, registers);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/* ---- frames ------------------------------------------------------------------------- */

static void add_frame(struct walk *walk, const struct kcatch_frame *frame)
{
	if (walk->nr < walk->room)
		walk->frames[walk->nr++] = *frame;
	else
		walk->cut = true;
}

static const char *module_name(const struct kcatch_libdw *dw, Dwfl_Module *module)
{
	const char *name = dw->module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

	return name && !strncmp(name, "[vdso", 5) ? "[vdso]" : name;
}

/*
 * Where an address without a symbol is in its file, as addr2line takes it: a PIE lies elsewhere
 * each time that it runs.
 */
static uint32_t file_offset(const struct kcatch_libdw *dw, Dwfl_Module *module, uint64_t address)
{
	Dwarf_Addr start = 0, bias = 0;

	if (dw->module_elf(module, &bias) && address >= bias && address - bias <= UINT32_MAX)
		return (uint32_t)(address - bias);
	dw->module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	return (uint32_t)(address - start);
}

/* The build ID that was recorded with a mapping. */
static int recorded_id(const struct kcatch_libdw *dw, const struct kcatch_user_files *files,
		       Dwfl_Module *module, const unsigned char **bytes)
{
	const struct kcatch_user_map *map;
	Dwarf_Addr start = 0;

	dw->module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	map = kcatch_user_files_map(files, start);
	*bytes = map ? map->id : NULL;
	return map ? map->id_size : 0;
}

/* Which file it was: one of that name may be another one when the frame is looked up. */
static void add_build_id(const struct kcatch_libdw *dw, const struct kcatch_user_files *files,
			 Dwfl_Module *module, struct kcatch_frame *frame)
{
	const unsigned char *bytes;
	GElf_Addr at;
	int size = files->maps ? recorded_id(dw, files, module, &bytes) :
				 dw->module_build_id(module, &bytes, &at);

	if (size <= 0 || (size_t)size > sizeof(frame->build_id))
		return;
	memcpy(frame->build_id, bytes, (size_t)size);
	frame->build_id_size = (uint32_t)size;
}

/* Memory that has a file's name and no file: where a program that makes code may keep it. */
static bool is_memory(const char *name)
{
	static const char *const names[] = { "/memfd:", "/dev/zero", "/SYSV", "/anon_hugepage" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (name && !strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Names code that was made at run time. Its file is read once for a walk: names may stand in it. */
static bool name_jit(struct kcatch_user_stacks *stacks, uint64_t pc, bool exact,
		     struct kcatch_frame *frame)
{
	struct walk *walk = &stacks->walk;
	const char *name;
	uint32_t offset;

	if (!walk->jit_known)
		walk->jit = stacks->here && kcatch_machine_shares_numbers() ?
				    kcatch_jit_names_look(&stacks->jit, walk->process->pid) :
				    kcatch_jit_names_find(&stacks->jit, walk->process->pid);
	walk->jit_known = true;
	name = kcatch_perf_map_find(walk->jit, pc - !exact, &offset);
	if (!name)
		return false;
	frame->symbol = name;
	frame->offset = offset + !exact;
	frame->module = kcatch_perf_map_path(walk->jit);
	return true;
}

/* Does the process have more files mapped than were recorded? */
static bool process_is_cut(const struct process *process)
{
	return process->files->maps && process->files->maps->flags & KCATCH_MAPS_CUT;
}

/* What libdw tells of a place: functions that were inlined there, then the call. */
static uint32_t look_up(struct kcatch_user_stacks *stacks, Dwfl_Module *module, uint64_t pc,
			bool exact, struct kcatch_frame *frames)
{
	const struct kcatch_user_files *files = stacks->walk.process->files;
	const struct kcatch_libdw *dw = &stacks->dw;
	struct kcatch_source_line lines[LINES_MAX];
	const char *directory, *symbol;
	struct kcatch_frame *frame;
	uint32_t nr = 0, i;
	GElf_Off offset;
	GElf_Sym found;
	Dwarf *dwarf;
	Dwarf_Addr bias;

	symbol = dw->module_addrinfo(module, pc - !exact, &offset, &found, NULL, NULL, NULL);
	dwarf = kcatch_user_files_dwarf(files, module, &bias);
	if (dwarf)
		nr = kcatch_dwarf_lines(dw, dwarf, pc - !exact - bias, lines, LINES_MAX,
					&directory);
	for (i = 0; i < nr; i++)
		frames[i] = (struct kcatch_frame){ .inlined = i + 1 < nr,
						   .symbol = lines[i].function,
						   .file = lines[i].file,
						   .line = lines[i].line };
	if (!nr)
		frames[nr++] = (struct kcatch_frame){ .symbol = NULL };
	frame = &frames[nr - 1];
	if (symbol) {
		frame->symbol = kcatch_demangle(&stacks->names, symbol);
		frame->offset = (uint32_t)(offset + !exact);
	} else if (!frame->symbol) {
		frame->offset = file_offset(dw, module, pc);
		add_build_id(dw, files, module, frame);
	}
	return nr;
}

/* The same, which is kept for other processes. */
static const struct kcatch_frame *look_up_once(struct kcatch_user_stacks *stacks,
					       Dwfl_Module *module, uint64_t pc, bool exact,
					       struct kcatch_frame *room, uint32_t *nr)
{
	const struct kcatch_libdw *dw = &stacks->dw;
	struct kcatch_frame_place place = { .exact = exact };
	const struct kcatch_frame *known;
	Dwarf_Addr start = 0, bias = 0;
	const struct stat *status;

	dw->module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	status = dw->module_elf(module, &bias) ?
			 kcatch_user_files_status(stacks->walk.process->files, start) :
			 NULL;
	if (!status) {
		*nr = look_up(stacks, module, pc, exact, room);
		return room;
	}
	kcatch_frame_place_file(&place, status);
	place.address = pc - bias;
	known = kcatch_frame_names_find(&stacks->places, &place, nr);
	if (known)
		return known;
	*nr = look_up(stacks, module, pc, exact, room);
	kcatch_frame_names_keep(&stacks->places, &place, room, *nr);
	return room;
}

/* The frame of a call, after those of what was inlined there. */
static void add_call(struct kcatch_user_stacks *stacks, uint64_t pc, bool exact, bool interrupted)
{
	const struct kcatch_libdw *dw = &stacks->dw;
	struct walk *walk = &stacks->walk;
	struct kcatch_frame frame = { .address = pc, .interrupted = interrupted }, room[LINES_MAX];
	Dwfl_Module *module = module_at(dw, walk->process, pc - !exact);
	const struct kcatch_frame *frames;
	uint32_t nr, i;

	frame.module = module ? module_name(dw, module) : NULL;
	if (!module || is_memory(frame.module)) {
		if (!name_jit(stacks, pc, exact, &frame))
			walk->strange |= !module;
		if (walk->strange && process_is_cut(walk->process)) {
			frame.module = KCATCH_USER_UNMAPPED;
			walk->unmapped = true;
		}
		if (!module || frame.symbol) {
			add_frame(walk, &frame);
			return;
		}
	}
	frames = look_up_once(stacks, module, pc, exact, room, &nr);
	for (i = 0; i < nr; i++) {
		struct kcatch_frame named = frames[i];

		named.address = pc;
		named.module = frame.module;
		named.interrupted = interrupted;
		add_frame(walk, &named);
	}
}

/* What on_frame() returns at a return address of 0; none of DWARF_CB_*. */
#define END_OF_STACK 64

static int on_frame(Dwfl_Frame *state, void *arg)
{
	struct kcatch_user_stacks *stacks = arg;
	struct walk *walk = &stacks->walk;
	Dwarf_Addr pc;
	bool exact;

	/* Asked whether the frame is exact, libdw reads the next one. */
	walk->unread = walk->beyond = false;
	if (!stacks->dw.frame_pc(state, &pc, &exact))
		return DWARF_CB_ABORT;
	if (!pc)
		return END_OF_STACK;
	walk->cut |= walk->calls == KCATCH_USER_DEPTH_MAX || walk->nr == walk->room;
	if (walk->cut)
		return DWARF_CB_ABORT;
	/* Below a signal's frame the code was interrupted. */
	add_call(stacks, pc, exact, exact && walk->calls);
	walk->calls++;
	/* Without its file nobody knows what called it. */
	return walk->cut || walk->unmapped ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static int on_thread(Dwfl_Thread *thread, void *arg)
{
	struct kcatch_user_stacks *stacks = arg;

	/* At the end of what is known it fails; the frames until there are good. */
	int ret = stacks->dw.thread_getframes(thread, on_frame, arg);

	/* A return address that could not be read ends the stack, too. */
	stacks->walk.whole = (!ret && !stacks->walk.unread) || ret == END_OF_STACK;
	return DWARF_CB_ABORT;
}

static int class_of(const struct kcatch_user_stacks *stacks, const struct kcatch_user *user)
{
	return kcatch_arch_is_narrow(stacks->arch, (const uint64_t *)user->regs) ? ELFCLASS32 :
										 ELFCLASS64;
}

static void walk_stack(struct kcatch_user_stacks *stacks, const struct process *process,
		       const struct kcatch_user *user, struct kcatch_frame *frames, uint32_t room)
{
	struct walk *walk = &stacks->walk;

	kcatch_demangle_forget_many(&stacks->names);
	kcatch_frame_names_forget_many(&stacks->places);
	*walk = (struct walk){
		.user = user, .process = process, .frames = frames, .room = room,
	};
	/* A program may run code of the other kind, with other registers than its files tell of. */
	if (process->attached && process->files->elf_class == class_of(stacks, user))
		stacks->dw.getthreads(process->files->dwfl, on_thread, stacks);
	if (!walk->nr)
		add_call(stacks, user->regs[stacks->arch->user.ip], true, false);
	walk->frames[walk->nr - 1].end = walk->cut ? KCATCH_STACK_CUT :
					 walk->whole ? KCATCH_STACK_WHOLE :
					 walk->beyond ? KCATCH_STACK_CUT :
							KCATCH_STACK_LOST_TRACK;
}

/* ---- processes ---------------------------------------------------------------------- */

static void forget(struct process *process)
{
	kcatch_user_files_destroy(process->files);
	memset(process, 0, sizeof(*process));
}

static bool attach(struct kcatch_user_stacks *stacks, struct process *process, uint32_t tid)
{
	return stacks->dw.attach_state(process->files->dwfl, NULL, (pid_t)tid, &thread_callbacks,
				       stacks);
}

static int load_process(struct kcatch_user_stacks *stacks, struct process *process, uint32_t pid)
{
	struct kcatch_process_identity identity;
	uint32_t tid = kcatch_process_identity_reader(pid, &identity);
	int ret;

	forget(process);
	ret = kcatch_user_files_create(&stacks->dw, tid, &process->files);
	if (ret == -ESRCH)
		return kcatch_error_set(ESRCH, "process %u has gone: its stack cannot be unwound",
					pid);
	if (ret)
		return kcatch_error_system(ret, "read the maps of a process");
	process->pid = pid;
	process->identity = identity;
	process->time = kcatch_timing_now_ns();
	process->attached = attach(stacks, process, tid);
	return 0;
}

/* The process's place; or a free one, or else the oldest one. */
static struct process *find_place(struct kcatch_user_stacks *stacks, uint32_t pid)
{
	struct process *best = &stacks->processes[0];
	unsigned int i;

	for (i = 0; i < PROCESSES_MAX; i++) {
		struct process *process = &stacks->processes[i];

		if (process->files && !process->files->maps && process->pid == pid)
			return process;
		if (process->time < best->time)
			best = process;
	}
	return best;
}

static bool has_maps(const struct process *process, const struct kcatch_user_maps *maps)
{
	return process->files && process->files->maps && process->files->maps->size == maps->size &&
	       !memcmp(process->files->maps, maps, maps->size);
}

/* The place of a process with recorded mappings, which is filled if there was none. */
static int know_maps(struct kcatch_user_stacks *stacks, uint32_t pid,
		     const struct kcatch_user_maps *maps, struct process **found)
{
	struct process *best = &stacks->processes[0];
	unsigned int i;
	int ret;

	for (i = 0; i < PROCESSES_MAX; i++) {
		struct process *process = &stacks->processes[i];

		if (process->pid == pid && has_maps(process, maps)) {
			*found = process;
			return 0;
		}
		if (process->time < best->time)
			best = process;
	}
	forget(best);
	ret = kcatch_user_files_of_maps(&stacks->dw, maps,
					stacks->here && kcatch_machine_shares_numbers() ? pid : 0,
					!stacks->here, &best->files);
	if (ret)
		return kcatch_error_system(ret, "take the maps of a process from a record");
	best->pid = pid;
	best->time = kcatch_timing_now_ns();
	/* libdw takes 0 for no process. */
	best->attached = attach(stacks, best, pid ? pid : 1);
	*found = best;
	return 0;
}

/* The process as it is now; @alive: it has not ended. */
static int know_process(struct kcatch_user_stacks *stacks, uint32_t pid, struct process **found,
			bool *alive)
{
	struct process *process = find_place(stacks, pid);
	bool known = process->files && process->pid == pid;
	struct kcatch_process_identity identity;

	*found = process;
	kcatch_process_identity_reader(pid, &identity);
	*alive = identity.start_stack;
	/* Of one that has ended, what was known a moment ago is all there is. */
	if (known && *alive && (memcmp(&identity, &process->identity, sizeof(identity)) ||
				kcatch_timing_now_ns() - process->time > STALE_NS))
		known = false;
	return known ? 0 : load_process(stacks, process, pid);
}

/* An address was in no file: it may have loaded a library since. Return: 1: read again. */
static int read_again(struct kcatch_user_stacks *stacks, struct process *process, bool alive)
{
	int ret;

	if (!alive || kcatch_timing_now_ns() - process->time <= FRESH_NS)
		return 0;
	ret = load_process(stacks, process, process->pid);
	return ret ? ret : 1;
}

static int unwind_recorded(struct kcatch_user_stacks *stacks, uint32_t pid,
			   const struct kcatch_user *user, const struct kcatch_user_maps *maps,
			   struct kcatch_frame *frames, uint32_t room)
{
	struct process *process = NULL;
	int ret = know_maps(stacks, pid, maps, &process);

	if (ret)
		return ret;
	walk_stack(stacks, process, user, frames, room);
	return (int)stacks->walk.nr;
}

static int unwind_living(struct kcatch_user_stacks *stacks, uint32_t pid,
			 const struct kcatch_user *user, struct kcatch_frame *frames, uint32_t room)
{
	struct process *process;
	bool alive;
	int ret;

	if (!stacks->here)
		return -ESRCH;
	if (!kcatch_machine_shares_numbers())
		return kcatch_error_set(ESRCH,
					"processes have other numbers in this PID namespace: user "
					"stacks need the host's (docker run --pid=host)");
	ret = know_process(stacks, pid, &process, &alive);
	if (ret)
		return ret;
	walk_stack(stacks, process, user, frames, room);
	ret = stacks->walk.strange ? read_again(stacks, process, alive) : 0;
	if (ret < 0)
		return ret;
	if (ret)
		walk_stack(stacks, process, user, frames, room);
	return (int)stacks->walk.nr;
}

/* One that was walked elsewhere; @is_return: a return address */
static void name_frame(struct kcatch_user_stacks *stacks, uint64_t address, bool is_return,
		       struct kcatch_frame *frame)
{
	const struct kcatch_libdw *dw = &stacks->dw;
	struct walk *walk = &stacks->walk;
	Dwfl_Module *module = module_at(dw, walk->process, address - is_return);
	GElf_Off offset;
	GElf_Sym found;

	*frame = (struct kcatch_frame){ .address = address };
	frame->module = module ? module_name(dw, module) : NULL;
	if ((!module || is_memory(frame->module)) && name_jit(stacks, address, !is_return, frame))
		return;
	walk->strange |= !module;
	if (!module)
		return;
	frame->symbol = dw->module_addrinfo(module, address - is_return, &offset, &found, NULL,
					    NULL, NULL);
	frame->offset = frame->symbol ? (uint32_t)(offset + is_return) :
					file_offset(dw, module, address);
	if (frame->symbol)
		frame->symbol = kcatch_demangle(&stacks->names, frame->symbol);
}

static void name_each(struct kcatch_user_stacks *stacks, const struct process *process,
		      const uint64_t *addresses, uint32_t nr, struct kcatch_frame *frames)
{
	uint32_t i;

	kcatch_demangle_forget_many(&stacks->names);
	stacks->walk = (struct walk){ .process = process };
	for (i = 0; i < nr; i++)
		name_frame(stacks, addresses[i], i, &frames[i]);
}

static int name_frames(struct kcatch_user_stacks *stacks, uint32_t pid, const uint64_t *addresses,
		       uint32_t nr, struct kcatch_frame *frames)
{
	struct process *process;
	bool alive;
	int ret = know_process(stacks, pid, &process, &alive);

	if (ret)
		return ret;
	name_each(stacks, process, addresses, nr, frames);
	ret = stacks->walk.strange ? read_again(stacks, process, alive) : 0;
	if (ret > 0)
		name_each(stacks, process, addresses, nr, frames);
	return ret < 0 ? ret : 0;
}

int kcatch_user_stack_name(struct kcatch_user_stacks *stacks, uint32_t pid,
			   const uint64_t *addresses, uint32_t nr, struct kcatch_frame *frames)
{
	uint32_t i;
	int ret = !kcatch_machine_shares_numbers() ? -ESRCH :
		  stacks->dw.library ? 0 : kcatch_libdw_open(&stacks->dw);

	if (!ret)
		ret = name_frames(stacks, pid, addresses, nr, frames);
	for (i = 0; i < nr && ret; i++)
		frames[i] = (struct kcatch_frame){ .address = addresses[i] };
	return ret;
}

int kcatch_user_stacks_add_map(struct kcatch_user_stacks *stacks, uint32_t pid, int fd,
			       uint32_t number)
{
	if (kcatch_jit_names_add(&stacks->jit, pid, kcatch_perf_map_read(fd, number)))
		return kcatch_error_memory();
	return 0;
}

void kcatch_user_stack_prepare(struct kcatch_user_stacks *stacks, uint32_t pid)
{
	struct process *process = find_place(stacks, pid);

	if (!kcatch_machine_shares_numbers() || (process->files && process->pid == pid))
		return;		/* if it is another by now, unwind() finds out */
	if (!stacks->dw.library && kcatch_libdw_open(&stacks->dw))
		return;
	if (load_process(stacks, process, pid))
		forget(process);
}

int kcatch_user_stack_unwind(struct kcatch_user_stacks *stacks, uint32_t pid,
			     const struct kcatch_user *user, size_t size,
			     struct kcatch_frame *frames, uint32_t room)
{
	const struct kcatch_user_maps *maps;
	int ret;

	if (!room || user->flags & KCATCH_USER_KERNEL_THREAD)
		return 0;
	ret = stacks->dw.library ? 0 : kcatch_libdw_open(&stacks->dw);
	if (ret)
		return ret;
	maps = kcatch_user_maps_find(user, size);
	/* Of a list that is cut, the process knows more as long as it lives. */
	ret = -ESRCH;
	if (!maps || maps->flags & KCATCH_MAPS_CUT)
		ret = unwind_living(stacks, pid, user, frames, room);
	return maps && ret == -ESRCH ? unwind_recorded(stacks, pid, user, maps, frames, room) : ret;
}

int kcatch_user_stacks_create(bool here, const struct kcatch_arch *arch,
			      struct kcatch_user_stacks **stacks)
{
	*stacks = calloc(1, sizeof(**stacks));
	if (!*stacks)
		return kcatch_error_memory();
	(*stacks)->here = here;
	(*stacks)->arch = arch;
	return 0;
}

void kcatch_user_stacks_destroy(struct kcatch_user_stacks *stacks)
{
	unsigned int i;

	if (!stacks)
		return;
	for (i = 0; i < PROCESSES_MAX; i++)
		forget(&stacks->processes[i]);
	kcatch_jit_names_deinit(&stacks->jit);
	kcatch_demangle_forget(&stacks->names);
	kcatch_frame_names_deinit(&stacks->places);
	kcatch_libdw_close(&stacks->dw);
	free(stacks);
}
