# SPDX-License-Identifier: GPL-2.0-or-later
# Description: syscalls:sys_enter_NAME and sys_exit_NAME, which are no tracepoints, are events all
# the same: of that system call alone, with arguments by name and type, texts and conditions.
# Those of newer kernels than that of the machine that built kcatch are known, too.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

mkdir dir
echo hello >dir/file
kcatch record -o calls -e syscalls:sys_enter_openat -e syscalls:sys_exit_openat \
	-e syscalls:sys_enter_newfstatat -- cat dir/file >out 2>err
check_equal 'a command with events of some system calls: status 0' $? 0
check_same_in_babeltrace calls
last=$(jq -sc 'map(select(.event == "syscalls:sys_enter_openat")) | last | .args' report.json)
check_match 'what is opened, by what' "$last" '"dfd":-100,"filename":"dir/file","flags":0'
check_equal 'entries and exits are as many' "$(jq -r '.event // empty' report.json | grep -c sys_enter_openat)" \
	"$(jq -r '.event // empty' report.json | grep -c sys_exit_openat)"
check_match 'under its own name' "$(jq -rs 'map(.comm // empty) | unique | join(" ")' report.json)" '^cat$'

kcatch record -o written -e sys_enter_write -- sh -c 'echo hello' >out 2>err
check_match 'what is written, by the name alone' "$(kcatch report written)" 'syscalls:sys_enter_write.fd=1, buf="hello.*, count=6'
kcatch record -o one -e syscalls:sys_enter_openat --filter 'filename ~ "dir*" && dfd < 0' \
	-- cat dir/file >out 2>err
check_equal 'a condition on its arguments' \
	"$(kcatch report one | grep -c 'filename="dir/file"') $(grep -c '1 recorded' err)" '1 1'
kcatch record -o failed -e 'syscalls:sys_exit_open*' --filter 'ret == -ENOENT' \
	-- cat dir/none >out 2>err
kcatch report failed >report.txt
check_equal 'a pattern, and what came back' "$(grep -c 'sys_exit_openat(ret=-2)' report.txt)" "$(wc -l <report.txt)"
check 'which was something' [ -s report.txt ]
kcatch record -o some -e sys_enter_openat -e sys_enter_close --filter 'filename ~ "dir*"' \
	-- cat dir/file >out 2>err
check_match 'one of two events has the argument: the other is left out, which is said' \
	"$? $(cat err)" '^0 .*1 .*left out'
check_equal 'and the first is recorded' \
	"$(kcatch report some --fields event)" 'syscalls:sys_enter_openat'
(exec 3<>/dev/udp/127.0.0.1/9) 2>/dev/null
kcatch record -o net -e syscalls:sys_enter_connect -- bash -c 'exec 3<>/dev/udp/127.0.0.1/9' 2>err
check_match 'an address' "$(kcatch report net)" 'sys_enter_connect.*=127.0.0.1:9'

# What another system call does is no hit of the event: not with a filter by process or without, of
# one event or of several, recorded or counted.
cat >asks.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	int i;

	for (i = 0; i < 1000; i++) {
		syscall(SYS_getuid);
		syscall(SYS_getppid);
		syscall(SYS_getgid);
		syscall(SYS_getegid);
	}
	return 0;
}
C
if gcc -O1 -o asks asks.c; then
	# Of all others few call the same: a filtered hit is one of theirs. Of the program's own
	# calls, those that were not asked for are no hits.
	# usage: terms NAME OPTION... - hits but for those of others, recorded, missed
	terms() {
		local name=$1
		shift
		rm -f err
		kcatch --json "$@" >out 2>err & kcatch=$!
		wait_for grep -q 'waiting' err
		./asks
		kill -INT $kcatch
		wait $kcatch
		jq -r 'select(.summary) | .summary |
			"\(.hits - ([.filtered, 100] | min)) \(.recorded) \(.missed)"' out
	}
	check_equal 'one event: its hits are its calls' \
		"$(terms one -n 0 -c asks -e syscalls:sys_enter_getppid)" '1000 1000 0'
	check_equal 'several events' "$(terms several -n 0 -c asks -e syscalls:sys_enter_getppid \
		-e syscalls:sys_enter_getegid)" '2000 2000 0'
	kcatch count --json -c asks -e syscalls:sys_enter_getppid >out 2>err & kcatch=$!
	wait_for counts_or_ended $kcatch
	./asks
	kill -INT $kcatch
	wait $kcatch
	check_equal 'counted' \
		"$(jq -r 'select(.summary) | .summary |
			"\(.hits - ([.filtered, 100] | min)) \(.counted)"' out)" '1000 1000'
else
	skip 'hits of one of all system calls' 'no C compiler'
fi

kcatch record -o none -e syscalls:sys_enter_opnat -- true 2>err
check_match 'a name that is wrong: what is meant' "$? $(cat err)" '^1 .*did you mean syscalls:sys_enter_openat'
kcatch record -o none -e syscalls:sys_enter_openat --filter 'file == 1' -- true 2>err
check_match 'an argument that it does not have: those it has' "$? $(cat err)" '^1 .*(dfd, filename, flags, mode|did you mean filename)'

# An event does not return, but that of a return has one.
catch_begin --json -n 1 -t 300 -e 'raw_syscalls:*' 'ret == -2 && comm == "cat"'
cat dir/none 2>/dev/null
catch_end
check_equal 'a condition on what came back: the event that has it' \
	"$(jq -r '.event // empty' out)" raw_syscalls:sys_exit
check_match 'the other is left out, which is said' "$status $err" '^0 .* 1 more .*left out'
kcatch -t 300 -e raw_syscalls:sys_enter 'ret == -2' >out 2>err
check_match 'that alone is refused' "$? $(cat err)" '^1 .*an event does not return, so it has no ret'

# All that the kernel has, whatever the machine had that built kcatch.
kcatch -n 0 -t 1 --json -e 'syscalls:sys_enter_*' >out 2>err
check_equal 'each system call is known' \
	"$(jq -r 'select(.summary).summary | "\(.probes) \(.skipped)"' out)" \
	"$(grep -c '^syscalls:sys_enter_' $tracefs/available_events) 0"
