/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.c - a trace for the Perfetto UI
 *
 * Each thread has a track, which is described again when its name changes. A call whose return
 * was recorded is a slice on it; every other event is an instant. Recorded sched_switch events
 * make the tracks of the CPUs, and wakings say who woke a thread. Stacks are samples, of which the
 * UI draws flame graphs for a span of time. Times are CLOCK_MONOTONIC.
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
#include "event_json.h"
#include "perfetto.h"
#include "stacks.h"
#include "value_text.h"

#define SEQUENCE 1		/* all packets are one sequence */
#define STATE_CLEARED 1		/* Perfetto's SEQ_INCREMENTAL_STATE_CLEARED */
#define STATE_NEEDED 2		/* Perfetto's SEQ_NEEDS_INCREMENTAL_STATE */
#define PATH 1100		/* limit of a stack's frames; stacks_add() keeps at most 1024 */
#define ARGS 64			/* arguments of an event that are written; a note has the rest */

/* Write a packet as a trace of its own: concatenated traces are one trace. */
int perfetto_emit(struct report *report, Perfetto__TracePacket *packet)
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
	return perfetto_emit(report, &packet);
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

const char *perfetto_utf8(const char *text, size_t length, char *room, size_t size)
{
	room[kcatch_text_utf8(text, length < size / 3 ? length : size / 3 - 1, room, size)] = '\0';
	return room;
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
	made.name = (char *)perfetto_utf8(name, strlen(name), room, sizeof(room));
	data.n_event_names = 1;
	data.event_names = &list;
	packet.interned_data = &data;
	return perfetto_emit(report, &packet);
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
		*ret = perfetto_emit(report, &packet);
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
	perfetto_utf8(frame->name, frame->length, room, sizeof(room));
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
	return ret ? ret : perfetto_emit(report, &packet);
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
	return perfetto_emit(report, &packet);
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
	return perfetto_emit(report, &packet);
}

static const char returned[] = "ret";	/* name of the return value */

struct notes {
	/* with the CPU, the context, the return, and how many more there are */
	Perfetto__DebugAnnotation made[ARGS + 5], *list[ARGS + 5];
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
	if (event->stack != KCATCH_STACK_ABSENT && event->context != KCATCH_IN_TASK)
		note(notes, "context")->string_value = (char *)event_json_context(event);
	for (i = 0; i < event->nr_args && i < ARGS; i++) {
		if (kcatch_session_arg(report->session, i, &value))
			break;
		if (value->name)
			perfetto_utf8(value->name, strlen(value->name), notes->names[i],
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
		ret = perfetto_describe_track(report, event, &made.track_uuid);
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
	ret = perfetto_emit(report, &packet);
	if (ret || !slice)
		return ret;
	made.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	made.n_debug_annotations = made.n_categories = 0;
	made.has_name_iid = 0;
	packet.timestamp = event->time_ns + event->latency_ns;
	return perfetto_emit(report, &packet);
}

static int perfetto_event(struct report *report, const struct kcatch_event *event)
{
	int ret = write_event(report, event);

	/* Behind the description of its track, which may end another one's of that number. */
	if (!ret)
		ret = perfetto_write_scheduling(report, event);
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
	struct perfetto *perfetto = report->state;
	char losses[LOSSES_TEXT], turns[200] = "", text[LOSSES_TEXT + 64 + sizeof(turns)];
	int ret = perfetto_end_turns(report);

	if (ret)
		return ret;
	track.has_uuid = 1;
	track.uuid = PERFETTO_LOSSES;
	track.name = (char *)"kcatch: what was lost";
	describe.track_descriptor = &track;
	ret = perfetto_emit(report, &describe);
	if (ret)
		return ret;
	name.has_iid = 1;
	name.iid = 1ULL << 40;
	if (perfetto->turns.wrong)
		snprintf(turns, sizeof(turns), "; before %" PRIu64 " of %" PRIu64 " switches others are "
			 "not in the recording: there a thread is shown on its CPU until it was last "
			 "seen there", perfetto->turns.wrong, perfetto->turns.switches);
	snprintf(text, sizeof(text), "%s%s%s", report_losses(report, losses, sizeof(losses)),
		 perfetto->crowded ? "; some threads have no names: too many" : "", turns);
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
	return perfetto_emit(report, &packet);
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
	kcatch_table_deinit(&perfetto->numbers);
	free(perfetto->tracks);
	cpu_turns_deinit(&perfetto->turns);
	free(perfetto->frames);
	free(perfetto->callstacks);
	free(perfetto->names);
	free(perfetto);
}

const struct report_format report_perfetto = {
	.name = "perfetto",
	.description = "a trace for the Perfetto UI: threads, CPUs, calls, stacks",
	.binary = true,
	.user_stacks = true,
	.begin = perfetto_begin,
	.event = perfetto_event,
	.end = perfetto_end,
	.destroy = perfetto_destroy,
};
