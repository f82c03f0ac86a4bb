# SPDX-License-Identifier: GPL-2.0-or-later
# Description: events of all system calls show the call by its name, counts have it as a key, and
# conditions know it. A 32-bit program numbers its calls otherwise: none is called by the name that
# a 64-bit program's call of the same number has.
# Gate: older
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
kcatch report wide.record --format json >all.json
check_equal 'JSON has the number, and the name beside it' \
	"$(jq -c 'select(.args.id == 110) | .args_text' all.json | sort | uniq -c | tr -s ' ')" \
	' 200 {"id":"getppid"}'
kcatch record -o narrow.record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -- ./narrow \
	>out 2>err
kcatch report narrow.record >text
check_equal 'those of a 32-bit program by number' \
	"$(grep -cE 'sys_(enter|exit)\(id=64, ' text) $(grep -c semget text)" '200 0'

# usage: recorded PROGRAM FILTER - number of events that were recorded of a program
recorded() {
	rm -rf some
	kcatch record -o some -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit --filter "$2" \
		-- "./$1" >out 2>err
	kcatch report some --fields event | wc -l
}
check_equal 'a condition' "$(recorded wide 'id == getppid')" 200
check_equal 'from the other side' "$(recorded wide 'getppid == id || id == getegid')" 400
check_equal 'a condition is not about 32-bit programs' "$(recorded narrow 'id == semget')" 0
check_equal 'which make other calls' "$(recorded narrow 'id != semget && id == 64')" 200
check_equal 'a condition of a recording' \
	"$(kcatch report wide.record --filter 'id == getppid' --fields event | wc -l)" 200
kcatch -t 1 -e raw_syscalls:sys_enter 'id == getpidd' >out 2>err
check_match 'a name that there is not' "$? $(cat err)" '^1 .*there is no getpidd here; did you mean .*getpp?id'
kcatch -t 1 -e sched:sched_switch 'prev_state == getppid' >out 2>err
check_match 'another number has no such names' "$? $(cat err)" '^1 .*there is no getppid here'

# usage: counted PROGRAM EVENT [OPTION...] - counts the calls of a program, by their number
counted() {
	local counter

	kcatch count -c "$1" -e "raw_syscalls:$2" --by id -t 60 "${@:3}" >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	"./$1"
	kill -INT $counter 2>/dev/null
	wait $counter
}
# usage: keys - the keys of the last count, and how often
keys() {
	jq -c 'select(.key) | [.key.id, .count]' out | tr '\n' ' '
}
counted wide sys_enter --json
check_match 'a key of a count' "$(keys)" '\["getppid",100\]'
counted wide sys_exit --json
check_match 'at the exit, too' "$(keys)" '\["getppid",100\]'
counted narrow sys_enter --json
check_match 'of a 32-bit program' "$(keys)" '\["64 \(32-bit\)",100\]'
counted wide sys_enter
check_match 'in a table' "$(cat out)" ' 100 .*getppid'
