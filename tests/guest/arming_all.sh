# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a pattern arms what ftrace's own filter finds by it, but for what kcatch needs
# itself. All functions are looked for once. Afterwards each pattern finds what it found before,
# functions of a module that comes are found, and those of one that goes are not.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
stalls_are_expected

patterns=('tcp_*' 'vf?_*' '*alloc*page*' 'ext4_*' 'no_such_function_*')

# usage: functions_of PATTERN: their number, or why there are none
functions_of() {
	timeout 300 kcatch "$1" -n 0 -t 0.01 -p 1 --no-args --entry --no-stack 2>&1 >/dev/null |
		sed -n '/^kcatch: waiting/s/.* of \([0-9]*\) functions.*/\1/p; s/^kcatch: waiting for calls of [^ ]* (.*/1/p; s/^kcatch: .no_such.*/none/p'
}

modprobe ext4 2>/dev/null
rmmod kcatch_test 2>/dev/null	# of a test before this one

# usage: names FILE: its functions, sorted
names() {
	sed 's/ .*//' "$1" | grep -v '^__ftrace_invalid_address__' | sort
}

# What no pattern arms, as deny.c and the machine's part of it have it: a regular expression of
# whole names.
lists() {
	sed -n '/^static const char \* const \(deadly\|own_tools\)\[\]/,/^};/p' \
		"$KT_TOP/kernel/find/deny.c"
	sed -n '/^#define KCATCH_\(DEADLY\|OWN_TOOLS\)[[:space:]]/,/[^\\]$/p' \
		"$KT_TOP"/kernel/arch/*/find/deny_names.h
}
own=$(lists | grep -o '"[^"]*"' | tr -d '"' | sed 's/\*/.*/' | paste -sd'|')
check_match 'what hits need is known' "$own" 'rcu_is_watching.*[|]unwind_[.][*][|].*[|]ftrace_ops_test([|]|$)'

# Also while all of them are hooked by another tracer: then each begins with a call. Not in make
# check, which sets the rounds of other tests: that takes long.
tracers=nop
[ "${KT_ROUNDS-}" ] || tracers='nop function'
echo 1 >$tracefs/set_ftrace_pid	# of which it records few, or the machine stands still
for tracer in $tracers; do
	echo $tracer >$tracefs/current_tracer
	for pattern in '*' 'vf?_*' '[ac]*_d[a-m]*'; do
		[ "$pattern $tracer" != '* function' ] || continue	# takes long
		expected=expected.${pattern//[^a-z]/-}
		# With a filter all others would be unhooked, and hooked again.
		if [ "$pattern" = '*' ]; then
			names $tracefs/available_filter_functions >"$expected"
		elif [ $tracer = nop ]; then
			echo "$pattern" >$tracefs/set_ftrace_filter ||
				fail "ftrace takes $pattern"
			names $tracefs/set_ftrace_filter >"$expected"
			echo >$tracefs/set_ftrace_filter
		fi
		sed -n 's/ \[kcatch\]$//p' $tracefs/available_filter_functions | sort >ours
		catch_begin "$pattern" -n 0 -t 1000 -p 1 --no-args --entry --no-stack
		# Of another tracer's functions those count that are hooked twice.
		if [ $tracer = nop ]; then
			names $tracefs/enabled_functions >hooked
		else
			grep '^[^ ]* \(\[[^]]*\] \)\?(2)' $tracefs/enabled_functions >twice
			names twice >hooked
		fi
		kill -INT $kcatch
		catch_end
		check_match "$tracer: $pattern: armed" "$(wc -l <hooked)" '^[1-9]'
		check_equal "$tracer: $pattern: nothing else" \
			"$(comm -13 "$expected" hooked | head)" ''
		left=$(comm -23 "$expected" hooked | comm -23 - ours | grep -Evx "$own")
		check_equal "$tracer: $pattern: all but what hits need" "$left" ''
	done
	echo nop >$tracefs/current_tracer
done
echo >$tracefs/set_ftrace_pid

before=() after=()
for pattern in "${patterns[@]}"; do
	before+=("$(functions_of "$pattern")")
done
check_match 'each pattern is answered' "${before[*]}" '^([0-9]+ ){3}([0-9]+|none)? ?none$'

all=$(functions_of '*')
check "all functions are armed: $all" test "$all" -gt 10000
for pattern in "${patterns[@]}"; do
	after+=("$(functions_of "$pattern")")
done
check_equal 'then each pattern finds the same' "${after[*]}" "${before[*]}"

insmod "$KT_TEST_MODULE"
check_match "a module that comes: its functions are found" "$(functions_of 'kcatch_test:*')" \
	'^[0-9]+$'
more=$(functions_of '*')
check "and are among all: $all, $more" test "$more" -gt "$all"
own=$(functions_of 'kcatch_test:*')
check_match "its functions are found again" "$own" '^[0-9]+$'
check_equal 'they are what has come' "$more" $((all + own))
rmmod kcatch_test
timeout 300 kcatch 'kcatch_test:*' -n 0 -t 0.01 --no-args >out 2>&1
check_equal 'and a pattern of its own waits for it' $? 2
check_unhooked 'nothing stays hooked'
