# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch signals names the part of the kernel that sent a signal, however few frames
# of its stack are shown: the OOM killer, cgroup.kill, the end of a parent or of a PID namespace's
# init, limits of file size and CPU time, seccomp, timers of CPU time, the end of a tracer, a socket
# without a peer, an orphaned process group; and what is shown is no more than was requested.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

cat >self.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char *word, const char *other) { return !strcmp(word, other); }

/* The child is ready when its end of the pipe says so. */
static int told[2];

static pid_t child(void)
{
	if (pipe(told))
		exit(1);
	return fork();
}

static void ready(void)
{
	if (write(told[1], "x", 1) != 1)
		_exit(1);
}

static void wait_until_ready(void)
{
	char byte;

	if (read(told[0], &byte, 1) != 1)
		exit(1);
}

int main(int argc, char **argv)
{
	static struct sock_filter kill[] = {
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0, 0 },
		{ BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_getppid },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW },
	};
	struct sock_fprog program = { 4, kill };
	struct itimerval soon = { { 0, 0 }, { 0, 20000 } };
	struct rlimit bytes = { 10, 10 }, soft = { 1, 10 }, hard = { 1, 1 };
	const char *what = argc > 1 ? argv[1] : "";
	siginfo_t info = { .si_code = SEGV_MAPERR, .si_addr = (void *)0x4711 };
	int fds[2], fd;
	pid_t pid;

	prctl(PR_SET_NAME, argc > 2 ? argv[2] : what);
	if (is(what, "memory")) {
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	} else if (is(what, "parent")) {
		pid = child();
		if (!pid) {
			prctl(PR_SET_NAME, "orphan");
			prctl(PR_SET_PDEATHSIG, SIGUSR1);
			ready();
			pause();
		}
		wait_until_ready();
	} else if (is(what, "file")) {
		fd = open("file", O_RDWR | O_CREAT, 0600);
		setrlimit(RLIMIT_FSIZE, &bytes);
		return write(fd, "more than ten bytes", 19) + write(fd, "x", 1) > 0;
	} else if (is(what, "cpu")) {
		setrlimit(RLIMIT_CPU, &soft);
		for (;;)
			;
	} else if (is(what, "hard")) {
		setrlimit(RLIMIT_CPU, &hard);
		for (;;)
			;
	} else if (is(what, "prof")) {
		setitimer(ITIMER_PROF, &soon, NULL);
		for (;;)
			;
	} else if (is(what, "seccomp")) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
		return (int)syscall(SYS_getppid);
	} else if (is(what, "tracer")) {
		pid = child();
		if (!pid) {
			prctl(PR_SET_NAME, "traced");
			ready();
			pause();
		}
		wait_until_ready();
		ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL);
	} else if (is(what, "socket")) {
		if (!socketpair(AF_UNIX, SOCK_STREAM, 0, fds) && !close(fds[0]))
			return write(fds[1], "x", 1) != 1;
	} else if (is(what, "pretends")) {
		return (int)syscall(SYS_rt_sigqueueinfo, getpid(), SIGSEGV, &info);
	} else if (is(what, "group")) {
		pid = child();
		if (!pid) {
			setpgid(0, 0);
			prctl(PR_SET_NAME, "stopped");
			ready();
			raise(SIGSTOP);
			pause();
		}
		wait_until_ready();
		waitpid(pid, NULL, WUNTRACED);
	}
	return 0;
}
C
gcc -O1 -o self self.c || skip_all 'no C compiler'
kcatch signals --json --depth 1 -t 300 >out 2>err & kcatch=$!
wait_for grep -q waiting err
for what in parent file cpu hard prof seccomp tracer socket pretends group; do
	./self $what
done 2>/dev/null
unshare --pid --fork bash -c 'sleep 1000 & wait -n' &
wait_for pgrep -fx 'sleep 1000' >inside
init=$(pgrep -P $!)
kill -KILL "$init"
wait 2>/dev/null $!
cgroup=/sys/fs/cgroup/kt
mkdir $cgroup
sleep 1000 & victim=$!
echo $victim >$cgroup/cgroup.procs
echo 1 >$cgroup/cgroup.kill
wait $victim 2>/dev/null
memory=
if echo +memory >/sys/fs/cgroup/cgroup.subtree_control && echo 8M >$cgroup/memory.max; then
	memory=yes
	bash -c "echo \$\$ >$cgroup/cgroup.procs; exec ./self memory"
fi 2>/dev/null
kill -INT $kcatch
wait $kcatch
check_equal 'exit status' $? 0

# usage: how NAME SIGNAL TARGET CAUSE: some SIGNAL to TARGET was sent so
how() {
	local causes
	causes=$(jq -r --arg s "$2" --arg t "$3" \
		'select(.signal == $s and (.target.comm == $t or (.target.pid | tostring) == $t)) | .how' \
		out | sort -u)
	check_equal "$1" "$causes" "$4"
}
how 'the end of a parent' SIGUSR1 orphan 'the end of its parent (PR_SET_PDEATHSIG)'
how 'a file that grows too large' SIGXFSZ file 'a limit of the size of files (RLIMIT_FSIZE)'
how 'too much CPU time' SIGXCPU cpu 'a limit of CPU time (RLIMIT_CPU or RLIMIT_RTTIME)'
how 'much too much' SIGKILL hard 'a limit of CPU time (RLIMIT_CPU or RLIMIT_RTTIME)'
how 'a timer of CPU time is no limit' SIGPROF prof 'its timer of CPU time'
how 'seccomp' SIGSYS seccomp 'seccomp'
how 'the end of a tracer' SIGKILL traced 'the end of its tracer (PTRACE_O_EXITKILL)'
how 'a socket without a peer' SIGPIPE socket 'a write to a pipe or socket that nobody reads'
how 'a process that pretends a fault' SIGSEGV pretends 'sigqueue()'
how 'a stopped group without parents' SIGHUP stopped \
	'the end of the last parent of its process group, in which one is stopped'
how 'the end of a namespace' SIGKILL "$(cat inside)" 'the end of init of its PID namespace'
how 'cgroup.kill' SIGKILL "$victim" 'cgroup.kill'
if [ "$memory" ]; then
	how 'the OOM killer' SIGKILL memory 'the OOM killer: the memory limit of its cgroup was reached'
else
	skip 'the OOM killer' 'no memory cgroup'
fi
check_equal 'no more of the stack is shown than was requested' \
	"$(jq -r 'select(.signal) | "\(.stack | length) \(.stack_complete)"' out | sort -u)" '1 false'
rm -f err
sleep 1000 & victim=$!
rm -f err
kcatch signals -n 1 -t 300 --depth 2 --to $victim >out 2>err & kcatch=$!
wait_for grep -q waiting err
kill $victim
wait $kcatch
check_match 'nor in text, which says that it was cut' "$(cat out)" $'by kill\\(\\)\n.*\n    [^\n]*\n    [^\n]*\n    ... cut at --depth 2'
