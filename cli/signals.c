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

#include <json-c/json.h>

#include <kcatch.h>

#include "command.h"
#include "show.h"
#include "value_json.h"
#include "value_text.h"

#define NUMBERS 64	/* signal numbers on one command line */

struct sent {
	struct show show;	/* first member: arm() converts back */
	struct sent_options {
		struct options shared;
		uint32_t target;
	} options;
	int numbers[NUMBERS];
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

/* The sender inside the kernel, by a function on the stack; the first row that matches. */
static const struct { const char *function, *meaning; } senders[] = {
	{ "oom_kill_process", "the OOM killer" },
	{ "__oom_kill_process", "the OOM killer" },
	{ "oom_kill_memcg_member", "the OOM killer" },
	{ "__isig", "the terminal (a key)" },
	{ "isig", "the terminal (a key)" },
	{ "__tty_hangup", "the terminal (hung up)" },
	{ "tty_signal_session_leader", "the terminal (hung up)" },
	{ "pipe_write", "a write to a pipe that nobody reads" },
	{ "anon_pipe_write", "a write to a pipe that nobody reads" },	/* its newer name */
	{ "it_real_fn", "its timer (alarm, setitimer)" },
	{ "posix_timer_fn", "its timer (timer_create)" },
	{ "run_posix_cpu_timers", "a limit of CPU time" },
	{ "posix_cpu_timers_work", "a limit of CPU time" },
	{ "cgroup_kill_write", "cgroup.kill" },
	{ "do_notify_parent", "the end of its child" },
	{ "do_notify_parent_cldstop", "its child that stopped or went on" },
	{ "__secure_computing", "seccomp" },
	{ "__seccomp_filter", "seccomp" },
	/* Kernels of 7.x pass no information with a signal that a process sends. */
	{ "__x64_sys_kill", "kill()" },
	{ "__ia32_sys_kill", "kill()" },
	{ "__x64_sys_pidfd_send_signal", "pidfd_send_signal()" },
};

static bool has_function(struct kcatch_session *session, const struct kcatch_event *event,
			 const char *name)
{
	struct kcatch_frame frame;
	uint32_t i;

	for (i = 0; i < event->nr_frames; i++) {
		if (!kcatch_session_frame(session, i, &frame) && frame.symbol &&
		    !strcmp(frame.symbol, name))
			return true;
	}
	return false;
}

static const char *sender_on_stack(struct kcatch_session *session, const struct kcatch_event *event)
{
	size_t i;

	for (i = 0; i < sizeof(senders) / sizeof(senders[0]); i++) {
		if (has_function(session, event, senders[i].function))
			return senders[i].meaning;
	}
	return NULL;
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

/* What sent it: a fault, a system call, or a part of the kernel. */
static void describe_how(struct kcatch_session *session, const struct kcatch_event *event,
			 const struct kcatch_signal *signal, char *text, size_t room)
{
	const char *sender;

	if (is_fault(signal)) {
		describe_fault(signal, text, room);
		return;
	}
	if (signal->has_info) {
		switch (signal->code) {
		case SI_USER:
			snprintf(text, room, "kill()");
			return;
		case SI_TKILL:
			snprintf(text, room, "tgkill()");
			return;
		case SI_QUEUE:
			snprintf(text, room, "sigqueue() with value %" PRIu64, signal->value);
			return;
		}
	}
	sender = sender_on_stack(session, event);
	if (sender && !strcmp(sender, "the OOM killer")) {
		snprintf(text, room, "%s: %s", sender,
			 has_function(session, event, "mem_cgroup_out_of_memory") ?
			 "the memory limit of its cgroup was reached" : "the machine has no memory left");
		return;
	}
	if (sender)
		snprintf(text, room, "%s", sender);
	else if (signal->has_info && signal->code == SI_TIMER)
		snprintf(text, room, "its timer (timer_create)");
	else
		snprintf(text, room, "the kernel");
}

static const char *describe_fate(const struct kcatch_signal *signal)
{
	if (signal->result == 3)
		return "not sent: too many are queued";
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
		     const struct kcatch_signal *signal, const struct render_options *options)
{
	static const char *const contexts[] = { "", "softirq", "interrupt", "NMI" };
	const struct colours *c = render_colours();
	char name[24], how[160];
	uint32_t i;
	int ret;

	describe_how(session, event, signal, how, sizeof(how));
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

static struct json_object *process(uint32_t pid, uint32_t tid, const char *comm)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "pid", json_object_new_int64(pid));
	if (tid)
		json_object_object_add(object, "tid", json_object_new_int64(tid));
	json_object_object_add(object, "comm", value_json_string(comm, strlen(comm)));
	return object;
}

static void add_address(struct json_object *object, const char *name, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_object_object_add(object, name, json_object_new_string(text));
}

static int show_json(struct kcatch_session *session, const struct kcatch_event *event,
		     const struct kcatch_signal *signal)
{
	static const char *const contexts[] = { "task", "softirq", "hardirq", "nmi" };
	struct json_object *object = json_object_new_object(), *array, *sender;
	struct kcatch_frame frame;
	char name[24], how[160];
	uint32_t i;

	describe_how(session, event, signal, how, sizeof(how));
	json_object_object_add(object, "signal",
			       json_object_new_string(name_of(signal->number, name, sizeof(name))));
	json_object_object_add(object, "number", json_object_new_int(signal->number));
	json_object_object_add(object, "time_ns", json_object_new_int64((int64_t)event->time_ns));
	json_object_object_add(object, "cpu", json_object_new_int64(event->cpu));
	json_object_object_add(object, "context",
			       json_object_new_string(contexts[event->context & 3]));
	json_object_object_add(object, "target", process(signal->target_pid, signal->target_tid,
							 signal->target_comm));
	json_object_object_add(object, "to_process",
			       json_object_new_boolean(signal->to_process != 0));
	if (event->context == KCATCH_IN_TASK) {
		sender = process(event->pid, event->tid, event->comm);
		json_object_object_add(sender, "uid", json_object_new_int64(signal->sender_uid));
		json_object_object_add(object, "sender", sender);
		array = json_object_new_array();
		for (i = 0; i < signal->nr_ancestors; i++)
			json_object_array_add(array, process(signal->ancestors[i].pid, 0,
							     signal->ancestors[i].comm));
		json_object_object_add(object, "ancestry", array);
	}
	json_object_object_add(object, "how", json_object_new_string(how));
	if (signal->has_info)
		json_object_object_add(object, "code", json_object_new_int(signal->code));
	if (is_fault(signal)) {
		add_address(object, "address", signal->address);
		if (signal->user_ip)
			add_address(object, "instruction", signal->user_ip);
	}
	json_object_object_add(object, "fate", json_object_new_string(describe_fate(signal)));
	json_object_object_add(object, "fatal", signal->unknown ?
			       NULL : json_object_new_boolean(signal->fatal));
	json_object_object_add(object, "blocked", json_object_new_boolean(signal->blocked));
	json_object_object_add(object, "ignored", json_object_new_boolean(signal->ignored));
	json_object_object_add(object, "handler", json_object_new_boolean(signal->has_handler));
	array = json_object_new_array();
	for (i = 0; i < event->nr_frames; i++) {
		if (kcatch_session_frame(session, i, &frame))
			break;
		json_object_array_add(array, render_json_frame(&frame));
	}
	json_object_object_add(object, "stack", array);
	json_object_object_add(object, "stack_complete",
			       json_object_new_boolean(event->stack == KCATCH_STACK_WHOLE));
	value_json_print(stdout, object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	putchar('\n');
	json_object_put(object);
	return 0;
}

static int show_event(struct follow *follow, const struct kcatch_event *event)
{
	const struct sent *sent = follow->arg;
	struct kcatch_signal signal;
	int ret = kcatch_session_signal(follow->session, &signal);

	if (!ret)
		ret = sent->options.shared.json ? show_json(follow->session, event, &signal) :
			show_text(follow->session, event, &signal, &sent->show.view);
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
