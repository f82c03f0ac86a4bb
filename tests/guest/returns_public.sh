# SPDX-License-Identifier: GPL-2.0-or-later
# Description: where the trial of returns fails they are hooked by a kretprobe for each function,
# with the same truth: what tests of returns ask is asked again.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

export KT_PARAMETERS=distrust=returns
log_mark
check 'it loads' module_reload
check_equal 'the log has its line' "$(log_since | grep '^kcatch: ')" \
	'kcatch: returns are hooked by a kretprobe for each function'
check_equal 'check: a note' "$(kcatch check | grep -c '^note *returns .*kretprobe')" 1

# Runs each test anew, whose checks count as ones of this test.
# usage: again TEST...
again() {
	local test status line text command
	for test; do
		echo "# again: $test"
		mkdir -p "$KT_TMP/$test"
		command=(bash "$KT_TOP/tests/guest/$test.sh")
		[ ! -e "$KT_TOP/tests/guest/$test.c" ] || command=("$KT_OUT/guest/$test")
		KT_TMP=$KT_TMP/$test "${command[@]}" >"$test.tap" 2>"$test.err" </dev/null
		status=$?
		while IFS= read -r line; do
			text=${line#*ok }
			text=${text#[0-9]* - }
			case $line in
			'1..0 # SKIP '*) skip "$test" "${line#1..0 # SKIP }" ;;
			1..*) ;;
			'ok '*' # SKIP '*) skip "$test: ${text%% # SKIP *}" "${text#* # SKIP }" ;;
			'ok '*) pass "$test: $text" ;;
			'not ok '*) fail "$test: $text" ;;
			*) echo "# ${line#\# }" ;;
			esac
		done <"$test.tap"
		check_equal "$test: status" $status 0
		check_equal "$test: it comes to its end" "$(grep -o '^1\.\.[0-9]*' "$test.tap")" \
			"1..$(grep -cE '^(not )?ok ' "$test.tap")"
		check_equal "$test: the shell reports no error" \
			"$(grep -E "$KT_SHELL_ERRORS" "$test.err")" ''
		check "$test: returns are hooked so to its end" returns_are_public
	done
}
KT_CALLS=10000 again returns_pair
again returns_in_handlers counters_exact module_unload
# In make check, which sets the rounds of other tests, not all.
[ "${KT_ROUNDS-}" ] || again returns_in_step cli_deep cli_errors ktrace_builtin module_pending
KT_ROUNDS=1 again reload_under_fire

# Callers and stack are those of the entry, where several sessions look at one call.
test_module
kcatch --json -n 0 kt_c 'ret == 4' >other 2>other.err &
other=$!
check 'another session waits' wait_for grep -q '^kcatch: waiting' other.err
catch_begin --json -n 1 kt_c
check_equal 'a call: each session has a kretprobe there' \
	"$(grep -c ' r *kt_c+' /sys/kernel/debug/kprobes/list)" 2
order 'process chain'
catch_end
check_match 'a call: its callers' "$(stack_symbols 0)" '^kt_b kt_a '
check_equal 'a call: the stack is complete' \
	"$(jq -r 'select(.function) | .stack_complete' out)" true
check_equal 'a call: what it returned, and how long it took' \
	"$(jq -r 'select(.function) | (.ret | type), (.latency_ns > 0)' out | paste -sd ' ')" \
	'number true'
kill -INT $other
wait $other
kcatch --after 1s kt_c >out 2>err
check_match 'calls that have not returned are not known, and that is said' "$? $(cat err)" \
	'^1 .*this kernel does not tell which calls are under way'

# Kprobes at functions are called by ftrace, which nobody may switch off meanwhile.
catch_begin --json -t 300 kt_c
sysctl -q kernel.ftrace_enabled=0 2>/dev/null
check_equal 'ftrace is not switched off' "$(sysctl -n kernel.ftrace_enabled)" 1
order 'process chain'
catch_end
check_equal 'and the call is caught' "$status" 0
# It is refused for as long as kcatch's ops stays registered.
wait_for eval '! grep -q . $tracefs/enabled_functions'
if sysctl -q kernel.ftrace_enabled=0; then
	kcatch -t 1 kt_c >out 2>err
	check_equal 'ftrace switched off before: status 1' $? 1
	sysctl -q kernel.ftrace_enabled=1
else
	skip 'ftrace switched off' 'the sysctl switches nothing off'
fi

# Many functions at once, some of which are asleep in other threads.
catch_begin --json -n 50 --no-stack -t 300 'vfs_*'
cat /proc/self/status >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do cat /proc/version; done >/dev/null
catch_end
check_equal 'a pattern: status' "$status" 0
check_equal 'a pattern: as many calls' "$(jq -r 'select(.function) | .function' out | wc -l)" 50
check 'a pattern: of several functions' \
	[ "$(jq -r 'select(.function) | .function' out | sort -u | wc -l)" -gt 2 ]
rmmod kcatch_test
KT_PARAMETERS=
check 'the module goes, and comes back as it was' module_reload
check 'with returns hooked as ever' eval '! returns_are_public'
