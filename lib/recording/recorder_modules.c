/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * recorder_modules.c - records the kernel's functions, and the modules' addresses over time
 *
 * During a recording modules are loaded and unloaded, others reuse their addresses, and a module
 * of the same name may be another build. Each change is written with its time and the functions
 * of the loaded module. /proc/modules is read once a second.
 *
 * The size there counts data that lies elsewhere. Kernels since 6.4 place the code of one module
 * right behind that of another, so the recording has the size of the code alone: it ends where
 * the module's last function ends, which the kernel lets reach to the end of the code.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <uapi/kcatch.h>

#include <kcatch_kallsyms.h>
#include "base/timing.h"
#include "debuginfo/debug_file.h"
#include "recording/recorder.h"
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
	print_range(file, module->name, module->base, module->code ? module->code : module->size,
		    path);
}

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

/* Size of a module's code, of which @last is a function; 0: the module has gone. */
static uint64_t code_size(int fd, const struct kcatch_loaded_module *module, uint64_t last)
{
	struct kcatch_symbol symbol = { .address = last };
	uint64_t size;
	int ret;

	do {
		ret = ioctl(fd, KCATCH_IOC_SYMBOL, &symbol);
	} while (ret && errno == EINTR);
	if (ret || strncmp(symbol.module, module->name, sizeof(symbol.module)))
		return 0;
	size = last - symbol.offset + symbol.size - module->base;
	return size <= module->size ? size : 0;
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
	int fd;				/* of the session */
	struct kcatch_loaded_modules *modules;
	struct kcatch_loaded_module *at;	/* the one whose symbols come, if it is new */
	uint64_t last_function;		/* of it: the highest address so far */
};

/* All functions of a module have come. */
static void end_module(struct symbols *symbols)
{
	if (symbols->at && symbols->last_function)
		symbols->at->code = code_size(symbols->fd, symbols->at, symbols->last_function);
	symbols->at = NULL;
	symbols->last_function = 0;
}

static void begin_module(struct symbols *symbols)
{
	size_t i;

	for (i = 0; i < symbols->modules->nr; i++) {
		struct kcatch_loaded_module *module = &symbols->modules->list[i];

		if (!module->code && !strcmp(module->name, symbols->module))
			symbols->at = module;
	}
}

static void note_function(struct symbols *symbols, uint64_t address)
{
	const struct kcatch_loaded_module *at = symbols->at;

	if (at && address > symbols->last_function && address >= at->base &&
	    address - at->base < at->size)
		symbols->last_function = address;
}

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
		end_module(symbols);
		snprintf(symbols->module, sizeof(symbols->module), "%s", symbol->module);
		fprintf(symbols->file, "[%s]\n", symbols->module);
		begin_module(symbols);
	}
	note_function(symbols, symbol->address);
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
	end_module(symbols);
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
	struct kcatch_loaded_modules modules = { 0 };
	struct symbols symbols = { .kernel = !recorder->modules_seen, .modules = &modules,
				   .fd = recorder->session->fd };
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
