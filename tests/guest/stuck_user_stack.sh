# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch stuck names the functions of the program that waits, and says where its stack
# goes on beyond what is shown.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <unistd.h>
__attribute__((noipa)) int kt_deep(int n, int deep)
{
	return deep ? kt_deep(n, deep - 1) + 1 : pause() + n;
}
__attribute__((noipa)) int kt_outer(int n, int deep) { return kt_deep(n, deep) + 1; }
int main(int argc, char **argv)
{
	(void)argv;
	return kt_outer(argc, argc > 1 ? 200 : 0);
}
C
gcc -O0 -o kt_user program.c || exit 1
program=
cleanup() { [ ! "$program" ] || kill -9 $program; }
# usage: paused [ARGUMENT], the new process is $program
paused() {
	./kt_user "$@" &
	program=$!
	sleeps_below $program pause
}
# usage: look OPTION..., at $program; $thread is its JSON line
look() {
	timeout 300 kcatch stuck --limit 0 --sleeping -p $program "$@" >out 2>err
	thread=$(jq -c 'select(.tid)' out 2>err)
}

paused
look --json
check_match 'the functions of the program, from the system call up' \
	"$(jq -r '.user_stack | map(.symbol // "?") | join(" ")' <<<"$thread")" '(^| )kt_deep kt_outer main '
check_equal 'with its file as module' \
	"$(jq -r '.user_stack[] | select(.symbol == "kt_outer").module' <<<"$thread")" "$(realpath kt_user)"
check_equal 'and that it ends there' "$(jq -r .user_stack_end <<<"$thread")" complete
look
check_match 'as text' "$(cat out)" 'kt_deep\+0x.*kt_outer\+0x.*main\+0x'
check 'without a word of a cut' eval '! grep -q "\.\.\." out'
look --json --no-user
check_equal 'without user stacks: nothing of them' \
	"$(jq -c 'has("user_stack"), has("user_stack_end")' <<<"$thread")" $'false\nfalse'
kill -9 $program
wait $program 2>/dev/null

paused deep
look --json
check_equal '200 calls deep: that it goes on' "$(jq -r .user_stack_end <<<"$thread")" depth
check 'behind all that is shown' eval \
	'[ "$(jq -r ".user_stack | map(select(.symbol == \"kt_deep\")) | length" <<<"$thread")" -ge 50 ]'
look
check_match 'that as text' "$(cat out)" 'kt_deep\+0x.*\.\.\. cut'
kill -9 $program
wait $program 2>/dev/null

# A thread of io_uring has copies of its maker's registers.
cat >worker.c <<'C'
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct io_uring_params p = { 0 };
	const int access = PROT_READ | PROT_WRITE;
	int file = (int)syscall(SYS_io_uring_setup, 4, &p), ends[2];
	char *ring = mmap(NULL, 65536, access, MAP_SHARED, file, IORING_OFF_SQ_RING);
	struct io_uring_sqe *entry = mmap(NULL, 4096, access, MAP_SHARED, file, IORING_OFF_SQES);
	static char byte;

	if (file < 0 || ring == MAP_FAILED || entry == MAP_FAILED || pipe(ends))
		return 1;
	*entry = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .flags = IOSQE_ASYNC,
					.fd = ends[0], .addr = (unsigned long)&byte, .len = 1 };
	__atomic_store_n((unsigned int *)(ring + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	return (int)syscall(SYS_io_uring_enter, file, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}
C
gcc -O0 -o kt_worker worker.c || exit 1
./kt_worker &
program=$!
wait_for eval '[ "$(find /proc/$program/task/* -maxdepth 0 | wc -l)" = 2 ]'
look --json
check_match 'a thread of io_uring is there' "$(jq -r .comm <<<"$thread" | sort | paste -sd ' ')" \
	'^iou-wrk-[0-9]+ kt_worker$'
check_equal 'and has no system call and no stack of the program' \
	"$(jq -c 'select(.comm | startswith("iou-")) | [.syscall, .user_stack]' <<<"$thread")" '[null,null]'
check_match 'as its maker has' "$(jq -r 'select(.comm == "kt_worker").syscall' <<<"$thread")" \
	'^io_uring_enter\('
