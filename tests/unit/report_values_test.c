/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_values_test.c - single values in reports
 *
 * Description: numbers keep their sign, processes and errors of the kernel have names, long names
 * are whole or say that they are cut, states and names of tasks and their turns on CPUs are what
 * Perfetto reads, times that end in a frame are its own, members are shown; functions whose names
 * the recording has not are not taken for others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "fake_session.h"
#include "perfetto.pb-c.h"
#include "report.h"

static const struct kcatch_probe probes[] = {
	{ .function = "vfs_open", .mechanism = KCATCH_BY_FTRACE, .address = 0x1000 },
};

static bool verbose;

/* A report of @source; to be freed, @length bytes and an end mark. */
static char *make_report(const char *format, const struct fake_source *source, size_t *length)
{
	const struct report_options options = { .format = report_format_find(format),
						.rows = 100,
						.directory = "r",
						.title = "title",
						.view = { .arguments = true, .verbose = verbose } };
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	struct report report = { .options = &options, .session = fake_open(source), .out = out };

	assert_non_null(out);
	assert_int_equal(report_run(&report), 0);
	assert_int_equal(fclose(out), 0);
	free(report.session);
	return text;
}

/* A trace of Perfetto, read again. */
static Perfetto__Trace *make_trace(const struct fake_source *source)
{
	Perfetto__Trace *trace;
	size_t length;
	char *bytes = make_report("perfetto", source, &length);

	trace = perfetto__trace__unpack(NULL, length, (const uint8_t *)bytes);
	assert_non_null(trace);
	free(bytes);
	return trace;
}

static bool make_numbers(uint64_t number, struct fake_event *made)
{
	if (number)
		return false;
	made->event.time_ns = 1000000;
	made->args[0] = fake_integer("signed", -1);
	made->args[1] = fake_integer("unsigned", -1);
	made->args[1].is_signed = false;
	made->event.nr_args = 2;
	return true;
}

/* Of 64 bits, an unsigned integer is no negative one. */
static void numbers_of_traces_have_their_signs(void **state)
{
	const struct fake_source numbers = { .make = make_numbers, .probes = probes,
					     .nr_probes = 1 };
	Perfetto__Trace *trace;
	size_t i, found = 0;

	(void)state;
	trace = make_trace(&numbers);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__TrackEvent *event = trace->packet[i]->track_event;

		if (!event || event->n_debug_annotations != 3)
			continue;
		found++;
		assert_true(event->debug_annotations[1]->has_int_value);
		assert_int_equal(event->debug_annotations[1]->int_value, -1);
		assert_true(event->debug_annotations[2]->has_uint_value);
		assert_true(event->debug_annotations[2]->uint_value == UINT64_MAX);
	}
	assert_int_equal(found, 1);
	perfetto__trace__free_unpacked(trace, NULL);
}

static bool make_many(uint64_t number, struct fake_event *made)
{
	uint32_t i;

	if (number)
		return false;
	made->event.time_ns = 1000000;
	for (i = 0; i < FAKE_ARGS; i++)
		made->args[i] = fake_integer("number", (int64_t)i);
	made->event.nr_args = FAKE_ARGS;
	return true;
}

/* No function of a kernel has so many. */
static void traces_say_which_arguments_lack(void **state)
{
	const struct fake_source many = { .make = make_many, .probes = probes, .nr_probes = 1 };
	Perfetto__Trace *trace;
	size_t i, found = 0;

	(void)state;
	trace = make_trace(&many);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__TrackEvent *event = trace->packet[i]->track_event;

		if (!event || event->n_debug_annotations < 64)
			continue;
		found++;
		assert_int_equal(event->n_debug_annotations, 1 + 64 + 1);
		assert_int_equal(event->debug_annotations[64]->int_value, 63);
		assert_string_equal(event->debug_annotations[65]->name, "arguments not shown");
		assert_int_equal(event->debug_annotations[65]->uint_value, FAKE_ARGS - 64);
	}
	assert_int_equal(found, 1);
	perfetto__trace__free_unpacked(trace, NULL);
}

/* The second thread comes first. */
static bool make_threads(uint64_t number, struct fake_event *made)
{
	if (number >= 2)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.pid = 100;
	made->event.tid = number ? 100 : 101;
	strcpy(made->event.comm, number ? "main" : "worker");
	return true;
}

static void processes_of_traces_have_names(void **state)
{
	const struct fake_source threads = { .make = make_threads, .probes = probes,
					     .nr_probes = 1 };
	const char *name = "";
	Perfetto__Trace *trace;
	size_t i;

	(void)state;
	trace = make_trace(&threads);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__TrackDescriptor *track = trace->packet[i]->track_descriptor;

		if (track && track->process && track->process->process_name)
			name = track->process->process_name;
	}
	assert_string_equal(name, "main");
	perfetto__trace__free_unpacked(trace, NULL);
}

/* As the kernel has them, and as Perfetto reads them. */
static const struct { int64_t state, preempt, shown; } states[] = {
	{ 0, 0, 0 }, { 1, 0, 1 /* S */ }, { 2, 0, 2 /* D */ }, { 8, 0, 8 /* t */ },
	{ 0x102, 0, 0x82 /* D K */ }, { 0x402, 0, 0x402 /* D N */ }, { 0x40, 0, 0x200 /* P */ },
	{ 0x80, 0, 0x40 /* X */ }, { 0x1000, 0, 2 /* D: a lock of a real-time kernel */ },
	{ 0x8000, 0, 2 /* D: frozen */ },
	{ 0x2001, 0, 1 /* S, freezable */ }, { 1, 1, 0x800 /* R+ */ }, { 0, 1, 0x800 },
};
#define NR_STATES (sizeof(states) / sizeof(states[0]))

static bool make_switches(uint64_t number, struct fake_event *made)
{
	if (number >= NR_STATES)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.is_event = true;
	made->event.tid = 100;
	made->args[0] = fake_integer("preempt", states[number].preempt);
	made->args[1] = fake_integer("next_pid", 100);
	made->args[2] = fake_string("next_comm", "next");
	made->args[3] = fake_integer("prev_state", states[number].state);
	made->event.nr_args = 4;
	return true;
}

static void states_of_traces_are_perfettos(void **state)
{
	static const struct kcatch_probe probe = { .function = "sched_switch", .module = "sched",
						   .mechanism = KCATCH_BY_TRACEPOINT };
	const struct fake_source switches = { .make = make_switches, .probes = &probe,
					      .nr_probes = 1 };
	Perfetto__Trace *trace;
	size_t i, found = 0;

	(void)state;
	trace = make_trace(&switches);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__FtraceEventBundle *events = trace->packet[i]->ftrace_events;

		/* The end of a dead thread, whose number is used again, is an event as well. */
		if (!events || !events->event[0]->sched_switch)
			continue;
		assert_true(found < NR_STATES);
		assert_int_equal(events->event[0]->sched_switch->prev_state, states[found].shown);
		found++;
	}
	assert_int_equal(found, NR_STATES);
	perfetto__trace__free_unpacked(trace, NULL);
}

/* Without a stack, the context is not known. */
static const struct {
	enum kcatch_event_context context;
	bool stack;
	uint32_t waker;
} wakings[] = {
	{ KCATCH_IN_TASK, true, 100 },
	{ KCATCH_IN_SOFTIRQ, true, 0 },
	{ KCATCH_IN_HARDIRQ, true, 0 },
	{ KCATCH_IN_TASK, false, 100 },
};
#define NR_WAKINGS (sizeof(wakings) / sizeof(wakings[0]))

static bool make_contexts(uint64_t number, struct fake_event *made)
{
	if (number >= NR_WAKINGS)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.is_event = true;
	made->event.tid = 100;
	made->event.context = wakings[number].context;
	made->event.stack = wakings[number].stack ? KCATCH_STACK_WHOLE : KCATCH_STACK_ABSENT;
	made->args[0] = fake_integer("pid", 200);
	made->args[1] = fake_string("comm", "woken");
	made->event.nr_args = 2;
	return true;
}

/* The thread that an interrupt has interrupted is not the waker. */
static void wakers_of_traces_are_tasks(void **state)
{
	static const struct kcatch_probe probe = { .function = "sched_waking",
						   .module = "sched",
						   .mechanism = KCATCH_BY_TRACEPOINT };
	const struct fake_source source = { .make = make_contexts,
					    .probes = &probe,
					    .nr_probes = 1 };
	Perfetto__Trace *trace = make_trace(&source);
	size_t i, j, found = 0, said = 0;

	(void)state;
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__FtraceEventBundle *events = trace->packet[i]->ftrace_events;
		const Perfetto__TrackEvent *instant = trace->packet[i]->track_event;

		for (j = 0; instant && j < instant->n_debug_annotations; j++)
			said += !strcmp(instant->debug_annotations[j]->name, "context");
		if (!events || !events->event[0]->sched_waking)
			continue;
		assert_true(found < NR_WAKINGS);
		assert_int_equal(events->event[0]->pid, wakings[found].waker);
		assert_int_equal(events->event[0]->sched_waking->pid, 200);
		found++;
	}
	assert_int_equal(found, NR_WAKINGS);
	assert_int_equal(said, 2);
	perfetto__trace__free_unpacked(trace, NULL);
}

/* A shell executes make; its number is that of another process afterwards, and then of a thread. */
static const struct { uint32_t pid, tid; const char *comm; } lives[] = {
	{ 3000100, 3000100, "bash" }, { 3000100, 3000100, "bash" }, { 3000100, 3000100, "make" },
	{ 3000100, 3000101, "worker" }, { 3000100, 3000100, "make" },
	{ 3000200, 3000100, "thread" }, { 3000200, 3000100, "" },
};
#define NR_LIVES (sizeof(lives) / sizeof(lives[0]))

static bool make_lives(uint64_t number, struct fake_event *made)
{
	if (number >= NR_LIVES)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.pid = lives[number].pid;
	made->event.tid = lives[number].tid;
	strcpy(made->event.comm, lives[number].comm);
	return true;
}

struct described {
	uint64_t uuid;
	int32_t pid, tid;
	char name[32];
};

static void tracks_have_the_names_of_their_time(void **state)
{
	static const struct fake_source source = { .make = make_lives, .probes = probes,
						   .nr_probes = 1 };
	struct described threads[10] = { { 0 } };
	Perfetto__Trace *trace = make_trace(&source);
	uint64_t events[10];
	size_t i, nr = 0, nr_events = 0, ends = 0;

	(void)state;
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__TracePacket *packet = trace->packet[i];
		const Perfetto__ThreadDescriptor *thread =
			packet->track_descriptor ? packet->track_descriptor->thread : NULL;

		if (thread && nr < 10)
			threads[nr++] = (struct described){ packet->track_descriptor->uuid,
							    thread->pid, thread->tid, "" };
		if (thread)
			snprintf(threads[nr - 1].name, sizeof(threads[0].name), "%s",
				 thread->thread_name);
		if (packet->track_event && nr_events < 10)
			events[nr_events++] = packet->track_event->track_uuid;
		if (packet->ftrace_events && packet->ftrace_events->event[0]->sched_process_free) {
			assert_int_equal(packet->ftrace_events->event[0]->sched_process_free->pid,
					 3000100);
			ends++;
		}
	}
	assert_int_equal(nr, 4);
	assert_string_equal(threads[0].name, "bash");
	assert_string_equal(threads[1].name, "make");
	assert_true(threads[0].uuid == threads[1].uuid);
	assert_string_equal(threads[2].name, "worker");
	assert_int_equal(threads[2].pid, 3000100);
	assert_int_equal(threads[2].tid, 3000101);
	assert_string_equal(threads[3].name, "thread");
	assert_int_equal(threads[3].pid, 3000200);
	assert_int_equal(threads[3].tid, 3000100);
	assert_true(threads[3].uuid != threads[0].uuid);
	assert_int_equal(ends, 1);
	/* Those of the lives, and what was lost. */
	assert_int_equal(nr_events, NR_LIVES + 1);
	assert_true(events[4] == threads[0].uuid);
	assert_true(events[5] == threads[3].uuid && events[6] == threads[3].uuid);
	perfetto__trace__free_unpacked(trace, NULL);
}

/* Of another process than the recorded one some switches are not there. */
static const struct { uint32_t tid; int64_t next; } turns[] = {
	{ 3000100, 3000200 }, { 3000200, 3000100 }, { 3000100, 3000300 }, { 3000400, 3000100 },
	{ 3000100, 0 },
};
#define NR_TURNS (sizeof(turns) / sizeof(turns[0]))

static bool make_turns(uint64_t number, struct fake_event *made)
{
	if (number >= NR_TURNS)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.is_event = true;
	made->event.cpu = 3;
	made->event.tid = turns[number].tid;
	made->event.pid = turns[number].tid;
	made->args[0] = fake_integer("next_pid", turns[number].next);
	made->args[1] = fake_string("next_comm", "next");
	made->event.nr_args = 2;
	return true;
}

static void turns_end_where_they_are_known_to(void **state)
{
	/* 3000300 got the CPU at 3 ms, and at 4 ms another one had it: it is shown for no time. */
	static const struct { uint64_t ms; int32_t prev, next; } shown[] = {
		{ 1, 3000100, 3000200 }, { 2, 3000200, 3000100 }, { 3, 3000100, 3000300 },
		{ 3, 3000300, 0 }, { 4, 0, 3000400 }, { 4, 3000400, 3000100 }, { 5, 3000100, 0 },
	};
	static const struct kcatch_probe probe = { .function = "sched_switch", .module = "sched",
						   .mechanism = KCATCH_BY_TRACEPOINT };
	const struct fake_source source = { .make = make_turns, .probes = &probe, .nr_probes = 1 };
	Perfetto__Trace *trace = make_trace(&source);
	const char *said = "";
	size_t i, found = 0;

	(void)state;
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__FtraceEventBundle *events = trace->packet[i]->ftrace_events;
		const Perfetto__InternedData *data = trace->packet[i]->interned_data;
		const Perfetto__SchedSwitchFtraceEvent *sched;

		if (data && data->n_event_names)
			said = data->event_names[0]->name;
		if (!events)
			continue;
		sched = events->event[0]->sched_switch;
		assert_true(found < sizeof(shown) / sizeof(shown[0]));
		assert_int_equal(events->cpu, 3);
		assert_int_equal(events->event[0]->timestamp, shown[found].ms * 1000000);
		assert_int_equal(sched->prev_pid, shown[found].prev);
		assert_int_equal(sched->next_pid, shown[found].next);
		found++;
	}
	assert_int_equal(found, sizeof(shown) / sizeof(shown[0]));
	assert_non_null(strstr(said, "before 1 of 5 switches others are not in the recording"));
	perfetto__trace__free_unpacked(trace, NULL);
}

static bool make_wakings(uint64_t number, struct fake_event *made)
{
	if (number >= 3)
		return false;
	made->event.time_ns = 1000000 * (number + 1);
	made->event.is_event = true;
	made->event.probe = (uint32_t)number;
	made->event.tid = made->event.pid = 3000100;
	made->args[0] = fake_string("p", "sleeper (a)(3000200)");
	made->event.nr_args = 1;
	return true;
}

static void wakings_are_in_traces(void **state)
{
	static const struct kcatch_probe wakers[] = {
		{ .function = "sched_waking", .module = "sched",
		  .mechanism = KCATCH_BY_TRACEPOINT },
		{ .function = "sched_wakeup", .module = "sched",
		  .mechanism = KCATCH_BY_TRACEPOINT },
		{ .function = "sched_wakeup_new", .module = "sched",
		  .mechanism = KCATCH_BY_TRACEPOINT },
	};
	const struct fake_source source = { .make = make_wakings, .probes = wakers,
					    .nr_probes = 3 };
	Perfetto__Trace *trace = make_trace(&source);
	size_t i, found = 0;

	(void)state;
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__FtraceEventBundle *events = trace->packet[i]->ftrace_events;
		const Perfetto__SchedWakingFtraceEvent *waking;

		if (!events)
			continue;
		waking = found == 0 ? events->event[0]->sched_waking :
			 found == 1 ? events->event[0]->sched_wakeup :
				      events->event[0]->sched_wakeup_new;
		assert_non_null(waking);
		assert_int_equal(events->event[0]->pid, 3000100);
		assert_int_equal(waking->pid, 3000200);
		assert_string_equal(waking->comm, "sleeper (a)");
		found++;
	}
	assert_int_equal(found, 3);
	perfetto__trace__free_unpacked(trace, NULL);
}

static bool make_struct(uint64_t number, struct fake_event *made)
{
	static struct kcatch_value members[2], object;

	if (number)
		return false;
	members[0] = fake_integer("a", 7);
	members[1] = fake_string("<b>", "text\n");
	object = (struct kcatch_value){ .kind = KCATCH_VALUE_STRUCT, .children = members,
					.nr_children = 2 };
	made->event.time_ns = 1000000;
	strcpy(made->event.comm, "cat");
	made->args[0] = (struct kcatch_value){ .kind = KCATCH_VALUE_POINTER, .name = "p",
					       .number = 0x1000, .children = &object,
					       .nr_children = 1 };
	made->event.nr_args = 1;
	fake_frame(made, "caller", NULL);
	return true;
}

static void members_are_shown_when_asked_for(void **state)
{
	const struct fake_source structs = { .make = make_struct, .probes = probes,
					     .nr_probes = 1 };
	size_t length;
	char *text;

	(void)state;
	text = make_report("text", &structs, &length);
	assert_string_equal(text, "0.001000000 [000] cat 0  vfs_open(p=0x1000)\n"
			    "    caller+0x1f\n");
	free(text);
	verbose = true;
	text = make_report("text", &structs, &length);
	verbose = false;
	assert_string_equal(text, "0.001000000 [000] cat 0  vfs_open(p=0x1000)\n"
			    "      p: a=7 <b>=\"text\\n\"\n"
			    "    caller+0x1f\n");
	free(text);
}

static bool make_restart(uint64_t number, struct fake_event *made)
{
	if (number)
		return false;
	made->event.time_ns = 1000000;
	made->event.returned = KCATCH_RETURN_SEEN;
	made->ret = fake_error("ERESTARTSYS", -512);
	return true;
}

/* The kernel has errors that the C library does not know. */
static void stats_name_errors_of_the_kernel(void **state)
{
	const struct fake_source restarted = { .make = make_restart, .probes = probes,
					       .nr_probes = 1 };
	size_t length;
	char *text;

	(void)state;
	text = make_report("stats", &restarted, &length);
	assert_non_null(strstr(text, "    failed: -ERESTARTSYS 1\n"));
	free(text);
}

static char long_name[511];
static const struct kcatch_probe long_probes[] = {
	{ .function = long_name, .module = "m", .mechanism = KCATCH_BY_KPROBE, .offset = 16 },
};

static bool make_long_name(uint64_t number, struct fake_event *made)
{
	if (number)
		return false;
	made->event.time_ns = 1000000;
	fake_frame(made, long_name, "m");
	return true;
}

/* Names of functions have up to 511 bytes; what follows them is part of the name. */
static void long_names_are_whole(void **state)
{
	const struct fake_source one = { .make = make_long_name, .probes = long_probes,
					 .nr_probes = 1 };
	Perfetto__Trace *trace;
	size_t length, i;
	bool named = false;
	char *text;

	(void)state;
	memset(long_name, 'n', 500);
	text = make_report("rows", &one, &length);
	assert_non_null(strstr(text, "n+0x10\""));
	assert_non_null(strstr(text, "n [m]\""));
	free(text);
	memset(long_name, 'n', sizeof(long_name) - 1);	/* with what follows, more than 512 */
	text = make_report("folded", &one, &length);
	assert_non_null(strstr(text, "n... 1\n"));
	free(text);
	long_name[500] = '\0';
	text = make_report("perfetto", &one, &length);
	trace = perfetto__trace__unpack(NULL, length, (const uint8_t *)text);
	for (i = 0; i < trace->n_packet; i++) {
		const Perfetto__InternedData *data = trace->packet[i]->interned_data;

		named |= data && data->n_event_names &&
			 strstr(data->event_names[0]->name, "n+0x10 [m]");
	}
	assert_true(named);
	perfetto__trace__free_unpacked(trace, NULL);
	free(text);
}

static const char *row_of(const char *text, const char *scope)
{
	char member[40];
	const char *row;

	snprintf(member, sizeof(member), "\"scope\":\"%s\"", scope);
	row = strstr(text, member);
	assert_non_null(row);
	return strstr(row, "\"damaged\":");
}

/* What no counter has is in the rows: a CPU has one for it alone, too. */
static void rows_tell_what_is_in_no_counter(void **state)
{
	const struct fake_source lossy = { .make = fake_busy.make, .probes = fake_busy.probes,
					   .nr_probes = fake_busy.nr_probes, .damaged = 1,
					   .forgotten = 2, .discarded = 5 };
	const char *row;
	size_t length;
	char *text;

	(void)state;
	text = make_report("rows", &lossy, &length);
	row = row_of(text, "cpu");
	assert_ptr_equal(row, strstr(row, "\"damaged\":0,\"forgotten\":0,\"unarmed\":0,\"disarmed\":0,"
				     "\"died\":0,\"missing\":0,"
				     "\"discarded\":5,\"final\":"));
	row = row_of(text, "session");
	assert_ptr_equal(row, strstr(row, "\"damaged\":1,\"forgotten\":2,\"unarmed\":0,\"disarmed\":0,"
				     "\"died\":0,\"missing\":0,"
				     "\"discarded\":5,\"final\":"));
	free(text);
}

/* The page says of each node what ends there, as rare ones below it may be left out. */
static void pages_have_own_times(void **state)
{
	const struct fake_source source = { .make = fake_busy.make, .probes = fake_busy.probes,
					    .nr_probes = fake_busy.nr_probes };
	int64_t time = 0, failed = 0;
	struct json_object *nodes, *root;
	size_t length, i;
	char *text, *at;

	(void)state;
	text = make_report("html", &source, &length);
	at = strstr(text, "\"nodes\":[");
	assert_non_null(at);
	at += strlen("\"nodes\":");
	*strstr(at, "],\n\"leftOut\"") = '\0';
	strcat(at, "]");
	nodes = json_tokener_parse(at);
	assert_non_null(nodes);
	for (i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		assert_int_equal(json_object_array_length(node), 8);
		time += json_object_get_int64(json_object_array_get_idx(node, 6));
		failed += json_object_get_int64(json_object_array_get_idx(node, 7));
	}
	root = json_object_array_get_idx(nodes, 0);
	assert_true(failed > 0);
	assert_int_equal(time, json_object_get_int64(json_object_array_get_idx(root, 4)));
	assert_int_equal(failed, json_object_get_int64(json_object_array_get_idx(root, 5)));
	json_object_put(nodes);
	free(text);
}

/* A recording of very many functions has the names of those that were hit. */
static void probes_without_description_are_not_wanted(void **state)
{
	static const struct kcatch_probe few_of_many[3] = {
		[1] = { .function = "vfs_open", .mechanism = KCATCH_BY_FTRACE, .address = 0x1000 },
	};
	const struct fake_source many = { .make = make_numbers, .probes = few_of_many,
					  .nr_probes = 3 };
	const struct fake_source one = { .make = make_numbers, .probes = probes, .nr_probes = 1 };
	const char *patterns[] = { "vfs_read" };
	struct report_options options = { .format = report_format_find("text") };
	struct report report = { .options = &options, .session = fake_open(&many) };
	char near[100];

	(void)state;
	assert_null(report_wanted_name(&report, 0));
	assert_string_equal(report_wanted_name(&report, 1), "vfs_open");
	assert_null(report_wanted_name(&report, 2));
	options.filter.patterns = patterns;
	options.filter.nr_patterns = 1;
	assert_string_equal(report_pattern_unknown(&report, near, sizeof(near)), "vfs_read");
	assert_string_equal(report_pattern_unknown_text(&report),
			    "no function or event that was hit is called");
	free(report.session);
	report.session = fake_open(&one);
	assert_string_equal(report_pattern_unknown_text(&report),
			    "no function or event of the recording is called");
	free(report.session);
}

/* A page names the command that shows all of its events. */
static void filters_are_options_again(void **state)
{
	static const char *patterns[] = { "vfs_*", "it's" };
	const struct report_filter filter = {
		.patterns = patterns,
		.nr_patterns = 2,
		.pid = 7,
		.comm = "a;b",
		.cpus = "0,2-3",
		.failing = true,
		.slower_ns = 1500,
		.condition = "odd",
		.until_ns = 1,
	};
	char text[200] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	report_filter_print(&filter, out);
	fclose(out);
	assert_string_equal(text, " -e 'vfs_*' -e 'it'\\''s' -p 7 -c 'a;b' --cpu 0,2-3 --failing"
				  " --slower 1500ns --filter odd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_traces_have_their_signs),
		cmocka_unit_test(traces_say_which_arguments_lack),
		cmocka_unit_test(processes_of_traces_have_names),
		cmocka_unit_test(states_of_traces_are_perfettos),
		cmocka_unit_test(wakers_of_traces_are_tasks),
		cmocka_unit_test(tracks_have_the_names_of_their_time),
		cmocka_unit_test(turns_end_where_they_are_known_to),
		cmocka_unit_test(wakings_are_in_traces),
		cmocka_unit_test(stats_name_errors_of_the_kernel),
		cmocka_unit_test(long_names_are_whole),
		cmocka_unit_test(rows_tell_what_is_in_no_counter),
		cmocka_unit_test(pages_have_own_times),
		cmocka_unit_test(members_are_shown_when_asked_for),
		cmocka_unit_test(filters_are_options_again),
		cmocka_unit_test(probes_without_description_are_not_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
