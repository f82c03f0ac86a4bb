/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_modules.c - records the kernel's functions, and the modules' addresses over time
 *
 * During a recording modules are loaded and unloaded, others reuse their addresses, and a module
 * of the same name may be another build. Each change is written with its time and the functions
 * of the loaded module. /proc/modules is read once a second. A snapshot begins with what the
 * history has of the time before.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "recording/function_list.h"
#include "recording/module_history.h"
#include "recording/recorder.h"
#include "symbols/loaded_modules.h"

static const struct kcatch_loaded_module *same_module(const struct kcatch_loaded_modules *modules,
						      const struct kcatch_loaded_module *wanted)
{
	size_t i;

	for (i = 0; i < modules->nr; i++) {
		if (kcatch_loaded_module_is(&modules->list[i], wanted))
			return &modules->list[i];
	}
	return NULL;
}

/* Those of the first list that the second has not; of the others it knows the code's size. */
static size_t count_new(struct kcatch_loaded_modules *modules,
			const struct kcatch_loaded_modules *old)
{
	size_t i, count = 0;

	for (i = 0; i < modules->nr; i++) {
		const struct kcatch_loaded_module *same = same_module(old, &modules->list[i]);

		if (same)
			modules->list[i].code = same->code;
		count += !same;
	}
	return count;
}

static int write_symbols(struct kcatch_recorder *recorder, struct kcatch_function_list *list,
			 uint64_t now)
{
	int ret = kcatch_recorder_own_file(recorder, "symbols"), other;
	FILE *file = ret ? NULL : kcatch_recorder_append_file(recorder->side, "symbols");

	if (ret)
		return ret;
	if (!file)
		return kcatch_recorder_fail_file(recorder, "symbols", errno);
	/* Without ranges, a module that has gone would lend its names to others. */
	if (list->kernel && list->modules->nr && recorder->history)
		kcatch_module_history_print_functions(recorder->history, list->modules, file);
	fprintf(file, "=%" PRIu64 "\n", now);
	list->file = file;
	/* Without them there are addresses: no reason not to record. */
	ret = kcatch_function_list_read(list);
	other = kcatch_recorder_close_file(recorder, file, "symbols");
	if (list->kernel)
		memcpy(recorder->kernel_ends, list->ends, sizeof(recorder->kernel_ends));
	recorder->kernel_written = true;
	return ret == -ENOMEM ? ret : other;
}

static void print_kernel(FILE *file, const struct kcatch_recorder *recorder)
{
	struct kcatch_loaded_module kernel = { .name = "[kernel]" };
	char build_id[KCATCH_BUILD_ID_TEXT];
	size_t i;

	kcatch_build_id_print("/sys/kernel/notes", build_id);
	for (i = 0; i < 4; i += 2) {
		kernel.base = recorder->kernel_ends[i];
		kernel.size = recorder->kernel_ends[i + 1] - kernel.base;
		if (kernel.base && kernel.base < recorder->kernel_ends[i + 1])
			kcatch_module_print(file, &kernel, build_id);
	}
}

static int write_modules(struct kcatch_recorder *recorder,
			 const struct kcatch_loaded_modules *modules, uint64_t now)
{
	int ret = kcatch_recorder_own_file(recorder, "modules");
	FILE *file = ret ? NULL : kcatch_recorder_append_file(recorder->side, "modules");
	bool first = !recorder->modules_seen;
	size_t i;

	if (ret)
		return ret;
	if (!file)
		return kcatch_recorder_fail_file(recorder, "modules", errno);
	if (first && recorder->history)
		kcatch_module_history_print_lists(recorder->history, file);
	/* The list before was still true then. */
	if (!first)
		fprintf(file, "~%" PRIu64 "\n", recorder->modules_seen);
	fprintf(file, "=%" PRIu64 "\n", now);
	if (first)
		print_kernel(file, recorder);
	for (i = 0; i < modules->nr; i++)
		kcatch_module_print(file, &modules->list[i], modules->list[i].build_id);
	return kcatch_recorder_close_file(recorder, file, "modules");
}

/* What the history knows of modules that are still loaded is the same in each of its lists. */
static void take_sizes(const struct kcatch_module_history *history,
		       struct kcatch_loaded_modules *modules)
{
	size_t i;

	for (i = 0; i < modules->nr; i++) {
		const struct kcatch_module_entry *entry =
			kcatch_module_history_entry(history, &modules->list[i]);

		if (entry)
			modules->list[i].code = entry->module.code;
	}
}

/*
 * Of modules that came or went while their functions were read nothing is said, unless this look is
 * the @last: another build may have taken the place of one. @changed: there is a list to write.
 * Return: 0; 1: so it was; -errno with an error text.
 */
static int write_changes(struct kcatch_recorder *recorder, struct kcatch_loaded_modules *modules,
			 uint64_t now, bool last, bool *changed)
{
	struct kcatch_function_list list = { .kernel = !recorder->kernel_written,
					     .modules = modules, .fd = recorder->session->fd };
	size_t nr_new = count_new(modules, &recorder->modules);
	size_t nr_gone = count_new(&recorder->modules, modules), i;
	bool first = !recorder->modules_seen;
	char *ids;
	int ret = 0;

	*changed = first || nr_new || nr_gone;
	if (list.kernel || nr_new)
		ret = write_symbols(recorder, &list, now);
	if (ret || !*changed)
		return ret;
	ret = kcatch_module_build_ids(modules, &ids);
	if (ret)
		return ret;
	if (!last && !kcatch_loaded_modules_stayed(modules))
		ret = 1;
	else
		ret = write_modules(recorder, modules, now);
	for (i = 0; i < modules->nr; i++)
		modules->list[i].build_id = NULL;
	free(ids);
	return ret;
}

static int look_once(struct kcatch_recorder *recorder, bool last)
{
	struct kcatch_loaded_modules modules = { 0 };
	uint64_t before = kcatch_timing_now_ns(), now;
	bool changed;
	int ret;

	/* Who may not read it: then there are symbols as the kernel shows them, once, and no
	 * ranges. Perhaps it can be read later. */
	if (kcatch_loaded_modules_read(&modules)) {
		struct kcatch_function_list list = { .kernel = true, .modules = &modules,
						     .fd = recorder->session->fd };

		return recorder->kernel_written ? 0 : write_symbols(recorder, &list, before);
	}
	now = kcatch_timing_now_ns();
	if (!recorder->modules_seen && recorder->history)
		take_sizes(recorder->history, &modules);
	ret = write_changes(recorder, &modules, now, last, &changed);
	if (ret == 1) {
		kcatch_loaded_modules_deinit(&modules);
		return ret;
	}
	kcatch_loaded_modules_deinit(&recorder->modules);
	recorder->modules = modules;
	recorder->modules_seen = changed ? now : before;
	return ret;
}

int kcatch_recorder_write_symbols(struct kcatch_recorder *recorder)
{
	unsigned int left = KCATCH_HISTORY_LOOKS;
	int ret;

	do {
		ret = look_once(recorder, !--left);
	} while (ret == 1);
	return ret;
}
