/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.c - help that one can learn from: examples first
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"

const char help_catch[] =
"kcatch - who called that kernel function, with what, and what came back?\n"
"\n"
"  kcatch vfs_read                 the next call: who called it, the whole stack, the\n"
"                                  arguments by name, what it returned, how long it took\n"
"  kcatch vfs_write 'count > 65536 && comm == \"dd\"'\n"
"                                  the next call of which this condition holds\n"
"  kcatch vfs_open 'latency > 1ms' a slow one\n"
"  kcatch --errors 'ext4_*'        the next failure: the deepest function that failed,\n"
"                                  its stack, and the calls that passed it on\n"
"  kcatch --tree vfs_read 'ext4_*' what one call did underneath, in functions of a pattern\n"
"  kcatch --user do_unlinkat       with the program's own stack\n"
"  kcatch --entry do_exit          at the entry only: it never returns\n"
"  kcatch -n 0 -p 4711 'tcp_*'     all calls of tcp_... by process 4711, until Ctrl-C\n"
"  kcatch -t 2 -c sshd vfs_read    wait at most two seconds, for threads named sshd\n"
"  kcatch ext4:ext4_sync_file      the function of that name in module ext4; when the\n"
"                                  module is not loaded, wait for it\n"
"  kcatch vfs_read+OFFSET          inside a function, where an instruction starts:\n"
"                                  a stack shows such places (ksys_read+0xb7)\n"
"  kcatch -e sched:sched_process_exit 'code != 0'\n"
"                                  a tracepoint's next event; -e core: a set of them,\n"
"                                  -e 'kmem:*': a pattern, -e ktrace:NAME: DO_TRACE events\n"
"  kcatch --json -n 0 -t 10 vfs_open > calls.json\n"
"\n"
"usage: kcatch FUNCTION... [CONDITION] [options]\n"
"       kcatch --tree FUNCTION [PATTERN...] [CONDITION] [options]\n"
"       kcatch -e EVENT... [FUNCTION...] [CONDITION] [options]\n"
"  FUNCTION is a name, module:name, name+OFFSET (decimal or 0x...), or a pattern\n"
"  with * ? [abc] (quoted, or the shell takes it).\n"
"  CONDITION is the one word that has a blank, an operator, a quote or a bracket in it.\n"
"  It is an expression of C over arguments by name (file->f_flags & O_DIRECT), ret,\n"
"  latency (1ms), pid, tid, uid, cpu, comm; ~ \"text*\" compares the beginning of a text.\n"
"\n"
"  -n, --count N     catch N calls (trees, chains of failures), then end\n"
"                    (default 1; 0: until Ctrl-C)\n"
"  -t, --time SEC    end after SEC seconds at the latest (0.5 is half a second)\n"
"  -p, --pid PID     only calls by this process, all its threads\n"
"  -c, --comm NAME   only calls by threads of this name\n"
"  -e, --event NAME  a tracepoint (SYSTEM:NAME, NAME, patterns), DO_TRACE events\n"
"                    (ktrace:NAME), or core: system calls, interrupts, traps, scheduling\n"
"      --stack       the stack with each event of -e\n"
"      --errors      only calls that fail: a negative errno, an error pointer, NULL\n"
"                    (--errors=false: false as well)\n"
"      --tree        what the call does underneath: functions of the PATTERNs, or all\n"
"      --levels N    at most N levels of the tree\n"
"      --entry       at the entry only: no return value, no latency\n"
"      --no-args     no arguments\n"
"      --deep N      follow N pointers inside structs as well (default: the struct itself)\n"
"      --string N    at most N bytes of a string, 1 to 1000 (default 128)\n"
"      --user[=SIZE] the program's stack, of at most SIZE bytes (default 16K)\n"
"      --depth N     at most N frames of a stack (default 64, up to 256)\n"
"      --no-stack    no stack\n"
"      --size BYTES  ring for each CPU, 8K to 256M (default: by itself)\n"
"      --json        one JSON object a line, the last one a summary\n"
"  -v, --verbose     whole structs, and figures of each function at the end\n"
"  -h, --help        this text      --version  the release\n"
"\n"
"What is caught goes to standard output, all else to standard error. The last line\n"
"accounts for every call:\n"
"  hits = recorded + filtered (-p, -c, the condition, kcatch itself) + over budget (-n)\n"
"         + missed + lost (ring full)\n"
"\n"
"Exit status: 0 caught what was asked, or with a time limit or Ctrl-C at least one;\n"
"  1 wrong usage, could not be armed or written, with the reason; 2 nothing caught;\n"
"  3 caught, but something was missed or lost.\n"
"\n"
"Commands: kcatch list PATTERN (what can be caught), kcatch check (can this machine\n"
"trace). More: kcatch help list, man kcatch.\n";

const char help_list[] =
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

const char help_check[] =
"kcatch check - can this machine trace, and what is missing\n"
"\n"
"  kcatch check                    one line a fact: ok, note or missing, and the\n"
"                                  command that mends it\n"
"\n"
"usage: kcatch check [--json]\n"
"  Looks only, changes nothing, loads nothing.\n"
"\n"
"Exit status: 0 when a catch would work, 1 when not.\n";

const char help_record[] =
"kcatch record - record calls and events into a directory\n"
"\n"
"  kcatch record -f vfs_read -t 10         all reads of ten seconds: arguments, what came back\n"
"  kcatch record -f 'tcp_*' --stack -- curl example.org\n"
"                                          one command, with the stack of each call\n"
"  kcatch record -f vfs_write --filter 'count > 65536' -o big-writes\n"
"\n"
"  kcatch record --flight --detach -f 'ext4_*' --freeze-on oops\n"
"                                          the last calls, kept in memory until it happens\n"
"\n"
"usage: kcatch record [options] [-- COMMAND...]\n"
"  -f, --function FUNCTION  a function or pattern, as often as wanted\n"
"  -e, --event EVENT  a tracepoint (sched:sched_switch), a DO_TRACE event (ktrace:NAME), a\n"
"                     pattern of them, or core, the built-in set\n"
"      --filter EXPR  only calls of which this condition holds (as of kcatch FUNCTION)\n"
"  -o, --output DIR   the directory, which is made (default: kcatch-DATE-TIME)\n"
"      --stack        the stack of each call        --depth N  at most N frames of it\n"
"      --entry        entries only: no return value, no latency: cheaper\n"
"      --no-args      no arguments\n"
"  -p, --pid PID      only this process, all its threads; it ends when the process does\n"
"      --children     and all processes it has started or starts\n"
"  -c, --comm NAME    only threads of this name\n"
"      --size BYTES   ring for each CPU (default 4M)\n"
"  -t, --time SEC     end after SEC seconds\n"
"      --flight       flight recorder: keep the last --size bytes a CPU in memory, write\n"
"                     nothing; kcatch snapshot takes copies (and -o DIR one at the end)\n"
"      --freeze-on WHAT  flight recorder that stops and writes itself when it happens:\n"
"                     oops, warn, lockup, hung, panic, or a function or event and perhaps a\n"
"                     condition: 'vfs_open ret < 0'\n"
"      --freeze-log   and then the last records of each CPU go to the kernel log\n"
"      --detach       go on in the background: see kcatch sessions\n"
"      --name NAME    to be found by there\n"
"  COMMAND is run, it and all it starts is recorded (--no-children: only itself), and the\n"
"  end is its end.\n"
"\n"
"The directory is a CTF 1.8 trace, which babeltrace2 and others read, with what is\n"
"needed to read it on another machine. It can be read at any moment, while it grows and\n"
"after kill -9: at most the last second is missing then.\n"
"\n"
"Exit status: 0; 1 for an error; 2 nothing was recorded; 3 something was lost, or could\n"
"not be written.\n";

static const char help_help[] =
"kcatch help - help on a command\n"
"\n"
"usage: kcatch help [COMMAND]\n"
"\n";

void help_print(const char *topic)
{
	const struct command *command;

	for (command = commands; command->name; command++) {
		if (command->help && !strcmp(topic ? topic : "catch", command->name)) {
			fputs(command->help, stdout);
			return;
		}
	}
	fputs(help_help, stdout);
	for (command = commands; command->name; command++)
		printf("  %-8s %s\n", command->name, command->description);
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
		say("no help on %s; kcatch help help lists the commands", quoted(argv[1]));
		return STATUS_ERROR;
	}
	help_print(argv[1]);
	return output_finish(STATUS_CAUGHT);
}
