# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the user stacks of processes that end at once are named as gdb names them, although
# nobody looked while they lived; also inside a function, where the hook is a breakpoint. Of a file
# that was replaced, its place and build ID are shown and no name.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cat >program.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#define PART __attribute__((noipa))
static char *file;
PART int kt_inner(const void *a, const void *b) { return unlink(file) + (a > b); }
PART int kt_outer(int n) { int parts[2] = { 1, n };
	qsort(parts, 2, sizeof(int), kt_inner); return parts[0] + 1; }
int main(int argc, char **argv)
{
	file = argv[1];
	return kt_outer(argc) + 1 == 0;
}
C
gcc -O2 -o kt_ends program.c && gcc -O2 -static -o kt_ends_static program.c || exit 1
files=/dev/shm/kt_ended
mkdir $files
cleanup() { rm -rf $files; }

# A function has several names, and gdb ends at main.
plain() { sed -E 's/\<_*(GI_+)?//g; s/\.part(\.[0-9]+)?//g; s/@[^ ]*//g; s/ main .*/ main/'; }
gdb_names() {
	gdb -batch -nx -iex 'set debuginfod enabled off' -ex 'catch syscall unlink' -ex run -ex bt \
		--args "$@" 2>/dev/null | sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\?\([^ ]*\) (.*/\2/p' |
		xargs | plain
}
our_names() {
	jq -r 'select(.function).user_stack | map(.symbol // "??") | join(" ")' out | plain
}

# The reader sleeps until all of them have ended.
for how in 'kt_ends 100' 'kt_ends_static 20'; do
	read -r program nr <<<"$how"
	touch $files/{0..100}
	expected=$(gdb_names ./$program $files/0)
	check_match "$program: gdb knows the functions" "$expected" '^unlink kt_inner .*kt_outer main$'
	catch_begin --user --json -n $nr -t 300 -c $program vfs_unlink
	kill -STOP $kcatch
	children=
	for ((n = 1; n <= nr; n++)); do
		./$program $files/$n &
		children+=" $!"
	done
	wait $children
	kill -CONT $kcatch
	catch_end
	check_equal "$program: $nr that have ended: their frames are those of gdb" \
		"$(our_names | sort | uniq -c | sed 's/^ *//')" "$nr $expected"
	check_equal "$program: and each stack is whole" \
		"$(jq -r 'select(.function).user_stack_end' out | sort | uniq -c | sed 's/^ *//')" "$nr complete"
done

# A breakpoint's hook runs with interrupts off.
touch $files/{0..3}
expected=$(gdb_names ./kt_ends $files/0)
catch_begin --json -n 1 -t 300 -c kt_ends vfs_unlink
./kt_ends $files/1
catch_end
inside=$(jq -r 'select(.stack).stack[0] | "\(.symbol)+\(.offset)"' out)
catch_begin --user --json -n 1 -t 300 -c kt_ends "$inside"
kill -STOP $kcatch
./kt_ends $files/2
kill -CONT $kcatch
catch_end
check_equal "inside a function, $inside: the same" "$(our_names)" "$expected"

# Another program has its name before anybody has looked.
id=$(readelf -n kt_ends | sed -n 's/ *Build ID: //p')
catch_begin --user --json -n 1 -t 300 -c kt_ends vfs_unlink
kill -STOP $kcatch
./kt_ends $files/3
mv kt_ends_static kt_ends
kill -CONT $kcatch
catch_end
check_equal 'of a file that was replaced: no names' "$(jq -r 'select(.function).user_stack[]
	| select(.module // "" | endswith("/kt_ends")) | .symbol' out | sort -u)" null
check_equal 'of a file that was replaced: which one it was' "$(jq -r 'select(.function).user_stack[]
	| select(.module // "" | endswith("/kt_ends")) | .build_id' out | sort -u)" "$id"
