/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * sent_signals.c - reports the senders of signals, by the tracepoint signal_generate
 *
 * Sender and target may end at once, so all data about both is read in the kernel at the hit.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/kcatch.h>

#include <kcatch_text.h>
#include "base/machine.h"
#include "base/struct_size.h"
#include "ring/calls.h"
#include "session/handle.h"
#include "types/types.h"

#define LEVELS KCATCH_SIGNAL_ANCESTORS
#define STANDARD 31		/* signals whose handler is asked for */
#define THREAD_SIZE 16384	/* x86-64, where the types do not say; with KASAN it is 32768 */
#define NUMBERS_MAX 64

/* struct kernel_siginfo begins as user space's does: 16 bytes, then the union. */
struct info {
	int32_t signo, error, code, pad;
	union {
		struct { uint32_t pid, uid; uint64_t value; } from;
		uint64_t address;
		uint8_t bytes[32];
	};
};

/* What the items put, in their order. */
struct fetched {
	uint64_t number, info_at, group, result;
	struct info info;
	uint64_t target_pid, target_tid;
	char target_comm[16];
	uint64_t blocked, flags, uid;
	uint64_t user[7];	/* the end of its stack: see user_ip() */
	struct {
		uint64_t pid;
		char comm[16];
	} ancestors[LEVELS];
	uint64_t handlers[STANDARD];
};

/* Numbers of items, for the faults. */
enum { ITEM_INFO = 4, ITEM_BLOCKED = 8, ITEM_USER = 11, ITEM_ANCESTORS = 12,
       ITEM_HANDLERS = ITEM_ANCESTORS + 2 * LEVELS };

struct offsets {
	uint32_t tgid, pid, comm, blocked, signal, flags, cred, uid, stack, parent, sighand, action,
		action_size, thread_size;
};

static int find_offsets(struct offsets *at)
{
	struct kcatch_types *types;
	struct kcatch_type action, thread;
	int ret = kcatch_types_open(&types);

	if (ret)
		return ret;
	if (!(ret = kcatch_types_offset(types, "struct task_struct", "tgid", &at->tgid)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "pid", &at->pid)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "comm", &at->comm)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "blocked", &at->blocked)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "signal", &at->signal)) &&
	    !(ret = kcatch_types_offset(types, "struct signal_struct", "flags", &at->flags)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "cred", &at->cred)) &&
	    !(ret = kcatch_types_offset(types, "struct cred", "uid", &at->uid)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "stack", &at->stack)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "real_parent", &at->parent)) &&
	    !(ret = kcatch_types_offset(types, "struct task_struct", "sighand", &at->sighand)) &&
	    !(ret = kcatch_types_offset(types, "struct sighand_struct", "action", &at->action))) {
		if (kcatch_types_struct(types, "struct k_sigaction", &action))
			ret = kcatch_error_set(EOPNOTSUPP, "this kernel has no struct k_sigaction");
		else
			at->action_size = kcatch_type_size(action);
		at->thread_size = kcatch_types_struct(types, "union thread_union", &thread) ?
					  THREAD_SIZE : kcatch_type_size(thread);
	}
	kcatch_types_close(types);
	return ret;
}

/* Where the pointers stand that are followed; HOP_PARENT is followed up to LEVELS times. */
enum { HOP_SIGNAL, HOP_CRED, HOP_STACK, HOP_SIGHAND, HOP_PARENT, HOPS = HOP_PARENT + LEVELS };

/* The list that is made, and the pointer that it is at. */
struct list {
	struct kcatch_item items[KCATCH_ITEMS_MAX];
	int32_t hops[HOPS];
	uint32_t nr;
	struct kcatch_item at;
};

static void begin(struct list *list, uint8_t from, uint8_t index)
{
	list->at = (struct kcatch_item){ .from = from, .index = index, .put = KCATCH_ITEM_VALUE };
}

static void put(struct list *list, uint16_t size, int32_t offset)
{
	struct kcatch_item item = list->at;

	item.put = size ? KCATCH_ITEM_MEMORY : KCATCH_ITEM_VALUE;
	item.size = size;
	item.offset = offset;
	list->items[list->nr++] = item;
}

static void follow(struct list *list, uint32_t first, uint8_t nr)
{
	list->at.first_hop = (uint16_t)first;
	list->at.nr_hops = nr;
}

static void make_list(struct list *list, const struct offsets *at)
{
	uint8_t i;

	list->hops[HOP_SIGNAL] = at->signal;
	list->hops[HOP_CRED] = at->cred;
	list->hops[HOP_STACK] = at->stack;
	list->hops[HOP_SIGHAND] = at->sighand;
	for (i = 0; i < LEVELS; i++)
		list->hops[HOP_PARENT + i] = at->parent;
	/* signal_generate(int sig, info, task, int group, int result) */
	for (i = 0; i < 5; i++) {
		begin(list, KCATCH_ITEM_ARG, i);
		if (i != 2)
			put(list, 0, 0);
	}
	begin(list, KCATCH_ITEM_ARG, 1);
	put(list, sizeof(struct info), 0);
	begin(list, KCATCH_ITEM_ARG, 2);
	put(list, 4, at->tgid);
	put(list, 4, at->pid);
	put(list, 16, at->comm);
	put(list, 8, at->blocked);
	follow(list, HOP_SIGNAL, 1);
	put(list, 4, at->flags);
	begin(list, KCATCH_ITEM_TASK, 0);
	follow(list, HOP_CRED, 1);
	put(list, 4, at->uid);
	begin(list, KCATCH_ITEM_ARG, 2);
	follow(list, HOP_STACK, 1);
	put(list, sizeof(((struct fetched *)NULL)->user),
	    (int32_t)at->thread_size - (int32_t)sizeof(((struct fetched *)NULL)->user));
	begin(list, KCATCH_ITEM_TASK, 0);
	for (i = 0; i < LEVELS; i++) {
		follow(list, HOP_PARENT, i + 1);
		put(list, 4, at->tgid);
		put(list, 16, at->comm);
	}
	begin(list, KCATCH_ITEM_ARG, 2);
	follow(list, HOP_SIGHAND, 1);
	for (i = 0; i < STANDARD; i++)
		put(list, 8, at->action + i * at->action_size);
}

/* One of these numbers, and to this process. */
static uint32_t make_condition(const struct kcatch_signals_request *request,
			       struct kcatch_op *code)
{
	const struct kcatch_op number = { .op = KCATCH_OP_RANGE, .from = KCATCH_FROM_ARG,
					  .left = 32 };
	uint32_t nr = 0, i, behind = request->target ? KCATCH_EXIT_OP + request->nr_numbers :
						       KCATCH_EXIT_YES;

	for (i = 0; i < request->nr_numbers; i++) {
		code[nr] = number;
		code[nr].a = (uint64_t)request->numbers[i] << 32;
		code[nr].b = UINT32_MAX;
		code[nr].yes = (uint8_t)behind;
		code[nr].no = i + 1 < request->nr_numbers ? (uint8_t)(KCATCH_EXIT_OP + nr + 1) :
							    KCATCH_EXIT_NO;
		nr++;
	}
	if (request->target)
		code[nr++] = (struct kcatch_op){
			.op = KCATCH_OP_RANGE, .from = KCATCH_FROM_FIELD, .left = 32,
			.a = (uint64_t)request->target << 32, .b = UINT32_MAX,
			.yes = KCATCH_EXIT_YES, .no = KCATCH_EXIT_NO,
			.unknown = KCATCH_EXIT_UNKNOWN,
		};
	return nr;
}

static int bind(struct kcatch_session *session, const struct kcatch_signals_request *request,
		const struct offsets *at, uint32_t probe)
{
	struct kcatch_op code[NUMBERS_MAX + 1];
	struct list list = { .nr = 0 }, fields = { .nr = 0 };
	struct kcatch_program program = { 0 };
	struct kcatch_binding binding = { .probe = probe };
	struct kcatch_bind bindings = { .nr = 1, .bindings = (uintptr_t)&binding };
	int ret;

	make_list(&list, at);
	program.entry = (struct kcatch_list){ .at = (uintptr_t)list.items, .nr = list.nr };
	program.hops = (struct kcatch_list){ .at = (uintptr_t)list.hops, .nr = HOPS };
	program.entry_condition.nr = make_condition(request, code);
	if (program.entry_condition.nr)
		program.entry_condition.at = (uintptr_t)code;
	if (request->target) {
		begin(&fields, KCATCH_ITEM_ARG, 2);
		put(&fields, 4, at->tgid);
		program.fields = (struct kcatch_list){ .at = (uintptr_t)fields.items,
						       .nr = fields.nr };
	}
	ret = kcatch_session_ioctl(session, KCATCH_IOC_PROGRAM, &program);
	binding.program = program.number;
	if (!ret)
		ret = kcatch_session_ioctl(session, KCATCH_IOC_BIND, &bindings);
	return ret ? kcatch_error_system(ret, "tell the kcatch module what to fetch of signals") :
		     0;
}

/* The kernel compares the target's number, as the first PID namespace has it. */
static int check_target(uint32_t target)
{
	if (!kcatch_machine_shares_numbers())
		return kcatch_error_set(EOPNOTSUPP,
					"process %u may be another one for the kernel: in this PID "
					"namespace numbers differ (docker run --pid=host)", target);
	if (kill((pid_t)target, 0) && errno == ESRCH)
		return kcatch_error_set(ESRCH, "there is no process %u", target);
	return 0;
}

static int catch_signals(struct kcatch_session *session,
			 const struct kcatch_signals_request *request)
{
	static const char name[] = "signal_generate";
	struct kcatch_target target = { .kind = KCATCH_TARGET_TRACEPOINT, .name = (uintptr_t)name,
					.name_len = sizeof(name) - 1 };
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target,
				  .depth = request->gate->depth };
	struct offsets at;
	int ret;

	if (!session->ring_size)
		return kcatch_error_set(EINVAL, "this session has no rings yet");
	ret = kcatch_session_refuse_running(session);
	if (ret)
		return ret;
	if (request->nr_numbers > NUMBERS_MAX)
		return kcatch_error_set(E2BIG, "%zu signals are more than there are",
					request->nr_numbers);
	ret = request->target ? check_target(request->target) : 0;
	if (!ret)
		ret = find_offsets(&at);
	if (ret)
		return ret;
	ret = kcatch_request_gate(&add, request->gate);
	if (ret)
		return ret;
	add.flags &= ~(__u32)KCATCH_ADD_NO_STACK;
	ret = kcatch_session_ioctl(session, KCATCH_IOC_ADD, &add);
	if (ret == -ESRCH)
		return kcatch_error_set(ESRCH, "there is no process %u", request->gate->pid);
	if (ret)
		return kcatch_error_system(ret, "catch the tracepoint signal:signal_generate");
	ret = kcatch_session_grow(session, (size_t)add.first_probe + 1);
	if (!ret)
		ret = bind(session, request, &at, add.first_probe);
	if (ret)
		session->armed.broken = true;
	return ret;
}

int kcatch_session_signals(struct kcatch_session *session,
			   const struct kcatch_signals_request *request)
{
	struct kcatch_signals_request own;
	struct kcatch_request gate;
	int ret = kcatch_struct_copy(&own, sizeof(own), request, "kcatch_signals_request");

	if (!ret)
		ret = kcatch_request_copy(&gate, own.gate);
	own.gate = &gate;
	return ret ? ret : catch_signals(session, &own);
}

/* ---- what was caught ----------------------------------------------------------------- */

static bool ends_process(int number)
{
	static const int
		harmless[] = { 17 /* CHLD */, 18 /* CONT */, 23 /* URG */,  28 /* WINCH */,
			       19 /* STOP */, 20 /* TSTP */, 21 /* TTIN */, 22 /* TTOU */ };
	size_t i;

	for (i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		if (harmless[i] == number)
			return false;
	}
	return true;
}

#define GROUP_EXIT 0x4	/* SIGNAL_GROUP_EXIT: the process ends */
#define UNKILLABLE 0x40	/* SIGNAL_UNKILLABLE: init */
#define KILL 9

static void judge(struct kcatch_signal *signal, const struct fetched *f, uint64_t faults)
{
	bool known = f->number >= 1 && f->number <= STANDARD &&
		     !(faults >> (ITEM_HANDLERS + f->number - 1) & 1);
	uint64_t handler = known ? f->handlers[f->number - 1] : 0;

	signal->blocked = f->number >= 1 && f->number <= 64 && f->blocked >> (f->number - 1) & 1 &&
			  f->number != KILL && f->number != 19;
	/* The kernel drops a signal for two reasons, and says the same of both. */
	signal->ending = (int)f->result == 1 && f->flags & GROUP_EXIT;
	signal->ignored = (int)f->result == 1 && !signal->ending;
	signal->unknown = !known && (int)f->result != 1 && !signal->blocked;
	signal->has_handler = known && handler > 1;
	signal->fatal = known && !handler && !signal->blocked && (int)f->result != 1 &&
			!(f->flags & UNKILLABLE) && ends_process((int)f->number);
}

static bool is_user_cs(uint64_t cs)
{
	return (cs & 3) == 3 && cs < 0x10000;
}

/* struct pt_regs, whose end is ip, cs, flags, sp and ss, is at the top of the stack. Where the
 * kernel is built for FRED, 16 bytes are behind it. 0: there are no registers of user space. */
static uint64_t user_ip(const uint64_t *end)
{
	if (is_user_cs(end[3]))
		return end[2];
	return is_user_cs(end[1]) && end[0] ? end[0] : 0;
}

int kcatch_session_signal(struct kcatch_session *session, struct kcatch_signal *signal)
{
	const struct kcatch_hit *hit = session->view.hit;
	const struct kcatch_call_part *part = hit ? kcatch_call_part(hit) : NULL;
	struct fetched f;
	uint64_t faults;
	uint32_t i;

	memset(signal, 0, sizeof(*signal));
	if (!part || part->size[0] != sizeof(f))
		return kcatch_error_set(ENODATA, "this event is of no signal");
	memcpy(&f, part->data, sizeof(f));
	faults = part->faults[0];
	signal->number = (int)f.number;
	signal->to_process = (int)f.group;
	signal->result = (int)f.result;
	signal->by_kernel = f.info_at == 1;
	signal->has_info = f.info_at > 1 && !(faults >> ITEM_INFO & 1);
	if (signal->has_info) {
		signal->code = f.info.code;
		signal->address = f.info.address;
		signal->value = f.info.from.value;
	}
	signal->target_pid = (uint32_t)f.target_pid;
	signal->target_tid = (uint32_t)f.target_tid;
	memcpy(signal->target_comm, f.target_comm, sizeof(signal->target_comm) - 1);
	signal->sender_uid = (uint32_t)f.uid;
	if (!(faults >> ITEM_USER & 1))
		signal->user_ip = user_ip(f.user);
	for (i = 0; i < LEVELS && !(faults >> (ITEM_ANCESTORS + 2 * i) & 1) && f.ancestors[i].pid;
	     i++) {
		signal->ancestors[i].pid = (uint32_t)f.ancestors[i].pid;
		memcpy(signal->ancestors[i].comm, f.ancestors[i].comm, 15);
		signal->nr_ancestors = i + 1;
		if (f.ancestors[i].pid == 1)
			break;
	}
	judge(signal, &f, faults);
	return 0;
}
