# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the stack is exact through every kind of frame: arguments on the
# stack, a variable size, a realigned stack, deep recursion, calls through pointers,
# tail calls, and callers that ftrace or kprobes cannot see.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

rest='kt_shape_call kt_in_process '
# usage: shape 'NAME [NUMBER]' HEAD... - frames between kt_c and kt_shape_call
shape() {
	local name=$1
	shift
	catch_begin -n 1 -t 300 --json kt_c || return
	order "process $name"
	catch_end
	check_match "$name: the frames" "$(stack_symbols 0)" "^$*${*:+ }$rest"
	check_match "$name: down to user space" "$(stack_symbols 0)" ' entry_SYSCALL_64_after_hwframe$'
	check_equal "$name: complete" "$(jq -r 'select(.stack) | .stack_complete' out)" true
}

shape leaf
shape chain kt_b kt_a
shape many kt_many shape_many
shape 'alloca 200' kt_alloca
shape 'realigned 100' kt_realigned
shape pointer kt_pointed shape_pointer
shape jump shape_jump
shape blank kt_blank
shape hidden kt_hidden
shape nokprobe kt_nokprobe
shape 'recursion 20' "$(printf 'kt_recurse%.0s ' {1..19})kt_recurse"

catch_begin -n 1 -t 300 --json --depth 256 kt_c
order 'process recursion 200'
catch_end
check_equal '200 frames deep: all are there' \
	"$(jq -s 'map(select(.stack)) | .[0].stack | map(select(.symbol == "kt_recurse")) |
		length' out)" 200
check_equal '200 frames deep: complete' "$(jq -r 'select(.stack) | .stack_complete' out)" true

catch_begin -n 1 -t 300 --json --depth 256 kt_c
order 'process recursion 300'
catch_end
check_equal '300 frames deep: cut at 256' "$(jq -r 'select(.stack) | .stack | length' out)" 256
check_equal '300 frames deep: marked as cut' "$(jq -r 'select(.stack) | .stack_end' out)" depth
check_equal '300 frames deep: not complete' "$(jq -r 'select(.stack) | .stack_complete' out)" false

for depth in 1 2 5; do
	catch_begin -n 1 -t 300 --json --depth $depth kt_c
	order 'process chain'
	catch_end
	check_equal "--depth $depth: that many frames" \
		"$(jq -r 'select(.stack) | .stack | length' out)" $depth
	check_equal "--depth $depth: marked as cut" \
		"$(jq -r 'select(.stack) | .stack_end' out)" depth
	check_equal "--depth $depth: the innermost is the caller" \
		"$(jq -r 'select(.stack) | .stack[0].symbol' out)" kt_b
done

catch_begin -n 1 -t 300 --depth 2 kt_c
order 'process chain'
catch_end
check_match 'text: a cut stack says so' "$out" $'\n    \\.\\.\\. cut at --depth 2(\n|$)'

# Two calls by one function: the return addresses tell them apart.
catch_begin -n 2 -t 300 --json kt_c
order 'process twice'
catch_end
check_equal 'two calls by one caller: two places' \
	"$(jq -r 'select(.stack) | .stack[0].offset' out | sort -u | wc -l)" 2

catch_begin -n 1 -t 300 --json --no-stack kt_c
order 'process chain'
catch_end
check_equal '--no-stack: no stack' "$(jq -r 'select(.function) | has("stack")' out)" false
check_equal '--no-stack: but who' "$(jq -r 'select(.function) | .comm' out)" bash
