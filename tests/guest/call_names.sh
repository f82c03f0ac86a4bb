# SPDX-License-Identifier: GPL-2.0-or-later
# Description: events of all system calls show the call by its name. A 32-bit program numbers its calls otherwise: none is called by the name that
# a 64-bit program's call of the same number has.
. "$KT_TOP/tests/guest/support/lib.bash"
cat >wide.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		syscall(SYS_getppid);
		syscall(SYS_getegid);
	}
	return 0;
}
C
cat >narrow.c <<'C'
static int call(int number, int argument)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(argument) : "memory");
	return result;
}
__attribute__((force_align_arg_pointer)) void _start(void)
{
	int n;

	for (n = 0; n < 100; n++)
		call(64, 0);	/* getppid; for 64-bit programs semget */
	call(1, 0);
}
C
gcc -O1 -o wide wide.c && gcc -m32 -O1 -fno-pie -no-pie -static -nostdlib -ffreestanding \
	-o narrow narrow.c || exit 1

kcatch record -o wide.record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -- ./wide >out 2>err
check_equal 'all system calls of a program: status 0' $? 0
check_same_in_babeltrace wide.record
kcatch report wide.record >text
check_equal 'entries by name' "$(grep -c 'sys_enter(id=getppid, a0=' text)" 100
check_equal 'exits by name' "$(grep -c 'sys_exit(id=getppid, ret=' text)" 100
kcatch report wide.record --format json >json
check_equal 'JSON has the number, and the name beside it' \
	"$(jq -c 'select(.args.id == 110) | .args_text' json | sort | uniq -c | tr -s ' ')" \
	' 200 {"id":"getppid"}'
kcatch record -o narrow.record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -- ./narrow \
	>out 2>err
kcatch report narrow.record >text
check_equal 'those of a 32-bit program by number' \
	"$(grep -cE 'sys_(enter|exit)\(id=64, ' text) $(grep -c semget text)" '200 0'
