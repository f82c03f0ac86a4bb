# SPDX-License-Identifier: GPL-2.0-or-later
# Description: record --user: report finds the frames of programs that have ended, in the files that
# were mapped: names on both sides in text, JSON, folded stacks, flame graph and pprof. When a file
# is gone or another one, its place and build ID are there, and when it is back, names.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <unistd.h>
#define PART __attribute__((noipa))
PART int kt_inner(const char *file) { return unlink(file) + 1; }
PART int kt_outer(const char *file) { return kt_inner(file) + 1; }
int main(int argc, char **argv) { return kt_outer(argv[argc - 1]) != 2; }
C
gcc -O2 -o kt_recorded program.c || exit 1
files=/dev/shm/kt_record_user
mkdir $files
cleanup() { rm -rf $files; }
touch $files/{1..5}

kcatch record --user --stack -o rec -c kt_recorded vfs_unlink -- sh -c \
	'for n in $(seq 5); do ./kt_recorded '$files'/$n || exit 1; done' >out 2>&1
check_equal 'it records' "$?" 0
names() {
	kcatch report rec --format json | jq -r 'select(.function).user_stack
		| map(.symbol // (.module // "?" | sub(".*/"; ""))) | join(" ")' |
		sed 's/@@[^ ]*//g' | sort | uniq -c | sed 's/^ *//'
}
named=$(names)
check_match 'JSON: all are named' "$named" \
	'^5 [^ ]*unlink kt_inner kt_outer main __libc_start_call_main __libc_start_main[^ ]* _start$'
check_equal 'JSON: and whole' "$(kcatch report rec --format json |
	jq -r 'select(.function).user_stack_end' | sort | uniq -c | sed 's/^ *//')" '5 complete'
kcatch report rec >text
check_equal 'text: 5 user stacks' "$(grep -c 'user stack:' text)" 5
check_equal 'text: with the names' "$(grep -c ' kt_inner+0x.*/kt_recorded\]' text)" 5
kcatch report rec --format folded >stacks
check_match 'folded: from main to the function' "$(cat stacks)" \
	'main \(kt_recorded\);kt_outer \(kt_recorded\);kt_inner \(kt_recorded\);.*unlink.*;.*do_syscall_64;.*vfs_unlink.* 5$'
kcatch report rec --format flame >picture.svg
check_match 'flame graph: both sides' "$(grep -o 'kt_inner (kt_recorded)\|do_syscall_64' picture.svg | sort -u | xargs)" \
	'do_syscall_64 kt_inner'
kcatch report rec --format pprof >profile
check_match 'pprof: both sides' "$(zcat -f profile | grep -ao 'kt_inner\|do_syscall_64' | sort -u | xargs)" \
	'do_syscall_64 kt_inner'

# usage: programs FORMAT - how often a report of this format opens the program's file
programs() {
	strace -f -e trace=openat -o trace kcatch report rec --format "$1" >out 2>&1
	grep -c '/kt_recorded"' trace
}
check 'a report with user stacks reads the program' [ "$(programs json)" -gt 0 ]
check_equal 'one that shows none does not' "$(programs stats) $(programs rows)" '0 0'

# Its debug information is read once for all that ran it.
id=$(readelf -n kt_recorded | sed -n 's/ *Build ID: //p')
debug=/usr/lib/debug/.build-id/${id:0:2}
mkdir -p $debug
objcopy --only-keep-debug kt_recorded $debug/${id:2}.debug
programs json >/dev/null
check_equal 'debug information of a program that ran five times is read once' \
	"$(grep -c "${id:2}.debug.* = [0-9]" trace)" 1
rm $debug/${id:2}.debug

# A file of that name that is another one has no say.
mv kt_recorded aside
check_match 'the file is gone: its name, and no other' "$(names)" '^5 [^ ]*unlink kt_recorded'
cp /bin/true kt_recorded
check_match 'another file of that name: the same' "$(names)" '^5 [^ ]*unlink kt_recorded'
check_equal 'and the build ID of what was mapped' "$(kcatch report rec --format json |
	jq -r 'select(.function).user_stack[] | select(.build_id).build_id' | sort -u)" "$id"
mv aside kt_recorded
check_equal 'it is back: so are the names' "$(names)" "$named"

kcatch record --user -o bare -c kt_recorded vfs_unlink -- \
	sh -c "touch $files/1; ./kt_recorded $files/1" >out 2>&1
check_match 'without --stack: the user stack alone' "$(kcatch report bare)" 'user stack:.*kt_inner\+0x'
