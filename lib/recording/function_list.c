/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * function_list.c - the kernel's functions, as a recording's file "symbols" has them
 *
 * They come in the order of kallsyms: those of the kernel, then those of one module after the
 * other. On the way it is found out where the code of new modules ends: the size in /proc/modules
 * counts data that lies elsewhere, and kernels since 6.4 place the code of one module right
 * behind that of another. The code ends where the module's last function ends, which the kernel
 * lets reach to the end of the code.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <uapi/kcatch.h>

#include <kcatch_kallsyms.h>
#include "recording/function_list.h"

/* Where the kernel's code begins and ends, by the names of its linker script. */
static const char *const ends[] = { "_stext", "_etext", "_sinittext", "_einittext" };

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

static struct kcatch_function_text *text_of(const struct kcatch_function_list *list)
{
	return &list->texts[list->at - list->modules->list];
}

/* All functions of a module have come. */
static void end_module(struct kcatch_function_list *list)
{
	if (list->at && list->last_function)
		list->at->code = code_size(list->fd, list->at, list->last_function);
	/* A part of its functions would lend their names to the others. */
	if (list->texts && list->file && fclose(list->file)) {
		free(text_of(list)->text);
		text_of(list)->text = NULL;
	}
	if (list->texts)
		list->file = NULL;
	list->at = NULL;
	list->last_function = 0;
}

static void begin_module(struct kcatch_function_list *list)
{
	bool loaded = false;
	size_t i;

	for (i = 0; i < list->modules->nr; i++) {
		struct kcatch_loaded_module *module = &list->modules->list[i];

		if (strcmp(module->name, list->module))
			continue;
		loaded = true;
		if (!module->code)
			list->at = module;
	}
	/* Generated code, as of BPF, has a name as if it were a module. */
	list->left_out = loaded && !list->at && !list->kernel;
	if (!list->texts) {
		if (!list->left_out)
			fprintf(list->file, "[%s]\n", list->module);
		return;
	}
	list->last = 0;
	/* Functions that ftrace remembers come once more, at the end. */
	if (list->at && !text_of(list)->text)
		list->file = open_memstream(&text_of(list)->text, &text_of(list)->size);
}

static void note_function(struct kcatch_function_list *list, uint64_t address)
{
	const struct kcatch_loaded_module *at = list->at;

	if (at && address > list->last_function && address >= at->base &&
	    address - at->base < at->size)
		list->last_function = address;
}

static void note_end(struct kcatch_function_list *list, const struct kcatch_kallsym *symbol)
{
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!strcmp(symbol->name, ends[i]))
			list->ends[i] = symbol->address;
	}
}

/* "1a0 name": the difference to the function before, mostly small; it may be negative. */
static void write_line(struct kcatch_function_list *list, const struct kcatch_kallsym *symbol)
{
	bool back = symbol->address < list->last;
	uint64_t step = back ? list->last - symbol->address : symbol->address - list->last;
	char text[18], *at = text + sizeof(text);	/* "-", digits, " " */

	*--at = ' ';
	do {
		*--at = "0123456789abcdef"[step & 15];
		step >>= 4;
	} while (step);
	if (back)
		*--at = '-';
	/* There are some 130,000: no lock and no format for each. */
	fwrite_unlocked(at, 1, (size_t)(text + sizeof(text) - at), list->file);
	fwrite_unlocked(symbol->name, 1, symbol->length, list->file);
	putc_unlocked('\n', list->file);
	list->last = symbol->address;
}

static int write_function(const struct kcatch_kallsym *symbol, void *arg)
{
	struct kcatch_function_list *list = arg;

	if (!symbol->module[0] && !list->kernel)
		return 0;
	if (!symbol->module[0])
		note_end(list, symbol);
	if (!strchr("tTwW", symbol->type) || !symbol->address)
		return 0;
	if (strncmp(list->module, symbol->module, sizeof(list->module) - 1)) {
		end_module(list);
		snprintf(list->module, sizeof(list->module), "%s", symbol->module);
		begin_module(list);
	}
	note_function(list, symbol->address);
	if (!list->file || list->left_out)
		return 0;
	write_line(list, symbol);
	return 0;
}

int kcatch_function_list_read(struct kcatch_function_list *list)
{
	int ret = kcatch_kallsyms_read_all(write_function, list);

	end_module(list);
	return ret;
}
