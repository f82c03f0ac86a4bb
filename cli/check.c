/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.c - kcatch check: report whether this machine can trace, and what is missing
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <kcatch.h>
#include <kcatch_json.h>

#include "command.h"
#include "options.h"

/* OK: no problem; NOTE: worth knowing; MISSING: tracing cannot work without it. */
enum verdict { OK, NOTE, MISSING };

struct findings {
	struct json_writer *items;	/* NULL: text */
	bool works;
	bool unknown;	/* only loading the module tells */
};

static void tell(struct findings *findings, enum verdict verdict, const char *name, const char *fix,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

static void tell(struct findings *findings, enum verdict verdict, const char *name, const char *fix,
		 const char *format, ...)
{
	static const char *const words[] = { "ok", "note", "missing" };
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (verdict == MISSING)
		findings->works = false;
	if (findings->items) {
		json_put_begin(findings->items, true);
		json_add_word(findings->items, "check", name);
		json_add_word(findings->items, "state", words[verdict]);
		json_add_word(findings->items, "text", text);
		if (fix && verdict != OK)
			json_add_word(findings->items, "fix", fix);
		json_put_end(findings->items);
		return;
	}
	printf("%-8s %-16s %s\n", words[verdict], name, text);
	while (fix && *fix && verdict != OK) {
		int length = (int)strcspn(fix, "\n");

		printf("%-8s %-16s   %.*s\n", "", "", length, fix);
		fix += length + (fix[length] == '\n');
	}
}

static void check_rights(struct findings *findings, const struct kcatch_machine *machine)
{
	if (machine->can_trace)
		tell(findings, OK, "rights", NULL, "%s",
		     machine->is_root ? "root" : "CAP_PERFMON and CAP_SYSLOG");
	else if (machine->is_root)
		tell(findings, MISSING, "rights",
		     "run it outside of the container, or give it CAP_SYS_ADMIN",
		     "root, but without the machine's CAP_SYS_ADMIN");
	else
		tell(findings, MISSING, "rights", "sudo kcatch check", "not root");
}

static void check_signatures(struct findings *findings, const struct kcatch_machine *machine)
{
	const char *sign = machine->module_loaded ? NULL : machine->signing_remedy;

	/* Whether a key is trusted only the kernel knows. */
	findings->unknown |= !machine->module_loaded &&
			     (machine->secure_boot == KCATCH_YES ||
			      !strcmp(machine->lockdown, "integrity"));
	if (machine->secure_boot == KCATCH_YES)
		tell(findings, NOTE, "Secure Boot", sign,
		     "on: the kernel loads signed modules only");
	else if (machine->secure_boot == KCATCH_NO)
		tell(findings, OK, "Secure Boot", NULL, "off");
	else
		tell(findings, NOTE, "Secure Boot", "mokutil --sb-state", "state not known");

	if (!machine->lockdown[0])
		tell(findings, OK, "lockdown", NULL, "unknown, most likely none");
	else if (!strcmp(machine->lockdown, "none"))
		tell(findings, OK, "lockdown", NULL, "none");
	else if (!strcmp(machine->lockdown, "integrity"))
		tell(findings, NOTE, "lockdown", sign,
		     "integrity: signed modules only");
	else
		tell(findings, MISSING, "lockdown",
		     "switch Secure Boot off, or remove lockdown= from the boot "
		     "parameters",
		     "%s: forbids reading kernel memory", machine->lockdown);
}

static void check_module(struct findings *findings, const struct kcatch_machine *machine)
{
	char fix[256];

	if (machine->module_file[0])
		tell(findings, OK, "module file", NULL, "%s", machine->module_file);
	else
		tell(findings, machine->module_loaded ? NOTE : MISSING, "module file",
		     machine->module_remedy, "not installed for kernel %s", machine->release);
	snprintf(fix, sizeof(fix), "apt-get install linux-headers-%s", machine->release);
	if (machine->headers[0])
		tell(findings, OK, "kernel headers", NULL, "%s", machine->headers);
	else
		tell(findings, NOTE, "kernel headers", fix,
		     "not there; only building the module needs them");
	if (machine->module_loaded)
		tell(findings, OK, "module", NULL, "loaded%s%s",
		     *machine->module_version ? ", release " : "", machine->module_version);
	else if (machine->module_file[0] && machine->can_load)
		tell(findings, OK, "module", NULL, "not loaded yet; the first catch loads it");
	else if (machine->module_file[0])
		tell(findings, MISSING, "module",
		     machine->is_root ? "outside of the container: modprobe kcatch" :
					"sudo modprobe kcatch",
		     "not loaded, and %s may not load it",
		     machine->is_root ? "root of this container" : "this user");
	else
		tell(findings, MISSING, "module", "once its file is installed: modprobe kcatch",
		     "not loaded");
}

/* Is @release newer than the newest kernel that kcatch was tested on (vm/kernels)? */
static bool newer_than_tested(const char *release)
{
	unsigned int version, sub, tested_version, tested_sub;

	if (sscanf(release, "%u.%u", &version, &sub) != 2 ||
	    sscanf(KCATCH_NEWEST_KERNEL, "%u.%u", &tested_version, &tested_sub) != 2)
		return false;
	return version > tested_version || (version == tested_version && sub > tested_sub);
}

static void check_release(struct findings *findings, const struct kcatch_machine *machine)
{
	if (newer_than_tested(machine->release))
		tell(findings, NOTE, "kernel", NULL,
		     "%s: newer than any that kcatch was tested on (" KCATCH_NEWEST_KERNEL ")",
		     machine->release);
	else
		tell(findings, OK, "kernel", NULL, "%s", machine->release);
}

static void check_kernel(struct findings *findings, const struct kcatch_machine *machine)
{
	if (machine->ftrace_enabled == 0)
		tell(findings, MISSING, "ftrace", "sysctl kernel.ftrace_enabled=1",
		     "switched off (kernel.ftrace_enabled is 0)");
	else if (machine->ftrace_enabled < 0)
		tell(findings, NOTE, "ftrace", NULL, "not in this kernel: kprobes are used");
	else
		tell(findings, OK, "ftrace", NULL, "switched on");
	if (machine->kprobes_enabled == 0)
		tell(findings, NOTE, "kprobes", "echo 1 > /sys/kernel/debug/kprobes/enabled",
		     "switched off: only what ftrace reaches can be caught");
	if (machine->tracefs[0])
		tell(findings, OK, "tracefs", NULL, "%s", machine->tracefs);
	else
		tell(findings, NOTE, "tracefs", "mount -t tracefs nodev /sys/kernel/tracing",
		     "not mounted; kcatch list needs it");
	if (machine->has_kprobe_blacklist)
		tell(findings, OK, "debugfs", NULL, "kprobe blacklist is there");
	else if (!machine->is_root)
		tell(findings, NOTE, "debugfs", NULL,
		     "only root can see whether the kprobe blacklist is there");
	else
		tell(findings, NOTE, "debugfs", "mount -t debugfs nodev /sys/kernel/debug",
		     "no kprobe blacklist; kcatch list shows only what ftrace reaches");
	if (machine->btf_unknown)
		tell(findings, NOTE, "types (BTF)", NULL,
		     "types of the kind %d%s are newer than this kcatch, and not shown",
		     machine->btf_unknown, machine->btf_ends ? ", and all behind them," : "");
	else if (machine->btf)
		tell(findings, OK, "types (BTF)", NULL, "/sys/kernel/btf/vmlinux");
	else
		tell(findings, NOTE, "types (BTF)", NULL, "none: arguments are shown as registers");
	if (!machine->shares_numbers)
		tell(findings, NOTE, "processes", "docker run --pid=host, or the like",
		     "have other numbers in this PID namespace: no user stacks, no names of tasks in events");
	if (machine->kptr_restrict == 2)
		tell(findings, NOTE, "addresses", "sysctl kernel.kptr_restrict=1",
		     "hidden (kernel.kptr_restrict is 2); names are still shown. kcatch watch finds "
		     "no variable, and conditions no &name");
	else
		tell(findings, OK, "addresses", NULL, "shown to root (kernel.kptr_restrict is %d)",
		     machine->kptr_restrict);
}

/* What the module tried when it was loaded, and does without (distrust, kcatch(4)). */
static void check_trials(struct findings *findings, unsigned int features)
{
	static const struct {
		unsigned int feature;
		const char *name, *text;
	} trials[] = {
		{ KCATCH_CAN_MATCH, "names", "matched in /proc/kallsyms, which is slower" },
		{ KCATCH_CAN_TABLE, "table", "of symbols is not read: a function by its name takes "
					     "longer to arm" },
		{ KCATCH_CAN_ORC, "stacks", "walked by the kernel's unwinder, which is slower" },
		{ KCATCH_CAN_RETURN, "returns", "are not caught: entries alone (kcatch --entry)" },
		{ KCATCH_CAN_RETURN_SHARED, "returns",
		  "caught by a kretprobe for each function, which is slower" },
		{ KCATCH_CAN_PATH, "paths", "of files end where their file system is mounted" },
		{ KCATCH_CAN_NMI, "running threads",
		  "other modules cannot save their stacks (kcatch_stack(9))" },
	};
	size_t i;

	if (!(features & KCATCH_CAN_RETURN))
		features |= KCATCH_CAN_RETURN_SHARED;	/* one line will do */
	for (i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
		if (!(features & trials[i].feature))
			tell(findings, NOTE, trials[i].name,
			     "this kernel is not made as expected: dmesg | grep kcatch:", "%s",
			     trials[i].text);
}

/* Opening a session is the real test: it needs the module and the rights. */
static void check_session(struct findings *findings, const struct kcatch_machine *machine)
{
	struct kcatch_session *session;
	unsigned int features;
	int ret;

	if (!machine->module_loaded || !machine->can_trace)
		return;
	ret = kcatch_session_open(&session);
	if (ret) {
		tell(findings, MISSING, "session", NULL, "%s", kcatch_error_text());
		return;
	}
	features = kcatch_session_features(session);
	tell(findings, OK, "session", NULL, "the module (release %s) answers",
	     kcatch_session_version(session));
	tell(findings, features & (KCATCH_CAN_FTRACE | KCATCH_CAN_KPROBE) ? OK : MISSING,
	     "mechanisms", NULL, "%s%s%s%s%s",
	     features & KCATCH_CAN_FTRACE ? "ftrace" : "no ftrace",
	     features & KCATCH_CAN_KPROBE ? ", kprobe" : ", no kprobe",
	     features & KCATCH_CAN_MATCH ? ", names matched in the kernel"
					 : ", names matched by kallsyms",
	     features & KCATCH_CAN_ORC ? ", own stack walker" : ", the kernel's stack walker", "");
	check_trials(findings, features);
	kcatch_session_close(session);
}

static int check_main(int argc, char **argv)
{
	struct options options = { .json = false };
	struct json_writer items = { .length = 0 }, json = { .length = 0 };
	struct findings findings = { .works = true };
	const struct kcatch_machine *machine;
	int status = options_parse(&command_check, argc, argv, &options);

	if (status >= 0)
		return command_end(status);
	if (optind < argc) {
		say("check takes no arguments: %s", quoted(argv[optind]));
		return STATUS_ERROR;
	}
	if (kcatch_machine_create(&machine)) {
		say("%s", kcatch_error_text());
		return STATUS_ERROR;
	}
	if (options.json) {
		findings.items = &items;
		json_put_begin(&items, true);
		json_add_begin(&items, "checks", false);
	}
	check_release(&findings, machine);
	check_rights(&findings, machine);
	check_signatures(&findings, machine);
	check_module(&findings, machine);
	check_kernel(&findings, machine);
	check_session(&findings, machine);
	if (findings.items) {
		json_put_end(&items);
		json_put_begin(&json, true);
		if (findings.works && findings.unknown)
			json_add_null(&json, "works");
		else
			json_add_bool(&json, "works", findings.works);
		json_add_word(&json, "kernel", machine->release);
		if (items.failed)
			json.failed = true;
		else
			json_put_ready(&json, items.text + strlen("{"), items.length - strlen("{"));
		json_put_end(&json);
		json_print(&json, stdout, "\n");
	} else {
		puts(!findings.works ? "\nkcatch cannot trace here yet: see what is missing above." :
		     findings.unknown ?
		     "\nOnly loading the module tells whether its signature is trusted: "
		     "modprobe kcatch" :
		     "\nkcatch can trace here. Try: kcatch vfs_read");
	}
	json_writer_deinit(&items);
	json_writer_deinit(&json);
	kcatch_machine_destroy(machine);
	return command_end(findings.works && !findings.unknown ? STATUS_CAUGHT : STATUS_ERROR);
}

static const struct option_use uses[] = {
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch check - can this machine trace, and what is missing\n"
"\n"
"  kcatch check                    one line a fact: ok, note or missing, and the\n"
"                                  command that fixes it\n"
"\n"
"usage: kcatch check [options]\n"
"  Looks only, changes nothing, loads nothing.\n"
"\n";

const struct command command_check = {
	.name = "check",
	.run = check_main,
	.description = "can this machine trace, and what is missing",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0 when a catch would work, 1 when not, or when that is not known.\n",
};
