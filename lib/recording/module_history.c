/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * module_history.c - which modules were loaded where and when, kept in memory; and the clocks
 *
 * A flight recorder writes nothing while it waits, but frames of a module that has gone need its
 * name, or they get the name of the module that took its place. So it looks each second, and
 * keeps what the files "modules" and "symbols" of a snapshot need. A directory that stands by for a
 * dump of the machine's memory gets it at once, with the probes that came with a module.
 *
 * Memory: 30 bytes for each function of the modules that are loaded, and what is kept of those
 * that have gone. Of these, first the functions of the oldest are forgotten: then its frames have
 * its name and an address. When there are too many lists, the oldest two become one, which has
 * only what was loaded throughout: of other addresses of that time, nothing is known.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_text.h>
#include <kcatch_history.h>
#include "base/array.h"
#include "base/timing.h"
#include "recording/module_history.h"

/* ---- a module's line ----------------------------------------------------------------- */

void kcatch_build_id_print(const char *notes, char text[KCATCH_BUILD_ID_TEXT])
{
	struct kcatch_build_id id;
	size_t i;

	if (kcatch_build_id_read(notes, &id))
		id.size = 0;
	for (i = 0; i < id.size; i++)
		snprintf(text + 2 * i, 3, "%02x", id.bytes[i]);
	if (!id.size)
		snprintf(text, KCATCH_BUILD_ID_TEXT, "-");
}

int kcatch_module_build_ids(struct kcatch_loaded_modules *modules, char **ids)
{
	char path[128], *id;
	size_t i;

	*ids = calloc(modules->nr + 1, KCATCH_BUILD_ID_TEXT);
	if (!*ids)
		return kcatch_error_memory();
	for (i = 0, id = *ids; i < modules->nr; i++, id += KCATCH_BUILD_ID_TEXT) {
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id",
			 modules->list[i].name);
		kcatch_build_id_print(path, id);
		modules->list[i].build_id = id;
	}
	return 0;
}

void kcatch_module_print(FILE *file, const struct kcatch_loaded_module *module,
			 const char *build_id)
{
	fprintf(file, "%s %" PRIx64 " %" PRIx64 " %s\n", module->name, module->base,
		module->code ? module->code : module->size, build_id);
}

/* ---- forgetting ------------------------------------------------------------------------- */

static void forget_first_gone(struct kcatch_module_history *history, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(history->gone[i].functions.text);
	history->nr_gone -= count;
	memmove(history->gone, history->gone + count, history->nr_gone * sizeof(*history->gone));
}

static void forget_functions(struct kcatch_module_history *history)
{
	size_t i, bytes = 0;

	for (i = history->nr_gone; i--;) {
		struct kcatch_function_text *functions = &history->gone[i].functions;

		bytes += functions->text ? functions->size : 0;
		if (bytes <= KCATCH_HISTORY_FUNCTIONS)
			continue;
		free(functions->text);
		functions->text = NULL;
	}
}

/* The list of time @first becomes that of @time - 1; what came after it has come at @time. */
static void move_begin(struct kcatch_module_entry *entries, size_t nr, uint64_t first,
		       uint64_t time)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (entries[i].from == first)
			entries[i].from = time - 1;
		else if (entries[i].from < time)
			entries[i].from = time;
	}
}

/*
 * The first two lists become one, which has what all of the first three have. Its time is right
 * before that of the third: a reader takes a module that only the third has for one that may have
 * come at any time since the list before, and of that time nothing is known any more.
 */
static void forget_first_list(struct kcatch_module_history *history)
{
	uint64_t first = history->lists[0].time, time = history->lists[2].time;
	size_t count = 0;

	while (count < history->nr_gone && history->gone[count].until < time)
		count++;
	forget_first_gone(history, count);
	move_begin(history->gone, history->nr_gone, first, time);
	move_begin(history->loaded, history->nr_loaded, first, time);
	history->nr_lists--;
	memmove(history->lists, history->lists + 1, history->nr_lists * sizeof(*history->lists));
	history->lists[0] = (struct kcatch_module_list){ .time = time - 1, .seen = time - 1 };
}

/* ---- the lists ------------------------------------------------------------------------------ */

const struct kcatch_module_entry *
kcatch_module_history_entry(const struct kcatch_module_history *history,
			    const struct kcatch_loaded_module *module)
{
	size_t i;

	for (i = 0; i < history->nr_loaded; i++) {
		if (kcatch_loaded_module_is(&history->loaded[i].module, module))
			return &history->loaded[i];
	}
	return NULL;
}

/* Room for everything, so that nothing fails half way. */
static struct kcatch_module_entry *make_room(struct kcatch_module_history *history, size_t nr)
{
	struct kcatch_module_entry *more;
	struct kcatch_module_list *lists;
	size_t i;

	lists = kcatch_array_grow(history->lists, history->nr_lists, sizeof(*lists));
	if (!lists)
		return NULL;
	history->lists = lists;
	for (i = 0; i < history->nr_loaded; i++) {
		more = kcatch_array_grow(history->gone, history->nr_gone + i, sizeof(*more));
		if (!more)
			return NULL;
		history->gone = more;
	}
	return calloc(nr + 1, sizeof(*more));
}

int kcatch_module_history_take(struct kcatch_module_history *history,
			       const struct kcatch_loaded_modules *modules,
			       struct kcatch_function_text *texts, uint64_t now)
{
	struct kcatch_module_entry *loaded = make_room(history, modules->nr);
	size_t i;

	if (!loaded)
		return kcatch_error_memory();
	for (i = 0; i < modules->nr; i++) {
		const struct kcatch_module_entry *old =
			kcatch_module_history_entry(history, &modules->list[i]);

		if (old) {
			loaded[i] = *old;
		} else {
			loaded[i].module = modules->list[i];
			loaded[i].from = now;
			snprintf(loaded[i].build_id, KCATCH_BUILD_ID_TEXT, "%s",
				 modules->list[i].build_id ? modules->list[i].build_id : "-");
			loaded[i].module.build_id = NULL;
			loaded[i].functions = texts[i];
			texts[i].text = NULL;
		}
		loaded[i].until = now;
	}
	for (i = 0; i < history->nr_loaded; i++) {
		size_t at;

		for (at = 0; at < modules->nr; at++) {
			if (kcatch_loaded_module_is(&history->loaded[i].module,
						    &modules->list[at]))
				break;
		}
		if (at == modules->nr)
			history->gone[history->nr_gone++] = history->loaded[i];
	}
	free(history->loaded);
	history->loaded = loaded;
	history->nr_loaded = modules->nr;
	history->lists[history->nr_lists++] = (struct kcatch_module_list){ .time = now,
									    .seen = now };
	forget_functions(history);
	while (history->nr_lists > 2 && (history->nr_lists > KCATCH_HISTORY_LISTS ||
					 history->nr_gone > KCATCH_HISTORY_GONE))
		forget_first_list(history);
	return 0;
}

/* ---- as files ---------------------------------------------------------------------------- */

static void print_list(FILE *file, const struct kcatch_module_entry *entries, size_t nr,
		       uint64_t time)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (entries[i].from <= time && entries[i].until >= time)
			kcatch_module_print(file, &entries[i].module, entries[i].build_id);
	}
}

static void print_functions(FILE *file, const struct kcatch_module_entry *entry)
{
	if (entry->functions.text)
		fprintf(file, "=%" PRIu64 "\n[%s]\n%s", entry->from, entry->module.name,
			entry->functions.text);
}

void kcatch_module_history_print_lists(const struct kcatch_module_history *history, FILE *file)
{
	size_t i;

	for (i = 0; i < history->nr_lists; i++) {
		uint64_t time = history->lists[i].time;

		fprintf(file, "=%" PRIu64 "\n", time);
		print_list(file, history->gone, history->nr_gone, time);
		print_list(file, history->loaded, history->nr_loaded, time);
		fprintf(file, "~%" PRIu64 "\n", history->lists[i].seen);
	}
}

void kcatch_module_history_print_functions(const struct kcatch_module_history *history,
					   const struct kcatch_loaded_modules *loaded, FILE *file)
{
	size_t i, at;

	for (i = 0; i < history->nr_gone; i++)
		print_functions(file, &history->gone[i]);
	for (i = 0; i < history->nr_loaded; i++) {
		for (at = 0; at < loaded->nr; at++) {
			if (kcatch_loaded_module_is(&history->loaded[i].module, &loaded->list[at]))
				break;
		}
		if (at == loaded->nr)
			print_functions(file, &history->loaded[i]);
	}
}

/* ---- files that go on ------------------------------------------------------------------- */

void kcatch_module_history_continue(struct kcatch_module_history *history,
				    struct kcatch_recorder *recorder)
{
	kcatch_recorder_destroy(history->standby);
	history->standby = recorder;
	history->standby_since = recorder->modules_seen;
}

/* What the machine that dies tells nobody is on the disk before. */
static int append(const struct kcatch_module_history *history, const char *name,
		  void (*print)(const struct kcatch_module_history *history, FILE *file))
{
	FILE *file = kcatch_recorder_append_file(history->standby->side, name);
	int ret = 0;

	if (!file)
		return -errno;
	print(history, file);
	if (fflush(file) || (fsync(fileno(file)) && errno != EINVAL))
		ret = -errno;
	fclose(file);
	return ret;
}

static void print_new_functions(const struct kcatch_module_history *history, FILE *file)
{
	size_t i;

	for (i = 0; i < history->nr_loaded; i++) {
		if (history->loaded[i].from == history->lists[history->nr_lists - 1].time)
			print_functions(file, &history->loaded[i]);
	}
}

static void print_last_list(const struct kcatch_module_history *history, FILE *file)
{
	const struct kcatch_module_list *last = &history->lists[history->nr_lists - 1];

	/* The list before was still true then. */
	if (history->nr_lists > 1 && last[-1].seen > history->standby_since)
		fprintf(file, "~%" PRIu64 "\n", last[-1].seen);
	fprintf(file, "=%" PRIu64 "\n", last->time);
	print_list(file, history->loaded, history->nr_loaded, last->time);
}

/* Told once; and what comes behind half a line is of no use. */
static int give_up(struct kcatch_module_history *history, int error)
{
	kcatch_recorder_destroy(history->standby);
	history->standby = NULL;
	return kcatch_error_set(error, "cannot write any more which modules are loaded, and the "
				"time: %s; a report of this machine's memory dump will not know it",
				strerror(-error));
}

static int append_last(struct kcatch_module_history *history)
{
	int ret;

	if (!history->standby)
		return 0;
	ret = append(history, "symbols", print_new_functions);
	if (!ret)
		ret = append(history, "modules", print_last_list);
	history->standby_since = history->lists[history->nr_lists - 1].time;
	return ret ? give_up(history, ret) : 0;
}

/* A module that was loaded has probes of its own, each time; and the clocks are read as ever. */
static int append_more(struct kcatch_module_history *history)
{
	struct kcatch_recorder *recorder = history->standby;
	uint64_t written;
	uint32_t before;
	int ret;

	if (!recorder)
		return 0;
	before = recorder->nr_probes;
	written = recorder->clock.written.clock;
	ret = kcatch_session_learn(recorder->session);
	if (ret == -ENOMEM)
		return ret;	/* nothing is written yet: the next look tries again */
	if (!ret)
		ret = kcatch_recorder_write_probes(recorder);
	if (!ret)
		ret = kcatch_recorder_write_clock(recorder, false);
	if (!ret && (recorder->nr_probes != before || recorder->clock.written.clock != written))
		ret = kcatch_recorder_directory_sync(recorder);
	return ret ? give_up(history, ret) : 0;
}

/* ---- the object --------------------------------------------------------------------------- */

static bool is_same(const struct kcatch_module_history *history,
		    const struct kcatch_loaded_modules *modules)
{
	size_t i;

	if (!history->nr_lists || modules->nr != history->nr_loaded)
		return false;
	for (i = 0; i < modules->nr; i++) {
		if (!kcatch_loaded_module_is(&modules->list[i], &history->loaded[i].module))
			return false;
	}
	return true;
}

/*
 * Reads the functions of what is new. Return: 0; 1: modules came or went meanwhile, and nothing was
 * taken, unless this look is the @last; -errno with an error text.
 */
static int take_new(struct kcatch_module_history *history, struct kcatch_loaded_modules *modules,
		    uint64_t now, bool last)
{
	struct kcatch_function_text *texts = calloc(modules->nr + 1, sizeof(*texts));
	struct kcatch_function_list list = { .fd = history->session->fd, .modules = modules,
					     .texts = texts };
	char *ids = NULL;
	size_t nr_new = 0, i;
	int ret;

	if (!texts)
		return kcatch_error_memory();
	ret = kcatch_module_build_ids(modules, &ids);
	for (i = 0; i < modules->nr; i++) {
		const struct kcatch_module_entry *old =
			kcatch_module_history_entry(history, &modules->list[i]);

		if (old)
			modules->list[i].code = old->module.code;
		nr_new += !old;
	}
	/* Without them there are addresses. */
	if (!ret && nr_new && kcatch_function_list_read(&list) == -ENOMEM)
		ret = -ENOMEM;
	if (!ret && !last && !kcatch_loaded_modules_stayed(modules))
		ret = 1;
	if (!ret)
		ret = kcatch_module_history_take(history, modules, texts, now);
	for (i = 0; i < modules->nr; i++)
		free(texts[i].text);
	free(texts);
	free(ids);
	return ret;
}

/*
 * What is in two lists was loaded between them. Return: 0; 1: modules came or went between two,
 * unless this look is the @last; -errno with an error text.
 */
static int look_once(struct kcatch_module_history *history, bool last)
{
	struct kcatch_loaded_modules modules = { 0 };
	uint64_t before = kcatch_timing_now_ns();
	int ret = 0;

	/* Who may not read it has no ranges in any recording. */
	if (kcatch_loaded_modules_read(&modules))
		return 0;
	if (is_same(history, &modules)) {
		history->lists[history->nr_lists - 1].seen = before;
	} else {
		ret = take_new(history, &modules, kcatch_timing_now_ns(), last);
		if (!ret)
			ret = append_last(history);
	}
	kcatch_loaded_modules_deinit(&modules);
	return ret;
}

static int look_at_modules(struct kcatch_module_history *history)
{
	unsigned int left = KCATCH_HISTORY_LOOKS;
	int ret;

	do {
		ret = look_once(history, !--left);
	} while (ret == 1);
	return ret;
}

int kcatch_module_history_look(struct kcatch_module_history *history)
{
	int ret = look_at_modules(history);
	int clock = kcatch_clock_history_look(&history->clock, history->session);
	int other = append_more(history);

	ret = ret ? ret : clock;
	return ret ? ret : other;
}

int kcatch_module_history_create(struct kcatch_session *session,
				 struct kcatch_module_history **out)
{
	struct kcatch_module_history *history = calloc(1, sizeof(*history));
	int ret;

	*out = NULL;
	if (!history)
		return kcatch_error_memory();
	history->session = session;
	ret = kcatch_module_history_look(history);
	if (ret)
		kcatch_module_history_destroy(history);
	else
		*out = history;
	return ret;
}

void kcatch_module_history_destroy(struct kcatch_module_history *history)
{
	size_t i;

	if (!history)
		return;
	kcatch_recorder_destroy(history->standby);
	for (i = 0; i < history->nr_gone; i++)
		free(history->gone[i].functions.text);
	for (i = 0; i < history->nr_loaded; i++)
		free(history->loaded[i].functions.text);
	free(history->gone);
	free(history->loaded);
	free(history->lists);
	kcatch_clock_history_deinit(&history->clock);
	free(history);
}
