// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: BPF programs at entry and exit of a function (trampolines) and sessions on it see
 * each of its calls, whoever came first and whoever leaves; stacks are what they are without.
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/btf.h>

#define CALLS 1000
#define FRAMES 64
#define ENTRY_MAX 9	/* bytes: endbr64 and a call */
#define FUNCTION KT_SYS "getpgid"
#define CALLED "find_task_by_vpid"	/* by it, once */

/* ---- a program that counts calls of this process ---- */

struct counter {
	int map, program, link;
};

static long bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Bytes that follow a type's head. */
static size_t btf_rest(const struct btf_type *type)
{
	size_t nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT: return sizeof(uint32_t);
	case BTF_KIND_ARRAY: return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM: return nr * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO: return nr * sizeof(struct btf_param);
	case BTF_KIND_VAR: return sizeof(struct btf_var);
	case BTF_KIND_DATASEC: return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG: return sizeof(struct btf_decl_tag);
	case BTF_KIND_ENUM64: return nr * sizeof(struct btf_enum64);
	default: return 0;
	}
}

/* The kernel's type information, read once. */
static const char *btf_read(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	static char *data;
	struct stat stat;
	ssize_t got;
	off_t fill;

	if (data)
		return data;
	if (fd < 0 || fstat(fd, &stat))
		skip_all("this kernel has no type information");
	data = malloc(stat.st_size);
	for (fill = 0; fill < stat.st_size; fill += got) {
		got = read(fd, data + fill, stat.st_size - fill);
		if (got <= 0)
			bail("the kernel's type information is read");
	}
	close(fd);
	return data;
}

/* The number of a function there. */
static uint32_t btf_function(const char *name)
{
	const char *data = btf_read();
	const struct btf_header *header = (const void *)data;
	const char *strings = data + header->hdr_len + header->str_off;
	const char *at = data + header->hdr_len + header->type_off;
	const char *end = at + header->type_len;
	uint32_t id;

	for (id = 1; at < end; id++) {
		const struct btf_type *type = (const void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off, name))
			return id;
		at += sizeof(*type) + btf_rest(type);
	}
	bail("the type of %s is known", name);
}

static int program_load(int map, enum bpf_attach_type type)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_pid_tgid },
		{ .code = BPF_ALU64 | BPF_RSH | BPF_K, .dst_reg = BPF_REG_0, .imm = 32 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = BPF_REG_0, .imm = getpid(),
		  .off = 4 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_2, .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_TRACING, .expected_attach_type = type,
		.attach_btf_id = btf_function(FUNCTION),
		.insns = (uintptr_t)code, .insn_cnt = sizeof(code) / sizeof(*code),
		.license = (uintptr_t)"GPL",
		.log_level = 1, .log_buf = (uintptr_t)log, .log_size = sizeof(log),
	};
	int program = bpf(BPF_PROG_LOAD, &attr);

	if (program < 0)
		bail("a BPF program is loaded: %s %s", strerror(errno), log);
	return program;
}

static struct counter counter_begin(enum bpf_attach_type type)
{
	union bpf_attr of_map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1,
	};
	union bpf_attr of_link = { 0 };
	struct counter counter;

	counter.map = bpf(BPF_MAP_CREATE, &of_map);
	if (counter.map < 0)
		skip_all("no BPF here: %s", strerror(errno));
	counter.program = program_load(counter.map, type);
	of_link.raw_tracepoint.prog_fd = counter.program;
	counter.link = bpf(BPF_RAW_TRACEPOINT_OPEN, &of_link);
	if (counter.link < 0)
		bail("a BPF program is attached: %s", strerror(errno));
	return counter;
}

static uint64_t counter_value(const struct counter *counter)
{
	uint32_t key = 0;
	uint64_t value = 0;
	union bpf_attr attr = {
		.map_fd = counter->map, .key = (uintptr_t)&key, .value = (uintptr_t)&value,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		bail("the BPF program's count is read");
	return value;
}

static void counter_end(const struct counter *counter)
{
	close(counter->link);
	close(counter->program);
	close(counter->map);
}

/* ---- sessions ---- */

static void begin(struct session *session, const char *function, uint32_t flags)
{
	const struct add_options options = {
		.pid = getpid(), .flags = flags | KCATCH_ADD_PID, .depth = FRAMES,
	};

	session_open(session, 1 << 20, KCATCH_PACKET_SIZE_MIN * 4);
	if (session_add(session, function, &options, NULL))
		bail("%s is armed: %s", function, strerror(errno));
	session_map(session);
	session_start(session);
}

static __attribute__((noinline)) void call(int times)
{
	while (times--)
		syscall(SYS_getpgid, getpid());
}

/* ---- what is tested ---- */

static void both_count(enum bpf_attach_type type, const char *name, uint32_t flags)
{
	const char *what = flags ? "entries and returns" : "entries";
	struct session session;
	struct counter counter;

	counter = counter_begin(type);
	begin(&session, FUNCTION, flags);
	call(CALLS);
	check_equal(counter_value(&counter), CALLS, "%s, then %s: the program sees all", name,
		    what);
	check_equal(session_sums(&session, 0).recorded, CALLS,
		    "%s, then %s: so does the session", name, what);
	counter_end(&counter);
	call(CALLS);
	check_equal(session_sums(&session, 0).recorded, 2 * CALLS,
		    "%s gone: %s go on", name, what);
	counter = counter_begin(type);
	call(CALLS);
	check_equal(counter_value(&counter), CALLS, "%s after %s: the program sees all", name,
		    what);
	check_equal(session_sums(&session, 0).recorded, 3 * CALLS,
		    "%s after %s: so does the session", name, what);
	session_close(&session);
	call(CALLS);
	check_equal(counter_value(&counter), 2 * CALLS, "%s gone: %s goes on", what, name);
	counter_end(&counter);
}

struct stack {
	int nr;
	uint64_t frames[FRAMES];
};

static void keep_stack(void *context, uint32_t cpu, const struct kcatch_record *record)
{
	const struct kcatch_hit *hit = (const void *)record;
	struct stack *stack = context;

	(void)cpu;
	if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_RETURN)
		return;
	stack->nr = hit->nr_frames;
	memcpy(stack->frames, hit->frames, hit->nr_frames * sizeof(hit->frames[0]));
	if (hit->stack_flags != KCATCH_STACK_COMPLETE)
		note("the stack is not complete");
}

static struct stack stack_of(const char *function, uint32_t flags)
{
	struct stack stack = { 0 };
	struct session session;

	begin(&session, function, flags);
	call(1);
	session_read_records(&session, false, keep_stack, &stack);
	session_close(&session);
	return stack;
}

static bool same(const struct stack *a, const struct stack *b)
{
	int i;

	if (a->nr == b->nr && a->nr && !memcmp(a->frames, b->frames, a->nr * sizeof(a->frames[0])))
		return true;
	for (i = 0; i < a->nr || i < b->nr; i++)
		note("%#llx %#llx", i < a->nr ? (long long)a->frames[i] : 0,
		     i < b->nr ? (long long)b->frames[i] : 0);
	return false;
}

/*
 * Takes out what a program at a function's exit puts on the stack below it: the trampoline that
 * called it and, where that was called and not jumped to (before 7.0), the place behind the
 * function's first instructions, to which nobody returns. The kernel's own stacks have both.
 */
static void remove_trampoline(struct stack *stack, const struct stack *without)
{
	uint64_t start = kernel_symbol(FUNCTION);
	int at = 0, nr = 1;

	while (at < without->nr && stack->frames[at] == without->frames[at])
		at++;
	if (stack->nr <= without->nr || !at)
		return;
	if (stack->frames[at + 1] > start && stack->frames[at + 1] - start <= ENTRY_MAX)
		nr++;
	stack->nr -= nr;
	memmove(&stack->frames[at], &stack->frames[at + nr],
		(stack->nr - at) * sizeof(stack->frames[0]));
}

static void stacks(enum bpf_attach_type type, const char *name)
{
	struct stack entry = stack_of(FUNCTION, 0), called = stack_of(CALLED, 0);
	struct counter counter = counter_begin(type);
	struct stack got;

	got = stack_of(FUNCTION, 0);
	check(same(&entry, &got), "%s: the stack of an entry is as without", name);
	got = stack_of(FUNCTION, KCATCH_ADD_RETURN);
	check(same(&entry, &got), "%s: and of a call whose return is hooked", name);
	got = stack_of(CALLED, 0);
	if (type == BPF_TRACE_FEXIT)
		remove_trampoline(&got, &called);
	check(same(&called, &got), "%s: the stack of a function that it calls is as without", name);
	counter_end(&counter);
}

int main(void)
{
	both_count(BPF_TRACE_FENTRY, "fentry", 0);
	both_count(BPF_TRACE_FENTRY, "fentry", KCATCH_ADD_RETURN);
	both_count(BPF_TRACE_FEXIT, "fexit", 0);
	both_count(BPF_TRACE_FEXIT, "fexit", KCATCH_ADD_RETURN);
	stacks(BPF_TRACE_FENTRY, "fentry");
	stacks(BPF_TRACE_FEXIT, "fexit");
	return finish();
}
