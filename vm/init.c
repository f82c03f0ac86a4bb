// SPDX-License-Identifier: GPL-2.0-only
/*
 * init.c - the first and only service of a laboratory machine
 *
 * Runs as process 1 from a small initramfs: loads the few modules needed to see
 * the host's files over 9p, lays a writable tmpfs over them (overlayfs), mounts
 * what a running system has, runs one command in there and carries its output,
 * its status and the kernel's log to the host (see wire.h). Linked statically,
 * because nothing else is in the initramfs.
 *
 * It is a plain poll loop: nothing runs in the guest but the command and this
 * loop, which wakes only when there is something to carry. That keeps runs with
 * a deterministic clock (vm/run --icount) repeatable.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h"

#define ROOT "/root"		/* the overlay, before it becomes the root */
#define LOWER "/lower"
#define HOST "/host"		/* with a root that is not the host's: an overlay over the host's */
#define LIMIT 4096

static int control = -1;

/* A stream of bytes on its way from a source (pipe, kmsg) to a port. */
struct stream {
	int from, to;
	bool open;		/* more may come from the source */
	size_t at, fill;
	uint64_t sent;
	char data[32768];	/* what one write to a port takes at most */
};

static void control_say(const char *format, ...)
{
	char line[1024];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (control < 0 || write(control, line, length) != length)
		fprintf(stderr, "vm/init: %.*s", length, line);
}

/* Nothing more can be done here: tell the host, which ends the machine. */
static void __attribute__((noreturn, format(printf, 1, 2)))
fail(const char *format, ...)
{
	char text[768];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	control_say("fail %s", text);
	if (control < 0)
		reboot(RB_AUTOBOOT);	/* which ends the emulator */
	for (;;)
		pause();
}

static void make_directory(const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		fail("cannot make %s: %m", path);
}

static void mount_needed(const char *what, const char *where, const char *type,
			 unsigned long flags, const char *options)
{
	if (mount(what, where, type, flags, options))
		fail("cannot mount %s on %s: %m", type ? type : what, where);
}

/* File systems that some kernels lack, or whose mount point may not exist. */
static void mount_wanted(const char *type, const char *where,
			 unsigned long flags, const char *options)
{
	mount(type, where, type, flags, options);
}

static int module_load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), result;

	if (fd < 0)
		return -errno;
	result = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return result == -EEXIST ? 0 : result;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* /modules holds NN-name.ko, dependencies first; see vm/initramfs. */
static void modules_load(void)
{
	struct dirent **names;
	int count = scandir("/modules", &names, not_hidden, alphasort);
	char path[512];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/modules/%s", names[i]->d_name);
		int error = module_load(path);

		if (error)
			fail("cannot load %s: %s", path, strerror(-error));
	}
}

/* Ports appear as /dev/vport<device>p<port> when driver and device have talked. */
static int port_open(int port)
{
	char path[64];

	for (int i = 0; i < 3000; i++) {
		for (int device = 0; device < 8; device++) {
			snprintf(path, sizeof(path), "/dev/vport%dp%d", device, port);
			int fd = open(path, O_RDWR | O_CLOEXEC);

			if (fd >= 0)
				return fd;
		}
		usleep(1000);
	}
	fail("no port %d", port);
}

/* A writable tmpfs over the directory LOWER of the host, at WHERE; NAME is for its layers. */
static void overlay_mount(const char *lower, const char *name, const char *where)
{
	char upper[LIMIT], work[LIMIT], options[3 * LIMIT];

	snprintf(upper, sizeof(upper), "/rw/%s", name);
	snprintf(work, sizeof(work), "/rw/%s-work", name);
	make_directory(upper);
	make_directory(work);
	make_directory(where);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper,
		 work);
	mount_needed("overlay", where, "overlay", 0, options);
}

static void host_mount(void)
{
	make_directory(LOWER);
	make_directory("/rw");
	/* The lower layer is read only, so everything may be cached. Without 9p: see virtiofs. */
	if (mount(WIRE_ROOT_TAG, LOWER, "9p", MS_RDONLY,
		  "trans=virtio,version=9p2000.L,msize=512000,cache=loose")) {
		if (errno != ENODEV)
			fail("cannot mount 9p on " LOWER ": %m");
		mount_needed(WIRE_ROOT_TAG, LOWER, "virtiofs", MS_RDONLY, NULL);
	}
	mount_needed("tmpfs", "/rw", "tmpfs", 0, "mode=755");
}

/* The host's directory PATH at the same place in the root, which has it made if need be. */
static void host_show(const char *path)
{
	char from[LIMIT], to[LIMIT];

	if (snprintf(from, sizeof(from), HOST "%s", path) >= (int)sizeof(from) ||
	    snprintf(to, sizeof(to), ROOT "%s", path) >= (int)sizeof(to))
		fail("too long a path: %s", path);
	for (char *slash = to + strlen(ROOT) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		make_directory(to);
		*slash = '/';
	}
	make_directory(to);
	mount_needed(from, to, NULL, MS_BIND, NULL);
}

/* Does the root have a directory at the top that is its own, whatever the host has there? */
static bool of_the_root(const char *name)
{
	static const char *const own[] = {
		"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "lost+found",
		"proc", "run", "sbin", "sys", "usr", "var",
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(name, own[i]))
			return true;
	return false;
}

/*
 * The root of a guest that cannot execute the host's programs: PROGRAMS, a directory of the host,
 * with all of the host's directories that hold no parts of its system.
 */
static void foreign_root_mount(const char *programs)
{
	struct dirent **names;
	char path[LIMIT];
	int count;

	snprintf(path, sizeof(path), LOWER "%s", programs);
	overlay_mount(path, "root", ROOT);
	overlay_mount(LOWER, "host", HOST);
	count = scandir(LOWER, &names, not_hidden, alphasort);
	for (int i = 0; i < count; i++) {
		struct stat s;

		snprintf(path, sizeof(path), LOWER "/%s", names[i]->d_name);
		if (of_the_root(names[i]->d_name) || lstat(path, &s) || !S_ISDIR(s.st_mode))
			continue;
		host_show(path + strlen(LOWER));
	}
}

/* PATH, if it lies in a directory of the host that foreign_root_mount() has left out. */
static void host_show_other(const char *path)
{
	char top[LIMIT];

	if (snprintf(top, sizeof(top), "%s", path) >= (int)sizeof(top) || *path != '/')
		fail("no path to show: %s", path);
	top[1 + strcspn(top + 1, "/")] = '\0';
	if (of_the_root(top + 1))
		host_show(path);
}

/* The mounts of a running system, inside the root to be. */
static void system_mount(void)
{
	mount_needed("proc", ROOT "/proc", "proc", 0, NULL);
	mount_needed("sysfs", ROOT "/sys", "sysfs", 0, NULL);
	mount_needed("/dev", ROOT "/dev", NULL, MS_MOVE, NULL);
	make_directory(ROOT "/dev/pts");
	make_directory(ROOT "/dev/shm");
	mount_needed("devpts", ROOT "/dev/pts", "devpts", 0, "mode=620,ptmxmode=666");
	mount_needed("tmpfs", ROOT "/dev/shm", "tmpfs", 0, "mode=1777");
	mount_needed("tmpfs", ROOT "/run", "tmpfs", 0, "mode=755");
	make_directory(ROOT "/run/lock");
	mount_wanted("tracefs", ROOT "/sys/kernel/tracing", 0, NULL);
	mount_wanted("debugfs", ROOT "/sys/kernel/debug", 0, NULL);
	mount_wanted("securityfs", ROOT "/sys/kernel/security", 0, NULL);
	mount_wanted("bpf", ROOT "/sys/fs/bpf", 0, "mode=700");
	mount_wanted("cgroup2", ROOT "/sys/fs/cgroup", 0, NULL);
	if (symlink("/proc/self/fd", ROOT "/dev/fd") ||
	    symlink("/proc/self/fd/0", ROOT "/dev/stdin") ||
	    symlink("/proc/self/fd/1", ROOT "/dev/stdout") ||
	    symlink("/proc/self/fd/2", ROOT "/dev/stderr"))
		fail("cannot make the links in /dev: %m");
}

/*
 * The kernel's own modules and files where tools look for them. The host need
 * not have them installed, nor even have a /lib/modules.
 */
static void kernel_files_mount(const char *modules, const char *boot)
{
	struct utsname self;
	char from[LIMIT], to[LIMIT];

	uname(&self);
	mkdir(ROOT "/lib/modules", 0755);
	snprintf(to, sizeof(to), ROOT "/lib/modules/%s", self.release);
	make_directory(to);
	snprintf(from, sizeof(from), ROOT "%s", modules);
	mount_needed(from, to, NULL, MS_BIND, NULL);
	mkdir(ROOT "/boot", 0755);
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "System.map" : "config";

		/* Best effort: the host may run this very kernel. */
		snprintf(from, sizeof(from), "%s/%s-%s", boot, name, self.release);
		snprintf(to, sizeof(to), ROOT "/boot/%s-%s", name, self.release);
		if (symlink(from, to))
			continue;
	}
}

/*
 * Device nodes whose opening loads their module (loop-control, net/tun, fuse):
 * elsewhere the service manager makes them, from the same list.
 */
static void static_nodes_make(void)
{
	char path[512], module[128], name[128], kind;
	unsigned int major, minor;
	struct utsname self;
	FILE *list;

	uname(&self);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.devname", self.release);
	list = fopen(path, "re");
	while (list && fgets(path, sizeof(path), list)) {
		char node[256];

		if (*path == '#' || sscanf(path, "%127s %127s %c%u:%u", module, name, &kind,
					   &major, &minor) != 5)
			continue;
		snprintf(node, sizeof(node), "/dev/%s", name);
		for (char *slash = strchr(node + 5, '/'); slash; slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdir(node, 0755);
			*slash = '/';
		}
		/* One that exists already is right. */
		if (mknod(node, (kind == 'b' ? S_IFBLK : S_IFCHR) | 0600,
			  makedev(major, minor)) && errno != EEXIST)
			fprintf(stderr, "vm/init: %s: %m\n", node);
	}
	if (list)
		fclose(list);
}

static void loopback_up(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
		fail("cannot bring the loopback interface up: %m");
	close(fd);
}

static void setting(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (write(fd, value, strlen(value)) < 0)
			fprintf(stderr, "vm/init: %s: %m\n", path);
		close(fd);
	}
}

/*
 * Kernel threads still have work from the boot when a machine comes up (on some
 * kernels for a second). Whoever counts instructions wants them done: waits
 * until the processors idle, at most a few seconds of the guest's time.
 */
static void settle(void)
{
	double last = -1;

	for (int i = 0; i < 100; i++) {
		FILE *file = fopen("/proc/uptime", "re");
		double up, idle;
		bool known = file && fscanf(file, "%lf %lf", &up, &idle) == 2;

		if (file)
			fclose(file);
		if (!known || (last >= 0 && idle - last > 0.18))
			return;
		last = idle;
		usleep(200000);
	}
}

static char *request_read(size_t *length)
{
	char *data = malloc(WIRE_REQUEST_MAX);

	if (!data)
		fail("no memory for the request");
	*length = 0;
	/* It ends with an empty string, so with two NUL in a row. */
	while (*length < 2 || data[*length - 1] || data[*length - 2]) {
		ssize_t got = read(control, data + *length, WIRE_REQUEST_MAX - *length);

		if (got < 0 && errno != EINTR && errno != EAGAIN)
			fail("cannot read the request: %m");
		if (got > 0)
			*length += got;
		else
			usleep(1000);	/* the host has not opened its end yet */
	}
	return data;
}

/* Returns the value when FIELD is "KEY=value". */
static char *field(char *text, const char *key)
{
	size_t length = strlen(key);

	return strncmp(text, key, length) || text[length] != '=' ? NULL : text + length + 1;
}

static void __attribute__((noreturn))
command_exec(char **argv, char **envp, const char *cwd, int out, int err)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL);
	setsid();
	int null = open("/dev/null", O_RDONLY);

	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	close(null);
	if (chdir(cwd)) {
		dprintf(2, "vm/run: %s: %m\n", cwd);
		_exit(126);
	}
	environ = envp;
	execvp(argv[0], argv);
	int status = errno == ENOENT ? 127 : 126;

	dprintf(2, "vm/run: %s: %m\n", argv[0]);
	_exit(status);
}

/* Carries what there is now; false when nothing could be moved. */
static bool stream_move(struct stream *s)
{
	bool moved = false;

	for (;;) {
		if (s->at == s->fill) {
			ssize_t got;

			s->at = s->fill = 0;
			if (!s->open)
				return moved;
			got = read(s->from, s->data, sizeof(s->data));
			if (got < 0 && (errno == EPIPE || errno == EINTR))
				continue;	/* kmsg overran us: go on with the oldest */
			if (got < 0 && errno == EAGAIN)
				return moved;
			if (got <= 0) {
				s->open = false;
				return moved;
			}
			s->fill = got;
		}
		ssize_t put = write(s->to, s->data + s->at, s->fill - s->at);

		if (put <= 0)
			return moved;	/* the port is full: poll says when not */
		s->at += put;
		s->sent += put;
		moved = true;
	}
}

static bool stream_full(const struct stream *s)
{
	return s->at < s->fill;
}

static void nothing(int signal)
{
	(void)signal;
}

/* Carries the three streams until COMMAND ends; returns its status. */
static int command_watch(pid_t command, struct stream *streams, const sigset_t *waiting)
{
	int status = -1;

	while (status < 0) {
		struct pollfd polls[3];
		int result;
		pid_t pid;

		while ((pid = waitpid(-1, &result, WNOHANG)) > 0)
			if (pid == command)
				status = WIFSIGNALED(result) ? 128 + WTERMSIG(result)
							     : WEXITSTATUS(result);
		if (status >= 0)
			break;
		for (int i = 0; i < 3; i++) {
			struct stream *s = &streams[i];

			stream_move(s);
			polls[i].fd = stream_full(s) ? s->to : s->open ? s->from : -1;
			polls[i].events = stream_full(s) ? POLLOUT : POLLIN;
		}
		ppoll(polls, 3, NULL, waiting);	/* SIGCHLD is let in only here */
	}
	return status;
}

/* COMMAND is over: whatever else still runs ends, the rest is carried. */
static void streams_finish(struct stream *streams, bool loaded)
{
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	/* A module that cannot leave cleanly says so in the log that follows. */
	if (loaded)
		syscall(SYS_delete_module, "kcatch", O_NONBLOCK);
	for (int i = 0; i < 3; i++) {
		struct stream *s = &streams[i];

		do {
			struct pollfd p = { .fd = s->to, .events = POLLOUT };

			stream_move(s);
			if (stream_full(s))
				poll(&p, 1, 1000);
		} while (stream_full(s));
	}
}

/*
 * Warnings and worse reach the serial console, should the machine die. Not with lockdep: the
 * console takes a lock that may sleep on a real-time kernel, PROVE_RAW_LOCK_NESTING reports that
 * of each warning by an interrupt, and lockdep is off after its first report. A panic and what
 * comes before it reach the console at any level.
 */
static void console_level(void)
{
	setting("/proc/sys/kernel/printk", access("/proc/lockdep_stats", F_OK) ? "5" : "1");
}

int main(void)
{
	static struct stream streams[3];	/* stdout, stderr, log */
	const char *cwd = "/", *modules = "/", *boot = "/", *insmod = NULL;
	const char *programs = NULL;
	bool calm = false;
	char **argv, **envp;
	int argc = 0, envc = 0, out[2], err[2];
	struct rlimit files = { 1024, 1 << 20 };
	sigset_t blocked, waiting;
	size_t length;

	make_directory("/dev");
	mount_needed("devtmpfs", "/dev", "devtmpfs", 0, "mode=755");
	int console = open("/dev/console", O_RDWR | O_CLOEXEC);

	if (console >= 0 && console < 3) {	/* the initramfs has no /dev/console */
		dup2(console, 0);
		dup2(console, 1);
		dup2(console, 2);
	}
	modules_load();
	control = port_open(WIRE_CONTROL);
	for (int i = 0; i < 3; i++) {
		streams[i].open = true;
		streams[i].to = port_open(WIRE_STDOUT + i);
		fcntl(streams[i].to, F_SETFL, O_RDWR | O_NONBLOCK);
	}
	streams[2].from = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	char *request = request_read(&length);

	argv = calloc(length, sizeof(*argv));
	envp = calloc(length, sizeof(*envp));
	if (!argv || !envp)
		fail("no memory for the request");
	for (char *at = request; *at; at += strlen(at) + 1) {
		char *value;

		if ((value = field(at, "arg")))
			argv[argc++] = value;
		else if ((value = field(at, "env")))
			envp[envc++] = value;
		else if ((value = field(at, "cwd")))
			cwd = value;
		else if ((value = field(at, "root")))
			programs = value;
		else if ((value = field(at, "modules")))
			modules = value;
		else if ((value = field(at, "boot")))
			boot = value;
		else if ((value = field(at, "insmod")))
			insmod = value;
		else if (field(at, "settle"))
			calm = true;
	}

	host_mount();
	if (programs)
		foreign_root_mount(programs);
	else
		overlay_mount(LOWER, "root", ROOT);
	for (char *at = request; *at; at += strlen(at) + 1)
		if (programs && field(at, "show"))
			host_show_other(field(at, "show"));
	system_mount();
	kernel_files_mount(modules, boot);
	if (chdir(ROOT) || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		fail("cannot enter the root: %m");
	sethostname("kcatch", 6);
	loopback_up();
	static_nodes_make();
	console_level();
	setrlimit(RLIMIT_NOFILE, &files);
	if (insmod) {
		int error = module_load(insmod);

		if (error) {
			stream_move(&streams[2]);	/* the kernel's own words */
			fail("cannot load %s: %s", insmod, strerror(-error));
		}
	}

	if (calm)
		settle();

	/* A signal that only ends the wait: waitpid() tells the rest. */
	signal(SIGCHLD, nothing);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &waiting);
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		fail("cannot make a pipe: %m");
	control_say("ready");
	pid_t command = fork();

	if (command < 0)
		fail("cannot fork: %m");
	if (!command)
		command_exec(argv, envp, cwd, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	streams[0].from = out[0];
	streams[1].from = err[0];

	int status = command_watch(command, streams, &waiting);

	streams_finish(streams, insmod);
	control_say("exit %d %llu %llu %llu", status,
		    (unsigned long long)streams[0].sent,
		    (unsigned long long)streams[1].sent,
		    (unsigned long long)streams[2].sent);
	for (;;)
		pause();	/* the host ends the machine */
}
