/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.c - kcatch signals: show who sends which signal to whom
 *
 * The signals that end kcatch itself are in common/interrupt.c.
 */
#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


#include <kcatch.h>
#include <kcatch_json.h>
#include <kcatch_text.h>

#include "command.h"
#include "show.h"
#include "value_text.h"

#define WHOLE_DEPTH 64	/* frames of a stack that are fetched at least, as without --depth */
#define CODE_SECCOMP 1	/* of SIGSYS (asm-generic/siginfo.h) */
#define NUMBERS 64	/* signal numbers on one command line */

struct sent {
	struct show show;	/* first member: arm() converts back */
	struct sent_options {
		struct options shared;
		uint32_t target;
	} options;
	int numbers[NUMBERS];
	unsigned int depth;	/* frames that are shown; 0: all */
	struct render_options view;
	struct kcatch_signals_request request;
};

/* ---- the command line ---------------------------------------------------------------- */

/* Second names, of signal(7): the C library knows one for each number. */
static const struct { const char *name; int number; } synonyms[] = {
	{ "IO", SIGIO }, { "CLD", SIGCHLD }, { "IOT", SIGABRT }, { "UNUSED", SIGSYS },
};

/* A name with or without SIG, SIGRTMIN+n, or a number. Return: the number; -1: no signal. */
static int number_of(const char *word)
{
	const char *name = word, *known;
	uint64_t number;
	size_t other;
	int i;

	if (option_number(word, 64, &number))
		return number ? (int)number : -1;
	if (!strncasecmp(name, "SIG", 3))
		name += 3;
	if (!strncasecmp(name, "RTMIN", 5) || !strncasecmp(name, "RTMAX", 5)) {
		char sign = name[5];

		number = 0;
		if (sign && ((sign != '+' && sign != '-') || !option_number(name + 6, 64, &number)))
			return -1;
		i = (name[4] | 32) == 'n' ? SIGRTMIN : SIGRTMAX;
		i += sign == '-' ? -(int)number : (int)number;
		return i >= SIGRTMIN && i <= SIGRTMAX ? i : -1;
	}
	for (i = 1; i < 32; i++) {
		known = sigabbrev_np(i);
		if (known && !strcasecmp(known, name))
			return i;
	}
	for (other = 0; other < sizeof(synonyms) / sizeof(synonyms[0]); other++)
		if (!strcasecmp(synonyms[other].name, name))
			return synonyms[other].number;
	return -1;
}

static int parse(int argc, char **argv, struct sent *sent)
{
	int status;

	kcatch_request_init(&sent->options.shared.request);
	status = options_parse(&command_signals, argc, argv, &sent->options);
	if (status >= 0)
		return status;
	for (; optind < argc; optind++) {
		int number = number_of(argv[optind]);

		if (number < 0 || sent->request.nr_numbers == NUMBERS) {
			say("%s is no signal; see kill -l", quoted(argv[optind]));
			return STATUS_ERROR;
		}
		sent->numbers[sent->request.nr_numbers++] = number;
	}
	sent->request.numbers = sent->numbers;
	sent->request.target = sent->options.target;
	sent->request.gate = &sent->options.shared.request;
	sent->options.shared.request.budget = sent->options.shared.count;
	/* The stack tells the cause: what is shown of it is no matter of what is fetched. */
	sent->depth = sent->options.shared.request.depth;
	sent->view = options_view(&sent->options.shared);
	if (sent->depth < WHOLE_DEPTH)
		sent->options.shared.request.depth = 0;
	return -1;
}

/* ---- what a signal means --------------------------------------------------------------- */

static bool is_real_time(int number)
{
	return number > 31;
}

/* The name that kill -l prints. Return: @room. */
static const char *name_of(int number, char *room, size_t size)
{
	const char *name = number > 0 && number < 32 ? sigabbrev_np(number) : NULL;

	if (name)
		snprintf(room, size, "SIG%s", name);
	else if (number == SIGRTMIN)
		snprintf(room, size, "SIGRTMIN");
	else if (number > SIGRTMIN && number <= SIGRTMIN + 15)
		snprintf(room, size, "SIGRTMIN+%d", number - SIGRTMIN);
	else if (number > SIGRTMIN && number < SIGRTMAX)
		snprintf(room, size, "SIGRTMAX-%d", SIGRTMAX - number);
	else if (number == SIGRTMAX)
		snprintf(room, size, "SIGRTMAX");
	else
		snprintf(room, size, "signal %d", number);
	return room;
}

/*
 * The sender inside the kernel, by a function on the stack; the first row that matches, so that a
 * caller stands below what it calls. @number: only of this signal; 0: of any. @also: only with
 * this function on the stack, too.
 */
#define OOM "the OOM killer"
#define CPU_LIMIT "a limit of CPU time (RLIMIT_CPU or RLIMIT_RTTIME)"
#define ORPHANED "the end of the last parent of its process group, in which one is stopped"
static const struct {
	const char *function;
	int number;
	const char *meaning;
	const char *also;
} senders[] = {
	{ "oom_kill_process", 0, OOM, NULL },
	{ "__oom_kill_process", 0, OOM, NULL },
	{ "oom_kill_memcg_member", 0, OOM, NULL },
	{ "__isig", 0, "the terminal (a key)", NULL },
	{ "isig", 0, "the terminal (a key)", NULL },
	{ "__tty_hangup", 0, "the terminal (hung up)", NULL },
	{ "tty_signal_session_leader", 0, "the terminal (hung up)", NULL },
	{ "disassociate_ctty", 0, "the terminal (the leader of its session left it)", NULL },
	{ "__tty_check_change", 0, "the terminal (used by a process in the background)", NULL },
	{ "n_tty_read", SIGTTIN, "the terminal (read by a process in the background)", NULL },
	{ "tty_do_resize", 0, "the terminal (its size changed)", NULL },
	{ "pty_resize", 0, "the terminal (its size changed)", NULL },
	{ "pipe_write", 0, "a write to a pipe that nobody reads", NULL },
	{ "anon_pipe_write", 0, "a write to a pipe that nobody reads", NULL },	/* its newer name */
	{ "it_real_fn", 0, "its timer (alarm, setitimer)", NULL },
	{ "posix_timer_fn", 0, "its timer (timer_create)", NULL },
	/* One function looks at all that is counted in CPU time. */
	{ "run_posix_cpu_timers", SIGXCPU, CPU_LIMIT, NULL },
	{ "run_posix_cpu_timers", SIGKILL, CPU_LIMIT, NULL },
	{ "run_posix_cpu_timers", 0, "its timer of CPU time", NULL },
	{ "posix_cpu_timers_work", SIGXCPU, CPU_LIMIT, NULL },
	{ "posix_cpu_timers_work", SIGKILL, CPU_LIMIT, NULL },
	{ "posix_cpu_timers_work", 0, "its timer of CPU time", NULL },
	{ "cgroup_kill_write", 0, "cgroup.kill", NULL },
	{ "do_notify_parent", 0, "the end of its child", NULL },
	{ "do_notify_parent_cldstop", 0, "its child that stopped or went on", NULL },
	{ "__secure_computing", 0, "seccomp", NULL },
	{ "__seccomp_filter", 0, "seccomp", NULL },
	{ "exit_ptrace", 0, "the end of its tracer (PTRACE_O_EXITKILL)", NULL },
	{ "ptrace_attach", 0, "ptrace (its tracer attaches)", NULL },
	{ "zap_pid_ns_processes", 0, "the end of init of its PID namespace", NULL },
	{ "reboot_pid_ns", 0, "reboot() in its PID namespace", NULL },
	{ "do_exit", 0, ORPHANED, "__kill_pgrp_info" },
	{ "send_sigio_to_task", 0, "a file that is ready (fcntl F_SETOWN)", NULL },
	{ "send_sigurg", 0, "urgent data at a socket (fcntl F_SETOWN)", NULL },
	{ "send_sigurg_to_task", 0, "urgent data at a socket (fcntl F_SETOWN)", NULL },
	{ "send_sig_all", 0, "SysRq", NULL },
	{ "sysrq_handle_term", 0, "SysRq", NULL },
	{ "sysrq_handle_kill", 0, "SysRq", NULL },
	{ "exc_general_protection", 0, "a fault whose address the processor does not tell", NULL },
	{ "force_sigsegv", 0, "a stack on which a handler finds no room", NULL },
	{ "signal_setup_done", 0, "a stack on which a handler finds no room", NULL },
	{ "begin_new_exec", SIGSEGV, "execve(), which failed when the old program was gone", NULL },
	{ "bprm_execve", SIGSEGV, "execve(), which failed when the old program was gone", NULL },
	/* Kernels of 7.x pass no information with a signal that a process sends. */
	{ "sys_kill", 0, "kill()", NULL },
	{ "__ia32_sys_kill", 0, "kill()", NULL },
	{ "sys_pidfd_send_signal", 0, "pidfd_send_signal()", NULL },
};

/* Of a signal that no process asked for, its number tells the cause: functions that find a file too
 * large, or a socket without a peer, are many. */
static const struct { int number; const char *meaning; } by_number[] = {
	{ SIGXFSZ, "a limit of the size of files (RLIMIT_FSIZE)" },
	{ SIGPIPE, "a write to a pipe or socket that nobody reads" },
};

/* A part of a function that the compiler set apart has a dot behind its name. */
static bool is_named(const char *symbol, const char *name)
{
	size_t length = strlen(name);

	symbol = kcatch_plain_syscall(symbol);
	return !strncmp(symbol, name, length) && (!symbol[length] || symbol[length] == '.');
}

static bool has_function(struct kcatch_session *session, const struct kcatch_event *event,
			 const char *name)
{
	struct kcatch_frame frame;
	uint32_t i;

	for (i = 0; i < event->nr_frames; i++) {
		if (!kcatch_session_frame(session, i, &frame) && frame.symbol &&
		    is_named(frame.symbol, name))
			return true;
	}
	return false;
}

static const char *sender_on_stack(struct kcatch_session *session, const struct kcatch_event *event,
				   int number)
{
	size_t i;

	for (i = 0; i < sizeof(senders) / sizeof(senders[0]); i++) {
		if ((!senders[i].number || senders[i].number == number) &&
		    has_function(session, event, senders[i].function) &&
		    (!senders[i].also || has_function(session, event, senders[i].also)))
			return senders[i].meaning;
	}
	return NULL;
}

/*
 * Who ends sends a signal to those that asked for one at the end of their parent. Compilers make
 * the function that does it a part of do_exit(): whatever else that sends comes out of other
 * functions.
 */
static bool is_by_end_of_parent(struct kcatch_session *session, const struct kcatch_event *event)
{
	static const char *const between[] = {
		"trace_signal_generate", "__send_signal_locked", "send_signal_locked",
		"do_send_sig_info", "group_send_sig_info", "forget_original_parent", "exit_notify",
	};
	struct kcatch_frame frame;
	uint32_t i;
	size_t at;

	for (i = 0; i < event->nr_frames; i++) {
		if (kcatch_session_frame(session, i, &frame) || !frame.symbol)
			return false;
		if (is_named(frame.symbol, "do_exit"))
			return true;
		for (at = 0; at < sizeof(between) / sizeof(between[0]) &&
			     !is_named(frame.symbol, between[at]); at++)
			;
		if (at == sizeof(between) / sizeof(between[0]))
			return false;
	}
	return false;
}

static void describe_fault(const struct kcatch_signal *signal, char *text, size_t room)
{
	int used = snprintf(text, room, "a fault at address 0x%" PRIx64, signal->address);

	if (signal->user_ip && used > 0 && (size_t)used < room)
		snprintf(text + used, room - (size_t)used, ", instruction 0x%" PRIx64,
			 signal->user_ip);
}

static bool is_fault(const struct kcatch_signal *signal)
{
	return signal->has_info && signal->code > 0 && signal->code < SI_KERNEL &&
	       (signal->number == SIGSEGV || signal->number == SIGBUS || signal->number == SIGILL ||
		signal->number == SIGFPE || signal->number == SIGTRAP);
}

static void describe_oom(struct kcatch_session *session, const struct kcatch_event *event,
			 char *text, size_t room)
{
	const char *reason = "the machine has no memory left";

	if (has_function(session, event, "mem_cgroup_out_of_memory"))
		reason = "the memory limit of its cgroup was reached";
	else if (has_function(session, event, "moom_callback"))
		reason = "SysRq asked for it";
	else if (event->stack != KCATCH_STACK_WHOLE)
		reason = "why is not known, as the stack could not be followed to its end";
	snprintf(text, room, "the OOM killer: %s", reason);
}

/* What sent it: a fault, a system call, or a part of the kernel. */
static void describe_how(struct kcatch_session *session, const struct kcatch_event *event,
			 const struct kcatch_signal *signal, char *text, size_t room)
{
	const char *sender;
	size_t i;

	if (signal->has_info && signal->code == SI_QUEUE) {
		snprintf(text, room, "sigqueue() with value %" PRIu64, signal->value);
		return;
	}
	/* By it a process sends itself any code, that of a fault, too. */
	if (has_function(session, event, "sys_rt_sigqueueinfo") ||
	    has_function(session, event, "sys_rt_tgsigqueueinfo")) {
		snprintf(text, room, "sigqueue()");
		return;
	}
	if (is_fault(signal)) {
		describe_fault(signal, text, room);
		return;
	}
	if (signal->has_info && (signal->code == SI_USER || signal->code == SI_TKILL)) {
		snprintf(text, room, signal->code == SI_USER ? "kill()" : "tgkill()");
		return;
	}
	if (signal->has_info && signal->number == SIGSYS && signal->code == CODE_SECCOMP) {
		snprintf(text, room, "seccomp");
		return;
	}
	sender = sender_on_stack(session, event, signal->number);
	if (sender && !strcmp(sender, OOM)) {
		describe_oom(session, event, text, room);
		return;
	}
	for (i = 0; !sender && i < sizeof(by_number) / sizeof(by_number[0]); i++) {
		if (by_number[i].number == signal->number)
			sender = by_number[i].meaning;
	}
	if (!sender && is_by_end_of_parent(session, event))
		sender = "the end of its parent (PR_SET_PDEATHSIG)";
	if (!sender && signal->has_info && signal->code == SI_TIMER)
		sender = "its timer (timer_create)";
	if (!sender && signal->has_info && signal->code == SI_MESGQ)
		sender = "a message queue (mq_notify)";
	snprintf(text, room, "%s", sender ? sender : "the kernel");
}

static const char *describe_fate(const struct kcatch_signal *signal)
{
	if (signal->result == 3)
		return "not sent: too many are queued";
	if (signal->ending)
		return "dropped, the process is already ending";
	if (signal->ignored)
		return "ignored";
	if (signal->blocked)
		return "blocked, it waits";
	if (signal->result == 2)
		return "one was pending already";
	if (signal->fatal)
		return "fatal";
	if (signal->unknown)
		return is_real_time(signal->number) ?
			       "fatal or handled: unknown for real-time signals" :
			       "fatal or handled: its handlers could not be read";
	return signal->has_handler ? "there is a handler" : "not fatal";
}

/* ---- showing ------------------------------------------------------------------------------ */

static void print_name(const char *comm)
{
	value_text_escaped(stdout, comm, strlen(comm), false);
}

static int show_text(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct kcatch_signal *signal, const char *how,
		     const struct render_options *options)
{
	static const char *const contexts[] = { "", "softirq", "interrupt", "NMI" };
	const struct colours *c = render_colours();
	char name[24];
	uint32_t i;
	int ret;

	printf("%s%s%s to %s", c->head, name_of(signal->number, name, sizeof(name)), c->off,
	       c->name);
	print_name(signal->target_comm);
	printf("%s  pid %u", c->off, signal->target_pid);
	if (signal->target_tid != signal->target_pid)
		printf("/%u", signal->target_tid);
	printf("  %s%s%s%s  cpu %u  time %" PRIu64 ".%09" PRIu64 "\n", signal->fatal ? c->warn : "",
	       describe_fate(signal), signal->fatal ? c->off : "", signal->to_process ? "" : "  (to this thread)",
	       event->cpu, event->time_ns / 1000000000, event->time_ns % 1000000000);
	printf("  by %s\n", how);
	if (event->context == KCATCH_IN_TASK) {
		printf("  from ");
		print_name(event->comm);
		printf("(%u) uid %u", event->pid, signal->sender_uid);
		for (i = 0; i < signal->nr_ancestors; i++) {
			printf(" < ");
			print_name(signal->ancestors[i].comm);
			printf("(%u)", signal->ancestors[i].pid);
		}
		if (i && i == KCATCH_SIGNAL_ANCESTORS && signal->ancestors[i - 1].pid != 1)
			printf(" < ...");
		putchar('\n');
	} else {
		printf("  from an %s: no process sent it\n", contexts[event->context & 3]);
	}
	ret = render_stack(stdout, session, event, options);
	putchar('\n');
	return ret;
}

static void put_process(struct json_writer *json, uint32_t pid, uint32_t tid, const char *comm)
{
	json_put_begin(json, true);
	json_add_number(json, "pid", pid);
	if (tid)
		json_add_number(json, "tid", tid);
	json_add_word(json, "comm", comm);
}

static void add_address(struct json_writer *json, const char *name, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_add_word(json, name, text);
}

/* Who sent it, and who that was started by. */
static void put_sender(struct json_writer *json, const struct kcatch_event *event,
		       const struct kcatch_signal *signal)
{
	uint32_t i;

	json_add(json, "sender");
	put_process(json, event->pid, event->tid, event->comm);
	json_add_number(json, "uid", signal->sender_uid);
	json_put_end(json);
	json_add_begin(json, "ancestry", false);
	for (i = 0; i < signal->nr_ancestors; i++) {
		put_process(json, signal->ancestors[i].pid, 0, signal->ancestors[i].comm);
		json_put_end(json);
	}
	json_put_end(json);
}

static int show_json(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct kcatch_signal *signal, const char *how)
{
	static const char *const contexts[] = { "task", "softirq", "hardirq", "nmi" };
	static struct json_writer json;
	struct kcatch_frame frame;
	char name[24];
	uint32_t i;

	json_writer_reset(&json);
	json_put_begin(&json, true);
	json_add_word(&json, "signal", name_of(signal->number, name, sizeof(name)));
	json_add_signed(&json, "number", signal->number);
	json_add_number(&json, "time_ns", event->time_ns);
	json_add_number(&json, "cpu", event->cpu);
	json_add_word(&json, "context", contexts[event->context & 3]);
	json_add(&json, "target");
	put_process(&json, signal->target_pid, signal->target_tid, signal->target_comm);
	json_put_end(&json);
	json_add_bool(&json, "to_process", signal->to_process != 0);
	if (event->context == KCATCH_IN_TASK)
		put_sender(&json, event, signal);
	json_add_word(&json, "how", how);
	if (signal->has_info)
		json_add_signed(&json, "code", signal->code);
	if (is_fault(signal)) {
		add_address(&json, "address", signal->address);
		if (signal->user_ip)
			add_address(&json, "instruction", signal->user_ip);
	}
	json_add_word(&json, "fate", describe_fate(signal));
	if (signal->unknown)
		json_add_null(&json, "fatal");
	else
		json_add_bool(&json, "fatal", signal->fatal);
	json_add_bool(&json, "blocked", signal->blocked);
	json_add_bool(&json, "ignored", signal->ignored);
	json_add_bool(&json, "ending", signal->ending);
	json_add_bool(&json, "handler", signal->has_handler);
	json_add_begin(&json, "stack", false);
	for (i = 0; i < event->nr_frames && !kcatch_session_frame(session, i, &frame); i++)
		render_json_frame(&json, &frame);
	json_put_end(&json);
	json_add_bool(&json, "stack_complete", event->stack == KCATCH_STACK_WHOLE);
	json_put_end(&json);
	return json_print(&json, stdout, "\n");
}

static int show_event(struct follow *follow, const struct kcatch_event *event)
{
	const struct sent *sent = follow->arg;
	struct kcatch_event shown = *event;
	struct kcatch_signal signal;
	char how[160];
	int ret = kcatch_session_signal(follow->session, &signal);

	if (ret)
		return ret;
	describe_how(follow->session, event, &signal, how, sizeof(how));
	if (sent->depth && shown.nr_frames > sent->depth) {
		shown.nr_frames = sent->depth;
		shown.stack = KCATCH_STACK_CUT;
	}
	if (sent->options.shared.json)
		ret = show_json(follow->session, &shown, &signal, how);
	else
		ret = show_text(follow->session, &shown, &signal, how, &sent->view);
	return ret ? ret : 1;
}

static void announce(struct show *show)
{
	const struct sent *sent = (const struct sent *)show;
	char target[32] = "";

	if (sent->request.target)
		snprintf(target, sizeof(target), " to process %u", sent->request.target);
	say("waiting for signals%s%s", target,
	    show->options->count || show->options->time_ns ? "" : ", until Ctrl-C");
}

static void say_nothing(struct show *show)
{
	say("no signal was caught%s",
	    show->losses.totals.filtered ? ": none of those seen was requested" : "");
}

static int arm(struct show *show)
{
	const struct sent *sent = (const struct sent *)show;

	follow_process(&show->follow, sent->request.target);
	return kcatch_session_signals(show->follow.session, &sent->request);
}

static int signals_main(int argc, char **argv)
{
	struct sent sent = {
		.show = { .follow = { .event = show_event, .arg = &sent },
			  .announce = announce, .say_nothing = say_nothing },
		.request.size = sizeof(sent.request),
	};
	int status = parse(argc, argv, &sent);

	if (status < 0)
		status = show_session(&sent.show, &sent.options.shared, arm);
	return command_end(status);
}

static const struct option_rule option_to = {
	.name = "to",
	.value = "PID",
	.help = "only those to this process, until it ends",
	.wanted = "give a process number, as ps shows it",
	.kind = OPTION_NUMBER,
	.least = 1,
	.most = INT32_MAX,
	OPTION_INTO(struct sent_options, target),
};

static const struct option_use uses[] = {
	{ &option_to, NULL },
	{ &option_pid, "only those this process sends" },
	{ &option_comm, "only those that threads of this name send" },
	{ &option_cgroup, "only those that threads of this cgroup, or one below it, send" },
	{ &option_count, "catch N, then end (default 0: until Ctrl-C)" },
	{ &option_time, NULL },
	{ &option_depth, NULL },
	{ &option_size, NULL },
	{ &option_json, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch signals - who killed my process?\n"
"\n"
"  kcatch signals                  every signal, as it is sent, until Ctrl-C: the sender and\n"
"                                  its parents up to init, how, the target, the effect,\n"
"                                  and the kernel stack it was sent from\n"
"  kcatch signals KILL TERM        these only\n"
"  kcatch signals --to 4711        those that process 4711 gets\n"
"  kcatch signals -n 1 SEGV        the next one\n"
"  kcatch signals -p 815           those that process 815 sends\n"
"  kcatch signals --json -t 60 > signals.json\n"
"\n"
"usage: kcatch signals [SIGNAL...] [options]\n"
"  SIGNAL is a name with or without SIG (SIGKILL, term) or a number.\n"
"\n";

const struct command command_signals = {
	.name = "signals",
	.run = signals_main,
	.description = "who killed my process: signals as they are sent",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"Exit status: 0 caught, 1 error, 2 nothing was caught, 3 caught but something was lost.\n"
	"More: man kcatch-signals\n",
};
