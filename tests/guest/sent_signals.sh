# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch signals (R2): who sent it, with all parents up to init, how, to whom and
# what comes of it: kill, tgkill, sigqueue, a handler, an ignored and a blocked one, a fault
# with address and instruction, SIGPIPE, a timer, a key of the terminal, the OOM killer in a
# cgroup; also of sender and target that are gone at once.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

# The test's program: what it sends itself, and where it faults.
cat >self.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static void handler(int number) { (void)number; }

int main(int argc, char **argv)
{
	struct itimerval soon = { { 0, 0 }, { 0, 20000 } };
	sigset_t set;

	(void)argc;
	if (!strcmp(argv[1], "handled")) {
		signal(SIGUSR1, handler);
		syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	} else if (!strcmp(argv[1], "ignored")) {
		signal(SIGUSR1, SIG_IGN);
		kill(getpid(), SIGUSR1);
	} else if (!strcmp(argv[1], "blocked")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 4711 });
	} else if (!strcmp(argv[1], "alarm")) {
		setitimer(ITIMER_REAL, &soon, NULL);
		pause();
	} else if (!strcmp(argv[1], "memory")) {
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	} else if (!strcmp(argv[1], "pipe")) {
		int fds[2];

		if (!pipe(fds) && !close(fds[0]))
			return write(fds[1], "x", 1) != 1;
	} else {
		printf("%p\n", (void *)main);
		fflush(stdout);
		*(volatile int *)0x123456 = 1;
	}
	return 0;
}
C
gcc -O1 -o self self.c || skip_all 'no C compiler'
# Whoever starts this as `deep` is its fourth ancestor.
kcatch signals --json -t 300 USR1 TERM KILL SEGV PIPE ALRM INT RTMIN+5 >out 2>err & kcatch=$!
wait_for grep -q waiting err

bash -c 'bash -c "sleep 1000 & kill -9 \$!; :"; :' & starter=$!
wait $starter
sleep 1000 & victim=$!
wait_for grep -qx sleep /proc/$victim/comm
kill $victim; wait $victim
# The second one comes while the process ends by the first: the same call sends both.
bash -c 'sleep 4712 & kill -STOP $!; kill -KILL $! $! $! $!; kill -KILL $!; wait' 2>/dev/null
bash -c 'kill -RTMIN+5 $$' 2>/dev/null
for what in handled ignored blocked alarm pipe; do ./self $what; done
./self fault >main 2>/dev/null
if command -v script >/dev/null; then
	{
		wait_for pgrep -fx 'sleep 4711' >sleeper
		sleeps_in "$(cat sleeper)" nanosleep
		printf '\003'
		wait_for eval '! kill -0 "$(cat sleeper)"'
	} 2>/dev/null | script -qc 'exec sleep 4711' /dev/null >/dev/null 2>&1
fi
cgroup=
if echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir /sys/fs/cgroup/kt &&
	echo 8M >/sys/fs/cgroup/kt/memory.max; then
	cgroup=/sys/fs/cgroup/kt
	bash -c "echo \$\$ >$cgroup/cgroup.procs; exec ./self memory"
fi 2>/dev/null
kill -INT $kcatch
wait $kcatch
check_equal 'exit status' $? 0

# usage: one FILTER EXPRESSION - of the first signal that FILTER picks
one() {
	jq -rs "map(select(.signal and ($1))) | .[0] | $2" out
}
check_equal 'SIGKILL of one that is gone at once: fatal, by kill()' \
	"$(one '.signal == "SIGKILL" and .how == "kill()"' '"\(.fatal) \(.how) \(.sender.comm)"')" 'true kill() bash'
ended=$(jq -rs 'map(select(.signal == "SIGKILL" and .ending)) | .[0] |
	"\(.fate), \(.ignored) \(.fatal)"' out)
check_equal 'to one that is ending already, which ignores nothing' "$ended" \
	'dropped, the process is already ending, false false'
check_equal 'no SIGKILL is ignored' \
	"$(jq -rs 'map(select(.signal == "SIGKILL" and .ignored)) | length' out)" 0
check_match 'its parents, up to init' \
	"$(one '.signal == "SIGKILL" and .how == "kill()"' \
		'.ancestry | map("\(.comm):\(.pid)") | join(" ")')" \
	"^bash:$starter bash:$$ .* init:1\$"
check_equal 'SIGTERM: to whom, from whom' \
	"$(one ".target.pid == $victim" \
		'"\(.signal) \(.target.comm) \(.sender.pid) \(.sender.uid) \(.fatal)"')" \
	"SIGTERM sleep $$ 0 true"
check_match 'its stack' "$(one ".target.pid == $victim" '.stack | map(.symbol) | join(" ")')" \
	'^(trace_signal_generate )?(__send_signal_locked|send_signal_locked) .*kill_pid_info.*_x64_sys_kill .*entry_SYSCALL_64_after_hwframe$'
of='.signal == "SIGUSR1" and .target.comm == "self"'
check_equal 'tgkill, a handler, this thread' \
	"$(one "$of and .handler" '"\(.how) \(.fatal) \(.to_process)"')" 'tgkill() false false'
check_equal 'ignored' "$(one "$of and .ignored" '"\(.how) \(.fatal) \(.fate)"')" 'kill() false ignored'
check_equal 'blocked, sigqueue and its value' "$(one "$of and .blocked" '"\(.how) \(.fatal)"')" \
	'sigqueue() with value 4711 false'
# A kernel for real time (its release has -rt) ends such timers in a softirq.
[[ $(uname -r) = *-rt-* ]] && interrupt=softirq || interrupt=hardirq
check_equal 'alarm: from an interrupt, nobody sent it' \
	"$(one '.signal == "SIGALRM"' '"\(.how), \(.context) \(.sender) \(.fatal)"')" \
	"its timer (alarm, setitimer), $interrupt null true"
check_equal 'a real-time signal: what is not known is not said' \
	"$(one '.signal == "SIGRTMIN+5"' '"\(.how) \(.fatal) \(.fate)"')" \
	'kill() null fatal or handled: unknown for real-time signals'
check_equal 'SIGPIPE' "$(one '.signal == "SIGPIPE"' '"\(.how), \(.target.comm) \(.fatal)"')" \
	'a write to a pipe that nobody reads, self true'
check_equal 'SIGSEGV: the address' "$(one '.signal == "SIGSEGV"' '"\(.address) \(.fatal)"')" '0x123456 true'
main=$(cat main) instruction=$(one '.signal == "SIGSEGV"' .instruction)
check "SIGSEGV: the instruction is in main" \
	[ $((instruction - main)) -ge 0 -a $((instruction - main)) -lt 1024 ]
if [ "$(one '.signal == "SIGINT" and .target.comm == "sleep"' .how)" != null ]; then
	check_equal 'Ctrl-C' \
		"$(one '.signal == "SIGINT" and .target.comm == "sleep"' '"\(.how), \(.fatal)"')" \
		'the terminal (a key), true'
else
	skip 'Ctrl-C' 'no terminal to press it on'
fi
if [ "$cgroup" ]; then
	check_equal 'the OOM killer, and why' "$(one '.signal == "SIGKILL" and .target.comm == "self"' \
		'"\(.how), \(.fatal)"')" 'the OOM killer: the memory limit of its cgroup was reached, true'
	rmdir $cgroup
else
	skip 'the OOM killer, and why' 'no memory cgroup'
fi
check_equal 'the equation' "$(jq -r 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true

# What is chosen alone.
sleep 1000 & other=$!
sleep 1000 & victim=$!
rm -f err
kcatch signals --json -n 1 -t 300 --to $victim >out 2>err & kcatch=$!
wait_for grep -q waiting err
kill -USR2 $other; kill -HUP $victim
wait $kcatch
check_equal '--to: only what it gets' \
	"$(jq -r 'select(.signal) | "\(.signal) \(.target.pid)"' out)" "SIGHUP $victim"
sleep 1000 & other=$!
rm -f err
kcatch signals --json -n 2 -t 300 --to $other SIGIO Cld iot RTMAX-3 >out 2>err & kcatch=$!
wait_for grep -q waiting err
kill -CHLD $other; kill -IO $other
wait $kcatch
check_equal 'second names are taken' "$(jq -r 'select(.signal) | .number' out | tr '\n' ' ')" '17 29 '
kcatch signals NOSUCH 2>err
check_equal 'no signal: refused' "$? $(cat err)" "1 kcatch: 'NOSUCH' is no signal; see kill -l"
