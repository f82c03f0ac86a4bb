/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.c - a trace for the Perfetto UI
 *
 * Each thread has a track. A call whose return was recorded is a slice on it; every other
 * event is an instant. Recorded sched_switch events make the tracks of the CPUs. Stacks are
 * samples, of which the UI draws flame graphs for a span of time. Times are CLOCK_MONOTONIC.
 * A packet is written as soon as its event is read; each name and stack is written once.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "perfetto.pb-c.h"
#include "report.h"
#include "stacks.h"
#include "value_text.h"

#define SEQUENCE 1		/* all packets are one sequence */
#define STATE_CLEARED 1		/* Perfetto's SEQ_INCREMENTAL_STATE_CLEARED */
#define STATE_NEEDED 2		/* Perfetto's SEQ_NEEDS_INCREMENTAL_STATE */
#define TRACKS (1U << 20)	/* limit of tracks with a description */
#define PATH 1100		/* limit of a stack's frames; stacks_add() keeps at most 1024 */
#define ARGS 64			/* arguments of an event that are written; a note has the rest */

struct perfetto {
	struct stacks *stacks;
	uint8_t *frames, *callstacks;	/* by number: 1: written */
	size_t frames_room, callstacks_room;
	uint8_t *names;			/* by probe: 1: written */
	size_t names_room;
	FILE *texts;			/* of the current event's values, each with an end mark */
	char *text;
	size_t length;
	struct kcatch_table mappings;	/* names of kinds of code to their numbers */
	struct kcatch_table tracks;	/* uuids of the described tracks */
	uint64_t *keys;			/* memory of that table's keys */
	size_t nr_keys;
	bool crowded;			/* TRACKS exceeded: some tracks have no description */
};

/* Write a packet as a trace of its own: concatenated traces are one trace. */
static int emit(struct report *report, Perfetto__TracePacket *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;
	uint8_t room[8192], *bytes = room;
	size_t size;

	packet->has_trusted_packet_sequence_id = 1;
	packet->trusted_packet_sequence_id = SEQUENCE;
	if (!packet->has_sequence_flags) {
		packet->has_sequence_flags = 1;
		packet->sequence_flags = STATE_NEEDED;
	}
	trace.n_packet = 1;
	trace.packet = &packet;
	size = perfetto__trace__get_packed_size(&trace);
	if (size > sizeof(room))
		bytes = malloc(size);
	if (!bytes)
		return kcatch_error_memory();
	perfetto__trace__pack(&trace, bytes);
	fwrite_unlocked(bytes, 1, size, report->out);
	if (bytes != room)
		free(bytes);
	return 0;
}

static int perfetto_begin(struct report *report)
{
	const struct stacks_shape shape = { .exact = false };
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	struct perfetto *perfetto = calloc(1, sizeof(*perfetto));

	report->state = perfetto;
	if (perfetto) {
		perfetto->stacks = stacks_create(&shape);
		perfetto->texts = open_memstream(&perfetto->text, &perfetto->length);
	}
	if (!perfetto || !perfetto->stacks || !perfetto->texts)
		return kcatch_error_memory();
	packet.has_sequence_flags = 1;
	packet.sequence_flags = STATE_CLEARED;
	return emit(report, &packet);
}

/* Mark a number as written. Return: 1: it was marked before; 0; -ENOMEM. */
static int once(uint8_t **written, size_t *room, size_t number)
{
	uint8_t *more;

	if (number >= *room) {
		size_t wanted = 2 * number + 64;

		more = realloc(*written, wanted);
		if (!more)
			return kcatch_error_memory();
		memset(more + *room, 0, wanted - *room);
		*written = more;
		*room = wanted;
	}
	if ((*written)[number])
		return 1;
	(*written)[number] = 1;
	return 0;
}

static const char *utf8(const char *text, size_t length, char *room, size_t size)
{
	room[kcatch_text_utf8(text, length < size / 3 ? length : size / 3 - 1, room, size)] = '\0';
	return room;
}

/* Mark a track as described. Return: 1: it was before, or TRACKS are used; 0; -ENOMEM. */
static int once_track(struct perfetto *perfetto, uint64_t uuid)
{
	uint64_t *key;

	if (kcatch_table_find(&perfetto->tracks, (const char *)&uuid, sizeof(uuid)))
		return 1;
	if (perfetto->nr_keys >= TRACKS) {
		perfetto->crowded = true;
		return 1;
	}
	if (!perfetto->keys) {
		/* The table keeps pointers to the keys, so they must not move. */
		perfetto->keys = malloc(TRACKS * sizeof(*perfetto->keys));
		if (!perfetto->keys)
			return kcatch_error_memory();
	}
	key = &perfetto->keys[perfetto->nr_keys++];
	*key = uuid;
	return kcatch_table_add(&perfetto->tracks, (const char *)key, sizeof(*key), 1) < 0 ?
		kcatch_error_memory() : 0;
}

static int describe_process(struct report *report, const struct kcatch_event *event,
			    const char *comm)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	int ret = once_track(report->state, 1ULL << 40 | event->pid);
	bool named = event->pid == event->tid && *comm;

	/* Once more for the first thread, which gives the name: another may have come first. */
	if (ret < 0 || (ret && !named))
		return ret < 0 ? ret : 0;
	track.has_uuid = 1;
	track.uuid = 1ULL << 40 | event->pid;
	process.has_pid = 1;
	process.pid = (int32_t)event->pid;
	if (named)
		process.process_name = (char *)comm;
	track.process = &process;
	packet.track_descriptor = &track;
	return emit(report, &packet);
}

/* The track of a thread. The idle tasks share thread number 0, and have a track per CPU. */
static int describe_track(struct report *report, const struct kcatch_event *event, uint64_t *uuid)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	char comm[64], idle[32];
	int ret;

	*uuid = event->tid ? 2ULL << 40 | event->tid : 3ULL << 40 | event->cpu;
	ret = once_track(report->state, *uuid);
	if (ret)
		return ret < 0 ? ret : 0;
	utf8(event->comm, strlen(event->comm), comm, sizeof(comm));
	track.has_uuid = 1;
	track.uuid = *uuid;
	if (event->tid) {
		ret = describe_process(report, event, comm);
		if (ret)
			return ret;
		thread.has_pid = thread.has_tid = 1;
		thread.pid = (int32_t)event->pid;
		thread.tid = (int32_t)event->tid;
		if (comm[0])
			thread.thread_name = comm;
		track.thread = &thread;
		track.has_parent_uuid = 1;
		track.parent_uuid = 1ULL << 40 | event->pid;
	} else {
		snprintf(idle, sizeof(idle), "idle, CPU %u", event->cpu);
		track.name = idle;
	}
	packet.track_descriptor = &track;
	return emit(report, &packet);
}

static int describe_name(struct report *report, uint32_t probe)
{
	struct perfetto *perfetto = report->state;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__EventName made = PERFETTO__EVENT_NAME__INIT, *list = &made;
	int ret = once(&perfetto->names, &perfetto->names_room, probe);
	char name[700], room[3 * sizeof(name) + 8];

	if (ret)
		return ret < 0 ? ret : 0;
	report_event_name(report, probe, name, sizeof(name));
	made.has_iid = 1;
	made.iid = probe + 1ULL;
	made.name = (char *)utf8(name, strlen(name), room, sizeof(room));
	data.n_event_names = 1;
	data.event_names = &list;
	packet.interned_data = &data;
	return emit(report, &packet);
}

static uint64_t mapping(struct report *report, const struct stacks_frame *frame, int *ret)
{
	static const char *const kinds[] = {
		[STACKS_KERNEL] = "[kernel]", [STACKS_MODULE] = "[kernel modules]",
		[STACKS_USER] = "[user]", [STACKS_COMM] = "[mark]", [STACKS_MARK] = "[mark]",
		[STACKS_EVENT] = "[kernel]",
	};
	struct perfetto *perfetto = report->state;
	const char *name = kinds[frame->kind];
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString path = PERFETTO__INTERNED_STRING__INIT, *paths = &path;
	Perfetto__Mapping made = PERFETTO__MAPPING__INIT, *list = &made;
	size_t *known = kcatch_table_find(&perfetto->mappings, name, strlen(name));
	uint64_t number = perfetto->mappings.count + 1;

	if (known)
		return *known;
	if (kcatch_table_add(&perfetto->mappings, name, strlen(name), number) < 0)
		*ret = kcatch_error_memory();
	path.has_iid = path.has_str = 1;
	path.iid = number;
	path.str = (ProtobufCBinaryData){ strlen(name), (uint8_t *)name };
	made.has_iid = 1;
	made.iid = number;
	made.n_path_string_ids = 1;
	made.path_string_ids = &number;
	data.n_mapping_paths = 1;
	data.mapping_paths = &paths;
	data.n_mappings = 1;
	data.mappings = &list;
	packet.interned_data = &data;
	if (!*ret)
		*ret = emit(report, &packet);
	return number;
}

static int describe_frame(struct report *report, uint32_t number)
{
	struct perfetto *perfetto = report->state;
	const struct stacks_frame *frame = stacks_frame(perfetto->stacks, number);
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedString name = PERFETTO__INTERNED_STRING__INIT, *names = &name;
	Perfetto__Frame made = PERFETTO__FRAME__INIT, *list = &made;
	int ret = once(&perfetto->frames, &perfetto->frames_room, number);
	char room[3 * STACKS_NAME + 8];

	if (ret)
		return ret < 0 ? ret : 0;
	utf8(frame->name, frame->length, room, sizeof(room));
	name.has_iid = name.has_str = 1;
	name.iid = number + 1ULL;
	name.str = (ProtobufCBinaryData){ strlen(room), (uint8_t *)room };
	made.has_iid = made.has_function_name_id = made.has_mapping_id = 1;
	made.iid = made.function_name_id = number + 1ULL;
	made.mapping_id = mapping(report, frame, &ret);
	made.has_rel_pc = 1;
	made.rel_pc = number;
	data.n_function_names = 1;
	data.function_names = &names;
	data.n_frames = 1;
	data.frames = &list;
	packet.interned_data = &data;
	return ret ? ret : emit(report, &packet);
}

static int describe_stack(struct report *report, uint32_t leaf)
{
	struct perfetto *perfetto = report->state;
	const struct stacks_node *nodes;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__Callstack made = PERFETTO__CALLSTACK__INIT, *list = &made;
	uint64_t path[PATH];
	uint32_t at;
	size_t count = 0, i;
	int ret = once(&perfetto->callstacks, &perfetto->callstacks_room, leaf);

	if (ret)
		return ret < 0 ? ret : 0;
	nodes = stacks_nodes(perfetto->stacks);
	for (at = leaf; at && count < PATH; at = nodes[at].parent, count++) {
		ret = describe_frame(report, nodes[at].frame);
		if (ret)
			return ret;
	}
	/* Perfetto wants the outermost frame first. */
	for (at = leaf, i = count; i-- > 0; at = nodes[at].parent)
		path[i] = nodes[at].frame + 1ULL;
	made.has_iid = 1;
	made.iid = leaf;
	made.n_frame_ids = count;
	made.frame_ids = path;
	data.n_callstacks = 1;
	data.callstacks = &list;
	packet.interned_data = &data;
	return emit(report, &packet);
}

static int write_sample(struct report *report, const struct kcatch_event *event)
{
	struct perfetto *perfetto = report->state;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__PerfSample sample = PERFETTO__PERF_SAMPLE__INIT;
	int64_t node = stacks_add(perfetto->stacks, report, event);
	int ret;

	if (node < 0)
		return (int)node;
	ret = describe_stack(report, (uint32_t)node);
	if (ret)
		return ret;
	sample.has_cpu = sample.has_pid = sample.has_tid = sample.has_callstack_iid = 1;
	sample.cpu = event->cpu;
	sample.pid = event->pid;
	sample.tid = event->tid;
	sample.callstack_iid = (uint64_t)node;
	packet.has_timestamp = 1;
	packet.timestamp = event->time_ns;
	packet.perf_sample = &sample;
	return emit(report, &packet);
}

static const struct kcatch_value *argument(struct report *report, const struct kcatch_event *event,
					   const char *name)
{
	const struct kcatch_value *value;
	uint32_t i;

	for (i = 0; i < event->nr_args; i++) {
		if (!kcatch_session_arg(report->session, i, &value) && value->name &&
		    !strcmp(value->name, name))
			return value;
	}
	return NULL;
}

/* Parse "comm(pid)", the text of a task; @comm has 64 bytes. Return: whether it is one. */
static bool parse_task(const struct kcatch_value *value, char *comm, int32_t *pid)
{
	size_t at = value->text ? value->length : 0, digits = 0;
	int64_t number = 0, unit = 1;

	if (at < 3 || value->text[--at] != ')')
		return false;
	for (; at && value->text[at - 1] >= '0' && value->text[at - 1] <= '9' && digits < 10;
	     at--, digits++) {
		number += unit * (value->text[at - 1] - '0');
		unit *= 10;
	}
	if (!digits || !at || value->text[at - 1] != '(' || number > INT32_MAX)
		return false;
	*pid = (int32_t)number;
	utf8(value->text, at - 1, comm, 64);
	return true;
}

/* The next task of sched_switch: the argument "next", or "next_pid" and "next_comm". */
static bool next_task(struct report *report, const struct kcatch_event *event, char *comm,
		      int32_t *pid)
{
	const struct kcatch_value *value = argument(report, event, "next");

	if (value && parse_task(value, comm, pid))
		return true;
	value = argument(report, event, "next_pid");
	if (!value)
		return false;
	*pid = (int32_t)value->number;
	value = argument(report, event, "next_comm");
	utf8(value && value->text ? value->text : "", value && value->text ?
	     strnlen(value->text, value->length) : 0, comm, 64);
	return true;
}

static bool is_switch(struct report *report, const struct kcatch_event *event)
{
	const struct kcatch_probe *probe;

	return event->is_event && !kcatch_session_probe(report->session, event->probe, &probe) &&
	       probe->function && probe->module && !strcmp(probe->function, "sched_switch") &&
	       !strcmp(probe->module, "sched");
}

/*
 * The state as Perfetto reads it where it knows no kernel's version: by the bits of Linux 4.4, some
 * of which moved with 4.14 (TASK_* of include/linux/sched.h in both).
 */
static int64_t state_of(struct report *report, const struct kcatch_event *event)
{
	static const struct { uint32_t bit, shown; } moved[] = {
		{ 0x40 /* PARKED */, 0x200 }, { 0x80 /* DEAD */, 0x40 },
		{ 0x100 /* WAKEKILL */, 0x80 }, { 0x400 /* NOLOAD */, 0x400 },
		/* As the kernel reports them. */
		{ 0x1000 /* RTLOCK_WAIT */, 0x2 }, { 0x8000 /* FROZEN */, 0x2 },
	};
	const struct kcatch_value *state = argument(report, event, "prev_state");
	const struct kcatch_value *preempt = argument(report, event, "preempt");
	int64_t shown;
	size_t i;

	if (preempt && preempt->number)
		return 0x800;	/* it runs on, whatever it was about to wait for */
	shown = state ? (int64_t)(state->number & 0x3f) : 0;
	for (i = 0; state && i < sizeof(moved) / sizeof(moved[0]); i++)
		if (state->number & moved[i].bit)
			shown |= moved[i].shown;
	return shown;
}

static int write_switch(struct report *report, const struct kcatch_event *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;
	Perfetto__FtraceEvent made = PERFETTO__FTRACE_EVENT__INIT, *list = &made;
	Perfetto__SchedSwitchFtraceEvent sched = PERFETTO__SCHED_SWITCH_FTRACE_EVENT__INIT;
	char before[64], after[64] = "";

	if (!next_task(report, event, after, &sched.next_pid))
		return 0;	/* the next task is not in the record */
	sched.prev_comm = (char *)utf8(event->comm, strlen(event->comm), before, sizeof(before));
	sched.has_prev_pid = sched.has_prev_prio = sched.has_prev_state = 1;
	sched.prev_pid = (int32_t)event->tid;
	sched.prev_prio = 120;
	sched.prev_state = state_of(report, event);
	sched.next_comm = after;
	sched.has_next_pid = sched.has_next_prio = 1;
	sched.next_prio = 120;	/* not recorded, and not shown: the priority of nice 0 */
	made.has_timestamp = made.has_pid = 1;
	made.timestamp = event->time_ns;
	made.pid = event->tid;
	made.sched_switch = &sched;
	bundle.has_cpu = 1;
	bundle.cpu = event->cpu;
	bundle.n_event = 1;
	bundle.event = &list;
	packet.ftrace_events = &bundle;
	return emit(report, &packet);
}

static const char returned[] = "ret";	/* name of the return value */

struct notes {
	/* with the CPU, the return, and how many more there are */
	Perfetto__DebugAnnotation made[ARGS + 4], *list[ARGS + 4];
	char names[ARGS][100];
	Perfetto__DebugAnnotation *texts[ARGS + 1];	/* those with a text */
	size_t places[ARGS + 1];	/* of it, among the texts */
	size_t nr_texts;
	size_t count;
};

static Perfetto__DebugAnnotation *note(struct notes *notes, const char *name)
{
	Perfetto__DebugAnnotation *made = &notes->made[notes->count];

	perfetto__debug_annotation__init(made);
	made->name = (char *)name;
	notes->list[notes->count++] = made;
	return made;
}

/* Write the text of a value, which add_texts() gives to the annotation. */
static void note_text(struct perfetto *perfetto, struct notes *notes,
		      Perfetto__DebugAnnotation *made, const struct kcatch_value *value,
		      bool is_return)
{
	fflush_unlocked(perfetto->texts);
	notes->places[notes->nr_texts] = perfetto->length;
	notes->texts[notes->nr_texts++] = made;
	if (is_return)
		value_text_return(perfetto->texts, value);
	else
		value_text_argument(perfetto->texts, value, 0);
	putc_unlocked('\0', perfetto->texts);
}

/* Without the names, which the annotations have. */
static void add_texts(struct perfetto *perfetto, struct notes *notes)
{
	size_t i;

	if (fflush_unlocked(perfetto->texts))
		return;
	for (i = 0; i < notes->nr_texts; i++) {
		char *text = perfetto->text + notes->places[i], *equals = NULL;

		if (notes->texts[i]->name != returned)
			equals = strchr(text, '=');
		notes->texts[i]->string_value = equals ? equals + 1 : text;
	}
}

static void add_notes(struct report *report, const struct kcatch_event *event, struct notes *notes)
{
	struct perfetto *perfetto = report->state;
	const struct kcatch_value *value;
	Perfetto__DebugAnnotation *made;
	uint32_t i;

	rewind(perfetto->texts);
	made = note(notes, "cpu");
	made->has_uint_value = 1;
	made->uint_value = event->cpu;
	for (i = 0; i < event->nr_args && i < ARGS; i++) {
		if (kcatch_session_arg(report->session, i, &value))
			break;
		if (value->name)
			utf8(value->name, strlen(value->name), notes->names[i],
			     sizeof(notes->names[i]));
		else
			snprintf(notes->names[i], sizeof(notes->names[i]), "arg%u", i);
		made = note(notes, notes->names[i]);
		if (value->kind != KCATCH_VALUE_INTEGER || value->fault ||
		    value_hides_number(value)) {
			note_text(perfetto, notes, made, value, false);
		} else if (value->is_signed) {
			made->has_int_value = 1;
			made->int_value = (int64_t)value->number;
		} else {
			made->has_uint_value = 1;
			made->uint_value = value->number;
		}
	}
	if (event->nr_args > ARGS) {
		made = note(notes, "arguments not shown");
		made->has_uint_value = 1;
		made->uint_value = event->nr_args - ARGS;
	}
	if (event->returned == KCATCH_RETURN_SEEN &&
	    !kcatch_session_return_value(report->session, &value) &&
	    value->kind != KCATCH_VALUE_VOID) {
		note_text(perfetto, notes, note(notes, returned), value, true);
	} else if (event->returned != KCATCH_RETURN_NOT_ASKED &&
		   event->returned != KCATCH_RETURN_SEEN) {
		note(notes, "return")->string_value = (char *)"not seen";
	}
	add_texts(perfetto, notes);
}

static int write_event(struct report *report, const struct kcatch_event *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackEvent made = PERFETTO__TRACK_EVENT__INIT;
	struct notes notes;
	bool slice = event->returned == KCATCH_RETURN_SEEN;
	char *category = (char *)(event->is_event ? "event" : "call");
	int ret = describe_name(report, event->probe);

	if (!ret)
		ret = describe_track(report, event, &made.track_uuid);
	if (ret)
		return ret;
	notes.count = notes.nr_texts = 0;
	add_notes(report, event, &notes);
	packet.has_timestamp = 1;
	packet.timestamp = event->time_ns;
	made.has_type = made.has_name_iid = made.has_track_uuid = 1;
	made.type = slice ? PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN :
		PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
	made.name_iid = event->probe + 1ULL;
	made.n_categories = 1;
	made.categories = &category;
	made.n_debug_annotations = notes.count;
	made.debug_annotations = notes.list;
	packet.track_event = &made;
	ret = emit(report, &packet);
	if (ret || !slice)
		return ret;
	made.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	made.n_debug_annotations = made.n_categories = 0;
	made.has_name_iid = 0;
	packet.timestamp = event->time_ns + event->latency_ns;
	return emit(report, &packet);
}

static int perfetto_event(struct report *report, const struct kcatch_event *event)
{
	int ret = is_switch(report, event) ? write_switch(report, event) : 0;

	if (!ret)
		ret = write_event(report, event);
	if (!ret && (event->nr_frames || event->nr_user_frames > 0))
		ret = write_sample(report, event);
	return ret;
}

/* The losses are an instant at the end, on a track of their own. */
static int perfetto_end(struct report *report)
{
	Perfetto__TracePacket describe = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TrackEvent made = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__EventName name = PERFETTO__EVENT_NAME__INIT, *names = &name;
	char losses[LOSSES_TEXT], text[LOSSES_TEXT + 64];
	int ret;

	track.has_uuid = 1;
	track.uuid = 4ULL << 40;
	track.name = (char *)"kcatch: what was lost";
	describe.track_descriptor = &track;
	ret = emit(report, &describe);
	if (ret)
		return ret;
	name.has_iid = 1;
	name.iid = 1ULL << 40;
	snprintf(text, sizeof(text), "%s%s", report_losses(report, losses, sizeof(losses)),
		 ((struct perfetto *)report->state)->crowded ?
			 "; some threads have no names: too many" :
			 "");
	name.name = text;
	data.n_event_names = 1;
	data.event_names = &names;
	packet.interned_data = &data;
	packet.has_timestamp = 1;
	packet.timestamp = report->to_ns;
	made.has_type = made.has_name_iid = made.has_track_uuid = 1;
	made.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
	made.name_iid = name.iid;
	made.track_uuid = track.uuid;
	packet.track_event = &made;
	return emit(report, &packet);
}

static void perfetto_destroy(struct report *report)
{
	struct perfetto *perfetto = report->state;

	if (!perfetto)
		return;
	stacks_destroy(perfetto->stacks);
	if (perfetto->texts)
		fclose(perfetto->texts);
	free(perfetto->text);
	kcatch_table_deinit(&perfetto->mappings);
	kcatch_table_deinit(&perfetto->tracks);
	free(perfetto->keys);
	free(perfetto->frames);
	free(perfetto->callstacks);
	free(perfetto->names);
	free(perfetto);
}

const struct report_format report_perfetto = {
	.name = "perfetto",
	.description = "a trace for the Perfetto UI: threads, CPUs, calls, stacks",
	.binary = true,
	.begin = perfetto_begin,
	.event = perfetto_event,
	.end = perfetto_end,
	.destroy = perfetto_destroy,
};
