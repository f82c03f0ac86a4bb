/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_session.c - a session whose events a test makes up
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch_history.h>
#include <kcatch_text.h>

#include "fake_session.h"

struct kcatch_session {
	const struct fake_source *source;
	uint64_t number;
	struct fake_event current;
};

struct kcatch_session *fake_open(const struct fake_source *source)
{
	struct kcatch_session *session = calloc(1, sizeof(*session));

	session->source = source;
	return session;
}

int kcatch_session_next(struct kcatch_session *session, const struct kcatch_event **event)
{
	memset(&session->current, 0, sizeof(session->current));
	session->current.event.nr_user_frames = -1;
	if (session->number && session->number == session->source->fails_at)
		return kcatch_error_set(EIO, "event cannot be read");
	if (!session->source->make(session->number, &session->current))
		return 0;
	session->number++;
	*event = &session->current.event;
	return 1;
}

/* A made-up condition: "odd" holds of odd events, and of the last of them it is not known. */
struct kcatch_filter {
	struct kcatch_session *session;
};

int kcatch_filter_create(struct kcatch_session *session, const char *condition,
			 const char *(*name)(void *arg, uint32_t probe), void *arg,
			 struct kcatch_filter **filter)
{
	size_t i, wanted = 0;

	*filter = NULL;
	for (i = 0; i < session->source->nr_probes; i++)
		wanted += name(arg, (uint32_t)i) != NULL;
	if (strcmp(condition, "odd") != 0 || !wanted)
		return -EINVAL;
	*filter = calloc(1, sizeof(**filter));
	(*filter)->session = session;
	return 0;
}

int kcatch_filter_answer(struct kcatch_filter *filter, const struct kcatch_event *event)
{
	uint64_t number = filter->session->number - 1;

	(void)event;
	if (number == 5)
		return KCATCH_FILTER_UNDECIDED;
	return number % 2 ? KCATCH_FILTER_YES : KCATCH_FILTER_NO;
}

void kcatch_filter_destroy(struct kcatch_filter *filter)
{
	free(filter);
}

int kcatch_session_frame(struct kcatch_session *session, uint32_t index, struct kcatch_frame *frame)
{
	if (index >= session->current.event.nr_frames)
		return -ERANGE;
	*frame = session->current.frames[index];
	return 0;
}

/* Names are in one place each, so that their addresses tell them apart. */
int kcatch_session_stack_number(struct kcatch_session *session, uint64_t *number)
{
	const struct fake_event *current = &session->current;
	uint32_t i;

	*number = 0;
	if (!session->source->numbers || !current->event.nr_frames)
		return 0;
	*number = current->event.stack + 1;
	for (i = 0; i < current->event.nr_frames; i++)
		*number = (*number * 31 + (uintptr_t)current->frames[i].symbol) * 31 +
			  (uintptr_t)current->frames[i].module;
	return 0;
}

void kcatch_recording_defer_user(struct kcatch_session *session)
{
	(void)session;
}

int kcatch_recording_unwind_user(struct kcatch_session *session)
{
	(void)session;
	return 0;
}

int kcatch_session_user_frame(struct kcatch_session *session, uint32_t index,
			      struct kcatch_frame *frame)
{
	if ((int64_t)index >= session->current.event.nr_user_frames)
		return -ERANGE;
	*frame = session->current.user[index];
	return 0;
}

int kcatch_session_arg(struct kcatch_session *session, uint32_t index,
		       const struct kcatch_value **value)
{
	if (index >= session->current.event.nr_args)
		return -ERANGE;
	*value = &session->current.args[index];
	return 0;
}

int kcatch_session_return_value(struct kcatch_session *session, const struct kcatch_value **value)
{
	*value = &session->current.ret;
	return session->current.event.returned == KCATCH_RETURN_SEEN ? 0 : -ENODATA;
}

int kcatch_session_probe(struct kcatch_session *session, uint32_t number,
			 const struct kcatch_probe **probe)
{
	if (number >= session->source->nr_probes)
		return -ERANGE;
	*probe = &session->source->probes[number];
	if (!(*probe)->function && !(*probe)->address)
		return kcatch_error_set(ENOENT, "the recording does not describe the probe");
	return 0;
}

size_t kcatch_session_nr_probes(const struct kcatch_session *session)
{
	return session->source->nr_probes;
}

int kcatch_session_totals(struct kcatch_session *session, struct kcatch_totals *totals)
{
	*totals = session->source->totals;
	return 0;
}

/* Whatever was lost is the first probe's. */
int kcatch_session_probe_totals(struct kcatch_session *session, uint32_t number,
				struct kcatch_totals *totals)
{
	if (number)
		memset(totals, 0, sizeof(*totals));
	else
		*totals = session->source->totals;
	return 0;
}

uint64_t kcatch_session_nr_forgotten(const struct kcatch_session *session)
{
	return session->source->forgotten;
}

uint64_t kcatch_session_nr_unarmed(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

uint64_t kcatch_session_nr_disarmed(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

uint64_t kcatch_session_nr_died(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

uint64_t kcatch_session_nr_damaged(const struct kcatch_session *session)
{
	return session->source->damaged;
}

uint64_t kcatch_session_ring_bytes(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

uint64_t kcatch_session_nr_skipped(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

uint64_t kcatch_session_nr_left_out(const struct kcatch_session *session)
{
	(void)session;
	return 0;
}

const struct kcatch_recording_info *kcatch_session_recording(const struct kcatch_session *session)
{
	(void)session;
	return NULL;
}

uint64_t kcatch_recording_cpu_missing(const struct kcatch_session *session, uint32_t cpu)
{
	(void)session;
	(void)cpu;
	return 0;
}

uint64_t kcatch_recording_cpu_discarded(const struct kcatch_session *session, uint32_t cpu)
{
	(void)cpu;
	return session->source->discarded;
}

int kcatch_session_origin(struct kcatch_session *session, const struct kcatch_origin **origin)
{
	static const struct kcatch_origin one = {
		.host = "machine", .boot_id = "boot", .release = "6.1.0", .arch = "x86_64",
		.session = "1", .nr_cpus = 1,
	};

	(void)session;
	*origin = &one;
	return 0;
}

uint64_t kcatch_session_realtime(const struct kcatch_session *session, uint64_t monotonic_ns)
{
	(void)session;
	return monotonic_ns + 1700000000000000000;
}

int kcatch_session_cpu_totals(struct kcatch_session *session, uint32_t cpu,
			      struct kcatch_totals *totals)
{
	(void)cpu;
	return kcatch_session_totals(session, totals);
}

int kcatch_session_watch_hit(struct kcatch_session *session, struct kcatch_watch_hit *hit)
{
	(void)session;
	(void)hit;
	return -ENODATA;
}

const char *kcatch_mechanism_name(enum kcatch_mechanism mechanism)
{
	return mechanism == KCATCH_BY_TRACEPOINT ? "tracepoint" : "ftrace";
}

struct kcatch_value fake_integer(const char *name, int64_t number)
{
	return (struct kcatch_value){ .name = name, .type = "long", .kind = KCATCH_VALUE_INTEGER,
		.is_signed = true, .number = (uint64_t)number, .bytes = 8 };
}

struct kcatch_value fake_string(const char *name, const char *text)
{
	return (struct kcatch_value){ .name = name, .type = "char *", .kind = KCATCH_VALUE_STRING,
		.number = 0x1000, .text = text, .length = strlen(text) };
}

struct kcatch_value fake_error(const char *text, int64_t number)
{
	struct kcatch_value value = fake_integer(NULL, number);

	value.is_error = true;
	value.text = text;
	value.length = strlen(text);
	return value;
}

static uint64_t address_of(const char *symbol)
{
	uint64_t hash = 5381;

	while (*symbol)
		hash = hash * 33 + (unsigned char)*symbol++;
	return 0xffffffff81000000ULL + hash % 0xffffff;
}

void fake_frame(struct fake_event *event, const char *symbol, const char *module)
{
	event->frames[event->event.nr_frames++] = (struct kcatch_frame){ .symbol = symbol,
		.module = module, .address = address_of(symbol ? symbol : "?"), .offset = 0x1f };
}

void fake_user_frame(struct fake_event *event, const char *symbol, const char *file)
{
	if (event->event.nr_user_frames < 0)
		event->event.nr_user_frames = 0;
	event->user[event->event.nr_user_frames++] = (struct kcatch_frame){ .symbol = symbol,
		.module = file, .address = 0x400000 + address_of(symbol ? symbol : "?") % 0xfffff };
}

/* ---- a machine at work ------------------------------------------------------- */

static const struct kcatch_probe busy_probes[] = {
	{ .function = "vfs_read", .mechanism = KCATCH_BY_FTRACE, .address = 0xffffffff81200000ULL },
	{ .function = "do_sys_openat2",
	  .mechanism = KCATCH_BY_FTRACE,
	  .address = 0xffffffff81210000ULL },
	{ .function = "ovl_lookup", .module = "overlay", .mechanism = KCATCH_BY_FTRACE },
	{ .function = "sched_switch", .module = "sched", .mechanism = KCATCH_BY_TRACEPOINT },
};

uint64_t fake_busy_count = 20000;

static const char *const commands[] = { "make", "cc1", "ld", "sshd", "bash", "</script><b>x" };

static void make_read(struct fake_event *event, uint64_t random)
{
	fake_frame(event, random & 1 ? "ksys_read" : "ksys_pread64", NULL);
	fake_frame(event, random & 1 ? "__x64_sys_read" : "__x64_sys_pread64", NULL);
	event->args[0] = fake_string("file", random & 2 ? "/usr/include/stdio.h" : "/etc/passwd");
	event->args[1] = fake_integer("count", 4096LL << (random & 3) * 11);
	event->event.nr_args = 2;
	if (random % 17)
		event->ret = fake_integer(NULL, 4096);
	else
		event->ret = fake_error("EAGAIN", -11);
}

static void make_open(struct fake_event *event, uint64_t random)
{
	fake_frame(event, "__x64_sys_openat", NULL);
	event->args[0] = fake_integer("dfd", -100);
	event->args[1] = fake_string("filename", random & 4 ? "/lib/x86_64-linux-gnu/libc.so.6" :
				     "include/generated/<autoconf>.h");
	event->event.nr_args = 2;
	event->ret = random % 3 ? fake_integer(NULL, 3) : fake_error("ENOENT", -2);
}

static void make_lookup(struct fake_event *event, uint64_t random)
{
	static const char *const above[] = { "lookup_open.isra.0", "__lookup_slow", "lookup_one_qstr" };

	fake_frame(event, above[random % 3], NULL);
	fake_frame(event, "open_last_lookups", NULL);
	fake_frame(event, "path_openat", NULL);
	fake_frame(event, "do_filp_open", NULL);
	fake_frame(event, "do_sys_openat2", NULL);
	fake_frame(event, "__x64_sys_openat", NULL);
	event->args[0] = fake_string("dentry", "stdio.h");
	event->event.nr_args = 1;
	event->ret = fake_integer(NULL, 1);
}

static void make_switch(struct fake_event *event, uint64_t random)
{
	fake_frame(event, "__schedule", NULL);
	fake_frame(event, "schedule", NULL);
	fake_frame(event, random & 1 ? "futex_wait_queue" : "pipe_read", NULL);
	event->args[0] = fake_integer("next_pid", FAKE_PID + (int64_t)(random % 6));
	event->args[1] = fake_string("next_comm", commands[random % 6]);
	event->args[2] = fake_integer("prev_state", 1);
	event->event.nr_args = 3;
	event->event.is_event = true;
}

static bool make_busy(uint64_t number, struct fake_event *made)
{
	uint64_t random = (number + 1) * 0x9e3779b97f4a7c15ULL >> 20;
	struct kcatch_event *event = &made->event;
	unsigned int task = random / 7 % 6;

	if (number >= fake_busy_count)
		return false;
	event->time_ns = 5000000000ULL + number * 25000 + (number / 4000 % 2) * 1000 +
			 random % 9000;
	event->cpu = (uint32_t)(random >> 8) % 4;
	event->tid = FAKE_PID + task;
	event->pid = FAKE_PID + task / 3 * 3;	/* two processes of three threads each */
	event->call = number + 1;
	event->typed = true;
	strcpy(event->comm, commands[task]);
	event->probe = random % 8 < 3 ? 0 : random % 8 < 5 ? 1 : random % 8 < 7 ? 2 : 3;
	switch (event->probe) {
	case 0:
		make_read(made, random >> 3);
		break;
	case 1:
		make_open(made, random >> 3);
		break;
	case 2:
		make_lookup(made, random >> 3);
		break;
	default:
		make_switch(made, random >> 3);
		break;
	}
	if (!event->is_event) {
		event->returned = KCATCH_RETURN_SEEN;
		event->latency_ns = 300 + (random >> 5) % 900 +
				    (random % 50 ? 0 : (random >> 9) % 3000000);
	}
	fake_frame(made, "do_syscall_64", NULL);
	fake_frame(made, "entry_SYSCALL_64_after_hwframe", NULL);
	if (task < 3) {
		fake_user_frame(made, task ? "parse_<T>" : "execute;job", "/usr/bin/thing");
		fake_user_frame(made, "main", "/usr/bin/thing");
		fake_user_frame(made, NULL, "/lib/libc.so.6");
	}
	return true;
}

struct fake_source fake_busy = {
	.make = make_busy, .probes = busy_probes, .nr_probes = 4,
	.totals = { .hits = 20012, .recorded = 20000, .lost = 12 },
};
