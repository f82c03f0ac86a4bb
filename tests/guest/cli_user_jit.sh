# SPDX-License-Identifier: GPL-2.0-or-later
# Description: code that a program makes at run time has the names that the program wrote to
# /tmp/perf-PID.map: live, counted and recorded, also of a process in another PID and mount
# namespace. A file that somebody else wrote, that is no file, or that is older than the process
# says nothing, and what a name holds cannot reach the terminal.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define PART __attribute__((noipa))
static char *file;
PART int kt_leave(void)
{
	FILE *new = fopen(file, "w");

	if (new)
		fclose(new);
	return unlink(file) + 1;
}
/* push %rbp; mov %rsp,%rbp; movabs $CALLED,%rax; call *%rax; pop %rbp; ret */
static char *make(char *at, void *called)
{
	memcpy(at, "\x55\x48\x89\xe5\x48\xb8", 6);
	memcpy(at + 6, &called, 8);
	memcpy(at + 14, "\xff\xd0\x5d\xc3", 4);
	return at;
}
/* usage: kt_jit FILE PAUSE-us TIMES [NAME] - with NAME it writes its map */
int main(int argc, char **argv)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	int (*outer)(void) = (int (*)(void))make(code + 256, make(code + 64, kt_leave));
	int n, left = 0;

	file = argv[1];
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	if (argc > 4) {
		FILE *map = fopen(path, "w");

		/* Code that was thrown away, and what took its place. */
		fprintf(map, "%lx 100 kt_thrown_away\nno line\n%lx 12 kt_jit_inner\n"
			"0x%lx 0x12 %s\n%lx 12 kt_cut", (long)code + 48, (long)code + 64,
			(long)code + 256, argv[4], (long)code + 256);
		fclose(map);
	}
	for (n = atoi(argv[3]); n; n--) {
		usleep(atoi(argv[2]));
		left += outer();
	}
	return left > 1 << 30;
}
C
gcc -O2 -fno-omit-frame-pointer -o kt_jit program.c || exit 1
files=/dev/shm/kt_jit
mkdir $files
program=
cleanup() { kill -9 $program; rm -rf $files /tmp/perf-*.map; }

begin() {	# usage: begin NAME...
	./kt_jit $files/a 20000 -1 "$@" &
	program=$!
	wait_for eval '[ -e /proc/$program/root/tmp/perf-$program.map ] || [ ! "$*" ]'
}
end() {
	kill -9 $program
	wait $program 2>/dev/null
	rm -rf /tmp/perf-$program.map
}
caught() { kcatch --user -c kt_jit -n 1 -t 300 vfs_unlink "$@"; }
names() { jq -r 'select(.user_stack).user_stack | map(.symbol // "??") | join(" ")' |
	sed -E 's/@@[^ ]*//g; s/ main .*/ main/' | sort | uniq -c | sed 's/^ *//'; }
named='^1 [^ ]*unlink kt_leave kt_jit_inner outer one main$'
bare='^1 [^ ]*unlink kt_leave \?\? \?\? main$'

begin 'outer one'
check_match 'live: the names that the program wrote' "$(caught --json | names)" "$named"
check_match 'text: with the file' "$(caught)" \
	"kt_jit_inner\+0x10 \[/tmp/perf-$program.map\].* outer one\+0x10 \[/tmp/perf-$program.map\]"
kcatch count vfs_unlink -p $program -n 10 --by user_stack --json >out
check_match 'counted, by frame pointers: the same' "$(jq -r 'select(.key).key.user_stack | join(" ")' out)" \
	'kt_jit_inner\+0x10 outer one\+0x10 main\+0x'

chown nobody /tmp/perf-$program.map
check_match "somebody else's file: no names" "$(caught --json | names)" "$bare"
chown 0 /tmp/perf-$program.map
check_match "root's: names" "$(caught --json | names)" "$named"
touch -d '1 hour ago' /tmp/perf-$program.map
check_match 'one that is older than the process: no names' "$(caught --json | names)" "$bare"
check_match 'and the text says why' "$(caught)" \
	"frames without a file: code made at run time \(JIT\), whose names the process has not written"
touch /tmp/perf-$program.map
mv /tmp/perf-$program.map /tmp/perf-kt.map
ln -s /tmp/perf-kt.map /tmp/perf-$program.map
check_match 'a link: no names' "$(caught --json | names)" "$bare"
rm /tmp/perf-$program.map
mkfifo /tmp/perf-$program.map
check_match 'a pipe: no names, and nothing waits' "$(caught --json | names)" "$bare"
rm /tmp/perf-$program.map
end

begin $'x\e[31m\x9b\xffy'
check_match 'what a name holds is escaped' "$(caught)" 'x\\x1b\[31m\\x9b\\xffy\+0x10 '
check_match 'in JSON it is the name' "$(caught --json | jq -r 'select(.user_stack).user_stack[].symbol
	| select(. // "" | startswith("x"))' | od -An -c)" 'x 033   \[   3   1   m'
end

# Number and /tmp are those of the process.
cp kt_jit $files/
unshare --mount --pid --fork sh -c "mount -t tmpfs none /tmp
	exec $files/kt_jit $files/b 20000 -1 'outer one'" &
outside=$!
wait_for eval 'program=$(pgrep -x kt_jit)'
wait_for test -e /proc/$program/root/tmp/perf-1.map
check_match 'a process in namespaces of its own' "$(caught --json | names)" "$named"
check_match 'with the path that it sees' "$(caught)" 'kt_jit_inner\+0x10 \[/tmp/perf-1\.map\]'
kill -9 $program
wait $outside

# A program that ends, and whose file is gone.
kcatch record --user -o rec -c kt_jit vfs_unlink -- \
	sh -c "./kt_jit $files/c 300000 10 'outer one'; rm -f /tmp/perf-*.map" >out 2>&1
check_equal 'it records' "$?" 0
check_match 'recorded: names of a program that has ended' "$(kcatch report rec --format json | names)" \
	"${named/1/10}"
check_match 'folded' "$(kcatch report rec --format folded)" \
	';outer one \(perf-[0-9]+\.map\);kt_jit_inner \(perf-[0-9]+\.map\);kt_leave \(kt_jit\);'
kcatch record --user -o bare -c kt_jit vfs_unlink -- ./kt_jit $files/d 20000 2 >out 2>&1
check_match 'a program that wrote none: addresses' "$(kcatch report bare --format json | names)" \
	"${bare/1/2}"
check_match 'and the report says why' "$(kcatch report bare)" 'frames without a file'
