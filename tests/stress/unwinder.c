// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: ten million stacks of TCP, ext4, the virtual file system, the scheduler, interrupts
 * and NMIs, each walked by kcatch and by the kernel (selfcheck=1): no difference.
 */
#include "guest.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PARAMETERS "/sys/module/kcatch/parameters/"
#define PATTERNS 16
#define SILENCE 600		/* seconds without one more stack */
#define DIFFERENCE "own stack walker differs"
#define PAIRS 2			/* of processes that make traffic, of each kind */
#define SYSRQ "/proc/sysrq-trigger"

/* ---- traffic, which goes on until it is killed ------------------------------- */

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu % online_cpus(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void listen_on(int fd, struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);

	*address = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (bind(fd, (struct sockaddr *)address, size) || listen(fd, 8) ||
	    getsockname(fd, (struct sockaddr *)address, &size))
		_exit(1);
}

/* Sends back what comes, connection after connection. */
static void echo_serve(int listener)
{
	char buffer[4096];
	ssize_t size;
	int fd;

	for (;;) {
		fd = accept(listener, NULL, NULL);
		while ((size = read(fd, buffer, sizeof(buffer))) > 0)
			if (write(fd, buffer, size) != size)
				break;
		close(fd);
	}
}

static void echo_ask(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1, i;
	char buffer[4096] = "";

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (!connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		for (i = 0; i < 200; i++)
			if (write(fd, buffer, 1 + i * 16) < 0 || read(fd, buffer, 4096) <= 0)
				break;
	close(fd);
}

static void tcp_traffic(int number)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in address;

	(void)number;
	listen_on(listener, &address);
	if (!fork())
		echo_serve(listener);
	close(listener);
	for (;;)
		echo_ask(&address);
}

/* Files are made, written, read, renamed and removed in a directory. */
static void file_traffic(const char *directory, int number)
{
	char name[64], other[64], buffer[8192] = "";
	int fd, round, i;

	for (round = 0;; round++) {
		snprintf(name, sizeof(name), "%s/%d.%d", directory, number, round % 7);
		snprintf(other, sizeof(other), "%s/%d.other", directory, number);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		for (i = 0; i < 4; i++)
			if (write(fd, buffer, sizeof(buffer) / (i + 1)) < 0)
				break;
		if (round % 8 == 0)
			fsync(fd);
		for (i = 0; i < 4; i++)
			if (pread(fd, buffer, 512, i * 1024) < 0)
				break;
		close(fd);
		rename(name, other);
		unlink(other);
		mkdir(other, 0700);
		rmdir(other);
	}
}

static void ext4_traffic(int number)
{
	file_traffic("ext4", number);
}

static void vfs_traffic(int number)
{
	char buffer[256];
	int fd, round;

	if (!fork())
		file_traffic(".", number);
	for (round = 0;; round++) {
		struct stat status;

		fd = open(round % 4 ? "/proc/self/stat" : "/etc/passwd", O_RDONLY);
		while (read(fd, buffer, sizeof(buffer)) > 0)
			;
		close(fd);
		if (stat("/usr/bin", &status))
			_exit(1);
	}
}

static void scheduler_traffic(int number)
{
	const struct timespec moment = { .tv_nsec = 50000 };
	int there[2], back[2];
	bool first;
	char byte = 0;
	int round;

	if (pipe(there) || pipe(back))
		_exit(1);
	first = fork();
	run_on(number + first);
	for (round = 0;; round++) {
		if (first && write(there[1], &byte, 1) < 0)
			_exit(1);
		if (read(first ? back[0] : there[0], &byte, 1) != 1)
			_exit(1);
		if (!first && write(back[1], &byte, 1) < 0)
			_exit(1);
		if (round % 16 == 0)
			sched_yield();
		else if (round % 16 == 8)
			nanosleep(&moment, NULL);
	}
}

static void nothing(int signal)
{
	(void)signal;
}

/* Timers that expire all the time, beside packets. */
static void interrupt_traffic(int number)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };

	run_on(number);
	signal(SIGALRM, nothing);
	setitimer(ITIMER_REAL, &often, NULL);
	tcp_traffic(number);
}

/* ---- kinds ------------------------------------------------------------------- */

struct kind {
	const char *name;
	uint32_t share;			/* percent of all stacks */
	void (*traffic)(int number);	/* never returns */
	const char *patterns[PATTERNS];
};

static const struct kind kinds[] = {
	{ "tcp", 25, tcp_traffic,
	  { "tcp_*", "ip_*", "inet_*", "sock_*", "skb_*", "__tcp_*", "__skb_*", "loopback_*" } },
	{ "ext4", 25, ext4_traffic,
	  { "ext4_*", "__ext4_*", "jbd2_*", "bio_*", "submit_bio*", "blk_*", "lo_*", "loop_*" } },
	{ "vfs", 20, vfs_traffic,
	  { "vfs_*", "do_sys_*", "path_*", "lookup_*", "dput", "seq_*", "d_*", "generic_*",
	    "proc_*", "filp_*" } },
	{ "scheduler", 20, scheduler_traffic,
	  { "schedule", "sched_*", "try_to_wake_up", "*_task_fair", "update_*", "dequeue_*",
	    "enqueue_*", "pipe_*", "hrtimer_*", "check_preempt_*", "pick_next_*", "ttwu_*" } },
	{ "interrupts", 10, interrupt_traffic,
	  { "handle_*irq*", "irq_*", "hrtimer_interrupt", "tick_*", "scheduler_tick", "sched_tick",
	    "rcu_*", "run_timer*", "net_rx_*", "process_backlog", "update_process_times",
	    "*_softirq*", "flush_smp_*", "generic_smp_*", "__netif_*", "timekeeping_*" } },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static uint64_t parameter_read(const char *name)
{
	char path[128];
	unsigned long long value = 0;
	FILE *file;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%llu", &value) != 1)
		bail("%s can be read", path);
	fclose(file);
	return value;
}

static void parameter_write(const char *name, const char *value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	file = fopen(path, "w");
	if (!file || fputs(value, file) < 0 || fclose(file))
		bail("%s can be set to %s", path, value);
}

/* Has a walk differed, by the kernel's log? */
static bool differs(void)
{
	return !system("dmesg | grep -q '" DIFFERENCE "'");
}

static pid_t traffic_begin(const struct kind *kind)
{
	pid_t group = 0;
	int i;

	for (i = 0; i < PAIRS; i++) {
		pid_t pid = fork();

		if (!pid) {
			setpgid(0, group);
			/* Setting things up, and showing how far it is, must get its turn. */
			if (nice(5) == -1)
				_exit(1);
			kind->traffic(i);
		}
		group = group ? group : pid;
		setpgid(pid, group);
	}
	return group;
}

static void traffic_end(pid_t group)
{
	kill(-group, SIGKILL);
	while (waitpid(-group, NULL, 0) > 0)
		;
}

/* The records are of no interest: they overwrite each other. */
static int session_begin(struct session *session, const struct kind *kind)
{
	const struct add_options options = { .kind = KCATCH_TARGET_PATTERN };
	int i;

	session_open_mode(session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN,
			  KCATCH_RING_OVERWRITE, 0);
	for (i = 0; i < PATTERNS && kind->patterns[i]; i++)
		session_add(session, kind->patterns[i], &options, NULL);
	session_start(session);
	return session_status(session).nr_probes;
}

/* Until as many have been compared as wanted; false when none comes any more. */
static bool compared_wait(const char *name, uint64_t begin, uint64_t wanted)
{
	time_t start = time(NULL), moved = start, told = start;
	uint64_t before = begin, now;

	do {
		sleep(1);
		now = parameter_read("selfchecked");
		if (now != before)
			moved = time(NULL);
		before = now;
		if (time(NULL) - told >= 20 || now - begin >= wanted) {
			told = time(NULL);
			note("%s: %llu of %llu stacks compared in %ld s", name,
			     (unsigned long long)(now - begin), (unsigned long long)wanted,
			     (long)(told - start));
		}
		if (time(NULL) - moved >= SILENCE)
			return false;
	} while (now - begin < wanted);
	return true;
}

static uint64_t kind_run(const struct kind *kind, uint64_t wanted)
{
	uint64_t begin = parameter_read("selfchecked"), compared;
	struct session session;
	bool enough;
	int functions;
	pid_t group;

	functions = session_begin(&session, kind);
	group = traffic_begin(kind);
	enough = compared_wait(kind->name, begin, wanted);
	traffic_end(group);
	session_stop(&session);
	compared = parameter_read("selfchecked") - begin;
	check(enough && !differs(), "%s: %llu stacks of %d functions compared, %s", kind->name,
	      (unsigned long long)compared, functions, differs() ? "one differs" : "none differs");
	session_close(&session);
	return compared;
}

/* ---- NMIs ---------------------------------------------------------------------- */

static bool machine_counts_cycles(void)
{
	struct perf_event_attr counter = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(counter),
		.config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 100000, .exclude_user = 1,
	};
	int fd = syscall(SYS_perf_event_open, &counter, -1, 0, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void nmi_seen(void *context, uint32_t cpu, const struct kcatch_hit *hit)
{
	(void)cpu;
	if ((hit->context & KCATCH_CONTEXT_MASK) == KCATCH_CONTEXT_NMI)
		++*(uint64_t *)context;
}

/* An NMI comes to CPU 1 while it waits for it in the test module. */
static void nmi_send(void)
{
	pid_t waiter = fork();
	int fd;

	if (!waiter) {
		run_on(1);
		order("nmi chain");
		_exit(0);
	}
	fd = open(SYSRQ, O_WRONLY);
	while (!waitpid(waiter, NULL, WNOHANG)) {
		if (write(fd, "l", 1) != 1)
			bail(SYSRQ " can be written");
		usleep(2000);
	}
	close(fd);
}

static void nmis_run(int rounds)
{
	static const char *const patterns[] = {
		"kt_*", "nmi_*", "*printk*", "show_*", "sysrq_*", "trigger_*",
	};
	const struct add_options options = { .kind = KCATCH_TARGET_PATTERN };
	uint64_t begin = parameter_read("selfchecked"), in_nmi = 0;
	struct session session;
	size_t i;
	int round;

	note("NMIs come by sysrq: perf %s", machine_counts_cycles() ?
	     "could count cycles here, and is not used" : "has no counter here that makes some");
	test_module_load();
	run_on(0);
	session_open(&session, 1 << 20, 1 << 16);
	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		session_add(&session, patterns[i], &options, NULL);
	session_map(&session);
	session_start(&session);
	for (round = 0; round < rounds; round++) {
		nmi_send();
		session_read(&session, false, nmi_seen, &in_nmi);
		if (!((round + 1) % (rounds / 10 + 1)))
			note("NMIs: %d of %d rounds, %llu stacks in NMIs", round + 1, rounds,
			     (unsigned long long)in_nmi);
	}
	session_stop(&session);
	check(in_nmi >= (uint64_t)rounds && !differs(),
	      "NMIs: %llu stacks recorded in NMIs, %llu compared, %s", (unsigned long long)in_nmi,
	      (unsigned long long)(parameter_read("selfchecked") - begin),
	      differs() ? "one differs" : "none differs");
	session_close(&session);
}

/* ---- all of it ------------------------------------------------------------------- */

static bool ext4_make(void)
{
	return !system("PATH=$PATH:/sbin:/usr/sbin; modprobe ext4; modprobe loop; mkdir ext4 && "
		       "truncate -s 64M image && mkfs.ext4 -q image && "
		       "mount -o loop image ext4 >&2");
}

int main(void)
{
	const char *scale = getenv("KT_SCALE");
	uint64_t all = 100000ULL * (scale ? atoi(scale) : 100), compared = 0;
	int memory = module_memory();
	bool ext4;
	size_t i;

	if (chdir(getenv("KT_TMP")))
		bail("there is a directory for files");
	ext4 = ext4_make();
	if (!ext4)
		note("no ext4 can be made here: more of the others is compared");
	parameter_write("selfcheck", "1");
	for (i = 0; i < KINDS; i++)
		if (ext4 || kinds[i].traffic != ext4_traffic)
			compared += kind_run(&kinds[i], all * kinds[i].share / (ext4 ? 100 : 75));
	if (online_cpus() > 1)
		nmis_run(all / 50000);
	parameter_write("selfcheck", "0");
	check(compared >= all / 100 * 99, "%llu stacks are compared in all",
	      (unsigned long long)compared);
	check_equal(differs(), 0, "stacks that differ");
	check(!system("kcatch check | grep -q 'own stack walker'"), "the fast walker is in use");
	if (ext4 && system("umount ext4"))
		note("the file system cannot be unmounted");
	check_nothing_left(memory);
	return finish();
}
