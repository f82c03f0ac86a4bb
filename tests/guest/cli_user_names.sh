# SPDX-License-Identifier: GPL-2.0-or-later
# Description: user stacks show the names of C++ and Rust as c++filt does, of Go as they are; a
# symbol whose name would have no end stays as it is, and nothing waits for it.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
files=/dev/shm/kt_names
mkdir $files
cleanup() { rm -rf $files; }
bomb=_Z1f1AIiE
digits=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
for ((i = 0; i < 30; i++)); do
	each=S${digits:i:1}_
	bomb+=S_I$each$each${each}E
done
symbols=(
	'_ZNK2kt3BoxIiE3getERKi'
	'_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE'
	'_RNvMs_NtCs1234_7mycrate4workNtB4_5Queue3pop'
	'main.(*Queue).Pop'
	"$bomb"
)
# Each function calls the next one, and the last one unlinks a file.
{
	echo '.globl main'
	echo '.text'
	names=(main "${symbols[@]}")
	for i in "${!names[@]}"; do
		echo ".type \"${names[i]}\", @function"
		echo "\"${names[i]}\": .cfi_startproc"
		echo 'push %rbp; .cfi_adjust_cfa_offset 8; .cfi_rel_offset %rbp, 0'
		[ "$i" -ne 0 ] || echo 'mov 8(%rsi), %rdi'
		echo "call \"${names[i + 1]:-kt_last}\""
		echo 'xor %eax, %eax; pop %rbp; .cfi_adjust_cfa_offset -8; ret; .cfi_endproc'
		echo ".size \"${names[i]}\", . - \"${names[i]}\""
	done
	echo '.type kt_last, @function'
	echo 'kt_last: .cfi_startproc; mov $87, %eax; syscall; ret; .cfi_endproc'
	echo '.size kt_last, . - kt_last'
	echo '.section .note.GNU-stack, "", @progbits'
} >program.s
gcc -o kt_names program.s || exit 1
# What c++filt does not end with is left out.
expected=kt_last
for ((i = ${#symbols[@]} - 1; i >= 0; i--)); do
	case ${symbols[i]} in
	"$bomb") expected+=$'\n'$bomb ;;
	*) expected+=$'\n'$(c++filt "${symbols[i]}" | sed 's/\[[0-9a-f]*\]//g; s/::h0123456789abcdef$//') ;;
	esac
done
names() { jq -r 'select(.user_stack).user_stack[].symbol' | sed '/^main$/,$d'; }
touch $files/a
catch_begin --user --json -n 1 -t 300 -c kt_names vfs_unlink
./kt_names $files/a
catch_end
check_equal 'live: as c++filt names them' "$(names <out)" "$expected"
touch $files/a
kcatch record --user -o rec -c kt_names vfs_unlink -- ./kt_names $files/a >out 2>&1
check_equal 'recorded: the same' "$(kcatch report rec --format json | names)" "$expected"
check_match 'in a flame graph' "$(kcatch report rec --format flame)" \
	'kt::Box&lt;int&gt;::get\(int const&amp;\) const \(kt_names\)'
