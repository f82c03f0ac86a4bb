/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * target.c - parses a target that a user wrote
 *
 * Text that cannot be a kernel symbol is refused here, with the reason, so that no invalid byte
 * reaches the kernel or a terminal.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/kcatch.h>

#include <kcatch_text.h>
#include "base/printable.h"
#include "target/target.h"

#define MODULE_LEN 64	/* longer than any module's name */

/*
 * An offset stands behind the '+'; a symbol itself has none. As stacks of the kernel's log have it,
 * the function's size may follow: vfs_read+0x10/0x2e0.
 */
static int parse_offset(const char *text, char *name, uint32_t *offset)
{
	char *plus = strchr(name, '+');
	uint64_t value, ignored;
	const char *size;
	size_t digits;

	*offset = 0;
	if (!plus)
		return 0;
	digits = strcspn(plus + 1, "/");
	if (!kcatch_text_number(plus + 1, digits, &value))
		return kcatch_error_set(EINVAL,
			"%s: the offset after '+' is not a number: give bytes, decimal (+16) or "
			"hexadecimal (+0x10)",
			SHOWN(text));
	size = plus + 1 + digits;
	if (*size && !kcatch_text_number(size + 1, strlen(size + 1), &ignored))
		return kcatch_error_set(EINVAL,
			"%s: only the function's size may follow its offset: "
			"write function+0x10/0x2e0, or module:function+0x10",
			SHOWN(text));
	if (value > UINT32_MAX)
		return kcatch_error_set(EINVAL, "%s: no function is that long: the offset must be below 4 GB",
					SHOWN(text));
	*plus = '\0';
	*offset = (uint32_t)value;
	return 0;
}

/* The kernel's symbols are letters, digits, and _ . $; patterns more. */
static int check_bytes(const char *text, const char *symbol, bool is_pattern)
{
	const char *at;

	if (*symbol >= '0' && *symbol <= '9')
		return kcatch_error_set(ENOENT, "%s: no kernel function's name begins with a digit",
					SHOWN(text));
	for (at = symbol; *at; at++) {
		unsigned char c = (unsigned char)*at;

		if (c <= 0x20 || c >= 0x7f)
			return kcatch_error_set(EINVAL,
				"%s: no kernel function's name holds such a character (character %zu)",
				SHOWN(text), (size_t)(at - symbol) + 1);
		if ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
		    strchr("_.$", c))
			continue;
		if (is_pattern && strchr("*?[]!-^\\", c))
			continue;
		return kcatch_error_set(EINVAL,
			"%s: no kernel function's name holds a '%c'; "
			"write function, module:function, function+0x10, or a pattern with * ? [abc]",
			SHOWN(text), c);
	}
	return 0;
}

/*
 * What stands before the colon in other tools: bpftrace's kinds of probes, perf's and tracefs'
 * letters. No module of the kernel is called so.
 */
static const struct other_word {
	const char *word;
	const char *command;	/* how kcatch is asked for the same */
} other_words[] = {
	{ "kprobe", "kcatch" }, { "k", "kcatch" }, { "p", "kcatch" }, { "kretprobe", "kcatch" },
	{ "kr", "kcatch" }, { "r", "kcatch" }, { "fentry", "kcatch" }, { "fexit", "kcatch" },
	{ "f", "kcatch" }, { "kfunc", "kcatch" }, { "kretfunc", "kcatch" }, { "fprobe", "kcatch" },
	{ "func", "kcatch" }, { "function", "kcatch" },
	{ "tracepoint", "kcatch -e" }, { "t", "kcatch -e" }, { "rawtracepoint", "kcatch -e" },
	{ "rt", "kcatch -e" }, { "raw_tracepoint", "kcatch -e" }, { "event", "kcatch -e" },
};

/* Return: -EINVAL if @module is a word of another tool, with the error text; else 0 */
static int check_other_word(const char *text, const char *module, const char *rest)
{
	size_t i;

	for (i = 0; i < sizeof(other_words) / sizeof(*other_words); i++)
		if (!strcmp(module, other_words[i].word))
			return kcatch_error_set(EINVAL, "%s: '%s:' is another tool's word; "
						"try: %s %s", SHOWN(text), module,
						other_words[i].command, SHOWN(rest));
	return 0;
}

int kcatch_target_check_pair(const char *text)
{
	if (!strstr(text, ".."))
		return 0;
	return kcatch_error_set(EINVAL,
				"%s: pairs of events are caught or counted, alone: kcatch [count] "
				"A..B --key EXPR",
				SHOWN(text));
}

int kcatch_target_parse(const char *text, struct kcatch_target_spec *spec)
{
	size_t length = strlen(text);
	char *colon, *at;
	int ret;

	memset(spec, 0, sizeof(*spec));
	if (!length)
		return kcatch_error_set(EINVAL, "a function's name is empty; try: kcatch vfs_read");
	if (kcatch_target_check_pair(text))
		return -EINVAL;
	/* Module, colon, symbol, offset: nothing longer can be meant. */
	if (length > MODULE_LEN + KCATCH_NAME_LEN + 32)
		return kcatch_error_set(ENOENT, "%s: longer than any function's name in a kernel (%u)",
					SHOWN(text), KCATCH_NAME_LEN - 1);
	spec->name = strdup(text);
	if (!spec->name)
		return kcatch_error_memory();

	colon = strchr(spec->name, ':');
	if (colon) {
		*colon = '\0';
		ret = check_other_word(text, spec->name, colon + 1);
		if (ret)
			goto fail;
		/* Modules may begin with a digit: 8021q. */
		ret = check_bytes(text, spec->name + strspn(spec->name, "0123456789"), true);
		if (ret)
			goto fail;
		if (colon == spec->name || !colon[1] || strlen(spec->name) >= MODULE_LEN) {
			ret = kcatch_error_set(EINVAL,
				"%s: write module:function, for example ext4:ext4_sync_file",
				SHOWN(text));
			goto fail;
		}
		if (kcatch_glob_is_pattern(spec->name)) {
			ret = kcatch_error_set(EINVAL, "%s: the module's name cannot be a pattern",
					       SHOWN(text));
			goto fail;
		}
		for (at = spec->name; *at; at++) {
			if (*at == '-')	/* modprobe takes both, the kernel's name has _ */
				*at = '_';
		}
		spec->module = strdup(spec->name);
		if (!spec->module) {
			ret = kcatch_error_memory();
			goto fail;
		}
		*colon = ':';
	}
	spec->symbol = colon ? colon + 1 : spec->name;
	spec->is_pattern = kcatch_glob_is_pattern(spec->symbol);
	if (spec->is_pattern && strchr(spec->symbol, '+')) {
		ret = kcatch_error_set(EINVAL,
			"%s: an offset does not go with a pattern: it needs one function's name",
			SHOWN(text));
		goto fail;
	}
	ret = parse_offset(text, spec->name + (spec->symbol - spec->name), &spec->offset);
	if (!ret && !*spec->symbol)
		ret = kcatch_error_set(EINVAL, "%s: there is no function's name before the '+'",
				       SHOWN(text));
	if (!ret)
		ret = check_bytes(text, spec->symbol, spec->is_pattern);
	if (!ret && strlen(spec->symbol) >= KCATCH_NAME_LEN)
		ret = kcatch_error_set(ENOENT, "%s: longer than any function's name in a kernel (%u)",
				       SHOWN(text), KCATCH_NAME_LEN - 1);
	if (ret)
		goto fail;
	return 0;
fail:
	kcatch_target_deinit(spec);
	return ret;
}

void kcatch_target_deinit(struct kcatch_target_spec *spec)
{
	free(spec->name);
	free(spec->module);
	memset(spec, 0, sizeof(*spec));
}

bool kcatch_target_matches(const struct kcatch_target_spec *spec, const char *name,
			   const char *module)
{
	if (spec->module && strcmp(spec->module, module))
		return false;
	return spec->is_pattern ? kcatch_glob_match(spec->symbol, name) :
				  !strcmp(spec->symbol, name);
}
