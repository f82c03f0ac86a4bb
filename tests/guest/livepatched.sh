# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a function that a live patch replaces is caught as before, whoever came first, with
# the arguments of the call, what the new function returns, and the same stack. Where its caller is
# replaced, the new one is the caller, in stacks, counts and trees.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
[ -d /sys/kernel/livepatch ] || skip_all 'this kernel has no live patches'
test_module

patch=/sys/kernel/livepatch/kcatch_livepatch
settled() { [ "$(cat $patch/transition 2>/dev/null || echo 0)" = 0 ]; }
patch_on() {
	insmod "$KT_MODULES/kcatch_livepatch/kcatch_livepatch.ko" "$@" && wait_for settled
}
patch_off() {
	echo 0 >$patch/enabled
	wait_for eval "[ ! -e $patch ]" && wait_for rmmod kcatch_livepatch
}
cleanup() { [ ! -e $patch ] || patch_off; }

# usage: last FIELD: of the last call of kt_c
last() { jq -sr "map(select(.function == \"kt_c\")) | last | $1" out; }

# usage: check_call TEXT RETURNED - orders a call and looks at what was caught of it
check_call() {
	local before
	before=$(grep -c '"kt_c"' out)
	order 'process chain 7'
	wait_for eval "[ \"\$(grep -c '\"kt_c\"' out)\" -gt $before ]"
	check_equal "$1: the call returns $2" "$(last .ret)" "$2"
	check_equal "$1: the stack" "$(last '.stack | map(.symbol) | join(" ")')" "$stack"
}

catch_begin -n 0 --json kt_c || exit 1
stack=
order 'process chain 7'
wait_for grep -q '"kt_c"' out
stack=$(last '.stack | map(.symbol) | join(" ")')
check_match 'without the patch: the stack' "$stack" '^kt_b kt_a '
check_call 'without the patch' 7
check 'patched while it is caught' patch_on
check_call 'patched while it is caught' 1007
kill -INT "$kcatch"
catch_end
check_equal 'patched while it is caught: nothing is lost' "$status" 0
catch_begin -n 0 --json kt_c || exit 1
check_call 'caught while it is patched' 1007
check 'the patch goes' patch_off
check_call 'the patch goes' 7
kill -INT "$kcatch"
catch_end
check_equal 'the patch goes: nothing is lost' "$status" 0

# The caller is replaced.
patched_stack=${stack/#kt_b /patched_kt_b }
catch_begin -n 0 --json kt_c || exit 1
check_call 'the caller, not yet patched' 7
check 'the caller is patched' patch_on function=kt_b
stack=$patched_stack
check_call 'the caller is patched' 7
kill -INT "$kcatch"
catch_end
check_equal 'the caller is patched: nothing is lost' "$status" 0
catch_begin -n 0 --json kt_c 'ret >= 0 && latency >= 0' || exit 1
check_call 'caught while the caller is patched' 7
kill -INT "$kcatch"
catch_end
kcatch count --json --by caller kt_c >counted 2>err &
counter=$!
wait_for counts_or_ended $counter
order 'process chain 7'
kill -INT $counter
wait $counter
check_equal 'counts by caller' "$(jq -c 'select(.key) | [.key.caller, .count]' counted)" \
	'["patched_kt_b [kcatch_livepatch]",1]'

catch_begin --tree --json -n 0 kt_a kt_b kt_c || exit 1
order 'process chain 7'
wait_for holds '"kt_a"' out
kill -INT "$kcatch"
catch_end
check_equal 'a tree: each call, its level and what it returned' \
	"$(jq -sc 'map(select(.function) | [.function, .level, .ret]) | sort' out)" \
	'[["kt_a",0,108],["kt_b",1,107],["kt_c",2,7]]'
check 'the patch of the caller goes' patch_off
