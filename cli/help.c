/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.c - help that one can learn from: examples first
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"

static const char help_catch[] =
"kcatch - who called that kernel function?\n"
"\n"
"  kcatch vfs_read                 the next call of vfs_read: who called it, the whole stack\n"
"  kcatch -n 5 vfs_read            the next five calls\n"
"  kcatch -n 0 -p 4711 'tcp_*'     all calls of tcp_... by process 4711, until Ctrl-C\n"
"  kcatch -t 2 -c sshd do_exit     wait at most two seconds, for threads named sshd\n"
"  kcatch ext4:ext4_sync_file      the function of that name in module ext4\n"
"  kcatch vfs_read+OFFSET          inside a function, where an instruction starts:\n"
"                                  a stack shows such places (ksys_read+0xb7)\n"
"  kcatch do_exit vfs_unlink       the next call of either\n"
"  kcatch --json -n 0 -t 10 vfs_open > calls.json\n"
"\n"
"usage: kcatch FUNCTION... [options]\n"
"  FUNCTION is a name, module:name, name+OFFSET (decimal or 0x...), or a pattern\n"
"  with * ? [abc] (quoted, or the shell takes it).\n"
"\n"
"  -n, --count N     catch N calls in all, then end (default 1; 0: until Ctrl-C)\n"
"  -t, --time SEC    end after SEC seconds at the latest (0.5 is half a second)\n"
"  -p, --pid PID     only calls by this process, all its threads\n"
"  -c, --comm NAME   only calls by threads of this name\n"
"      --depth N     at most N frames of a stack (default 64, up to 256)\n"
"      --no-stack    no stack: who, where and when only\n"
"      --size BYTES  ring for each CPU, 8K to 256M (default: by itself)\n"
"      --entry       catch at function entry (the default)\n"
"      --json        one JSON object a line, the last one a summary\n"
"  -v, --verbose     figures of each function at the end\n"
"  -h, --help        this text      --version  the release\n"
"\n"
"What is caught goes to standard output, all else to standard error. The last line\n"
"accounts for every call:\n"
"  hits = recorded + filtered (-p, -c, kcatch itself) + over budget (-n) + missed + lost (ring full)\n"
"\n"
"Exit status: 0 caught what was asked, or with a time limit or Ctrl-C at least one;\n"
"  1 wrong usage, could not be armed or written, with the reason; 2 nothing caught;\n"
"  3 caught, but something was missed or lost.\n"
"\n"
"Commands: kcatch list PATTERN (what can be caught), kcatch check (can this machine\n"
"trace). More: kcatch help list, man kcatch.\n";

static const char help_list[] =
"kcatch list - functions that can be caught, and how\n"
"\n"
"  kcatch list 'tcp_send*'         all that match\n"
"  kcatch list 'ext4:*'            all of module ext4\n"
"  kcatch list '*page_fault*'      search by a part of the name\n"
"\n"
"usage: kcatch list PATTERN... [--json]\n"
"  Each line: mechanism, name, [module]. ftrace: an entry hook, the cheapest; kprobe:\n"
"  a breakpoint or jump, for what ftrace does not reach. A pattern given to kcatch\n"
"  itself arms what ftrace reaches; name the others one by one.\n"
"\n"
"Exit status: 0, 1 for an error, 2 when nothing matches (with suggestions).\n";

static const char help_check[] =
"kcatch check - can this machine trace, and what is missing\n"
"\n"
"  kcatch check                    one line a fact: ok, note or missing, and the\n"
"                                  command that mends it\n"
"\n"
"usage: kcatch check [--json]\n"
"  Looks only, changes nothing, loads nothing.\n"
"\n"
"Exit status: 0 when a catch would work, 1 when not.\n";

static const char help_help[] =
"kcatch help - help on a command\n"
"\n"
"usage: kcatch help [COMMAND]\n"
"\n";

void help_print(const char *topic)
{
	const struct command *command;

	if (!topic || !strcmp(topic, "catch")) {
		fputs(help_catch, stdout);
	} else if (!strcmp(topic, "list")) {
		fputs(help_list, stdout);
	} else if (!strcmp(topic, "check")) {
		fputs(help_check, stdout);
	} else {
		fputs(help_help, stdout);
		for (command = commands; command->name; command++)
			printf("  %-7s %s\n", command->name, command->description);
	}
}

int help_main(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		help_print(NULL);
		return output_finish(STATUS_CAUGHT);
	}
	for (command = commands; command->name; command++) {
		if (!strcmp(argv[1], command->name) || !strcmp(argv[1], "--help"))
			break;
	}
	if (!command->name) {
		if (is_later_command(argv[1]))
			say("the command %s is not in this release (%s)", argv[1], KCATCH_VERSION);
		else
			say("no help on %s: there are help catch, help list and help check", quoted(argv[1]));
		return STATUS_ERROR;
	}
	help_print(argv[1]);
	return output_finish(STATUS_CAUGHT);
}
