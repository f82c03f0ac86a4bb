/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * read_files.c - reads a recording's files other than the streams
 *
 * The files may be damaged or malicious: numbers are checked before use, and the amount read is
 * bounded by memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kcatch_text.h>
#include "base/array.h"
#include "base/json_object.h"
#include "base/printable.h"
#include "fetch/plan_json.h"
#include "recording/recorder.h"
#include "recording/recording.h"
#include "session/handle.h"
#include "session/origin.h"

#define FILE_MAX (256ULL << 20)
/*
 * A recording may come from anywhere, and some kilobytes of it unpack to any JSON. What it makes of
 * memory is some hundred times as much: 850 bytes for "{},". So a line has limits of its own, and
 * what stays of all lines has one.
 */
#define LINE_MAX_BYTES (1U << 20)
#define LINE_MEMORY (64U << 20)		/* while it is read */
#define KEPT_MEMORY (160ULL << 20)	/* plans and probes of all functions take half of it */
#define CPUS_MAX 65536U
#define PROBES_MAX (1U << 22)
#define PLANS_MAX (1U << 20)
#define SKIP_MAX 64U		/* lines of probes.json that may be lost in one place */
#define SKIP_ALL_MAX 65536U	/* and in all places: each takes memory as if it were there */

/* ---- files ------------------------------------------------------------------------- */

/* @status: set. Return: a descriptor; -ENOENT, without an error text; another -errno. */
static int open_file(const struct kcatch_recording *recording, const char *name,
		     struct stat *status)
{
	int fd = openat(recording->side, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ?
			       -ENOENT :
			       kcatch_error_set(errno, "cannot read %s: %s", name, strerror(errno));
	if (!fstat(fd, status) && S_ISREG(status->st_mode))
		return fd;
	close(fd);
	return kcatch_error_set(EINVAL, "%s is no file, or too large", name);
}

/* Return: how many bytes, fewer than @room at the end of the file alone; -errno. */
static ssize_t read_some(int fd, const char *name, char *bytes, size_t room)
{
	size_t done = 0;

	while (done < room) {
		ssize_t got = read(fd, bytes + done, room - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return kcatch_error_set(errno, "cannot read %s: %s", name, strerror(errno));
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int kcatch_recording_read_beginning(const struct kcatch_recording *recording, const char *name,
				    char **text, size_t *length, bool *cut)
{
	struct stat status;
	int fd = open_file(recording, name, &status);
	ssize_t got = 0;

	*text = NULL;
	if (fd < 0)
		return fd;
	if (!cut && (uint64_t)status.st_size > FILE_MAX) {
		close(fd);
		return kcatch_error_set(EINVAL, "%s is no file, or too large", name);
	}
	if (cut)
		*cut = (uint64_t)status.st_size > FILE_MAX;
	if ((uint64_t)status.st_size > FILE_MAX)
		status.st_size = FILE_MAX;
	*text = malloc((size_t)status.st_size + 1);
	got = *text ? read_some(fd, name, *text, (size_t)status.st_size) : kcatch_error_memory();
	close(fd);
	if (got < 0) {
		free(*text);
		*text = NULL;
		return (int)got;
	}
	(*text)[got] = '\0';
	*length = (size_t)got;
	return 0;
}

int kcatch_recording_read_file(const struct kcatch_recording *recording, const char *name,
			       char **text, size_t *length)
{
	return kcatch_recording_read_beginning(recording, name, text, length, NULL);
}

static int bad_file(const char *name, const char *what)
{
	return kcatch_error_set(EINVAL, "%s: %s", name, what);
}

static int bad_line(const char *name, size_t number, const char *what)
{
	return kcatch_error_set(EINVAL, "%s, line %zu: %s", name, number, what);
}

/* Parse a line, unless that takes too much memory. @object: NULL: it is no object. */
static int parse_line(const char *name, size_t number, const char *line,
		      struct json_object **object)
{
	size_t memory = 0;
	const char *at;

	*object = NULL;
	for (at = line; *at; at++)
		memory += *at == '{' ? 850 : *at == '[' ? 350 : *at == ',' || *at == ':' ? 100 : 0;
	if (memory > LINE_MEMORY)
		return bad_line(name, number, "it has far more parts than what kcatch writes");
	*object = json_tokener_parse(line);
	if (json_object_is_type(*object, json_type_object))
		return 0;
	json_object_put(*object);
	*object = NULL;
	return 0;
}

/* Count what stays of a line in memory, with what it belongs to; one that is no object takes time
 * alone. Return: whether that is too much. */
static bool keeps_too_much(struct kcatch_recording *recording, const char *line, size_t length,
			   bool is_object)
{
	const char *at;

	recording->kept += length + (is_object ? 512 : 64);
	for (at = line; is_object && *at; at++)
		recording->kept += *at == '{' ? 128 : 0;
	return recording->kept > KEPT_MEMORY;
}

struct lines {
	struct kcatch_session *session;
	const char *name;
	int (*visit)(struct kcatch_session *session, struct json_object *object);
	size_t number;
};

static int take_line(struct lines *lines, const char *line, size_t length)
{
	struct json_object *object;
	int ret;

	lines->number++;
	ret = parse_line(lines->name, lines->number, line, &object);
	if (ret)
		return ret;
	if (keeps_too_much(lines->session->own, line, length, object)) {
		json_object_put(object);
		return bad_line(lines->name, lines->number, "the file describes far more than what "
				"kcatch records");
	}
	ret = lines->visit(lines->session, object);
	if (ret == -EINVAL) {
		kcatch_recording_note(lines->session, "%s, line %zu: damaged", lines->name,
				      lines->number);
		ret = 0;
	}
	json_object_put(object);
	return ret;
}

/* @text: room for the longest line and its end. @left: set to what follows the last whole line. */
static int take_lines(struct lines *lines, int fd, char *text, size_t *left)
{
	size_t have = 0;
	bool end = false;
	int ret = 0;

	while (!ret && !end) {
		char *line = text, *newline;
		ssize_t got = read_some(fd, lines->name, text + have, LINE_MAX_BYTES + 1 - have);

		if (got < 0)
			return (int)got;
		end = (size_t)got < LINE_MAX_BYTES + 1 - have;
		have += (size_t)got;
		while (!ret && (newline = memchr(line, '\n', have - (size_t)(line - text)))) {
			*newline = '\0';
			ret = take_line(lines, line, (size_t)(newline - line));
			line = newline + 1;
		}
		have -= (size_t)(line - text);
		memmove(text, line, have);
		if (!ret && have > LINE_MAX_BYTES)
			ret = bad_line(lines->name, lines->number + 1, "it is longer than 1 MB, as none "
				       "is that kcatch writes");
	}
	*left = have;
	return ret;
}

/* Visit each whole line as an object; NULL: it is damaged. */
static int read_lines(struct kcatch_recording *recording, const char *name,
		      int (*visit)(struct kcatch_session *session, struct json_object *object),
		      struct kcatch_session *session)
{
	struct lines lines = { .session = session, .name = name, .visit = visit };
	struct stat status;
	int fd = open_file(recording, name, &status), ret;
	size_t left = 0;
	char *text;

	if (fd == -ENOENT)
		return bad_file(name, "is missing");
	if (fd < 0)
		return fd;
	text = malloc(LINE_MAX_BYTES + 1);
	ret = text ? take_lines(&lines, fd, text, &left) : kcatch_error_memory();
	free(text);
	close(fd);
	if (!ret && left) {
		recording->cut[recording->nr_cut].name = name;
		recording->cut[recording->nr_cut++].line = lines.number + 1;
	}
	return ret;
}

/* ---- session.json -------------------------------------------------------------------- */

/* By it the streams of other recordings are told. */
static void read_uuid(struct kcatch_recording_shape *shape, const char *text)
{
	size_t i;

	shape->has_uuid = text && strlen(text) == 2 * sizeof(shape->uuid);
	for (i = 0; shape->has_uuid && i < sizeof(shape->uuid); i++)
		shape->has_uuid = sscanf(text + 2 * i, "%2hhx", &shape->uuid[i]) == 1;
}

static int keep_text(const struct json_object *object, const char *name, const char **kept)
{
	const char *text = kcatch_json_text(object, name);

	*kept = strdup(text ? text : "");
	return *kept ? 0 : kcatch_error_memory();
}

static int keep_command(const struct json_object *object, const char **kept)
{
	struct json_object *words = kcatch_json_array(object, "command");
	size_t i, nr = words ? json_object_array_length(words) : 0, length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return kcatch_error_memory();
	for (i = 0; i < nr; i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(words, i));

		fprintf(out, "%s%s", i ? " " : "", word ? word : "");
	}
	if (fclose(out)) {
		free(text);
		return kcatch_error_memory();
	}
	*kept = text;
	return 0;
}

/* The numbers without which nothing can be read. */
static bool read_numbers(struct kcatch_session *session, const struct json_object *object)
{
	struct kcatch_recording *recording = session->own;
	struct kcatch_info *info = &session->info;
	struct kcatch_anchor *anchor = &session->anchors.first;
	uint64_t nr_cpus, clock, khz, step, number;

	if (!kcatch_json_number(object, "nr_cpus", CPUS_MAX, &nr_cpus) || !nr_cpus ||
	    !kcatch_json_number(object, "clock", KCATCH_CLOCK_TSC, &clock) ||
	    !kcatch_json_number(object, "clock_khz", UINT32_MAX, &khz) || !khz ||
	    !kcatch_json_number(object, "clock_at", INT64_MAX, &anchor->clock) ||
	    !kcatch_json_number(object, "monotonic_at", INT64_MAX, &anchor->monotonic) ||
	    !kcatch_json_number(object, "packet_size", KCATCH_PACKET_SIZE_MAX, &step) ||
	    step < KCATCH_PACKET_SIZE_MIN || step & (step - 1))
		return false;
	info->nr_cpus = (uint32_t)nr_cpus;
	info->clock = (uint32_t)clock;
	info->clock_khz = (uint32_t)khz;
	info->clock_now = anchor->clock;
	info->monotonic_now = anchor->monotonic;
	recording->shape.step = (uint32_t)step;
	session->packet_size = (uint32_t)step;
	if (kcatch_json_number(object, "ring_size", KCATCH_RING_SIZE_MAX, &number))
		session->ring_size = (uint32_t)number;
	if (kcatch_json_number(object, "features", UINT64_MAX, &number))
		info->features = number;
	kcatch_json_number(object, "skipped", UINT64_MAX, &session->armed.skipped);
	kcatch_json_number(object, "left_out", UINT64_MAX, &session->armed.left_out);
	kcatch_json_number(object, "realtime_at", INT64_MAX, &anchor->realtime);
	recording->info.realtime_ns = anchor->realtime;
	session->pairs = kcatch_json_bool(object, "pairs");
	return true;
}

static int take_session(struct kcatch_session *session, const struct json_object *object)
{
	struct kcatch_recording *recording = session->own;
	struct kcatch_recording_info *info = &recording->info;
	const char *boot = kcatch_json_text(object, "boot"), *number_text;
	const char *machine = kcatch_json_text(object, "machine");
	char here[64];
	uint64_t format, number;
	int ret;

	if (!kcatch_json_number(object, "format", UINT32_MAX, &format) || !format)
		return bad_file("session.json", "damaged");
	if (format != KCATCH_RECORDING_FORMAT)
		return kcatch_error_set(EINVAL, "its format is %" PRIu64 ", that of %s release (%s): "
					"this one (" KCATCH_VERSION ") reads format %d", format,
					format > KCATCH_RECORDING_FORMAT ? "a later" : "an earlier",
					SHOWN(kcatch_json_text(object, "version") ?
					      kcatch_json_text(object, "version") : "?"),
					KCATCH_RECORDING_FORMAT);
	if (!read_numbers(session, object))
		return bad_file("session.json", "damaged");
	session->arch = machine ? kcatch_arch_of(machine) : kcatch_arch_running();
	if (!session->arch)
		return kcatch_error_set(EINVAL, "its machine is not one that this release knows: %s",
					SHOWN(machine));
	kcatch_origin_boot(here, sizeof(here));
	session->foreign = !boot || !*here || strcmp(boot, here);
	info->format = (unsigned int)format;
	info->snapshot = kcatch_json_bool(object, "snapshot");
	if (kcatch_json_number(object, "frozen", KCATCH_FROZEN_BY_HUNG_TASK, &number))
		info->frozen = (enum kcatch_frozen)number;
	if (kcatch_json_number(object, "frozen_probe", UINT32_MAX, &number))
		info->frozen_probe = (uint32_t)number;
	kcatch_json_number(object, "frozen_at", UINT64_MAX, &info->frozen_ns);
	if (!recording->pieces.nr &&
	    kcatch_json_number(object, "piece", KCATCH_PIECES_MAX, &number))
		info->piece = (uint32_t)number;
	read_uuid(&recording->shape, kcatch_json_text(object, "uuid"));
	info->monotonic_ns = session->anchors.first.monotonic;
	info->nr_cpus = session->info.nr_cpus;
	ret = keep_text(object, "version", &info->version);
	if (!ret)
		ret = keep_text(object, "release", &info->release);
	if (!ret)
		ret = keep_text(object, "host", &info->host);
	if (!ret)
		ret = keep_command(object, &info->command);
	number_text = kcatch_json_text(object, "id");
	if (!ret)
		ret = kcatch_origin_set(session, info->host, info->release, boot,
					number_text ? number_text :
						      kcatch_json_text(object, "uuid"));
	if (!ret)
		snprintf(session->info.version, sizeof(session->info.version), "%s", info->version);
	return ret;
}

static int read_session(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;
	struct json_object *object;
	size_t length;
	char *text;
	int ret = kcatch_recording_read_file(session->own, "session.json", &text, &length);

	/* A copy by babeltrace2 has its streams in a directory of that name: the trace's own. */
	if (ret == -ENOENT && !faccessat(recording->side, "metadata", F_OK, 0))
		return kcatch_recording_foreign("it");
	if (ret == -ENOENT)
		return bad_file("session.json", "is missing");
	if (ret)
		return ret;
	if (length > LINE_MAX_BYTES)
		ret = bad_line("session.json", 1, "it is longer than 1 MB, as none is that kcatch writes");
	else
		ret = parse_line("session.json", 1, text, &object);
	free(text);
	if (ret)
		return ret;
	ret = object ? take_session(session, object) : bad_file("session.json", "damaged");
	json_object_put(object);
	return ret;
}

/* ---- plans and probes ------------------------------------------------------------------- */

static int read_types(struct kcatch_session *session)
{
	const struct kcatch_recording *recording = session->own;
	struct stat status;
	bool ends_early;
	char path[64];
	int ret, kind;

	if (fstatat(recording->side, "btf", &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISDIR(status.st_mode) || faccessat(recording->side, "btf/vmlinux", F_OK, 0))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/btf", recording->side);
	ret = kcatch_types_open_directory(&session->types, path);
	kind = ret ? 0 : kcatch_types_unknown(session->types, &ends_early);
	if (kind && ends_early)
		kcatch_recording_note(session, "btf/vmlinux: types of the kind %d, and all behind them, "
				      "are newer than this kcatch", kind);
	return ret == -ENOMEM ? ret : 0;
}

/* The plan is sound, and the file with its types is not. */
static void note_types(struct kcatch_session *session, const char *name)
{
	const struct kcatch_recording *recording = session->own;
	char path[80];

	if (!name || strchr(name, '/') ||
	    (size_t)snprintf(path, sizeof(path), "btf/%s", name) >= sizeof(path))
		kcatch_recording_note(session, "plans.json names no types, but uses some");
	else if (faccessat(recording->side, path, F_OK, AT_SYMLINK_NOFOLLOW))
		kcatch_recording_note(session, "%s is missing: arguments have no types",
				      SHOWN(path));
	else
		kcatch_recording_note(session, "%s cannot be used: arguments have no types",
				      SHOWN(path));
}

static int take_plan(struct kcatch_session *session, struct json_object *object)
{
	struct kcatch_plan *plan = NULL;
	bool no_types;
	int ret;

	if (session->nr_plans >= PLANS_MAX)
		return -EINVAL;
	ret = !object ? -EINVAL :
			kcatch_plan_from_json(object, session->arch, session->types, &plan);
	/* Types may be missing or damaged: then those arguments cannot be shown. */
	if (ret == -ENOMEM)
		return ret;
	no_types = ret == -ENOENT;
	ret = kcatch_programs_keep(session, plan);
	if (ret || plan)
		return ret;
	if (!no_types)
		return -EINVAL;
	note_types(session, kcatch_json_text(object, "types"));
	return 0;
}

static int take_name(struct kcatch_session *session, const char *text, const char **name)
{
	struct kcatch_recording *recording = session->own;
	char *copy, **names;

	*name = NULL;
	if (!text || !*text)
		return 0;
	copy = strdup(text);
	names = copy ? kcatch_array_grow(recording->names, recording->nr_names, sizeof(*names)) :
		       NULL;
	if (!names) {
		free(copy);
		return kcatch_error_memory();
	}
	recording->names = names;
	names[recording->nr_names++] = copy;
	*name = copy;
	return 0;
}

/* A DO_TRACE event: what its payload is made of. */
static int take_info(struct kcatch_probe_slot *slot, const struct json_object *object)
{
	struct json_object *args = kcatch_json_array(object, "args");
	const char *name = kcatch_json_text(object, "name"), *format = kcatch_json_text(object, "format");
	size_t nr = args ? json_object_array_length(args) : 0, i;
	struct kcatch_event_info *info;

	if (!name || !format || nr > KCATCH_EVENT_ARGS_MAX)
		return -EINVAL;
	info = calloc(1, sizeof(*info));
	if (!info)
		return kcatch_error_memory();
	snprintf(info->name, sizeof(info->name), "%s", name);
	snprintf(info->format, sizeof(info->format), "%s", format);
	info->nr_args = (uint32_t)nr;
	for (i = 0; i < nr; i++) {
		int arg = json_object_get_int(json_object_array_get_idx(args, i));
		int size = arg & KCATCH_EVENT_ARG_SIZE;

		if (arg < 0 || arg > UINT8_MAX ||
		    (!(arg & KCATCH_EVENT_ARG_STRING) && size != 1 && size != 2 && size != 4 &&
		     size != 8)) {
			free(info);
			return -EINVAL;
		}
		info->args[i] = (uint8_t)arg;
	}
	slot->info = info;
	return 0;
}

/*
 * How many probes there are; those that were hit follow, in any order. The slots of the others are
 * never written to, and take no memory.
 */
static int take_number(struct kcatch_session *session, uint64_t total)
{
	struct kcatch_recording *recording = session->own;

	recording->numbered = true;
	return kcatch_session_grow(session, (size_t)total);
}

/*
 * The slot of the probe that a line describes. Without a number of all probes before it, each line
 * has its own: one that cannot be read, or is missing, has a slot all the same, and its records are
 * not damaged.
 */
static int take_slot(struct kcatch_session *session, struct json_object *object, bool *good,
		     struct kcatch_probe_slot **slot)
{
	struct kcatch_recording *recording = session->own;
	size_t before = session->nr_slots;
	uint64_t number = before;
	int ret;

	*good = object && kcatch_json_number(object, "probe", PROBES_MAX - 1, &number);
	if (recording->numbered) {
		if (!*good || number >= before || session->slots[number]->informed)
			return -EINVAL;
		*slot = session->slots[number];
		(*slot)->informed = true;
		(*slot)->named = true;
		return 0;
	}
	if (before >= PROBES_MAX)
		return -EINVAL;
	*good = *good && number >= before && number - before < SKIP_MAX &&
		number - before <= SKIP_ALL_MAX - recording->nr_skipped;
	if (!*good)
		number = before;
	*good &= number == before;
	/* What cannot be read takes a slot as well. */
	if (number == before && !*good && recording->nr_skipped++ >= SKIP_ALL_MAX)
		return -EINVAL;
	recording->nr_skipped += number - before;
	ret = kcatch_session_grow(session, (size_t)number + 1);
	if (ret)
		return ret;
	for (; before <= number; before++) {
		session->slots[before]->informed = true;
		session->slots[before]->named = true;
	}
	*slot = session->slots[number];
	return 0;
}

/* What a probe is, as far as it can be read. */
static int take_probe(struct kcatch_session *session, struct json_object *object)
{
	struct kcatch_probe_slot *slot;
	uint64_t mechanism, value;
	bool good;
	int ret;

	if (kcatch_json_number(object, "probes", KCATCH_RECORDING_PROBES, &value))
		return take_number(session, value);
	ret = take_slot(session, object, &good, &slot);
	if (ret)
		return ret;
	if (!object || !kcatch_json_number(object, "mechanism", KCATCH_BY_EVENT, &mechanism))
		return -EINVAL;
	slot->probe.mechanism = (enum kcatch_mechanism)mechanism;
	kcatch_json_number(object, "address", UINT64_MAX, &slot->probe.address);
	if (kcatch_json_number(object, "offset", UINT32_MAX, &value))
		slot->probe.offset = (uint32_t)value;
	slot->returns = kcatch_json_bool(object, "returns");
	slot->probe.in_call = kcatch_json_bool(object, "in_call");
	if (kcatch_json_number(object, "plan", UINT32_MAX, &value)) {
		if (value < session->nr_plans)
			slot->plan = session->plans[value];
		else if (session->nr_plans || !session->damaged)
			good = false;	/* one word on plans that are not there is enough */
	}
	if (kcatch_json_object(object, "event")) {
		ret = take_info(slot, kcatch_json_object(object, "event"));
		if (ret == -EINVAL)
			good = false;
		else if (ret)
			return ret;
	}
	ret = take_name(session, kcatch_json_text(object, "function"), &slot->probe.function);
	if (!ret)
		ret = take_name(session, kcatch_json_text(object, "module"), &slot->probe.module);
	return ret || good ? ret : -EINVAL;
}

/* ---- symbols, counters ---------------------------------------------------------------------- */

/* Without it a symbol reaches up to the next. */
static int read_modules(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	bool cut = false;
	size_t length;
	char *text;
	int ret;

	if (!recording->symbols)
		return 0;
	ret = kcatch_recording_read_names(session, "modules", &text, &length, &cut);
	if (!ret) {
		ret = kcatch_symbol_list_modules(recording->symbols, text);
		if (ret > 0 || (!ret && cut))
			kcatch_recording_note(session, "modules has more changes than are read: some "
					      "addresses of modules have no names");
		return ret < 0 ? ret : 0;
	}
	if (ret == -ENOMEM)
		return ret;
	kcatch_recording_note(session, "modules %s: names of modules that came or went may be wrong",
			      ret == -ENOENT ? "is missing" : "cannot be read");
	return 0;
}

static int read_symbols(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	bool cut = false;
	size_t length;
	char *text;
	int ret = kcatch_recording_read_names(session, "symbols", &text, &length, &cut);

	if (!ret)
		ret = kcatch_symbol_list_create(text, length, &recording->symbols);
	if (!ret && cut)
		kcatch_recording_note(session, "symbols is too large: functions of modules that came "
				      "late have no names");
	if (ret && ret != -ENOMEM) {
		kcatch_recording_note(session, "symbols %s: addresses have no names",
				      ret == -ENOENT ? "is missing" : "cannot be read");
		ret = 0;
	}
	return ret ? ret : read_modules(session);
}

/* "id path", escaped; there is none if no record has a cgroup. */
static int read_cgroups(struct kcatch_session *session)
{
	char *text, *line, *newline;
	size_t length;
	int ret = kcatch_recording_read_file(session->own, "cgroups", &text, &length);

	if (ret && ret != -ENOMEM && ret != -ENOENT)
		kcatch_recording_note(session, "cgroups cannot be read: cgroups have no paths");
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	for (line = text; !ret && (newline = strchr(line, '\n')); line = newline + 1) {
		unsigned long long id;
		int at = 0;

		*newline = '\0';
		if (sscanf(line, "%llu %n", &id, &at) != 1 || line[at] != '/')
			continue;
		kcatch_text_unescape(line + at);
		ret = kcatch_cgroup_names_add(&session->cgroups, id, line + at);
	}
	if (!ret && (size_t)(line - text) < length)
		kcatch_recording_note(session, "cgroups is damaged: some cgroups have no paths");
	free(text);
	return ret;
}

/* Where a column of the counters belongs, by its name. */
#define COUNTER(name, words, help) { #name, offsetof(struct kcatch_totals, name) },
static const struct {
	const char *name;
	size_t at;
} counters[] = { COUNTER(hits, , ) KCATCH_COUNTERS(COUNTER) };
#undef COUNTER
#define NR_COUNTERS (sizeof(counters) / sizeof(counters[0]))
#define UNKNOWN SIZE_MAX

struct columns {
	size_t nr;
	size_t at[2 * NR_COUNTERS];
};

/* "# cpu probe hits recorded ...": what is not known is passed over. */
static void read_columns(struct columns *columns, char *line)
{
	char *name, *left;
	size_t i;

	columns->nr = 0;
	strtok_r(line, " ", &left);
	while ((name = strtok_r(NULL, " ", &left)) &&
	       columns->nr < sizeof(columns->at) / sizeof(columns->at[0])) {
		for (i = 0; i < NR_COUNTERS && strcmp(name, counters[i].name); i++)
			;
		columns->at[columns->nr++] = i < NR_COUNTERS ? counters[i].at : UNKNOWN;
	}
}

static bool take_counters(struct kcatch_session *session, const struct columns *columns,
			  const char *line)
{
	struct kcatch_recording *recording = session->own;
	uint64_t n[sizeof(columns->at) / sizeof(columns->at[0])];
	struct kcatch_totals totals = { .hits = 0 };
	char *end;
	size_t i;

	for (i = 0; i < columns->nr; i++) {
		errno = 0;
		n[i] = strtoull(line, &end, 10);
		if (end == line || errno)
			return false;
		if (columns->at[i] != UNKNOWN)
			*(uint64_t *)((char *)&totals + columns->at[i]) = n[i];
		line = end;
	}
	/* Calls that go on: the last piece knows which ones still do. */
	if (recording->at + 1 < recording->pieces.nr)
		totals.in_flight = 0;
	/* The first two are the CPU and the probe. */
	if (columns->nr < 2 || n[0] >= session->info.nr_cpus || n[1] >= session->nr_slots)
		return false;
	kcatch_totals_add(&recording->cpus[n[0]], &totals);
	kcatch_totals_add(&session->slots[n[1]]->totals, &totals);
	return true;
}

/* "CPU RECORDED LOST": what pieces have that are not read. */
static void take_earlier(struct kcatch_session *session, const char *numbers)
{
	struct kcatch_recording *recording = session->own;
	uint64_t recorded, lost;
	uint32_t cpu;

	if (recording->at ||
	    sscanf(numbers, "%" SCNu32 " %" SCNu64 " %" SCNu64, &cpu, &recorded, &lost) != 3 ||
	    cpu >= session->info.nr_cpus)
		return;
	recording->earlier_lost[cpu] = lost;
	recording->info.removed_events += recording->pieces.nr ? recorded : 0;
}

static void make_sum(struct kcatch_totals *t)
{
#define ADD(name, words, help) + t->name
	uint64_t hits = 0 KCATCH_COUNTERS_TERMS(ADD);
#undef ADD

	/* Slots of probes that were never hit stay as they are, and take no memory. */
	if (t->hits != hits)
		t->hits = hits;
}

static void make_sums(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	uint32_t cpu;
	size_t i;

	for (cpu = 0; cpu < session->info.nr_cpus; cpu++)
		make_sum(&recording->cpus[cpu]);
	for (i = 0; i < session->nr_slots; i++)
		make_sum(&session->slots[i]->totals);
}

/* What is damaged is counted: events can be read all the same. */
static int read_counters(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	struct columns columns = { .nr = 0 };
	bool whole = false, final = false;
	char *text, *line, *newline;
	uint32_t seconds, unarmed, disarmed, died;
	size_t length;
	int ret = kcatch_recording_read_file(session->own, "counters", &text, &length);

	recording->continued = recording->info.finished = false;
	if (ret && ret != -ENOMEM) {
		kcatch_recording_note(session, "counters %s: what was lost is not known",
				      ret == -ENOENT ? "is missing" : "cannot be read");
		return 0;
	}
	if (ret)
		return ret;
	for (line = text; !whole && (newline = strchr(line, '\n')); line = newline + 1) {
		*newline = '\0';
		if (!strncmp(line, "counters final", 14))
			final = true;
		else if (sscanf(line, "counters running %*s %" SCNu32, &seconds) == 1)
			recording->info.counted_s = seconds;
		else if (sscanf(line, "counters unarmed %" SCNu32, &unarmed) == 1)
			session->unarmed = unarmed;
		else if (sscanf(line, "counters disarmed %" SCNu32, &disarmed) == 1)
			session->disarmed = disarmed;
		else if (sscanf(line, "counters died %" SCNu32, &died) == 1)
			session->died = died;
		else if (!strcmp(line, "counters continued"))
			recording->continued = true;
		else if (!strncmp(line, "counters earlier ", 17))
			take_earlier(session, line + 17);
		else if (!strcmp(line, "end"))
			whole = true;
		else if (*line == '#')
			read_columns(&columns, line);
		else if (strncmp(line, "counters ", 9) &&
			 !take_counters(session, &columns, line))
			kcatch_recording_note(session, "counters: \"%.80s\" is no line of it",
					      SHOWN(line));
	}
	if (!whole)
		kcatch_recording_note(session, "counters has no end: what was lost is not known");
	/* The recorder was to go on, and has not, or it is doing so just now. */
	recording->info.finished = final && whole &&
				   !(recording->continued && recording->pieces.nr);
	if (!recording->info.counted_s)
		recording->info.counted_s = 1;
	session->partial = !recording->info.finished || recording->info.snapshot ||
			   recording->info.removed || recording->info.piece;
	/* Of a session that ran, some hits are counted and not yet decided. */
	if (!final || recording->info.snapshot)
		make_sums(session);
	free(text);
	return 0;
}

int kcatch_recording_load(struct kcatch_session *session)
{
	struct kcatch_recording *recording = session->own;
	size_t i;
	int ret = read_session(session);

	if (!ret)
		ret = kcatch_recording_each_piece(session, kcatch_recording_read_clock);
	if (!ret) {
		recording->cpus = calloc(session->info.nr_cpus, sizeof(*recording->cpus));
		recording->taken = calloc(session->info.nr_cpus, sizeof(*recording->taken));
		recording->earlier_lost = calloc(session->info.nr_cpus,
						 sizeof(*recording->earlier_lost));
		if (!recording->cpus || !recording->taken || !recording->earlier_lost)
			ret = kcatch_error_memory();
	}
	/* The last piece describes all probes of those before it, too. */
	if (!ret)
		ret = read_types(session);
	session->types_tried = true;
	if (!ret && !faccessat(recording->side, "plans.json", F_OK, 0))
		ret = read_lines(recording, "plans.json", take_plan, session);
	else if (!ret)
		kcatch_recording_note(session, "plans.json is missing: there are no arguments");
	if (!ret)
		ret = read_lines(recording, "probes.json", take_probe, session);
	if (!ret)
		ret = read_symbols(session);
	if (!ret)
		ret = kcatch_symbols_create_list(recording->symbols, &session->symbols);
	if (!ret)
		ret = kcatch_recording_each_piece(session, read_cgroups);
	if (!ret)
		ret = kcatch_recording_each_piece(session, kcatch_recording_read_jit);
	if (!ret)
		ret = kcatch_recording_each_piece(session, read_counters);
	/* A recorder that was killed while it described a probe has not written its records. */
	for (i = 0; !ret && i < recording->nr_cut; i++)
		if (recording->info.finished || !recording->numbered)
			kcatch_recording_note(session, "%s ends within line %zu",
					      recording->cut[i].name, recording->cut[i].line);
	return ret;
}
