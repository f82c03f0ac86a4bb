/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_modules.c - records the kernel's functions, and the modules' addresses over time
 *
 * During a recording modules are loaded and unloaded, others reuse their addresses, and a module
 * of the same name may be another build. Each change is written with its time and the functions
 * of the loaded module. /proc/modules is read once a second.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/timing.h"
#include "debuginfo/debug_file.h"
#include "recording/recorder.h"
#include "symbols/kallsyms.h"
#include "symbols/loaded_modules.h"

/* ---- modules ---------------------------------------------------------------------------- */

static void print_range(FILE *file, const char *name, uint64_t base, uint64_t size,
			const char *notes)
{
	struct kcatch_build_id id;
	size_t i;

	fprintf(file, "%s %" PRIx64 " %" PRIx64 " ", name, base, size);
	if (kcatch_build_id_read(notes, &id))
		id.size = 0;
	for (i = 0; i < id.size; i++)
		fprintf(file, "%02x", id.bytes[i]);
	fputs(id.size ? "\n" : "-\n", file);
}

static void print_module(FILE *file, const struct kcatch_loaded_module *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module->name);
	print_range(file, module->name, module->base, module->size, path);
}

static bool has_module(const struct kcatch_loaded_modules *modules,
		       const struct kcatch_loaded_module *wanted)
{
	size_t i;

	for (i = 0; i < modules->nr; i++) {
		if (kcatch_loaded_module_is(&modules->list[i], wanted))
			return true;
	}
	return false;
}

/* Those of the first list that the second has not. */
static size_t count_new(const struct kcatch_loaded_modules *modules,
			const struct kcatch_loaded_modules *old)
{
	size_t i, count = 0;

	for (i = 0; i < modules->nr; i++)
		count += !has_module(old, &modules->list[i]);
	return count;
}

/* ---- symbols ---------------------------------------------------------------------------- */

/* Where the kernel's code begins and ends, by the names of its linker script. */
static const char *const ends[] = { "_stext", "_etext", "_sinittext", "_einittext" };

/* Symbols in the order of kallsyms: of the kernel, then of one module after the other. */
struct symbols {
	FILE *file;
	bool kernel;		/* those of the kernel too: they do not change */
	uint64_t last;
	uint64_t ends[4];
	char module[64];
};

static int write_symbol(const struct kcatch_kallsym *symbol, void *arg)
{
	struct symbols *symbols = arg;
	size_t i;

	for (i = 0; !symbol->module[0] && i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!strcmp(symbol->name, ends[i]))
			symbols->ends[i] = symbol->address;
	}
	if (!strchr("tTwW", symbol->type) || !symbol->address ||
	    (!symbols->kernel && !symbol->module[0]))
		return 0;
	if (strncmp(symbols->module, symbol->module, sizeof(symbols->module) - 1)) {
		snprintf(symbols->module, sizeof(symbols->module), "%s", symbol->module);
		fprintf(symbols->file, "[%s]\n", symbols->module);
	}
	/* Mostly small: the difference to the one before, which may be negative. */
	if (symbol->address >= symbols->last)
		fprintf(symbols->file, "%" PRIx64 " %s\n", symbol->address - symbols->last,
			symbol->name);
	else
		fprintf(symbols->file, "-%" PRIx64 " %s\n", symbols->last - symbol->address,
			symbol->name);
	symbols->last = symbol->address;
	return 0;
}

static int write_symbols(struct kcatch_recorder *recorder, struct symbols *symbols, uint64_t now)
{
	int ret, other;

	symbols->file = kcatch_recorder_append_file(recorder, "symbols");
	if (!symbols->file)
		return kcatch_recorder_fail_file(recorder, "symbols", errno);
	fprintf(symbols->file, "=%" PRIu64 "\n", now);
	/* Without them there are addresses: no reason not to record. */
	ret = kcatch_kallsyms_read_all(write_symbol, symbols);
	other = kcatch_recorder_close_file(recorder, symbols->file, "symbols");
	return ret == -ENOMEM ? ret : other;
}

static int write_modules(struct kcatch_recorder *recorder,
			 const struct kcatch_loaded_modules *modules,
			 const struct symbols *symbols, uint64_t now)
{
	FILE *file = kcatch_recorder_append_file(recorder, "modules");
	size_t i;

	if (!file)
		return kcatch_recorder_fail_file(recorder, "modules", errno);
	/* The list before was still true then. */
	if (recorder->modules_seen)
		fprintf(file, "~%" PRIu64 "\n", recorder->modules_seen);
	fprintf(file, "=%" PRIu64 "\n", now);
	for (i = 0; i < 4 && symbols->kernel; i += 2) {
		if (symbols->ends[i] && symbols->ends[i] < symbols->ends[i + 1])
			print_range(file, "[kernel]", symbols->ends[i],
				    symbols->ends[i + 1] - symbols->ends[i], "/sys/kernel/notes");
	}
	for (i = 0; i < modules->nr; i++)
		print_module(file, &modules->list[i]);
	return kcatch_recorder_close_file(recorder, file, "modules");
}

int kcatch_recorder_write_symbols(struct kcatch_recorder *recorder)
{
	struct symbols symbols = { .kernel = !recorder->modules_seen };
	struct kcatch_loaded_modules modules = { 0 };
	uint64_t now = kcatch_timing_now_ns();
	size_t nr_new, nr_gone;
	int ret = 0;

	/* Who may not read it: then there are symbols as the kernel shows them, and no ranges. */
	if (kcatch_loaded_modules_read(&modules))
		return symbols.kernel ? write_symbols(recorder, &symbols, now) : 0;
	nr_new = count_new(&modules, &recorder->modules);
	nr_gone = count_new(&recorder->modules, &modules);
	if (symbols.kernel || nr_new)
		ret = write_symbols(recorder, &symbols, now);
	if (!ret && (symbols.kernel || nr_new || nr_gone))
		ret = write_modules(recorder, &modules, &symbols, now);
	kcatch_loaded_modules_deinit(&recorder->modules);
	recorder->modules = modules;
	recorder->modules_seen = now;
	return ret;
}
