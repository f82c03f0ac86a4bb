/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * diagnose.c - why a function cannot be caught, and what to try
 *
 * After a name was refused, all sources of information about it are read. Only facts found are
 * reported: a function that was inlined everywhere cannot be distinguished from a macro.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <uapi/kcatch.h>

#include <kcatch_kallsyms.h>
#include <kcatch_text.h>
#include "base/machine.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "symbols/module_file.h"
#include "symbols/module_symbols.h"
#include "target/blacklist.h"
#include "target/diagnose.h"
#include "target/tracepoints.h"
#include "types/btf.h"

#define VARIANTS_MAX 4

/* What the kernel's symbol list says of a name. */
struct study {
	const struct kcatch_target_spec *spec;
	size_t length;			/* of its symbol */
	size_t literal;			/* pattern: letters before the first * ? [ */
	unsigned int functions;		/* of that name, or matching */
	unsigned int init_functions;
	bool of_module, of_kernel;	/* whose they are */
	char data_type;			/* it is a variable of this type */
	bool is_part;			/* cold part, padding, generated code */
	uint64_t address;		/* of the last function */
	char module[64];		/* that it is in, "" for the kernel */
	bool elsewhere;			/* it exists, in another module than the one named */
	char owner[64];			/* which that is, "" for the kernel */
	char example[KCATCH_SUGGEST_LENGTH + 1];	/* pattern: one that matches */
	struct kcatch_suggest variants;	/* of the compiler: NAME.isra.0 */
	struct kcatch_suggest nearest;
};

static void note_variant(struct study *study, const struct kcatch_kallsym *symbol)
{
	struct kcatch_suggest *variants = &study->variants;

	if (symbol->length > KCATCH_SUGGEST_LENGTH || variants->count == VARIANTS_MAX)
		return;
	memcpy(variants->names[variants->count], symbol->name, symbol->length + 1);
	variants->count++;
}

static void note_pattern(struct study *study, const struct kcatch_kallsym *symbol)
{
	if (kcatch_target_matches(study->spec, symbol->name, symbol->module)) {
		if (symbol->in_init) {
			study->init_functions++;
			study->of_module |= symbol->module[0];
			study->of_kernel |= !symbol->module[0];
			return;
		}
		study->functions++;
		if (symbol->length <= KCATCH_SUGGEST_LENGTH)
			memcpy(study->example, symbol->name, symbol->length + 1);
		return;
	}
	/* 'tpc_*': near are beginnings of that length. */
	if (study->literal >= 3 && symbol->length >= study->literal)
		kcatch_suggest_offer(&study->nearest, symbol->name, study->literal);
}

static int visit(const struct kcatch_kallsym *symbol, void *arg)
{
	struct study *study = arg;
	const char *wanted = study->spec->symbol;
	bool is_function = kcatch_kallsyms_is_function(symbol);

	if (study->spec->is_pattern) {
		if (is_function)
			note_pattern(study, symbol);
		return 0;
	}
	if (symbol->length == study->length && !memcmp(symbol->name, wanted, study->length)) {
		if (study->spec->module && strcmp(study->spec->module, symbol->module)) {
			study->elsewhere = true;
			snprintf(study->owner, sizeof(study->owner), "%s", symbol->module);
		} else if (!is_function) {
			study->data_type = symbol->type;
			study->is_part = strchr("tTwW", symbol->type) != NULL;
		} else if (symbol->in_init) {
			study->init_functions++;
			study->of_module = symbol->module[0];
		} else {
			study->functions++;
			study->address = symbol->address;
			snprintf(study->module, sizeof(study->module), "%s", symbol->module);
		}
		return 0;
	}
	if (!is_function || symbol->in_init)
		return 0;
	if (symbol->length > study->length && symbol->name[study->length] == '.' &&
	    !memcmp(symbol->name, wanted, study->length))
		note_variant(study, symbol);
	kcatch_suggest_offer(&study->nearest, symbol->name, symbol->length);
	return 0;
}

/* The module file that exports @name, by depmod's list. */
static bool find_exporter(const char *name, char *module, size_t room)
{
	char path[160], *line = NULL, *word;
	struct utsname uts;
	size_t size = 0, length = strlen(name);
	bool found = false;
	FILE *file;

	if (uname(&uts))
		return false;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.symbols", uts.release);
	file = fopen(path, "re");
	if (!file)
		return false;
	/* "alias symbol:NAME module" */
	while (!found && getline(&line, &size, file) > 0) {
		if (strncmp(line, "alias symbol:", 13))
			continue;
		word = line + 13;
		if (strncmp(word, name, length) || word[length] != ' ')
			continue;
		word += length + 1;
		word[strcspn(word, "\n")] = '\0';
		snprintf(module, room, "%s", word);
		found = true;
	}
	free(line);
	fclose(file);
	return found;
}

static void append_nearest(const struct study *study)
{
	char names[KCATCH_SUGGEST_MAX * (KCATCH_SUGGEST_LENGTH + 8)];
	struct kcatch_suggest nearest = study->nearest;
	size_t i;

	if (study->spec->is_pattern) {
		/* Beginnings were compared: show them as patterns. */
		for (i = 0; i < nearest.count; i++) {
			size_t length = strlen(nearest.names[i]);

			if (length < KCATCH_SUGGEST_LENGTH)
				strcpy(nearest.names[i] + length, "*");
		}
	}
	kcatch_suggest_format(&nearest, names, sizeof(names));
	if (names[0])
		kcatch_error_append("\n  did you mean %s?", names);
	else
		kcatch_error_append("\n  to look for it: kcatch list '*PART_OF_ITS_NAME*'");
}

static void explain_missing_module(const struct kcatch_target_spec *spec)
{
	char path[512];

	if (kcatch_module_file_installed(spec->module, path, sizeof(path)))
		kcatch_error_set(ENOENT, "%s: module %s is not loaded; load it first: modprobe %s",
				 SHOWN(spec->name), spec->module, spec->module);
	else if (kcatch_module_is_builtin(spec->module) && !strcmp(spec->symbol, "*"))
		kcatch_error_set(ENOENT, "%s: %s is built into this kernel, no module; its functions may begin "
				 "with its name, try: '%s_*'",
				 SHOWN(spec->name), spec->module, spec->module);
	else if (kcatch_module_is_builtin(spec->module))
		kcatch_error_set(ENOENT, "%s: %s is built into this kernel, no module; try: '%s'",
				 SHOWN(spec->name), spec->module, spec->symbol);
	else
		kcatch_error_set(ENOENT, "%s: there is no module %s, neither loaded nor in /lib/modules",
				 SHOWN(spec->name), spec->module);
}

static void append_module(const struct kcatch_target_spec *spec, const char *module)
{
	kcatch_error_append("module %s, which is not loaded: modprobe %s, or wait for it: "
			    "kcatch '%s:%s'", module, module, module, spec->symbol);
}

static int is_wanted(const struct kcatch_module_symbol *symbol, void *arg)
{
	return kcatch_target_matches(arg, symbol->name, "");
}

/* Does the file that the module would be loaded from have the function? */
static bool module_has(const char *module, const struct kcatch_target_spec *spec)
{
	char path[PATH_MAX];
	int file = kcatch_module_file_open(module, path, sizeof(path));
	int ret = file < 0 ? file :
			     kcatch_module_symbols_read(path, file, is_wanted, (void *)spec);

	if (file >= 0)
		close(file);
	return ret > 0;
}

/*
 * Functions of a module often begin with its name, behind underscores: of __nf_conntrack_find, try
 * nf_conntrack_find, nf_conntrack and nf.
 */
static bool find_unloaded(const struct kcatch_target_spec *spec,
			  char module[KCATCH_MODULE_NAME_MAX])
{
	const char *symbol = spec->symbol + strspn(spec->symbol, "_");
	size_t length = strcspn(symbol, "*?[.");
	char path[PATH_MAX];

	if (spec->module)
		return false;
	for (; length > 1; length--) {
		if ((symbol[length] && !strchr("_*?[.", symbol[length])) ||
		    symbol[length - 1] == '_' || length >= KCATCH_MODULE_NAME_MAX)
			continue;
		snprintf(module, KCATCH_MODULE_NAME_MAX, "%.*s", (int)length, symbol);
		if (!kcatch_machine_module_loaded(module) &&
		    kcatch_module_file_installed(module, path, sizeof(path)) &&
		    module_has(module, spec))
			return true;
	}
	return false;
}

static bool is_no_event(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return false;
}

/* Is there a tracepoint of this name? It sets the error text. */
static bool is_tracepoint(const char *name)
{
	struct kcatch_event_name *names;
	size_t nr, nr_unknown;

	if (kcatch_tracepoints_find(&name, 1, is_no_event, NULL, &names, &nr, &nr_unknown))
		return false;
	kcatch_tracepoints_free(names, nr);
	return true;
}

static void explain_unknown(const struct study *study)
{
	const struct kcatch_target_spec *spec = study->spec;
	char module[128], names[VARIANTS_MAX * (KCATCH_SUGGEST_LENGTH + 8)];

	if (study->variants.count) {
		kcatch_suggest_format(&study->variants, names, sizeof(names));
		kcatch_error_set(
			ENOENT,
			"%s: the compiler kept it under another name only, with its arguments or body "
			"changed: %s\n  try: kcatch '%s.*'",
			SHOWN(spec->name), names, spec->symbol);
		return;
	}
	if ((find_exporter(spec->symbol, module, sizeof(module)) &&
	     !kcatch_machine_module_loaded(module)) || find_unloaded(spec, module)) {
		kcatch_error_set(ENOENT, "%s: it is in ", SHOWN(spec->name));
		append_module(spec, module);
		return;
	}
	if (!kcatch_btf_find_function(spec->symbol, module, sizeof(module))) {
		kcatch_error_set(ENOENT, "%s: its type is known (BTF of %s), but this kernel has "
				 "no out-of-line copy of it: the compiler changed it or inlined it "
				 "everywhere",
				 SHOWN(spec->name), module);
		append_nearest(study);
		return;
	}
	if (!spec->module && is_tracepoint(spec->symbol)) {
		kcatch_error_set(ENOENT, "%s: no such function in this kernel, but a tracepoint: "
				 "kcatch -e %s", SHOWN(spec->name), SHOWN(spec->name));
		return;
	}
	kcatch_error_set(ENOENT, "%s: no such function in this kernel", SHOWN(spec->name));
	append_nearest(study);
	kcatch_error_append("\n  (there is no out-of-line copy of it: it may be inlined everywhere, be a macro, "
			    "or be in a module that is not loaded)");
}

static void explain_no_place(const struct study *study, struct kcatch_symbols *symbols);

static void explain_not_found(const struct study *study)
{
	const struct kcatch_target_spec *spec = study->spec;
	char module[KCATCH_MODULE_NAME_MAX];

	if (spec->is_pattern) {
		if (spec->module && !kcatch_machine_module_loaded(spec->module)) {
			explain_missing_module(spec);
		} else if (study->functions) {
			kcatch_error_set(ENOENT,
				"%s: ftrace can trace none of its matches (%u functions, %s is "
				"one); some may be caught by name: kcatch list %s",
				SHOWN(spec->name), study->functions, study->example,
				SHOWN(spec->name));
		} else if (!study->init_functions && find_unloaded(spec, module)) {
			kcatch_error_set(ENOENT, "%s: no function matches but those of ",
					 SHOWN(spec->name));
			append_module(spec, module);
		} else {
			kcatch_error_set(
				ENOENT, "%s: no function matches%s", SHOWN(spec->name),
				study->init_functions ?
					study->of_module && study->of_kernel ?
					" but those that ran at boot or when their module was loaded, whose memory is freed" :
					study->of_module ?
					" but those that ran when their module was loaded, whose memory is freed" :
					" but those that ran at boot only, whose memory is freed" :
					"");
			append_nearest(study);
		}
		return;
	}
	if (study->functions)
		explain_no_place(study, NULL);
	else if (study->init_functions && study->of_module)
		kcatch_error_set(ENOENT, "%s: it ran when its module was loaded (.init), and its memory is "
				 "freed since", SHOWN(spec->name));
	else if (study->init_functions)
		kcatch_error_set(ENOENT, "%s: it ran at boot only (.init), and its memory is freed since: "
				 "it will never be called again", SHOWN(spec->name));
	else if (study->is_part)
		kcatch_error_set(ENOENT, "%s: it is code that is jumped to, never called: a part of a "
				 "function, padding, or generated at run time", SHOWN(spec->name));
	else if (study->data_type)
		kcatch_error_set(ENOENT, "%s: it is a variable (type %c), not a function",
				 SHOWN(spec->name), study->data_type);
	else if (study->elsewhere && !kcatch_machine_module_loaded(spec->module)) {
		explain_missing_module(spec);
		kcatch_error_append("\n  a function of that name is in %s%s; try: kcatch %s",
				    study->owner[0] ? "module " : "the kernel itself", study->owner,
				    spec->symbol);
	} else if (study->elsewhere && study->owner[0])
		kcatch_error_set(ENOENT, "%s: it is not in module %s but in %s; try: kcatch %s:%s",
				 SHOWN(spec->name), spec->module, study->owner, study->owner,
				 spec->symbol);
	else if (study->elsewhere)
		kcatch_error_set(ENOENT, "%s: it is not in module %s but in the kernel itself; "
				 "try: kcatch %s", SHOWN(spec->name), spec->module, spec->symbol);
	else if (spec->module && !kcatch_machine_module_loaded(spec->module))
		explain_missing_module(spec);
	else
		explain_unknown(study);
}

static void explain_no_place(const struct study *study, struct kcatch_symbols *symbols)
{
	const struct kcatch_target_spec *spec = study->spec;
	struct kcatch_blacklist blacklist;
	struct kcatch_name name = { 0 };
	bool blacklisted = false;

	if (spec->offset && symbols && study->address)
		kcatch_symbols_find(symbols, study->address, &name);
	if (spec->offset && name.size && spec->offset >= name.size) {
		kcatch_error_set(EADDRNOTAVAIL, "%s: offset 0x%x: the function is only 0x%x bytes long",
				 SHOWN(spec->name), spec->offset, name.size);
		return;
	}
	if (!kcatch_blacklist_init(&blacklist)) {
		blacklisted = kcatch_blacklist_has(&blacklist, spec->symbol, strlen(spec->symbol));
		kcatch_blacklist_deinit(&blacklist);
	}
	if (blacklisted)
		kcatch_error_set(EADDRNOTAVAIL,
			"%s: it exists, but the kernel forbids hooking it: it is notrace (not in "
			"ftrace's list) and on the kprobe blacklist, as it runs where a hook would "
			"crash",
			SHOWN(spec->name));
	else if (!strncmp(spec->symbol, "kcatch_", 7) || !strncmp(spec->symbol, "__pfx_", 6))
		kcatch_error_set(EADDRNOTAVAIL, "%s: kcatch's own code and padding cannot be caught",
				 SHOWN(spec->name));
	else if (spec->offset)
		kcatch_error_set(
			EADDRNOTAVAIL,
			"%s: no probe can stand at offset 0x%x: no instruction starts at this byte, or "
			"the kernel needs that instruction untouched",
			SHOWN(spec->name), spec->offset);
	else if (study->init_functions && !study->functions)
		explain_not_found(study);
	else if (study->data_type && !study->functions)
		explain_not_found(study);
	else if (study->module[0] && kcatch_machine_module_goes(study->module))
		kcatch_error_set(ENOENT, "%s: it is in module %s, which is being unloaded",
				 SHOWN(spec->name), study->module);
	else
		kcatch_error_set(EADDRNOTAVAIL,
			"%s: it exists, but has no place for a hook: it is notrace (not in ftrace's list), "
			"and the kernel refused a kprobe on it", SHOWN(spec->name));
	if (study->functions && !spec->offset)
		kcatch_error_append("\n  to catch its neighbours, see: kcatch list '%s*'",
				    spec->symbol);
}

int kcatch_diagnose(const struct kcatch_target_spec *spec, int error,
		    struct kcatch_symbols *symbols)
{
	struct study *study;
	char *wanted = NULL;

	error = abs(error);
	if (error == EBUSY)
		return kcatch_error_set(error, "%s: tracing is switched off; switch it on: "
					"sysctl kernel.ftrace_enabled=1", SHOWN(spec->name));
	if (error == EPERM)
		return kcatch_error_set(error, "%s: hooking it would crash this machine; kcatch "
					"never does", SHOWN(spec->name));
	if (error == EINVAL)
		return kcatch_error_set(error, "%s: the kcatch module refuses it: it is not a "
					"function's name",
					SHOWN(spec->name));
	if (error == EOVERFLOW)
		return kcatch_error_set(error, "%s: no kprobe can stand there, and ftrace does not know "
					"the place: it is in the last function of its module, and this "
					"kernel would decode instructions beyond the module's end, where "
					"nothing is", SHOWN(spec->name));
	if (error != ENOENT && error != EADDRNOTAVAIL && error != ERANGE)
		return kcatch_error_set(error, "%s: %s", SHOWN(spec->name), strerror(error));

	study = calloc(1, sizeof(*study));
	if (study)
		wanted = strndup(spec->symbol,
				 spec->is_pattern ? strcspn(spec->symbol, "*?[") : SIZE_MAX);
	if (!wanted) {
		free(study);
		return kcatch_error_memory();
	}
	study->spec = spec;
	study->length = strlen(spec->symbol);
	study->literal = strlen(wanted);
	kcatch_suggest_init(&study->nearest, wanted);
	if (kcatch_kallsyms_read_all(visit, study))
		kcatch_error_set(error, "%s: %s", SHOWN(spec->name), strerror(error));
	else if (error == ENOENT)
		explain_not_found(study);
	else
		explain_no_place(study, symbols);
	free(wanted);
	free(study);
	return -error;
}
