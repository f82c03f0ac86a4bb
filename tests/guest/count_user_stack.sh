# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch count --by user_stack names the functions of programs, in each form of output;
# a process that is gone when its counts are read has addresses.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
/* The system call in the function itself: libc's have no frame. */
__attribute__((noipa)) int kt_inner(int n)
{
	long ret = SYS_getppid;

	__asm__ volatile("syscall" : "+a"(ret) : : "rcx", "r11", "memory");
	return (int)ret + n;
}
__attribute__((noipa)) int kt_outer(int n) { return kt_inner(n) + 1; }
__attribute__((noipa)) int kt_deep(int n, int deep)
{
	return deep ? kt_deep(n, deep - 1) + 1 : kt_outer(n);
}
int main(int argc, char **argv)
{
	int deep = argc > 1 ? 200 : 0;

	(void)argv;
	for (;;) {
		argc += kt_deep(argc, deep);
		usleep(20000);
	}
}
C
gcc -O0 -fno-omit-frame-pointer -o kt_user program.c || exit 1
./kt_user &
program=$!
cleanup() { kill -9 $program; }

counted() { kcatch count "${kt_sys}getppid" -p $program -n 10 --by user_stack "$@" >out 2>err; }
counted
check_equal 'a living process: status 0' $? 0
check_match 'text: symbol, offset and file, innermost first' "$(cat out)" \
	' kt_inner\+0x[0-9a-f]+ \(kt_user\)
 +kt_outer\+0x[0-9a-f]+ \(kt_user\)
 +kt_deep\+0x[0-9a-f]+ \(kt_user\)
 +main\+0x[0-9a-f]+ \(kt_user\)
'
counted --json
check_match 'JSON: the same without the file' "$(head -n 1 out)" \
	'"user_stack":\["kt_inner\+0x[0-9a-f]+","kt_outer\+0x[0-9a-f]+","kt_deep\+0x[0-9a-f]+","main\+0x[0-9a-f]+"'
counted --format folded
check_match 'folded: outermost first, no offsets' "$(cat out)" ';main;kt_deep;kt_outer;kt_inner 10$'
counted --format flame
check_match 'a flame graph' "$(cat out)" 'kt_outer \(kt_user\): 10 events.*kt_inner \(kt_user\): 10 events'
counted --format pprof
check 'a profile for pprof' eval 'gzip -dc out | grep -aq kt_inner'
kill -9 $program
wait $program 2>/dev/null
./kt_user deep &
program=$!
counted --depth 256 --json
check_equal 'a deep stack is whole' \
	"$(jq -r 'select(.key).key.user_stack | map(select(test("^kt_deep"))) | length' out)" 201
check_equal 'and says nothing of its end' \
	"$(jq -r 'select(.key) | has("user_stack_end")' out)" false
counted --depth 9 --json
check_equal 'one that is cut says so' \
	"$(jq -r 'select(.key) | "\(.key.user_stack | length) \(.user_stack_end)"' out)" '9 depth'
counted --depth 9
check_match 'that as text' "$(cat out)" ' kt_deep\+0x[0-9a-f]+ \(kt_user\)
 +\.\.\. cut at --depth 9$'
counted --depth 9 --format folded
check_match 'and folded' "$(cat out)" '^\[cut\];(kt_deep;){7}kt_outer;kt_inner 10$'
counted --depth 9 --format flame
check_match 'and in a flame graph' "$(cat out)" '>\[cut\]: 10 events.*>kt_deep \(kt_user\): 10 events'
counted --depth 9 --format pprof
check 'and in a profile for pprof' eval 'gzip -dc out | grep -aq "\[cut\]"'
kcatch count "${kt_sys}getppid" -p $program -n 10 --by comm,stack,user_stack --depth 1 --json \
	>out 2>err
check_equal 'beside other keys, and a stack of the kernel that is cut' \
	"$(jq -r 'select(.key) | "\(.stack_end) \(.user_stack_end) \(.count)"' out)" 'depth depth 10'
strip kt_user -o kt_stripped
kill -9 $program
wait $program 2>/dev/null
./kt_stripped &
program=$!
counted
check_match 'without symbols: file and offset' "$(cat out)" ' kt_stripped\+0x[0-9a-f]+
'
kill -9 $program
wait $program 2>/dev/null
cp kt_stripped $'kt;\e[31mx'
./$'kt;\e[31mx' &
program=$!
counted --format folded
check_match 'a hostile name of a file: escaped' "$(cat out)" ';kt:\\x1b\[31mx\+0x[0-9a-f]+ 10$'
kill -9 $program
wait $program 2>/dev/null

# The frames of a 32-bit program are of another layout: behind one lie arguments that differ. It
# needs no library of 32 bits.
cat >narrow.c <<'C'
static int call(int number, const void *argument)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(argument) : "memory");
	return result;
}
__attribute__((noipa)) int kt_narrow_inner(int n, int m)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(64) : "memory");	/* getppid */
	return result + n + m;
}
__attribute__((force_align_arg_pointer)) void _start(void)
{
	const long pause[2] = { 0, 20000000 };
	int n;

	for (n = 1; ; n++) {
		kt_narrow_inner(n, n);
		call(162, pause);	/* nanosleep */
	}
}
C
gcc -m32 -O0 -fno-omit-frame-pointer -fno-pie -no-pie -static -nostdlib -ffreestanding \
	-o kt_narrow narrow.c || exit 1
./kt_narrow &
program=$!
counted --json
check_equal 'a 32-bit program: one frame, which says that more are not known' \
	"$(jq -r 'select(.key) | "\(.key.user_stack | length) \(.user_stack_end) \(.count)"' out)" \
	'1 broken 10'
check_match 'and it is the right one' "$(jq -r 'select(.key).key.user_stack[0]' out)" \
	'^kt_narrow_inner\+0x'
kill -9 $program
wait $program 2>/dev/null

# A thread of io_uring has no stack of the program, but copies of some of its maker's registers.
cat >worker.c <<'C'
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct io_uring_params p = { 0 };
	int file = (int)syscall(SYS_io_uring_setup, 4, &p);
	const int access = PROT_READ | PROT_WRITE;
	char *ring = mmap(NULL, 65536, access, MAP_SHARED, file, IORING_OFF_SQ_RING);
	struct io_uring_sqe *entry = mmap(NULL, 4096, access, MAP_SHARED, file, IORING_OFF_SQES);
	unsigned int *tail, *done;

	if (file < 0 || ring == MAP_FAILED || entry == MAP_FAILED)
		return 1;
	tail = (unsigned int *)(ring + p.sq_off.tail);
	done = (unsigned int *)(ring + p.cq_off.head);
	for (;;) {
		*entry = (struct io_uring_sqe){ .opcode = IORING_OP_NOP, .flags = IOSQE_ASYNC };
		__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
		syscall(SYS_io_uring_enter, file, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
		__atomic_store_n(done, *done + 1, __ATOMIC_RELEASE);
		usleep(20000);
	}
}
C
gcc -O0 -fno-omit-frame-pointer -o kt_worker worker.c || exit 1
./kt_worker &
program=$!
kcatch count io_wq_submit_work -p $program -n 10 --by user_stack --json >out 2>err
check_equal 'a thread of io_uring: no frame' \
	"$(jq -c 'select(.key) | [.key.user_stack, .count]' out)" '[[],10]'
kcatch io_wq_submit_work -p $program -n 1 --user --json >out 2>err
check_equal 'nor in an event' "$(jq -c 'select(.stack).user_stack' out)" '[]'
kill -9 $program
wait $program 2>/dev/null

./$'kt;\e[31mx' &
program=$!
# Calls of the program: it sleeps after each.
slept() {
	sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' /proc/$program/status
}
# usage: counts_gone OPTION... - the program has ended when its counts are read
counts_gone() {
	kcatch count ${kt_sys}getppid -p $program -d 1000 -t 300 --by user_stack "$@" >out 2>err &
	local counter=$! before
	sleeps_in $counter poll
	before=$(slept)
	wait_for eval '[ "$(slept)" -gt $((before + 5)) ]'
	kill -9 $program
	wait $program 2>/dev/null
	wait $counter
}
counts_gone --json
check_match 'a process that is gone: addresses' "$(head -n 1 out)" '"user_stack":\["0x[0-9a-f]+","0x'
./kt_user &
program=$!
counts_gone --format pprof
check 'in a profile for pprof these are not in the kernel' \
	eval 'gzip -dc out | grep -aq "\[user\]" && ! gzip -dc out | grep -aq "\[kernel\]"'
check_unhooked 'nothing is hooked any more'
