# SPDX-License-Identifier: GPL-2.0-or-later
# Description: user stacks of all kinds of programs, live and recorded: a 32-bit one has the frames
# that gdb finds, and one frame where no tables tell more; a stripped one has file and offset, which
# addr2line names, names by its separate debug file, and those of a compressed symbol table
# (.gnu_debugdata); where the list of mapped files was cut, that is said, and nothing is guessed.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
files=/dev/shm/kt_kinds
debug=/usr/lib/debug/.build-id
mkdir $files
cleanup() { rm -rf $files; }
gdb_names() {
	gdb -batch -nx -iex 'set debuginfod enabled off' -ex 'catch syscall unlink' -ex run -ex bt \
		--args "$@" 2>/dev/null |
		sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\?\([^ ]*\) (.*/\2/p' | xargs
}
stack() { jq -c 'select(.user_stack) | .user_stack'; }
names() { stack | jq -r 'map(.symbol // "??") | join(" ")' |
	sed 's/@@[^ ]*//g; s/ __libc_start.*//'; }
# usage: live PROGRAM - JSON of its unlink
live() {
	touch $files/a
	catch_begin --user --json -n 1 -t 300 -c "${1##*/}" vfs_unlink
	"$1" $files/a
	catch_end
	cat out
}
# usage: record_of PROGRAM DIRECTORY
record_of() {
	kcatch record --user -o "$2" -c "${1##*/}" vfs_unlink -- \
		sh -c "touch $files/a; exec $1 $files/a" >out 2>&1 || cat out
}

# ---- 32 bits. It needs no library of 32 bits.
cat >narrow.c <<'C'
#define PART __attribute__((noipa))
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define END ".cfi_undefined eip\n"
#else
#define END ""
#endif
static int call(int number, const void *argument)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(argument) : "memory");
	return result;
}
PART int kt_remove(const char *file) { return call(10, file) + 1; }
PART int kt_narrow(int n, const char *file) { return kt_remove(file) + n; }
PART int kt_begin(char **words) { return kt_narrow(1, words[2]) + 1; }
__attribute__((naked)) void _start(void)
{
	__asm__(END "	mov %esp, %eax\n	push %eax\n	call kt_begin\n"
		"	mov $1, %eax\n	xor %ebx, %ebx\n	int $0x80");
}
C
narrow="gcc -m32 -O2 -fno-pie -no-pie -static -nostdlib -ffreestanding -fomit-frame-pointer"
$narrow -fasynchronous-unwind-tables -o kt_narrow narrow.c || exit 1
touch $files/a
expected=$(gdb_names ./kt_narrow $files/a)
check_equal 'gdb knows the functions' "$expected" 'kt_remove kt_narrow kt_begin _start'
check_equal '32 bits, live: the frames of gdb' "$(live ./kt_narrow | names)" "$expected"
check_equal 'and the stack is whole' "$(jq -r 'select(.user_stack).user_stack_end' out)" complete
record_of ./kt_narrow narrow
check_equal '32 bits, recorded: the same' "$(kcatch report narrow --format json | names)" "$expected"
$narrow -fno-asynchronous-unwind-tables -o kt_untold narrow.c || exit 1
check_equal '32 bits without tables: one frame, the right one' \
	"$(live ./kt_untold | names)" kt_remove
check_equal 'which says that there are more' \
	"$(jq -r 'select(.user_stack).user_stack_end' out)" broken

# ---- stripped
cat >program.c <<'C'
#include <unistd.h>
#define PART __attribute__((noipa))
PART int kt_inner(const char *file) { return unlink(file) + 1; }
PART int kt_outer(const char *file) { return kt_inner(file) + 1; }
int main(int argc, char **argv) { return kt_outer(argv[argc - 1]) == 5; }
C
gcc -g -O2 -o kt_full program.c || exit 1
objcopy --only-keep-debug kt_full kt_full.debug
objcopy --strip-all kt_full kt_bare
record_of ./kt_bare bare
for how in live recorded; do
	if [ $how = live ]; then
		live ./kt_bare | stack >frames
	else
		kcatch report bare --format json | stack >frames
	fi
	check_match "stripped, $how: what file and offset are, addr2line says" \
		"$(jq -r '.[] | select(.module // "" | endswith("/kt_bare")) | .offset - 1' frames |
			xargs printf '0x%x\n' |
			addr2line -fe kt_full | grep -v : | xargs)" \
		'^kt_inner kt_outer main'
	check_equal "stripped, $how: and the build ID" "$(jq -r '.[] |
		select(.module // "" | endswith("/kt_bare")) | .build_id' frames | sort -u)" \
		"$(readelf -n kt_full | sed -n 's/ *Build ID: //p')"
done
id=$(readelf -n kt_full | sed -n 's/ *Build ID: //p')
mkdir -p $debug/${id:0:2}
cp kt_full.debug $debug/${id:0:2}/${id:2}.debug
check_match 'with its debug file: names and lines' \
	"$(kcatch report bare)" 'kt_inner\+0x.*program\.c:3.*kt_outer\+0x.*program\.c:4'
rm $debug/${id:0:2}/${id:2}.debug
check_match 'without it: none' \
	"$(kcatch report bare --format json | names)" '^[^ ]*unlink \?\? \?\? \?\?'
nm --defined-only --format=posix kt_full | awk '$2 ~ /[Tt]/ { print $1 }' | sort >keep
objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep \
	kt_full.debug kt_mini
xz -k kt_mini
cp kt_bare kt_packed
objcopy --add-section .gnu_debugdata=kt_mini.xz kt_packed
check_match 'with .gnu_debugdata: names' "$(live ./kt_packed | names)" \
	'^[^ ]*unlink kt_inner kt_outer main'

# ---- more files than are recorded
cat >many.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char path[300];
	int i;

	for (i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "%s.%d.so", argv[argc - 2], i);
		if (!dlopen(path, RTLD_NOW))
			return 1;
	}
	return unlink(argv[argc - 1]) + 1 == 5;
}
C
echo 'int kt_nothing;int kt_code(void) { return kt_nothing; }' >library.c
gcc -O2 -o kt_many many.c && gcc -shared -fPIC -o library.so library.c || exit 1
# One file that has all the names would be mapped once.
for i in {0..299}; do cp library.so $files/kt_l.$i.so; done
kcatch record --user -o many -c kt_many vfs_unlink -- \
	sh -c "touch $files/a; exec ./kt_many $files/kt_l $files/a" >out 2>&1 || cat out
check_equal 'a list that was cut: it is said, and no caller is guessed' \
	"$(kcatch report many --format json | stack |
		jq -r 'map(.symbol // .module) | join(" ")')" \
	'[file not recorded]'
check_equal 'and that the stack goes on' \
	"$(kcatch report many --format json | jq -r 'select(.user_stack).user_stack_end')" broken
check_match 'text says so, too' "$(kcatch report many)" 'file not recorded'
