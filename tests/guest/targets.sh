# SPDX-License-Identifier: GPL-2.0-or-later
# Description: everything a target can be: a name, module:name, name+offset, a
# pattern, several names, two functions of one name, a function without a place for
# ftrace; and what cannot be caught is refused with the reason.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
# Loaded anew: where a probe of a test before this one waited for it, the kernel keeps more names.
rmmod kcatch_test 2>/dev/null
test_module

# usage: caught TEXT SHAPE FUNCTIONS ARG... - sorted functions of all hits
caught() {
	local text=$1 shape=$2 functions=$3
	shift 3
	catch_begin --json -t 300 "$@" || return
	order "process $shape"
	catch_end
	check_equal "$text: caught" "$status" 0
	check_equal "$text: what" "$(jq -r 'select(.function) | .function' out | sort | tr '\n' ' ')" \
		"$functions "
}

caught 'a name' chain kt_c kt_c
caught 'module:name' chain kt_b kcatch_test:kt_b
caught 'a pattern' chain 'kt_a kt_b kt_c' -n 3 'kt_[abc]'
caught 'module:pattern' many 'kt_many shape_many' -n 2 'kcatch_test:*_many'
caught 'several names' chain 'kt_a kt_c' -n 2 kt_a kt_c
caught 'a name and a pattern that holds it' chain kt_c -n 1 kt_c 'kt_[c]'
caught 'two functions of one name' twins 'kt_twin kt_twin' -n 2 kt_twin
check_equal 'two functions of one name: each by its own caller' \
	"$(jq -r 'select(.function) | .caller' out | sort | tr '\n' ' ')" 'kt_twin_one kt_twin_two '

caught 'without a place for ftrace' blank kt_blank kt_blank
check_equal 'without a place for ftrace: the stack starts at the caller' \
	"$(stack_symbols 0 | cut -d' ' -f1-2)" 'kt_shape_call kt_in_process'
check_match 'without a place for ftrace: by kprobe' "$err" 'kprobe'
check_equal 'without a place for ftrace: with its return' \
	"$(jq -r 'select(.function) | (.ret | type), .latency_ns > 0' out | paste -sd ' ')" 'number true'
caught 'where kprobes may not go' nokprobe kt_nokprobe kt_nokprobe
check_match 'where kprobes may not go: by ftrace' "$err" 'ftrace'

# Where the call of kt_c returns to is an instruction's start inside kt_b.
catch_begin --json -t 300 kt_c
order 'process chain'
catch_end
offset=$(jq -r 'select(.stack) | .stack[0].offset' out)
catch_begin --json -t 300 "kt_b+$offset"
order 'process chain'
catch_end
check_equal 'name+offset: caught' "$status" 0
check_equal 'name+offset: the function and its offset' \
	"$(jq -r 'select(.function) | "\(.function)+\(.offset)"' out)" "kt_b+$offset"
check_match 'name+offset: its caller' "$(stack_symbols 0)" '^kt_a kt_shape_call kt_in_process '
catch_begin --json -t 300 "kt_b+$(printf '0x%x' "$offset")"
order 'process chain'
catch_end
check_equal 'name+0xoffset: caught' "$status" 0

# usage: refused TEXT REGEX ARG...
refused() {
	local text=$1 regex=$2
	shift 2
	kcatch -t 2 "$@" >out 2>err
	check_equal "$text: status" $? 1
	check_match "$text: says why" "$(cat err)" "$regex"
	check_equal "$text: nothing on standard output" "$(cat out)" ''
}

refused 'inside an instruction' 'kt_b.*(instruction|start)' "kt_b+$((offset - 1))"
refused 'beyond the function' 'kt_b.*the function is only 0x[0-9a-f]+ bytes long' \
	kt_b+0x100000
refused 'neither ftrace nor kprobe' 'kt_hidden.*the kernel forbids hooking it' kt_hidden
refused 'gone after the load' \
	'kt_initial.*(no such function in this kernel|no out-of-line copy of it)' kt_initial
# Where a probe waits for it, the kernel keeps what was freed in its list of symbols: one of the
# two, or both.
rmmod kcatch_test
catch_begin -n 0 kcatch_test:kt_initial
insmod "$KT_TEST_MODULE"
wait_for holds 'kt_initial' out
kill -INT $kcatch
catch_end
check_match 'caught while its module was loaded' "$status $out" '^0 .*kt_initial.*kcatch_test'
kept=$(grep -oE -m 1 ' (kt_initial|kcatch_test_init)\b' /proc/kallsyms)
check_match 'a name that the kernel keeps' "$kept" k
kept=${kept# }
refused 'gone after the load, with its name kept' \
	"$kept.*(ran when its module was loaded|no out-of-line copy of it)" "$kept"
check_no_match 'and not listed' "$(kcatch list 'kcatch_test:*' 2>&1)" " $kept\\b"
check_match 'nor does a pattern mean it' "$(kcatch list "$kept*" 2>&1)" 'but those that ran'
insmod "$KT_MODULES/kcatch_locks/kcatch_locks.ko"
refused 'a function of another module' \
	'not in module kcatch_locks but in kcatch_test; try: kcatch kcatch_test:kt_c' \
	kcatch_locks:kt_c
rmmod kcatch_locks
refused 'a variable' "'jiffies': it is a variable" jiffies
refused 'a function that brings the machine down' '__fentry__.*would crash' __fentry__
refused 'one wrong name of several' "'kt_nothing': no such function" kt_a kt_nothing kt_c
refused 'a near miss gets the real name' 'did you mean kt_hammered' kt_hamered
refused 'a near miss of the kernel' 'did you mean vfs_read' vfs_raed
refused 'a pattern without a match' 'no function matches' 'kt_nothing*'
check_unhooked 'nothing stays armed by refused calls'
