// SPDX-License-Identifier: GPL-2.0-only
/*
 * monitor.c - runs one laboratory machine and passes its verdict on
 *
 * Called by vm/run, which knows kernels and options; this program knows one
 * emulator process: starts it, sends the request to the guest's init (wire.h),
 * carries the command's output, watches the time, judges the kernel's log and
 * ends with the status that vm/run's users see.
 *
 * All joints are socket pairs inherited by the emulator, so there are no
 * temporary files, and the emulator dies with this process whatever ends it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "wire.h"

enum {
	STATUS_REPORT = 123,	/* the kernel reported a fault, or the machine died */
	STATUS_TIME = 124,	/* the command ran into the time limit */
	STATUS_NEVER = 125,	/* the command was never reached */
};

/* What no boot writes to its console, bytes: a kernel that reports one fault after the other. */
#define BOOT_TEXT_MAX (4u << 20)

enum verdict { RUNNING, ENDED, DIED, TIMED_OUT, FLOODED, REFUSED, ABANDONED };

static struct {
	unsigned int time, boot_time;	/* seconds */
	bool expect_report, quiet, once, settle;
	const char *reports;		/* the file of patterns */
	const char *modules, *boot, *insmod, *root;
	const char *shown[8];		/* ends with NULL */
	char **qemu, **command;
	int qemu_count;
} options;

/* What one emulator process has said so far. */
static struct machine {
	pid_t qemu;
	int control, console, errors;	/* our ends; errors: the emulator's stderr */
	int log, signals;
	bool ready;
	int status;			/* from "exit" */
	uint64_t promised_log;
	char line[2048];		/* of the control port, being collected */
	size_t line_fill;
	struct text log_text, console_text, error_text;
	struct pass {			/* stdout and stderr, on their way */
		int from, to;
		bool large;		/* writes never block: any size will do */
		size_t at, fill;
		uint64_t got, promised;
		char data[65536];
	} pass[2];
} machine;

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
	va_list args;

	if (options.quiet)
		return;
	fputs("vm/run: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "vm/run: %s: %m\n", what);
	exit(STATUS_NEVER);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Returns our end; the other is inherited and its number left in *theirs. */
static int joint(int *theirs)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		die("socketpair");
	fcntl(pair[1], F_SETFD, 0);
	*theirs = pair[1];
	return pair[0];
}

static void __attribute__((format(printf, 2, 3)))
argument(char ***at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf((*at)++, format, args) < 0)
		die("out of memory");
	va_end(args);
}

static void machine_start(void)
{
	char **argv = calloc(options.qemu_count + 64, sizeof(*argv)), **at = argv;
	int theirs[WIRE_END + 1], ours[WIRE_END + 1], errors[2];
	pid_t parent = getpid();

	if (!argv)
		die("out of memory");
	for (int i = 0; i < options.qemu_count; i++)
		*at++ = options.qemu[i];
	argument(&at, "-device");
	argument(&at, "virtio-serial-pci,max_ports=8");
	for (int port = 0; port < WIRE_END; port++) {
		ours[port] = joint(&theirs[port]);
		argument(&at, "-chardev");
		argument(&at, "socket,id=port%d,fd=%d", port, theirs[port]);
		argument(&at, port ? "-device" : "-serial");
		if (port)	/* port 0 is the serial console */
			argument(&at, "virtserialport,nr=%d,chardev=port%d", port, port);
		else
			argument(&at, "chardev:port0");
	}
	if (pipe2(errors, O_CLOEXEC))
		die("pipe");
	machine.qemu = fork();
	if (machine.qemu < 0)
		die("fork");
	if (!machine.qemu) {
		sigset_t none;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		setpgid(0, 0);		/* a Ctrl-C is ours to handle */
		dup2(open("/dev/null", O_RDWR), 0);
		dup2(errors[1], 1);
		dup2(errors[1], 2);
		execvp(argv[0], argv);
		fprintf(stderr, "%s: %m\n", argv[0]);
		_exit(127);
	}
	for (int port = 0; port < WIRE_END; port++)
		close(theirs[port]);
	close(errors[1]);
	machine.console = ours[0];
	machine.control = ours[WIRE_CONTROL];
	machine.pass[0].from = ours[WIRE_STDOUT];
	machine.pass[1].from = ours[WIRE_STDERR];
	machine.log = ours[WIRE_LOG];
	machine.errors = errors[0];
	for (int i = 0; i < 2; i++) {
		struct stat s;

		machine.pass[i].to = i + 1;
		machine.pass[i].large = !fstat(i + 1, &s) && S_ISREG(s.st_mode);
		machine.pass[i].promised = UINT64_MAX;
	}
	machine.promised_log = UINT64_MAX;
	machine.status = -1;
}

static void machine_end(void)
{
	int *fds[] = { &machine.console, &machine.control, &machine.log, &machine.errors,
		       &machine.pass[0].from, &machine.pass[1].from };

	kill(machine.qemu, SIGKILL);
	waitpid(machine.qemu, NULL, 0);
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
}

/* Variables that speak of the host's processes, sockets or libraries. */
static bool environment_stays(const char *variable)
{
	static const char *const stays[] = {
		"MAKEFLAGS=", "MAKELEVEL=", "MFLAGS=", "MAKEOVERRIDES=", "LD_", "BASH_FUNC_",
		"SSH_", "DBUS_", "XDG_RUNTIME_DIR=", "DISPLAY=", "WAYLAND_", "TMUX", "STY=",
		"_=", "OLDPWD=", "SHLVL=", "PWD=", "QEMU_",
	};

	for (size_t i = 0; i < sizeof(stays) / sizeof(*stays); i++)
		if (!strncmp(variable, stays[i], strlen(stays[i])))
			return true;
	return false;
}

static void request_add(struct text *request, const char *key, const char *value)
{
	text_add(request, key, strlen(key));
	text_add(request, "=", 1);
	text_add(request, value, strlen(value) + 1);
}

/* What the guest is asked to do; it is sent as fast as the guest takes it. */
static struct text request_make(void)
{
	struct text request = { 0 };
	char *cwd = getcwd(NULL, 0);

	if (!cwd)
		die("current directory");
	request_add(&request, "cwd", cwd);
	if (options.root)
		request_add(&request, "root", options.root);
	for (const char **path = options.shown; *path; path++)
		request_add(&request, "show", *path);
	request_add(&request, "modules", options.modules);
	request_add(&request, "boot", options.boot);
	if (options.insmod)
		request_add(&request, "insmod", options.insmod);
	if (options.settle)
		request_add(&request, "settle", "");
	for (char **word = options.command; *word; word++)
		request_add(&request, "arg", *word);
	for (char **variable = environ; *variable; variable++)
		if (!environment_stays(*variable))
			request_add(&request, "env", *variable);
	text_add(&request, "env=PWD=", 8);
	text_add(&request, cwd, strlen(cwd) + 1);
	text_add(&request, "", 1);
	free(cwd);
	return request;
}

/* One line from the guest's init. */
static enum verdict control_line(const char *line)
{
	unsigned long long out, err, log;

	if (!strcmp(line, "ready")) {
		machine.ready = true;
	} else if (!strncmp(line, "fail ", 5)) {
		say("%s", line + 5);
		return REFUSED;
	} else if (sscanf(line, "exit %d %llu %llu %llu", &machine.status, &out, &err, &log) == 4) {
		machine.pass[0].promised = out;
		machine.pass[1].promised = err;
		machine.promised_log = log;
	}
	return RUNNING;
}

static enum verdict control_read(void)
{
	char data[1024];
	ssize_t got = read(machine.control, data, sizeof(data));
	enum verdict verdict = RUNNING;

	if (got <= 0) {
		close(machine.control);
		machine.control = -1;
		return DIED;
	}
	for (ssize_t i = 0; i < got && verdict == RUNNING; i++) {
		if (data[i] != '\n') {
			if (machine.line_fill < sizeof(machine.line) - 1)
				machine.line[machine.line_fill++] = data[i];
			continue;
		}
		machine.line[machine.line_fill] = '\0';
		machine.line_fill = 0;
		verdict = control_line(machine.line);
	}
	return verdict;
}

static void text_read(struct text *text, int *fd)
{
	char data[65536];
	ssize_t got = read(*fd, data, sizeof(data));

	if (got > 0) {
		text_add(text, data, got);
	} else {
		close(*fd);
		*fd = -1;
	}
}

static void pass_read(struct pass *pass)
{
	ssize_t got = read(pass->from, pass->data, sizeof(pass->data));

	if (got > 0) {
		pass->at = 0;
		pass->fill = got;
		pass->got += got;
	} else {
		close(pass->from);
		pass->from = -1;
	}
}

/* False when nobody reads our output any more. */
static bool pass_write(struct pass *pass)
{
	size_t size = pass->fill - pass->at;

	/* A writable pipe takes this much without making us wait. */
	if (!pass->large && size > 4096)
		size = 4096;
	ssize_t put = write(pass->to, pass->data + pass->at, size);

	if (put < 0)
		return errno == EINTR || errno == EAGAIN;
	pass->at += put;
	return true;
}

static bool pass_done(const struct pass *pass)
{
	return pass->at == pass->fill && (pass->from < 0 || pass->got >= pass->promised);
}

static bool everything_arrived(void)
{
	return machine.status >= 0 && pass_done(&machine.pass[0]) && pass_done(&machine.pass[1]) &&
	       (machine.log < 0 || machine.log_text.total >= machine.promised_log);
}

/* Signals to us: the caller's wish to stop. Returns the signal, or 0. */
static int signal_read(void)
{
	struct signalfd_siginfo info;

	if (read(machine.signals, &info, sizeof(info)) != sizeof(info))
		return 0;
	return info.ssi_signo;
}

static enum verdict machine_watch(int *stop_signal)
{
	struct text request = request_make();
	size_t requested = 0;
	double start = now(), deadline = start + options.boot_time;
	bool was_ready = false;
	enum verdict verdict = RUNNING;

	while (verdict == RUNNING) {
		struct pass *out = &machine.pass[0], *err = &machine.pass[1];
		bool asking = requested < request.fill;
		struct pollfd polls[] = {
			{ .fd = machine.signals, .events = POLLIN },
			{ .fd = machine.control, .events = POLLIN | (asking ? POLLOUT : 0) },
			{ .fd = machine.console, .events = POLLIN },
			{ .fd = machine.log, .events = POLLIN },
			{ .fd = machine.errors, .events = POLLIN },
			{ .fd = out->at < out->fill ? out->to : out->from,
			  .events = out->at < out->fill ? POLLOUT : POLLIN },
			{ .fd = err->at < err->fill ? err->to : err->from,
			  .events = err->at < err->fill ? POLLOUT : POLLIN },
		};
		double left;

		if (machine.ready && !was_ready) {
			was_ready = true;
			deadline = now() + options.time;
		}
		left = deadline - now();
		if (left <= 0)
			return TIMED_OUT;
		if (poll(polls, 7, left * 1000 + 1) < 0 && errno != EINTR)
			die("poll");
		if (polls[0].revents && (*stop_signal = signal_read()))
			return ABANDONED;
		for (int i = 0; i < 2; i++) {
			struct pass *pass = &machine.pass[i];

			if (!polls[5 + i].revents)
				continue;
			if (pass->at == pass->fill) {
				pass_read(pass);
			} else if (!pass_write(pass)) {
				*stop_signal = SIGPIPE;
				return ABANDONED;
			}
		}
		if (polls[2].revents)
			text_read(&machine.console_text, &machine.console);
		if (polls[3].revents)
			text_read(&machine.log_text, &machine.log);
		if (polls[4].revents)
			text_read(&machine.error_text, &machine.errors);
		if (!machine.ready && machine.console_text.total > BOOT_TEXT_MAX)
			return FLOODED;
		if (polls[1].revents & POLLOUT) {
			ssize_t put = send(machine.control, request.data + requested,
					   request.fill - requested, MSG_DONTWAIT | MSG_NOSIGNAL);

			if (put > 0)
				requested += put;
		}
		if (polls[1].revents & (POLLIN | POLLHUP | POLLERR))
			verdict = control_read();
		if (verdict == RUNNING && everything_arrived())
			verdict = ENDED;
	}
	text_free(&request);
	return verdict;
}

/* Takes what the joints still hold after the machine's end. */
static void machine_drain(void)
{
	struct { struct text *text; int *fd; } rest[] = {
		{ &machine.console_text, &machine.console },
		{ &machine.log_text, &machine.log },
		{ &machine.error_text, &machine.errors },
	};

	kill(machine.qemu, SIGKILL);
	for (size_t i = 0; i < 3; i++)
		while (*rest[i].fd >= 0)
			text_read(rest[i].text, rest[i].fd);
	for (int i = 0; i < 2; i++) {
		struct pass *pass = &machine.pass[i];

		do {
			while (pass->at < pass->fill)
				if (!pass_write(pass))
					return;
			if (pass->from >= 0)
				pass_read(pass);
		} while (pass->at < pass->fill);
	}
}

static void machine_forget(void)
{
	int signals = machine.signals;

	text_free(&machine.log_text);
	text_free(&machine.console_text);
	text_free(&machine.error_text);
	memset(&machine, 0, sizeof(machine));
	machine.signals = signals;
}

/*
 * Returns the number of reports, having shown them. The log tells the kernel's
 * own words from those of programs, so it is what counts, unless the machine
 * did not live to send its last records: they are on the console then.
 */
static int judge(bool ended)
{
	struct judge *judge = judge_create(options.reports);
	int count = 0;

	if (!judge)
		die(options.reports);
	if (!ended)
		count = judge_console(judge, &machine.console_text, stderr);
	if (!count)
		count = judge_log(judge, &machine.log_text, stderr);
	judge_destroy(judge);
	return count;
}

static void tail_show(const char *what, const struct text *text)
{
	if (!text->fill || options.quiet)
		return;
	say("%s:", what);
	text_show_tail(text, 30, stderr);
}

/* The first report tells more than those that follow it. */
static void head_show(const char *what, const struct text *text)
{
	struct text head = *text;
	int lines = 60;

	if (!text->fill || options.quiet)
		return;
	for (head.fill = 0; head.fill < text->fill && lines; head.fill++)
		lines -= text->data[head.fill] == '\n';
	say("%s:", what);
	text_show_tail(&head, 60, stderr);
}

/* One machine from start to end; the status, or -1 to try once more. */
static int attempt(bool last)
{
	int stop_signal = 0, reports;
	enum verdict verdict;

	machine_start();
	verdict = machine_watch(&stop_signal);
	if (verdict == ABANDONED) {
		/* Whoever ends what hangs wants to know what the kernel said meanwhile. */
		if (stop_signal == SIGTERM && !machine.ready)
			tail_show("its console ends with", &machine.console_text);
		else if (stop_signal == SIGTERM && !judge(false))
			tail_show("the kernel's log ends with", &machine.log_text);
		machine_end();
		if (stop_signal == SIGPIPE)
			return 128 + SIGPIPE;
		signal(stop_signal, SIG_DFL);
		return 128 + stop_signal;
	}
	machine_drain();
	machine_end();

	if (verdict == REFUSED) {
		tail_show("the kernel's log ends with", &machine.log_text);
		return STATUS_NEVER;
	}
	if (!machine.ready) {
		const char *what = verdict == DIED ? "ended" :
				   verdict == FLOODED ? "said too much" : "was not up in time";

		say("the machine %s before it reached the command%s", what,
		    last ? "" : "; trying once more");
		tail_show("its emulator said", &machine.error_text);
		if (verdict == FLOODED)
			head_show("its console begins with", &machine.console_text);
		else
			tail_show("its console ends with", &machine.console_text);
		return last ? STATUS_NEVER : -1;
	}
	reports = judge(verdict == ENDED);
	if (verdict == DIED) {
		say("the machine died while the command ran");
		tail_show("its emulator said", &machine.error_text);
		if (!reports)
			tail_show("its console ends with", &machine.console_text);
		return STATUS_REPORT;
	}
	if (reports)
		say("%d report%s of the kernel during the run, shown above%s", reports,
		    reports == 1 ? "" : "s", options.expect_report ? " (expected)" : "");
	if (verdict == TIMED_OUT) {
		say("the command did not end within %u seconds", options.time);
		return reports && !options.expect_report ? STATUS_REPORT : STATUS_TIME;
	}
	return reports && !options.expect_report ? STATUS_REPORT : machine.status;
}

static unsigned int number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (!*text || *end || !value || value > 1000000) {
		fprintf(stderr, "vm/run: '%s' is no number of seconds\n", text);
		exit(1);
	}
	return value;
}

/*
 * monitor OPTION... QEMU ARGUMENT... COMMAND ARGUMENT...
 * -q counts the words of the emulator's command line.
 */
int main(int argc, char **argv)
{
	sigset_t stops;
	int option, status, shown = 0;

	options.time = 600;
	options.boot_time = 600;
	while ((option = getopt(argc, argv, "+t:b:p:m:B:i:r:S:q:esc1")) != -1) {
		switch (option) {
		case 't': options.time = number(optarg); break;
		case 'b': options.boot_time = number(optarg); break;
		case 'p': options.reports = optarg; break;
		case 'm': options.modules = optarg; break;
		case 'B': options.boot = optarg; break;
		case 'i': options.insmod = optarg; break;
		case 'r': options.root = optarg; break;
		case 'S':
			if (shown < (int)(sizeof(options.shown) / sizeof(*options.shown)) - 1)
				options.shown[shown++] = optarg;
			break;
		case 'q': options.qemu_count = number(optarg); break;
		case 'e': options.expect_report = true; break;
		case 's': options.quiet = true; break;
		case 'c': options.settle = true; break;
		case '1': options.once = true; break;
		default: return 1;
		}
	}
	options.qemu = argv + optind;
	options.command = argv + optind + options.qemu_count;
	if (optind + options.qemu_count >= argc || !options.reports || !options.modules ||
	    !options.boot) {
		fprintf(stderr, "vm/monitor: to be called by vm/run only\n");
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	sigaddset(&stops, SIGQUIT);
	sigprocmask(SIG_BLOCK, &stops, NULL);
	machine.signals = signalfd(-1, &stops, SFD_CLOEXEC);
	status = attempt(options.once);
	if (status < 0) {
		machine_forget();
		status = attempt(true);
	}
	return status;
}
