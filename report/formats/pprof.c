/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pprof.c - a gzipped profile.proto, which go tool pprof, speedscope and others read
 *
 * The profile is written as many small profiles, one after another: protobuf joins the
 * repeated fields of concatenated messages. So only one sample at a time is in memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <kcatch.h>
#include <kcatch_containers.h>
#include <kcatch_text.h>
#include "pprof.pb-c.h"
#include "report.h"
#include "stacks.h"
#include "value_text.h"

#define PATH 1100	/* limit of a stack's frames; stacks_add() keeps at most 1024 */

struct pprof {
	struct stacks *stacks;
	gzFile file;
	struct kcatch_table strings;	/* strings to their numbers */
	int64_t nr_strings;
	struct kcatch_table functions;	/* numbers of name and file to numbers */
	struct kcatch_arena keys;	/* memory of that table's keys */
	struct kcatch_table mappings;	/* module names to numbers */
	bool *locations;		/* by number of the frame: written */
	bool failed;			/* out of memory, or a write error */
};

static int pprof_begin(struct report *report)
{
	const struct stacks_shape shape = { .exact = true, .comm = true };
	struct pprof *pprof = calloc(1, sizeof(*pprof));

	report->state = pprof;
	if (pprof)
		pprof->stacks = stacks_create(&shape);
	return pprof && pprof->stacks ? 0 : kcatch_error_memory();
}

static int pprof_event(struct report *report, const struct kcatch_event *event)
{
	struct pprof *pprof = report->state;
	int64_t node = stacks_add(pprof->stacks, report, event);

	return node < 0 ? (int)node : 0;
}

static void emit(struct pprof *pprof, const Pprof__Profile *part)
{
	uint8_t room[4096], *bytes = room;
	size_t size = pprof__profile__get_packed_size(part);

	if (!size || pprof->failed)
		return;
	if (size > sizeof(room))
		bytes = malloc(size);
	if (!bytes ||
	    gzwrite(pprof->file, bytes, (unsigned int)pprof__profile__pack(part, bytes)) <= 0)
		pprof->failed = true;
	if (bytes != room)
		free(bytes);
}

/* The number of a string, which is written if it is new; the table keeps @text itself. */
static int64_t string_n(struct pprof *pprof, const char *text, size_t length)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	size_t *known = kcatch_table_find(&pprof->strings, text, length);
	char *utf8;

	if (known)
		return (int64_t)*known;
	utf8 = malloc(3 * length + 1);
	if (!utf8 ||
	    kcatch_table_add(&pprof->strings, text, length, (size_t)pprof->nr_strings) < 0) {
		pprof->failed = true;
		free(utf8);
		return 0;
	}
	utf8[kcatch_text_utf8(text, length, utf8, 3 * length + 1)] = '\0';
	part.n_string_table = 1;
	part.string_table = &utf8;
	emit(pprof, &part);
	free(utf8);
	return pprof->nr_strings++;
}

static int64_t string(struct pprof *pprof, const char *text)
{
	return string_n(pprof, text, strlen(text));
}

static uint64_t mapping(struct pprof *pprof, const struct stacks_frame *frame)
{
	const char *name = frame->module ? frame->module :
			   frame->kind == STACKS_USER ? "[user]" : "[kernel]";
	size_t *known = kcatch_table_find(&pprof->mappings, name, strlen(name));
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Mapping made = PPROF__MAPPING__INIT, *list = &made;
	size_t number = pprof->mappings.count + 1;

	if (known)
		return *known;
	if (kcatch_table_add(&pprof->mappings, name, strlen(name), number) < 0)
		pprof->failed = true;
	made.id = number;
	made.filename = string(pprof, name);
	made.has_functions = true;
	made.has_filenames = true;
	made.has_line_numbers = true;
	made.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = &list;
	emit(pprof, &part);
	return number;
}

/* The number of a function, written if it is new: files may have static ones of one name. */
static uint64_t function(struct pprof *pprof, const struct stacks_frame *frame)
{
	const int64_t name = string_n(pprof, frame->name, frame->length);
	const int64_t ids[2] = { name, frame->file ? string(pprof, frame->file) : 0 };
	size_t *known = kcatch_table_find(&pprof->functions, (const char *)ids, sizeof(ids));
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Function made = PPROF__FUNCTION__INIT, *list = &made;
	size_t number = pprof->functions.count + 1;
	char *key;

	if (known)
		return *known;
	key = kcatch_arena_take(&pprof->keys, sizeof(ids));
	if (!key) {
		pprof->failed = true;
		return 0;
	}
	memcpy(key, ids, sizeof(ids));
	if (kcatch_table_add(&pprof->functions, key, sizeof(ids), number) < 0)
		pprof->failed = true;
	made.id = number;
	made.name = made.system_name = name;
	made.filename = ids[1];
	part.n_function = 1;
	part.function = &list;
	emit(pprof, &part);
	return number;
}

/*
 * The number of a location, written if it is new: a place with the functions inlined there,
 * @frames[0] the innermost. Its number is that of the outer function's frame, plus 1.
 */
static uint64_t location(struct pprof *pprof, const uint32_t *frames, size_t count)
{
	const struct stacks_frame *outer = stacks_frame(pprof->stacks, frames[count - 1]);
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Location made = PPROF__LOCATION__INIT, *list = &made;
	Pprof__Line lines[64], *pointers[64];
	uint32_t number = frames[count - 1];
	size_t i;

	if (pprof->locations[number])
		return number + 1;
	pprof->locations[number] = true;
	count = count < 64 ? count : 64;
	for (i = 0; i < count; i++) {
		const struct stacks_frame *frame = stacks_frame(pprof->stacks, frames[i]);

		pprof__line__init(&lines[i]);
		lines[i].function_id = function(pprof, frame);
		lines[i].line = frame->line;
		pointers[i] = &lines[i];
	}
	made.id = number + 1;
	made.address = value_is_hidden(outer->address) ? 0 : outer->address;
	made.mapping_id = outer->kind == STACKS_MARK ? 0 : mapping(pprof, outer);
	made.n_line = count;
	made.line = pointers;
	part.n_location = 1;
	part.location = &list;
	emit(pprof, &part);
	return number + 1;
}

static void write_sample(struct pprof *pprof, const struct stacks_node *nodes, uint32_t leaf)
{
	uint32_t frames[PATH], at;
	uint64_t locations[PATH];
	int64_t values[3] = { (int64_t)nodes[leaf].self, (int64_t)nodes[leaf].self_failed,
		nodes[leaf].self_time };
	size_t count = 0, from = 0, i;
	Pprof__Profile part = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Label label = PPROF__LABEL__INIT, *labels = &label;
	const struct stacks_frame *frame;

	for (at = leaf; at && count < PATH; at = nodes[at].parent)
		frames[count++] = nodes[at].frame;
	sample.location_id = locations;
	for (i = 0; i < count; i++) {
		frame = stacks_frame(pprof->stacks, frames[i]);
		if (frame->kind == STACKS_COMM) {
			label.key = string(pprof, "comm");
			label.str = string_n(pprof, frame->name, frame->length);
			sample.n_label = 1;
			sample.label = &labels;
			break;
		}
		if (frame->inlined && i + 1 < count)
			continue;
		locations[sample.n_location_id++] = location(pprof, frames + from, i + 1 - from);
		from = i + 1;
	}
	sample.n_value = 3;
	sample.value = values;
	part.n_sample = 1;
	part.sample = &samples;
	emit(pprof, &part);
}

static void write_head(struct report *report)
{
	static const char *const units[] = {
		[KCATCH_UNIT_NONE] = "count",
		[KCATCH_UNIT_NANOSECONDS] = "nanoseconds",
		[KCATCH_UNIT_BYTES] = "bytes",
	};
	const struct report_options *options = report->options;
	const enum kcatch_count_unit unit = options->sum_of ? options->sum_unit :
							      KCATCH_UNIT_NANOSECONDS;
	const char *const types[][2] = {
		{ "calls", "count" },
		{ "failed", "count" },
		{ options->sum_of ? options->sum_of : "time", units[unit] },
	};
	struct pprof *pprof = report->state;
	Pprof__ValueType made[3], *pointers[3];
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char losses[LOSSES_TEXT];
	int64_t comment;
	char *text;
	size_t i;

	string(pprof, "");	/* the format requires it to be string 0 */
	for (i = 0; i < 3; i++) {
		pprof__value_type__init(&made[i]);
		made[i].type = string(pprof, types[i][0]);
		made[i].unit = string(pprof, types[i][1]);
		pointers[i] = &made[i];
	}
	part.n_sample_type = 3;
	part.sample_type = pointers;
	part.default_sample_type = string(pprof, options->sum_of ? options->sum_of : "calls");
	part.duration_nanos = (int64_t)(report->to_ns - report->from_ns);
	/* Written without string(): the table would keep a pointer to this local text. */
	report_losses(report, losses, sizeof(losses));
	if (asprintf(&text, "kcatch: %s", losses) < 0) {
		pprof->failed = true;
		return;
	}
	comment = pprof->nr_strings++;
	part.n_string_table = 1;
	part.string_table = &text;
	part.n_comment = 1;
	part.comment = &comment;
	emit(pprof, &part);
	free(text);
}

/* Copies a whole file to the output. Return: 0, or -1 with errno set */
static int copy(int fd, FILE *out)
{
	char piece[4096];
	ssize_t length;

	if (lseek(fd, 0, SEEK_SET))
		return -1;
	while ((length = read(fd, piece, sizeof(piece))) > 0)
		if (fwrite(piece, 1, (size_t)length, out) != (size_t)length)
			return -1;
	return length < 0 ? -1 : 0;
}

static int pprof_end(struct report *report)
{
	struct pprof *pprof = report->state;
	const struct stacks_node *nodes;
	uint32_t i;
	int fd, own, ret;

	/* The output has no descriptor of its own that zlib could write to. */
	fd = memfd_create("profile", MFD_CLOEXEC);
	own = fd < 0 ? -1 : dup(fd);
	pprof->file = own < 0 ? NULL : gzdopen(own, "wb6");
	pprof->locations = calloc(stacks_nr_frames(pprof->stacks), sizeof(*pprof->locations));
	if (!pprof->file || !pprof->locations) {
		if (own >= 0 && !pprof->file)
			close(own);
		if (fd >= 0)
			close(fd);
		return kcatch_error_memory();
	}
	stacks_finish(pprof->stacks);
	nodes = stacks_nodes(pprof->stacks);
	write_head(report);
	for (i = 1; i < stacks_count(pprof->stacks); i++) {
		if (nodes[i].self)
			write_sample(pprof, nodes, i);
	}
	errno = 0;
	ret = gzclose(pprof->file);
	pprof->file = NULL;
	if (ret == Z_OK && !pprof->failed && !copy(fd, report->out)) {
		close(fd);
		return 0;
	}
	ret = kcatch_error_system(errno ? errno : EIO, "write the profile");
	close(fd);
	return ret;
}

static struct stacks *pprof_stacks(struct report *report)
{
	return ((struct pprof *)report->state)->stacks;
}

static void pprof_destroy(struct report *report)
{
	struct pprof *pprof = report->state;

	if (!pprof)
		return;
	if (pprof->file)
		gzclose(pprof->file);
	stacks_destroy(pprof->stacks);
	kcatch_table_deinit(&pprof->strings);
	kcatch_table_deinit(&pprof->mappings);
	kcatch_table_deinit(&pprof->functions);
	kcatch_arena_deinit(&pprof->keys);
	free(pprof->locations);
	free(pprof);
}

const struct report_format report_pprof = {
	.name = "pprof",
	.description = "gzipped profile.proto for pprof: calls, failures and time by stack",
	.binary = true,
	.user_stacks = true,
	.begin = pprof_begin,
	.event = pprof_event,
	.end = pprof_end,
	.destroy = pprof_destroy,
	.stacks = pprof_stacks,
};
