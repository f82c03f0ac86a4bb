# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a name of a file in a page that its program has not touched cannot be read when the
# call begins. Where the return is caught it is read then, marked so, and the condition is decided;
# else, and of a bad pointer, the call is undecided: it is in no other term, and the exit status is
# 3.
. "$KT_TOP/tests/guest/support/lib.bash"
cat >untouched.c <<'END'
#include <fcntl.h>
#include <unistd.h>

/* Far from all that the program touches: a fault maps 64 KB around it. */
static const char literals[1 << 20] __attribute__((aligned(65536))) = {
	[300000] = '/', 'e', 't', 'c', '/', 'k', 't', '_', 'a', 'b', 's', 'e', 'n', 't',
	[700000] = '/', 'e', 't', 'c', '/', 's', 'h', 'a', 'd', 'o', 'w',
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return open((char *)0x5000, O_RDONLY) >= 0;
	if (setgid(65534) || setuid(65534))
		return 1;
	return open(literals + 300000, O_RDONLY) >= 0 || open(literals + 700000, O_RDONLY) >= 0;
}
END
gcc -O2 -static -o kt_untouched untouched.c || skip_all 'no C compiler for static programs'

# usage: ask CONDITION [OPTION...] - catches calls of do_sys_openat2 by a run of the program
ask() {
	local program=(./kt_untouched)
	[ -z "${bad-}" ] || program+=(bad)
	catch_begin --json --no-stack -n 0 -c kt_untouched "${@:2}" do_sys_openat2 "$1"
	"${program[@]}" || fail "the program for $1 runs" "$?"
	kill -INT "$kcatch"
	catch_end
}

terms() {
	jq -c 'select(.summary).summary | [.recorded, .filtered, .undecided, .missed, .lost]' out
}

names() {
	jq -r 'select(.function) | .args.filename' out
}

ask 'filename ~ "/etc/*" && ret == -EACCES'
check_equal 'with ret: the call is caught' "$(names)" /etc/shadow
check_equal 'the name has its mark' \
	"$(jq -c 'select(.function) | [.args_read_at_return, .args_unreadable]' out)" '[["filename"],null]'
check_match 'the other one is filtered' "$(terms)" '^\[1,[0-9]*,0,0,0\]$'
check_equal 'nothing is left open' "$status" 0

ask 'filename == "/etc/kt_absent"'
check_equal 'without ret: decided at the return all the same' "$(names)" /etc/kt_absent
check_equal 'with what it returned' "$(jq -r 'select(.function) | .ret_text' out)" -ENOENT
check_match 'and the equation holds' "$(terms)" '^\[1,[0-9]*,0,0,0\]$'

ask '!(filename == "/etc/kt_absent")'
check_equal 'a negation' "$(names)" /etc/shadow

ask 'ret == -ENOENT'
check_equal 'the argument of a call that is shown at its return' "$(names)" /etc/kt_absent

ask 'filename == "/etc/kt_absent"' --entry
check_equal 'entries only: undecided' "$(terms | jq -c '[.[0], .[2]]')" '[0,2]'
check_equal 'entries only: exit status' "$status" 3
check_match 'entries only: no wrong sentence' "$err" \
	'nothing was caught: no call that could be examined met what was asked for'
check_match 'entries only: why' "$err" '2 calls are undecided: memory that the condition needs'

ask 'filename == "/etc/kt_absent" && dfd == 12345' --entry
check_equal 'entries only: decided by another operand' "$(terms | jq -c '[.[0], .[2]]')" '[0,0]'
ask 'filename == "/etc/kt_absent" || dfd == -100' --entry
check_equal 'entries only: decided the other way' "$(terms | jq -c '[.[0], .[2]]')" '[2,0]'

bad=1
ask 'filename == "x"'
check_equal 'a bad pointer: undecided at the return, too' "$(terms | jq -c '[.[0], .[2]]')" '[0,1]'
check_equal 'a bad pointer: exit status' "$status" 3
ask 'filename == "x" && ret == 0'
check_equal 'a bad pointer: ret decides' "$(terms | jq -c '[.[0], .[2]]')" '[0,0]'
check_equal 'a bad pointer: exit status where ret decides' "$status" 2
bad=

# usage: ask_text CONDITION...
ask_text() {
	catch_begin --no-stack -n 0 -c kt_untouched do_sys_openat2 "$@"
	./kt_untouched
	kill -INT "$kcatch"
	catch_end
}
ask_text
check_match 'without a condition, too' "$out" 'filename="/etc/kt_absent" \(read at return\)'
check_no_match 'nothing of it is unreadable' "$out" unreadable
ask_text 'ret == -ENOENT'
check_match 'text has the mark' "$out" 'filename="/etc/kt_absent" \(read at return\)'
check_match 'and the term' "$err" 'recorded 1( \+ filtered [0-9]+)?$'

kcatch count --json --by ret -t 300 -c kt_untouched do_sys_openat2 \
	'filename ~ "/etc/*"' >out 2>err &
count=$!
wait_for counts_or_ended $count
./kt_untouched
kill -INT $count
wait $count
check_equal 'counts by ret are decided at the return' \
	"$(jq -c 'select(.summary).summary | [.counted, .undecided]' out)" '[2,0]'

kcatch record -f do_sys_openat2 -o returned -- ./kt_untouched 2>err
kcatch report --filter 'filename == "/etc/kt_absent"' --format json returned >out 2>err
status=$?
check_equal 'a recording has it as it was read at the return' "$status $(jq -c \
	'select(.function) | [.args.filename, .args_read_at_return]' out)" \
	'0 ["/etc/kt_absent",["filename"]]'
kcatch record -f do_sys_openat2 --entry -o recorded -- ./kt_untouched 2>err
kcatch report --filter 'filename == "/etc/kt_absent"' recorded >out 2>err
status=$?
check_match 'a filter of a recording says what it could not decide' "$(cat err)" \
	'events? (is|are) left out: the recording lacks'
check_equal 'with exit status 3' "$status" 3
