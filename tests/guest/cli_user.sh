# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --user shows the stack of the program that is in the kernel, by the names of its
# functions, also at an instruction inside a function; without the option there is none, and events
# have none.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <unistd.h>
__attribute__((noipa)) int kt_inner(int n) { return getppid() + n; }
__attribute__((noipa)) int kt_outer(int n) { return kt_inner(n) + 1; }
int main(int argc, char **argv)
{
	(void)argv;
	for (;;) {	/* whoever looks at its stack needs the process */
		argc += kt_outer(argc);
		usleep(50000);
	}
}
C
gcc -O2 -g -o kt_user program.c || exit 1
./kt_user &
program=$!
cleanup() { kill -9 $program; }

catch_begin --user --json -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'the functions of the program, from the system call up' \
	"$(jq -r 'select(.function).user_stack | map(.symbol // "?") | join(" ")' out)" ' kt_inner kt_outer main '
check_equal 'with its file as module' \
	"$(jq -r 'select(.function).user_stack[] | select(.symbol == "kt_inner").module' out)" \
	"$(realpath kt_user)"
check_equal 'and where it ends' "$(jq -r 'select(.function).user_stack_end' out)" complete
catch_begin --user=64K -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'as text' "$out" 'user stack:.*kt_inner\+0x.*kt_outer\+0x.*main\+0x'
catch_begin --user=1001 -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'any number of bytes' "$out" 'user stack:.*kt_inner\+0x'
catch_begin --user=64 --json -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_equal 'of few bytes: that it is cut' "$(jq -r 'select(.function).user_stack_end' out)" depth
catch_begin --user=64 -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'that as text' "$out" \
	'user stack:.*kt_inner\+0x.*\.\.\. cut: deeper than the bytes that were taken, or 128 calls'
catch_begin --json -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_equal 'without the option: none' "$(jq -r 'select(.function) | has("user_stack")' out)" false

# Where do_nanosleep() returns to.
catch_begin --json -n 1 -t 300 -p $program do_nanosleep
catch_end
inside=$(jq -r 'select(.stack).stack[0] | "\(.symbol)+\(.offset)"' out)
catch_begin --user --with-cgroup --json -n 1 -t 300 -p $program "$inside"
catch_end
check_match "inside a function, $inside: the same" \
	"$(jq -r 'select(.function).user_stack | map(.symbol // "?") | join(" ")' out)" ' main '
check_equal 'and the cgroup' "$(jq -r 'select(.function).cgroup' out)" \
	"$(sed -n 's/^0:://p' /proc/$program/cgroup)"
check_equal 'and no arguments' "$(jq -rc 'select(.function) | .args // {} | length' out)" 0
catch_begin --with-cgroup --no-args --json -n 1 -t 300 -p $program "$inside"
catch_end
check_equal 'the cgroup alone' "$(jq -r 'select(.function) | "\(.cgroup) \(has("user_stack"))"' out)" \
	"$(sed -n 's/^0:://p' /proc/$program/cgroup) false"

# In a module that is loaded later, where the entry of the same function is awaited, too.
test_module
catch_begin --json -n 1 -t 300 kt_c
order 'process chain'
catch_end
inside=$(jq -r 'select(.stack).stack[0] | "\(.symbol)+\(.offset)"' out)
rmmod kcatch_test
catch_begin --user --with-cgroup --json -n 2 -t 300 "kcatch_test:$inside" kcatch_test:kt_b
insmod "$KT_TEST_MODULE"
order 'process chain'
catch_end
check_equal "of a module to come, $inside and the function itself" "$(jq -rc 'select(.function) | [
	(.offset // 0) > 0, (.user_stack | length) > 0, (.cgroup | type), (.args // {} | length) > 0]' \
	out | sort)" '[false,true,"string",true]
[true,true,"string",false]'
rmmod kcatch_test

kcatch --user --stack -e sched:sched_process_exit >out 2>&1
check_match 'of events alone: refused' "$? $(cat out)" '^1 kcatch: --user is for functions: events have no user stack'

# A process whose first thread has ended has no memory by its own number.
cat >leaderless.c <<'C'
#include <pthread.h>
#include <unistd.h>
__attribute__((noipa)) int kt_thread_calls(int n) { return getppid() + n; }
static void *work(void *n)
{
	for (;;) {
		n = (char *)n + kt_thread_calls((int)(long)n);
		usleep(50000);
	}
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_exit(NULL);
}
C
gcc -O2 -g -o kt_leaderless leaderless.c -lpthread || exit 1
kill -9 $program
./kt_leaderless &
program=$!
catch_begin --user --json -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'of a process whose first thread has ended: its functions' \
	"$(jq -r 'select(.function).user_stack | map(.symbol // "?") | join(" ")' out)" ' kt_thread_calls work '
kcatch count -n 1 -t 300 -p $program ${kt_sys}getppid --by user_stack >out 2>err
check_match 'and as a key of counts: in which file' "$(cat out)" 'getppid.*libc'

# A program without symbols lies elsewhere each time that it runs: its place in the file tells.
kill -9 $program
cp kt_leaderless kt_whole
strip -o kt_stripped kt_whole
./kt_stripped &
program=$!
catch_begin --user --json -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
places=$(jq -r 'select(.function).user_stack[] | select(.module // "" | endswith("/kt_stripped"))
	| select(.symbol == null) | .offset - 1' out)
check_match 'a stripped PIE: addr2line finds the functions at the offsets' \
	"$(for place in $places; do printf '%x\n' "$place"; done | addr2line -f -e kt_whole | xargs)" \
	'kt_thread_calls .*work '
check_equal 'a stripped PIE: which file it was' "$(jq -r 'select(.function).user_stack[] |
	select(.module // "" | endswith("/kt_stripped")) | select(.symbol == null) | .build_id' \
	out | sort -u)" "$(readelf -n kt_whole | sed -n 's/ *Build ID: //p')"
catch_begin --user -n 1 -t 300 -p $program ${kt_sys}getppid
catch_end
check_match 'a stripped PIE: for people, too' "$out" 'kt_stripped\+0x[0-9a-f]+\]'
