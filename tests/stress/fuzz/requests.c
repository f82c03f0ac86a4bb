// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * requests.c - requests that are right but for a field or two
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const functions[] = {
	"kt_a", "kt_b", "kt_c", "kt_hammered", "kt_blank", "kt_recurse", "kt_write", "kt_nest",
	"kt_leaf", "kt_hidden", "kt_nokprobe", "kt_twin", "kcatch_test:kt_c", "kt_second_count",
	"vfs_read", "vfs_write", "ksys_read", "vfs_statx", "do_sys_openat2", "kmem_cache_free",
	"mutex_lock", "try_to_wake_up", "do_sys_poll", "schedule", "exit_mmap", "do_exit",
	"load_module", "do_init_module", "free_module", "copy_process", "hrtimer_interrupt",
	"tasklet_action", "scheduler_tick", "do_idle", "kcatch_ioctl", "kcatch_release",
	"kcatch_session_add", "irq_work_run", "vm_mmap_pgoff", "__x64_sys_getppid", "vmalloc_user",
	"asm_exc_page_fault", "memcpy", "no_such_function", "kcatch_trace:no_such_function",
};
#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

static const char *const patterns[] = {
	"kt_*", "kt_[a-c]", "vfs_r*", "ksys_*", "kcatch_test:*", "kcatch_trace:*", "kcatch:kcatch_io*",
	"__x64_sys_get*", "mutex_*lock", "nothing_*", "kt_[", "kt_?",
};
static const char *const tracepoints[] = {
	"sched_switch", "sys_enter", "sys_exit", "irq_handler_entry", "kmalloc", "module_load",
	"module_free", "sched_process_fork", "sched_process_exit", "mm_page_alloc", "hrtimer_start",
	"no_such_event",
};
static const char *const events[] = { "kt_*", "kt_count", "kt_text", "kt_pair", "kt_[", "none" };
static const char *const pending[] = {
	"kcatch_test:kt_c", "kcatch_test:kt_*", "kcatch_test:kt_initial", "kcatch_trace:trace_init",
	"kcatch_trace:*", "kcatch_trace_twin:*", "kcatch_test:kcatch_test_exit", "no_module:x",
};
static const char *const variables[] = { "jiffies", "system_state", "nr_threads", "panic_on_oops" };
#define VARIABLES (sizeof(variables) / sizeof(*variables))

static uint64_t function_at[FUNCTIONS], variable_at[VARIABLES];

static void symbol_note(const char *name, uint64_t address)
{
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		if (!strcmp(functions[i], name))
			function_at[i] = address;
	for (i = 0; i < VARIABLES; i++)
		if (!strcmp(variables[i], name))
			variable_at[i] = address;
}

void symbols_read(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char name[512];

	while (file && fscanf(file, "%llx %*c %511s%*[^\n]", &address, name) == 2)
		symbol_note(name, address);
	if (file)
		fclose(file);
}

/* Through the entry for 32-bit programs: everything of ours is below 4 GB. */
static int compat_ioctl(int fd, unsigned long number, void *argument)
{
	long result;

	__asm__ volatile ("int $0x80" : "=a" (result)
			  : "a" (54), "b" ((long)fd), "c" (number), "d" (argument)
			  : "memory", "r8", "r9", "r10", "r11");
	if ((int)result < 0) {
		errno = -(int)result;
		return -1;
	}
	return result;
}

/* Where the kernel finds the structure: mostly where it is. */
static void *placed(struct worker *worker, void *argument, size_t size)
{
	unsigned char *end = worker->memory + FUZZ_MEMORY;

	if (!size)
		return argument;
	switch (below(worker, 64)) {
	case 0:	/* the end is missing */
		return end - below(worker, size);
	case 1:	/* right before memory that is not there */
		return memmove(end - size, argument, size);
	case 2:	/* it can be read, but the answer cannot be written */
		return worker->read_only + ((unsigned char *)argument - worker->memory);
	case 3:
		return (void *)(uintptr_t)odd_number(worker);
	}
	return argument;
}

int request(struct worker *worker, struct slot *slot, unsigned long number, void *argument,
	    size_t size)
{
	int fd = __atomic_load_n(&slot->fd, __ATOMIC_RELAXED);

	argument = placed(worker, argument, size);
	if (once_in(worker, 16))
		return compat_ioctl(fd, number, argument);
	return ioctl(fd, number, argument);
}

/* ---- sessions ------------------------------------------------------------- */

int fuzz_open(struct worker *worker, struct slot *slot)
{
	static const int flags[] = { O_RDWR, O_RDWR, O_RDWR, O_RDONLY, O_WRONLY };
	int fd, old, nr;

	/* The views go first: those of a session that has gone are of another size. */
	if (slot->own)
		slot_unmap(slot);
	fd = open(KCATCH_DEVICE,
		  O_CLOEXEC | (once_in(worker, 16) ? one_of(worker, flags) : O_RDWR));
	slot->nr_probes = slot->nr_programs = slot->nr_groups = slot->nr_tables = 0;
	memset(&slot->setup, 0, sizeof(slot->setup));
	old = __atomic_exchange_n(&slot->fd, fd, __ATOMIC_RELAXED);
	if (old >= 0)
		close(old);
	if (fd < 0)
		return -1;
	/* Most sessions get far enough to be hit. */
	if (!once_in(worker, 16))
		fuzz_setup(worker, slot);
	for (nr = below(worker, 4); nr; nr--)
		fuzz_add(worker, slot);
	return 0;
}

int fuzz_setup(struct worker *worker, struct slot *slot)
{
	static const uint32_t flags[] = {
		0, 0, 0, KCATCH_SETUP_FREEZE_OOPS, KCATCH_SETUP_FREEZE_WARN,
		KCATCH_SETUP_FREEZE_PANIC | KCATCH_SETUP_LOG, KCATCH_SETUP_FREEZE_LOCKUP,
		KCATCH_SETUP_FREEZE_HUNG | KCATCH_SETUP_FREEZE_OOPS | KCATCH_SETUP_FREEZE_WARN,
	};
	struct kcatch_setup *setup = take(worker, sizeof(*setup)), given;

	setup->packet_size = KCATCH_PACKET_SIZE_MIN << below(worker, 3);
	setup->ring_size = setup->packet_size * 2 << below(worker, 3);
	if (setup->ring_size > FUZZ_RING_MAX)
		setup->ring_size = FUZZ_RING_MAX;
	setup->mode = below(worker, 2);
	setup->flags = one_of(worker, flags);
	mutate(worker, setup, sizeof(*setup), 12);
	given = *setup;
	if (request(worker, slot, KCATCH_IOC_SETUP, setup, sizeof(*setup)))
		return -1;
	slot->setup = given;
	return 0;
}

/* ---- ADD ------------------------------------------------------------------ */

static void name_target(struct worker *worker, struct kcatch_target *target, const char *name)
{
	target->name = take_text(worker, name);
	target->name_len = strlen(name);
}

static void make_target(struct worker *worker, struct kcatch_target *target)
{
	static const uint32_t sizes[] = { 1, 2, 4, 8 };
	static const uint32_t kinds[] = {
		KCATCH_TARGET_NAME, KCATCH_TARGET_NAME, KCATCH_TARGET_NAME, KCATCH_TARGET_ADDRESS,
		KCATCH_TARGET_PATTERN, KCATCH_TARGET_TRACEPOINT, KCATCH_TARGET_EVENT,
		KCATCH_TARGET_WATCH, KCATCH_TARGET_NAME | KCATCH_TARGET_PENDING,
	};

	target->kind = one_of(worker, kinds);
	switch (target->kind) {
	case KCATCH_TARGET_PATTERN:
		name_target(worker, target, one_of(worker, patterns));
		break;
	case KCATCH_TARGET_TRACEPOINT:
		name_target(worker, target, one_of(worker, tracepoints));
		break;
	case KCATCH_TARGET_EVENT:
		name_target(worker, target, one_of(worker, events));
		break;
	case KCATCH_TARGET_ADDRESS:
		target->address = one_of(worker, function_at);
		break;
	case KCATCH_TARGET_WATCH:
		target->address = one_of(worker, variable_at);
		target->offset = one_of(worker, sizes) |
				 (once_in(worker, 2) ? KCATCH_WATCH_WRITE : KCATCH_WATCH_ACCESS);
		break;
	case KCATCH_TARGET_NAME:
		name_target(worker, target, one_of(worker, functions));
		target->offset = once_in(worker, 6) ? below(worker, 32) : 0;
		break;
	default:
		name_target(worker, target, one_of(worker, pending));
		if (strpbrk((const char *)(uintptr_t)target->name, "*?["))
			target->kind = KCATCH_TARGET_PATTERN | KCATCH_TARGET_PENDING;
	}
	if (once_in(worker, 3))
		target->kind |= KCATCH_TARGET_OPTIONAL;
	mutate(worker, target, sizeof(*target), 20);
}

static void make_gate(struct worker *worker, struct slot *slot, struct kcatch_add *add)
{
	if (once_in(worker, 8)) {
		add->flags |= KCATCH_ADD_PID | (once_in(worker, 2) ? KCATCH_ADD_CHILDREN : 0);
		add->pid = once_in(worker, 8) ? 1 : getpid();
	}
	if (once_in(worker, 8)) {
		add->flags |= KCATCH_ADD_COMM;
		strcpy(add->comm, once_in(worker, 2) ? "fuzz_ioctl" : "swapper/0");
	}
	if (once_in(worker, 8))
		add->flags |= KCATCH_ADD_OTHERS;
	if (once_in(worker, 8))
		add->flags |= KCATCH_ADD_FREEZE;
	if (once_in(worker, 3))
		add->flags |= KCATCH_ADD_NO_STACK;
	if (once_in(worker, 3)) {
		add->flags |= KCATCH_ADD_RETURN;
		add->max_active = once_in(worker, 2) ? 0 : 1 + below(worker, 64);
		if (slot->nr_groups && once_in(worker, 2)) {
			add->flags |= KCATCH_ADD_UNDER;
			add->root = below(worker, slot->nr_groups);
			add->levels = below(worker, 4);
		}
	}
}

int fuzz_add(struct worker *worker, struct slot *slot)
{
	uint32_t nr = once_in(worker, 4) ? 1 + below(worker, 6) : 1, i;
	struct kcatch_add *add = take(worker, sizeof(*add));
	struct kcatch_target *targets = take(worker, nr * sizeof(*targets));

	add->nr_targets = nr;
	add->targets = (uintptr_t)targets;
	add->depth = below(worker, 2) ? 0 : 1 + below(worker, KCATCH_DEPTH_MAX);
	add->budget = once_in(worker, 3) ? 1 + below(worker, 500) : 0;
	make_gate(worker, slot, add);
	for (i = 0; i < nr; i++)
		make_target(worker, &targets[i]);
	mutate(worker, add, sizeof(*add), 12);
	if (request(worker, slot, KCATCH_IOC_ADD, add, sizeof(*add)))
		return -1;
	slot->nr_probes = add->first_probe + add->nr_probes;
	slot->nr_groups = add->group + 1;
	return 0;
}

int fuzz_start(struct worker *worker, struct slot *slot)
{
	return request(worker, slot, KCATCH_IOC_START, NULL, 0);
}

int fuzz_stop(struct worker *worker, struct slot *slot)
{
	return request(worker, slot, KCATCH_IOC_STOP, NULL, 0);
}

/* ---- PROGRAM and BIND ----------------------------------------------------- */

#define HOPS 6	/* of each program */

static void begin_item(struct worker *worker, struct kcatch_item *item, uint8_t first)
{
	item->from = once_in(worker, 12) ? 1 + below(worker, KCATCH_ITEM_LATENCY) :
		     once_in(worker, 4) ? KCATCH_ITEM_TASK : first;
	switch (item->from) {
	case KCATCH_ITEM_ARG:
		item->index = below(worker, 6);
		break;
	case KCATCH_ITEM_STACK:
		item->start = 8 * below(worker, 129);
		break;
	case KCATCH_ITEM_RET:
		item->index = below(worker, 2);
		break;
	case KCATCH_ITEM_SAVED:
	case KCATCH_ITEM_MISSED:
		item->start = 8 * below(worker, 8);
		item->index = item->from == KCATCH_ITEM_MISSED ? below(worker, 8) : 0;
		break;
	case KCATCH_ITEM_CGROUP:
		item->index = below(worker, 2);
		item->start = item->index ? (int)below(worker, 4) : 0;
		break;
	}
	if (once_in(worker, 3)) {
		item->nr_hops = 1 + below(worker, 3);
		item->first_hop = below(worker, HOPS - 2);
	}
	item->offset = once_in(worker, 2) ? 0 : (int)below(worker, 8192) - 4096;
}

static void end_item(struct worker *worker, struct kcatch_item *item)
{
	static const uint16_t sizes[] = { 1, 2, 4, 8 };

	item->put = 1 + below(worker, KCATCH_ITEM_SKIP);
	switch (item->put) {
	case KCATCH_ITEM_VALUE:
		break;
	case KCATCH_ITEM_WORD:
	case KCATCH_ITEM_SKIP:
		item->size = one_of(worker, sizes);
		break;
	case KCATCH_ITEM_LENGTH:
		item->size = 4 * below(worker, 3);
		break;
	case KCATCH_ITEM_CHARS:
		item->size = 8 * (1 + below(worker, 8));
		item->limit = below(worker, 2) ? below(worker, item->size) : 0;
		break;
	default:
		item->size = 1 + below(worker, 128);
	}
}

/* @first: what most items begin with */
static void make_items(struct worker *worker, struct kcatch_list *list, uint8_t first)
{
	uint32_t nr = below(worker, once_in(worker, 16) ? 64 : 8), i;
	struct kcatch_item *items;

	if (!nr)
		return;
	items = take(worker, nr * sizeof(*items));
	for (i = 0; i < nr; i++) {
		begin_item(worker, &items[i], first);
		end_item(worker, &items[i]);
		/* Both are right only together. */
		if (i && items[i - 1].put == KCATCH_ITEM_LENGTH && i + 1 < nr && once_in(worker, 2))
			items[i].put = KCATCH_ITEM_SKIP, items[i].size = 2, items[i].limit = 0;
		else if (i && items[i - 1].put == KCATCH_ITEM_SKIP)
			items[i].put = KCATCH_ITEM_MEMORY, items[i].size = 16, items[i].limit = 0;
		else if (i && items[i - 1].put == KCATCH_ITEM_LENGTH)
			items[i].put = KCATCH_ITEM_BYTES, items[i].size = 16, items[i].limit = 0;
		else if (items[i].put == KCATCH_ITEM_BYTES || items[i].put == KCATCH_ITEM_SKIP ||
			 i + 1 == nr)
			items[i].put = KCATCH_ITEM_VALUE, items[i].size = items[i].limit = 0;
	}
	mutate(worker, items, nr * sizeof(*items), 12);
	*list = (struct kcatch_list){ .at = (uintptr_t)items, .nr = nr };
}

static void make_hops(struct worker *worker, struct kcatch_list *list)
{
	int32_t *hops = take(worker, HOPS * sizeof(*hops));
	uint32_t i;

	for (i = 0; i < HOPS; i++)
		hops[i] = (int)below(worker, 512) - 64;
	*list = (struct kcatch_list){ .at = (uintptr_t)hops, .nr = HOPS };
}

static void make_op(struct worker *worker, struct kcatch_op *op, uint32_t nr, uint32_t left)
{
	static const uint8_t from[] = { KCATCH_FROM_ARG, KCATCH_FROM_ARG, KCATCH_FROM_FIELD,
					KCATCH_FROM_RET, KCATCH_FROM_PID, KCATCH_FROM_ACC,
					KCATCH_FROM_SAVED, KCATCH_FROM_COMM };

	op->op = below(worker, KCATCH_OPS);
	if (op->op && op->op < KCATCH_OP_SAVE)
		op->from = one_of(worker, from);
	if (op->from == KCATCH_FROM_ARG || op->op >= KCATCH_OP_SAVE)
		op->index = below(worker, 6);
	if (op->op && op->op <= KCATCH_OP_RANGE)
		op->left = below(worker, 64);
	if (op->op <= KCATCH_OP_TEXT)
		op->yes = below(worker, 3) ? below(worker, 3) :
			  KCATCH_EXIT_OP + nr + 1 + below(worker, left + 1);
	if (op->op && op->op <= KCATCH_OP_TEXT)
		op->no = below(worker, 3);
	if (op->op == KCATCH_OP_RANGE || op->op == KCATCH_OP_BITS || op->op == KCATCH_OP_MARK)
		op->a = below(worker, 1 << 20);
	if (op->op == KCATCH_OP_RANGE || op->op == KCATCH_OP_BITS)
		op->b = below(worker, 1 << 20);
	if (op->op > KCATCH_OP_TEXT && op->op < KCATCH_OP_SAVE && once_in(worker, 2)) {
		op->from = KCATCH_FROM_CONST;
		op->index = 0;
		op->a = below(worker, 5);
	}
}

/* Most begin with a value, as operations without one are refused. */
void make_condition(struct worker *worker, struct kcatch_list *list)
{
	uint32_t nr = 2 + below(worker, 10), i;
	struct kcatch_op *code = take(worker, nr * sizeof(*code));

	for (i = 0; i < nr - 1; i++)
		make_op(worker, &code[i], i, nr - i - 2);
	if (!once_in(worker, 4))
		code[0] = (struct kcatch_op){ .op = KCATCH_OP_SET, .from = KCATCH_FROM_ARG };
	code[nr - 1] = (struct kcatch_op){ .op = KCATCH_OP_GO, .yes = below(worker, 3) };
	mutate(worker, code, nr * sizeof(*code), 12);
	*list = (struct kcatch_list){ .at = (uintptr_t)code, .nr = nr };
}

int fuzz_program(struct worker *worker, struct slot *slot)
{
	struct kcatch_program *program = take(worker, sizeof(*program));

	make_hops(worker, &program->hops);
	make_items(worker, &program->entry, KCATCH_ITEM_ARG);
	if (once_in(worker, 2))
		make_items(worker, &program->at_return, KCATCH_ITEM_RET);
	if (once_in(worker, 4))
		make_items(worker, &program->fields, KCATCH_ITEM_ARG);
	if (once_in(worker, 20))
		program->shape = below(worker, KCATCH_SHAPE_SWITCH + 2);
	if (once_in(worker, 3))
		make_condition(worker, &program->entry_condition);
	if (once_in(worker, 4))
		make_condition(worker, &program->return_condition);
	if (once_in(worker, 8))
		program->user_stack = 8 * below(worker, 300);
	if (program->user_stack && once_in(worker, 2))
		program->user_maps = 8 * below(worker, 300);
	if (!program->at_return.nr && !program->return_condition.nr && once_in(worker, 4))
		program->flags = KCATCH_PROGRAM_ENTRY_ONLY;
	mutate(worker, program, sizeof(*program), 12);
	if (request(worker, slot, KCATCH_IOC_PROGRAM, program, sizeof(*program)))
		return -1;
	slot->nr_programs = program->number;
	return 0;
}

int fuzz_bind(struct worker *worker, struct slot *slot)
{
	uint32_t nr = 1 + below(worker, 4), i;
	struct kcatch_bind *bind = take(worker, sizeof(*bind));
	struct kcatch_binding *bindings = take(worker, nr * sizeof(*bindings));

	/* Programs come before it, and the session has to be stopped. */
	if (!once_in(worker, 4))
		fuzz_stop(worker, slot);
	for (i = 0; i < nr; i++) {
		bindings[i].probe = below(worker, slot->nr_probes + 1);
		bindings[i].program = below(worker, slot->nr_programs + 1);
		if (once_in(worker, 6)) {
			const char *name = one_of(worker, pending);

			bindings[i].probe = ~0U;
			bindings[i].group = below(worker, slot->nr_groups + 1);
			bindings[i].name = take_text(worker, name);
			bindings[i].name_len = strlen(name);
		}
	}
	bind->nr = nr;
	bind->bindings = (uintptr_t)bindings;
	mutate(worker, bindings, nr * sizeof(*bindings), 12);
	mutate(worker, bind, sizeof(*bind), 20);
	return request(worker, slot, KCATCH_IOC_BIND, bind, sizeof(*bind));
}

/* Any number, any bytes. */
int fuzz_bytes(struct worker *worker, struct slot *slot)
{
	static const unsigned long numbers[] = {
		KCATCH_IOC_INFO, KCATCH_IOC_SETUP, KCATCH_IOC_ADD, KCATCH_IOC_START,
		KCATCH_IOC_STOP, KCATCH_IOC_PROBES, KCATCH_IOC_COUNTERS, KCATCH_IOC_STATUS,
		KCATCH_IOC_SYMBOL, KCATCH_IOC_PROGRAM, KCATCH_IOC_BIND, KCATCH_IOC_EVENTS,
		KCATCH_IOC_TASKS, KCATCH_IOC_READ, KCATCH_IOC_TABLE, KCATCH_IOC_COUNT,
		KCATCH_IOC_SWAP, KCATCH_IOC_ROWS, KCATCH_IOC_SYMBOLS, KCATCH_IOC_SYMBOL_THEN,
	};
	unsigned char *bytes = take(worker, 600);
	unsigned long number = one_of(worker, numbers);
	int i;

	for (i = 0; i < 600; i++)
		bytes[i] = once_in(worker, 3) ? draw(worker) : 0;
	if (once_in(worker, 8))
		number = draw(worker);
	return request(worker, slot, number, bytes, 600);
}

/* 0: unknown */
uint64_t symbol_address(const char *name)
{
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		if (!strcmp(functions[i], name))
			return function_at[i];
	for (i = 0; i < VARIABLES; i++)
		if (!strcmp(variables[i], name))
			return variable_at[i];
	return 0;
}
