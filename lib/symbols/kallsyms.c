/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kallsyms.c - read the kernel's symbol list, /proc/kallsyms, from beginning to end
 *
 * The list is about 5 MB of text. Lines are parsed in place, and none is kept. Memory: one
 * buffer of READ_SIZE.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/printable.h"
#include "symbols/freed_init.h"

#define READ_SIZE (256 * 1024)	/* bytes */

/* Parse "ffffffff81000000 T _stext" or "... t name\t[module]"; @end points to the newline. */
static bool parse_line(char *line, char *end, struct kcatch_kallsym *symbol)
{
	char *at, *tab;

	at = line + (kcatch_text_hex(line, &symbol->address) - line);
	if (at == line || end - at < 4 || *at != ' ' || at[2] != ' ')
		return false;
	symbol->type = at[1];
	symbol->name = at + 3;
	*end = '\0';
	symbol->module = "";
	tab = memchr(at + 3, '\t', (size_t)(end - at - 3));
	if (tab) {
		*tab = '\0';
		if (tab[1] == '[' && end[-1] == ']') {
			end[-1] = '\0';
			symbol->module = tab + 2;
		}
		end = tab;
	}
	symbol->length = (size_t)(end - symbol->name);
	return symbol->length > 0;
}

/* Where the kernel's own symbols are, which are listed by address. */
enum part {
	PART_TEXT,	/* to _etext: code */
	PART_DATA,
	PART_INIT,	/* to __init_end: code that runs at boot, and its data */
};

/* @part: of the symbols before; out: of those that follow */
static void place(struct kcatch_kallsym *symbol, enum part *part, struct kcatch_freed_init *freed)
{
	const char *name = symbol->name;

	if (symbol->module[0]) {
		/* Those that ftrace keeps have this letter. */
		symbol->in_init = symbol->type == 'T' && symbol->address &&
				  kcatch_freed_init_has(freed, symbol->module, symbol->address);
		return;
	}
	if (name[0] == '_' && !strcmp(name, "_etext"))
		*part = PART_DATA;
	else if (name[0] == '_' && !strcmp(name, "_sinittext"))
		*part = PART_INIT;
	else if (name[0] == '_' && !strcmp(name, "__init_end"))
		*part = PART_DATA;
	else if (*part == PART_DATA && strchr("tTwW", symbol->type))
		symbol->type = 'D';
	symbol->in_init = *part == PART_INIT;
}

static int read_lines(int fd, kcatch_kallsyms_visit *visit, void *arg)
{
	struct kcatch_freed_init freed = { .module = "" };
	enum part part = PART_TEXT;
	struct kcatch_kallsym symbol;
	size_t have = 0;
	char *buffer;
	int ret = 0;

	buffer = malloc(READ_SIZE);
	if (!buffer)
		return kcatch_error_memory();
	for (;;) {
		ssize_t more = read(fd, buffer + have, READ_SIZE - have);
		char *line = buffer, *end, *newline;

		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0) {
			ret = kcatch_error_system(errno, "read /proc/kallsyms");
			break;
		}
		if (!more)
			break;
		have += (size_t)more;
		end = buffer + have;
		while (line < end && (newline = memchr(line, '\n', (size_t)(end - line)))) {
			if (parse_line(line, newline, &symbol)) {
				place(&symbol, &part, &freed);
				ret = visit(&symbol, arg);
				if (ret)
					goto out;
			}
			line = newline + 1;
		}
		have = (size_t)(end - line);
		/* A line longer than the buffer is no symbol: skip it. */
		if (have == READ_SIZE)
			have = 0;
		else
			memmove(buffer, line, have);
	}
out:
	free(buffer);
	return ret;
}

int kcatch_kallsyms_read_all(kcatch_kallsyms_visit *visit, void *arg)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return kcatch_error_system(errno, "open /proc/kallsyms");
	ret = read_lines(fd, visit, arg);
	close(fd);
	return ret;
}

bool kcatch_kallsyms_is_function(const struct kcatch_kallsym *symbol)
{
	const char *name = symbol->name;

	switch (symbol->type) {
	case 't': case 'T': case 'w': case 'W':
		break;
	default:
		return false;
	}
	/* Cold parts are jumped to, never called: there is no return address on the stack. */
	if (symbol->length > 5 && !strcmp(name + symbol->length - 5, ".cold"))
		return false;
	if (strstr(name, ".cold."))
		return false;
	if (!strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6))
		return false;
	if (!strcmp(symbol->module, "bpf") || !strncmp(symbol->module, "__builtin__", 11))
		return false;
	return true;
}

bool kcatch_kallsyms_is_label(const struct kcatch_kallsym *symbol)
{
	static const char *const labels[] = { "_text", "_stext", "_etext", "_einittext", "_sinittext" };
	const char *name = symbol->name;
	size_t length = symbol->length, i;

	for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (!strcmp(name, labels[i]))
			return true;
	}
	if (name[0] == '.')	/* local to an assembler file */
		return true;
	return (length > 11 && !strcmp(name + length - 11, "_text_start")) ||
	       (length > 9 && !strcmp(name + length - 9, "_text_end")) ||
	       !strncmp(name, "__SCT__", 7) || !strncmp(name, "__SCK__", 7) ||
	       !strncmp(name, "__x86_indirect_", 15) || !strncmp(name, "__x86_return_", 13);
}
