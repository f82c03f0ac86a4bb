// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the stack of a stopped process, taken as the kernel takes it, unwinds to
 * exactly the functions that it is in; also after it has ended, with the mappings that were
 * recorded, of a file that is still the one that was mapped; and of a stack that was cut, as far
 * as it goes. A file that a program's DWARF names is not opened.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "debuginfo/libdw.h"
#include "debuginfo/user_maps.h"
#include "debuginfo/user_stack.h"
#include "program_fixture.h"

#define STACK_SIZE 16384

/* A program of its own: this one is full of sanitizers. */
static const char program[] =
	"#include <stdlib.h>\n"
	"#include <sys/syscall.h>\n"
	"#define PART __attribute__((noinline, noclone))\n"
	"volatile long waste;\n"
	"PART long innermost(long x)\n"
	"{\n"
	"	long ret;\n"
	"	__asm__ volatile(\"syscall\" : \"=a\"(ret) : \"0\"(SYS_pause) : \"rcx\", \"r11\", \"memory\");\n"
	"	return ret + x;\n"
	"}\n"
	"PART long third(long x) { char room[3000]; room[x] = 1; waste += (long)room;\n"
	"	return innermost(x + 1) + room[x + 1]; }\n"
	"PART int second(const void *a, const void *b) { return third(a != b) + waste; }\n"
	"PART long first(long x) { int parts[2] = { 1, 2 };\n"
	"	qsort(parts, 2, sizeof(int), second); return waste + x + parts[1]; }\n"
	"int main(void) { return first(1) + waste; }\n";

/* The name of its function is in another file (DW_FORM_GNU_strp_alt), whose path it names. */
static const char alternate_program[] =
	"__asm__(\n"
	"\"	.text\\n	.globl _start\\n_start:\\n.Lb:	mov $34, %eax\\n	syscall\\n\"\n"
	"\"	jmp _start\\n.Le:\\n\"\n"
	"\"	.section .debug_abbrev,\\\"\\\",@progbits\\n\"\n"
	"\".La:	.uleb128 1, 0x11\\n	.byte 1\\n\"\n"
	"\"	.uleb128 0x11, 0x01, 0x12, 0x07, 0x03, 0x08, 0, 0\\n\"\n"
	"\"	.uleb128 2, 0x2e\\n	.byte 0\\n\"\n"
	"\"	.uleb128 0x11, 0x01, 0x12, 0x07, 0x03, 0x1f21, 0, 0\\n	.byte 0\\n\"\n"
	"\"	.section .debug_info,\\\"\\\",@progbits\\n\"\n"
	"\"	.long .Lend - .Ls\\n.Ls:	.value 4\\n	.long .La\\n	.byte 8\\n\"\n"
	"\"	.uleb128 1\\n	.quad .Lb, .Le - .Lb\\n	.asciz \\\"x.c\\\"\\n\"\n"
	"\"	.uleb128 2\\n	.quad .Lb, .Le - .Lb\\n	.long 1\\n	.byte 0\\n.Lend:\\n\"\n"
	"\"	.section .gnu_debugaltlink,\\\"\\\",@progbits\\n\"\n"
	"\"	.asciz \\\"\" ALTERNATE \"\\\"\\n	.quad 0x0123456789abcdef, 0x1122334455667788\\n\");\n";

#define BUILD "-fomit-frame-pointer"

static char directory[] = "/tmp/kcatch-stack-XXXXXX";
static char alternate_directory[] = "/tmp/kcatch-alternate-XXXXXX";

static int build_alternate(void)
{
	char flags[256];

	if (program_fixture_init(alternate_directory, alternate_program))
		return -1;
	snprintf(flags, sizeof(flags), "-nostdlib -static -DALTERNATE='\"%s/named\"'",
		 alternate_directory);
	return program_fixture_build(alternate_directory, flags, "alternate");
}

static int setup(void **state)
{
	(void)state;
	return program_fixture_init(directory, program) ||
	       program_fixture_build(directory, BUILD " -g -fPIE -pie", "pie") ||
	       program_fixture_build(directory, BUILD " -no-pie", "fixed") ||
	       program_fixture_build(directory, BUILD " -static", "static") || build_alternate();
}

static int teardown(void **state)
{
	(void)state;
	return program_fixture_deinit(directory) | program_fixture_deinit(alternate_directory);
}

/* Starts the program and lets it run into its pause(). */
static pid_t start_path(const char *path)
{
	pid_t child;
	int status;

	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(path, path, NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSTOPPED(status));
	for (;;) {
		struct user_regs_struct regs;

		assert_int_equal(ptrace(PTRACE_SYSCALL, child, 0, 0), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSTOPPED(status));
		assert_int_equal(ptrace(PTRACE_GETREGS, child, 0, &regs), 0);
		if (regs.orig_rax == 34)	/* pause() */
			return child;
	}
}

static pid_t start(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return start_path(path);
}

/* What the kernel would record, of at most @size bytes. */
static struct kcatch_user *take(pid_t child, size_t size)
{
	struct kcatch_user *user = calloc(1, sizeof(*user) + STACK_SIZE);
	struct user_regs_struct regs;
	struct iovec to, from;
	ssize_t got = -1;

	assert_int_equal(ptrace(PTRACE_GETREGS, child, 0, &regs), 0);
	memcpy(user->regs, &regs, sizeof(user->regs));
	while (size && got < 0) {
		to = (struct iovec){ user->stack, size };
		from = (struct iovec){ (void *)regs.rsp, size };
		got = process_vm_readv(child, &to, 1, &from, 1, 0);
		size -= 256;
	}
	/* So that the sanitizer sees a read past the end. */
	user = realloc(user, sizeof(*user) + (size_t)(got < 0 ? 0 : got));
	user->size = got < 0 ? 0 : (uint32_t)got;
	return user;
}

static size_t whole(const struct kcatch_user *user)
{
	return sizeof(*user) + user->size;
}

static void end(pid_t child)
{
	int status;

	kill(child, SIGKILL);
	waitpid(child, &status, 0);
}

static const struct kcatch_frame *find(const struct kcatch_frame *frames, int nr,
				       const char *symbol)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (frames[i].symbol && !strcmp(frames[i].symbol, symbol))
			return &frames[i];
	}
	return NULL;
}

/* Our four functions, with only the C library's own between second and first. */
static void expect_whole(const struct kcatch_frame *frames, int nr, const char *name)
{
	const struct kcatch_frame *first, *at;
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_true(nr >= 6);
	assert_string_equal(frames[0].symbol, "innermost");
	assert_string_equal(frames[1].symbol, "third");
	assert_string_equal(frames[2].symbol, "second");
	first = find(frames, nr, "first");
	assert_non_null(first);
	assert_true(first > frames + 2);
	for (at = frames + 3; at < first; at++)
		assert_true(!at->symbol || strstr(at->symbol, "sort"));
	assert_string_equal(first[1].symbol, "main");
	assert_string_equal(frames[0].module, path);
	assert_string_equal(first[1].module, path);
	assert_true(frames[0].offset > 0 && frames[0].offset < 64);
	assert_true(first[1].offset > 0 && first[1].offset < 64);
	/* The last one is where every program starts. */
	assert_non_null(frames[nr - 1].symbol);
	assert_string_equal(frames[nr - 1].symbol, "_start");
}

static void unwind(const char *name)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[64];
	struct kcatch_user *user;
	pid_t child = start(name);
	int nr, again;

	user = take(child, STACK_SIZE);
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames, 64);
	expect_whole(frames, nr, name);
	assert_int_equal(frames[nr - 1].end, KCATCH_STACK_WHOLE);
	assert_int_equal(frames[0].address, user->regs[16]);
	assert_int_equal(
		kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames, 2), 2);
	assert_int_equal(frames[0].end, KCATCH_STACK_WHOLE);
	assert_int_equal(frames[1].end, KCATCH_STACK_CUT);
	/* As many as there are. */
	assert_int_equal(kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user),
						  frames, (uint32_t)nr),
			 nr);
	assert_int_equal(frames[nr - 1].end, KCATCH_STACK_WHOLE);
	end(child);
	/* It has ended; what was known of it a moment ago still is. */
	again = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames, 64);
	assert_int_equal(again, nr);
	expect_whole(frames, nr, name);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

static void pie(void **state)
{
	(void)state;
	unwind("pie");
}

static void fixed(void **state)
{
	(void)state;
	unwind("fixed");
}

static void static_program(void **state)
{
	(void)state;
	unwind("static");
}

static void source_lines(void **state)
{
	struct kcatch_user_stacks *stacks;
	const struct kcatch_frame *frame;
	struct kcatch_frame frames[64];
	struct kcatch_user *user;
	pid_t child = start("pie");
	int nr;

	(void)state;
	user = take(child, STACK_SIZE);
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames, 64);
	end(child);
	frame = find(frames, nr, "first");
	assert_non_null(frame);
	assert_non_null(frame->file);
	assert_non_null(strstr(frame->file, "p.c"));
	assert_int_equal(frame->line, 15);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

/* third() has 3000 bytes of its own: of fewer, nothing above it can be known. */
static void cut(void **state)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[64];
	struct kcatch_user *user;
	pid_t child = start("pie");
	size_t size;

	(void)state;
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	for (size = 0; size <= 2048; size += 1024) {
		int nr;

		user = take(child, size);
		assert_int_equal(user->size, size);
		nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames,
					      64);
		assert_int_equal(nr, size ? 2 : 1);
		assert_string_equal(frames[0].symbol, "innermost");
		if (size)
			assert_string_equal(frames[1].symbol, "third");
		assert_int_equal(frames[nr - 1].end, KCATCH_STACK_CUT);
		free(user);
	}
	end(child);
	kcatch_user_stacks_destroy(stacks);
}

/* Registers and memory of a record may be anything. */
static void damaged(void **state)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[160];
	struct kcatch_user *user;
	pid_t child = start("pie");
	int i;

	(void)state;
	user = take(child, STACK_SIZE);
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	srandom(3);
	for (i = 0; i < 500; i++) {
		struct kcatch_user *bad = malloc(sizeof(*user) + user->size);
		int nr, flips = (int)(random() % 50);

		memcpy(bad, user, sizeof(*user) + user->size);
		while (flips-- && bad->size)
			bad->stack[(size_t)random() % bad->size] = (uint8_t)random();
		if (i % 3 == 0)
			bad->regs[random() % 17] = (uint64_t)random() << (random() % 40);
		if (i % 7 == 0)
			bad->regs[19] = ~0ULL - (uint64_t)(random() % 64);
		nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, bad, whole(bad), frames,
					      160);
		assert_true(nr >= 1 && nr <= 160);
		free(bad);
	}
	end(child);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

static void unwind_alternate(void)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[4];
	struct kcatch_user *user;
	char path[256];
	pid_t child;

	snprintf(path, sizeof(path), "%s/alternate", alternate_directory);
	child = start_path(path);
	user = take(child, 1024);
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	alarm(60);	/* that ends the test */
	assert_true(kcatch_user_stack_unwind(stacks, (uint32_t)child, user, whole(user), frames,
					     4) > 0);
	alarm(0);
	assert_string_equal(frames[0].symbol, "_start");
	end(child);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

/* The path may be one that must not be opened, or that blocks whoever opens it. */
static void alternate(void **state)
{
	int watch = inotify_init1(IN_NONBLOCK), file;
	char path[256], event[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/named", alternate_directory);
	file = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(file >= 0);
	close(file);
	assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
	unwind_alternate();
	assert_int_equal(read(watch, event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	unwind_alternate();
}

/* ---- mappings that the kernel recorded ---- */

/* What the kernel would record of a line of /proc/PID/maps, with an ID of a file that has one. */
static void put_map(struct kcatch_user_maps *maps, const struct kcatch_libdw *dw, uint64_t start,
		    uint64_t end, const char *path)
{
	struct kcatch_user_map *map = (struct kcatch_user_map *)((char *)maps + maps->size);
	struct stat status = {};
	const void *id;
	ssize_t size;
	Elf *elf;
	int fd;

	memset(map, 0, sizeof(*map));
	map->start = start;
	map->end = end;
	map->path_size = (uint16_t)strlen(path);
	map->size = (uint16_t)(sizeof(*map) + ((map->path_size + 7U) & ~7U));
	memcpy(map->path, path, map->path_size);
	maps->size += map->size;
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return; /* the vDSO */
	assert_int_equal(fstat(fd, &status), 0);
	map->inode = status.st_ino;
	elf = dw->elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size = dw->elf_build_id(elf, &id);
	if (size > 0) {
		map->id_size = (uint8_t)size;
		memcpy(map->id, id, (size_t)size);
	}
	dw->elf_end(elf);
	close(fd);
}

/* Appends the mappings of a process to what was taken of it. */
static struct kcatch_user *add_maps(struct kcatch_user *user, pid_t child, size_t *size)
{
	uint64_t begin, end, offset, start = 0, last = 0;
	char line[512], path[256], file[256] = "";
	struct kcatch_user_maps *maps;
	struct kcatch_libdw dw;
	FILE *list;

	assert_int_equal(kcatch_libdw_open(&dw), 0);
	user = realloc(user, sizeof(*user) + ((user->size + 7U) & ~7U) + 8192);
	maps = (struct kcatch_user_maps *)(user->stack + ((user->size + 7U) & ~7U));
	*maps = (struct kcatch_user_maps){ .size = sizeof(*maps) };
	user->flags |= KCATCH_USER_MAPPED;
	snprintf(path, sizeof(path), "/proc/%d/maps", child);
	list = fopen(path, "r");
	assert_non_null(list);
	while (fgets(line, sizeof(line), list)) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %255s", &begin, &end, &offset, path) <
			    4 ||
		    (path[0] != '/' && strcmp(path, "[vdso]")))
			continue;
		if (strcmp(path, file)) {
			if (file[0])
				put_map(maps, &dw, start, last, file);
			strcpy(file, path);
			start = begin;
		}
		last = end;
	}
	put_map(maps, &dw, start, last, file);
	fclose(list);
	kcatch_libdw_close(&dw);
	*size = (size_t)((char *)maps + maps->size - (char *)user);
	return realloc(user, *size);
}

/* Nothing is asked of the process: it has ended before anybody looked. */
static void recorded(const char *name)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[64];
	struct kcatch_user *user;
	pid_t child = start(name);
	size_t size;
	int nr;

	user = add_maps(take(child, STACK_SIZE), child, &size);
	end(child);
	assert_int_equal(kcatch_user_stacks_create(false, kcatch_arch_running(), &stacks), 0);
	nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, size, frames, 64);
	expect_whole(frames, nr, name);
	assert_int_equal(frames[nr - 1].end, KCATCH_STACK_WHOLE);
	/* Without its mappings it is not looked for. */
	user->flags = 0;
	assert_int_equal(
		kcatch_user_stack_unwind(stacks, (uint32_t)getpid(), user, size, frames, 64),
		-ESRCH);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

static void recorded_pie(void **state)
{
	(void)state;
	recorded("pie");
}

static void recorded_fixed(void **state)
{
	(void)state;
	recorded("fixed");
}

static void recorded_static(void **state)
{
	(void)state;
	recorded("static");
}

/* The file is another one by now: no name of it is right, but which one it was is known. */
static void replaced(void **state)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_user_map *map;
	struct kcatch_frame frames[64];
	struct kcatch_user *user;
	pid_t child = start("pie");
	uint32_t at = 0;
	char path[256];
	size_t size;
	int nr;

	(void)state;
	user = add_maps(take(child, STACK_SIZE), child, &size);
	end(child);
	snprintf(path, sizeof(path), "%s/pie", directory);
	do {
		map = (struct kcatch_user_map *)kcatch_user_maps_next(
			kcatch_user_maps_find(user, size), &at);
		assert_non_null(map);
	} while (strncmp(map->path, path, map->path_size));
	assert_int_equal(map->id_size, 20);
	map->id[7] ^= 1;
	assert_int_equal(kcatch_user_stacks_create(false, kcatch_arch_running(), &stacks), 0);
	nr = kcatch_user_stack_unwind(stacks, (uint32_t)child, user, size, frames, 64);
	assert_true(nr >= 1);
	assert_null(frames[0].symbol);
	assert_string_equal(frames[0].module, path);
	assert_int_equal(frames[0].offset, frames[0].address - map->start);
	assert_int_equal(frames[0].build_id_size, 20);
	assert_memory_equal(frames[0].build_id, map->id, 20);
	kcatch_user_stacks_destroy(stacks);
	free(user);
}

/* A recording may be damaged in any place: no byte outside of it is read, no path outside of the
 * mapping's is opened. */
static void damaged_maps(void **state)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[64];
	struct kcatch_user *user, *bad;
	pid_t child = start("pie");
	size_t size, maps, i;

	(void)state;
	user = add_maps(take(child, STACK_SIZE), child, &size);
	end(child);
	maps = sizeof(*user) + ((user->size + 7U) & ~7U);
	bad = malloc(size);
	assert_int_equal(kcatch_user_stacks_create(false, kcatch_arch_running(), &stacks), 0);
	for (i = maps; i < size; i++) {
		memcpy(bad, user, size);
		((unsigned char *)bad)[i] = 0xff;
		kcatch_user_stack_unwind(stacks, (uint32_t)child, bad, size, frames, 64);
	}
	memcpy(bad, user, size);
	for (i = size; i-- > sizeof(*user);) {
		/* So that the sanitizer sees a read past the end. */
		bad = realloc(bad, i);
		if (bad->size <= i - sizeof(*user))
			assert_true(!kcatch_user_maps_find(bad, i));
		if (i < maps)
			break;
	}
	kcatch_user_stacks_destroy(stacks);
	free(user);
	free(bad);
}

static void absent(void **state)
{
	struct kcatch_user_stacks *stacks;
	struct kcatch_frame frames[4];
	struct kcatch_user user = { .flags = KCATCH_USER_KERNEL_THREAD };

	(void)state;
	assert_int_equal(kcatch_user_stacks_create(true, kcatch_arch_running(), &stacks), 0);
	assert_int_equal(kcatch_user_stack_unwind(stacks, 2, &user, sizeof(user), frames, 4), 0);
	user.flags = 0;
	user.regs[17] = 0x33;
	assert_int_equal(
		kcatch_user_stack_unwind(stacks, 0x7ffffff0, &user, sizeof(user), frames, 4),
		-ESRCH);
	/* 32-bit code of a program that is not: its registers mean something else there. */
	user.regs[17] = 0x23;
	assert_int_equal(kcatch_user_stack_unwind(stacks, (uint32_t)getpid(), &user, sizeof(user),
						  frames, 4),
			 1);
	assert_int_equal(frames[0].end, KCATCH_STACK_LOST_TRACK);
	kcatch_user_stacks_destroy(stacks);
	kcatch_user_stacks_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pie),
		cmocka_unit_test(fixed),
		cmocka_unit_test(static_program),
		cmocka_unit_test(source_lines),
		cmocka_unit_test(cut),
		cmocka_unit_test(damaged),
		cmocka_unit_test(alternate),
		cmocka_unit_test(recorded_pie),
		cmocka_unit_test(recorded_fixed),
		cmocka_unit_test(recorded_static),
		cmocka_unit_test(replaced),
		cmocka_unit_test(damaged_maps),
		cmocka_unit_test(absent),
	};

	return cmocka_run_group_tests_name("user stacks", tests, setup, teardown);
}
