# SPDX-License-Identifier: GPL-2.0-or-later
# Description: beside other tracers on the same function or on its caller, enabled before us or
# after us, callers, stacks and return values are as without; and what the other tracer writes is
# right. (Live patches: livepatched.)
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

[ -e $tracefs/kprobe_events ] || skip_all 'no kprobe events here'
tracers='kprobe kretprobe function'
if grep -qw function_graph $tracefs/available_tracers; then
	tracers+=' graph'
fi
# (Its first line begins so; since 6.5.)
if grep -q 'f\[:\[<group>/\]' $tracefs/README; then
	tracers+=' fprobe fprobe_return'
fi
tracers+=' kcatch'

other=
bpf_funcs=

# usage: other_on TRACER FUNCTION
other_on() {
	: >$tracefs/trace
	case $1 in
	kprobe) echo "p:kt_other/at $2 number=%di:s32" >>$tracefs/dynamic_events ;;
	kretprobe) echo "r:kt_other/at $2 number=\$retval:s32" >>$tracefs/dynamic_events ;;
	fprobe) echo "f:kt_other/at $2" >>$tracefs/dynamic_events ;;
	fprobe_return)
		echo "f:kt_other/at $2%return number=\$retval:s32" >>$tracefs/dynamic_events ;;
	graph | function)
		echo "$2" >$tracefs/set_ftrace_filter
		[ ! -e $tracefs/options/funcgraph-retval ] ||
			echo 1 >$tracefs/options/funcgraph-retval
		echo "${1/graph/function_graph}" >$tracefs/current_tracer ;;
	bpftrace)
		rm -f other.out
		bpftrace -e "kprobe:$2 { @[\"kprobe\"] = count(); }
			kretprobe:$2 { @[\"kretprobe\"] = count(); }
			${bpf_funcs//FUNCTION/$2}
			BEGIN { printf(\"attached\\n\"); }" >other.out 2>other.err &
		other=$!
		peer_gets_to $other eval "holds attached other.out || ! kill -0 $other" ||
			peer_stands_still $other 'does not attach' ;;
	kcatch)
		rm -f other.err	# the last one's says that it waits
		kcatch -n 0 --json "$2" >other.out 2>other.err &
		other=$!
		wait_for holds '^kcatch: waiting' other.err ;;
	esac
	if [ -e $tracefs/events/kt_other ]; then
		echo 1 >$tracefs/events/kt_other/at/enable
	fi
}

# usage: other_off TRACER
other_off() {
	case $1 in
	graph | function)
		echo nop >$tracefs/current_tracer
		: >$tracefs/set_ftrace_filter ;;
	kcatch)
		[ ! "$other" ] || { kill -INT $other; wait $other; }
		other= ;;
	bpftrace)
		[ ! "$other" ] || peer_ends $other
		other= ;;
	*)
		[ ! -e $tracefs/events/kt_other ] || echo 0 >$tracefs/events/kt_other/at/enable
		: >$tracefs/dynamic_events ;;
	esac
}

# What the other tracer saw of the last order, as "FUNCTION NUMBER" for each call where it says so.
# usage: other_saw TRACER FUNCTION
other_saw() {
	case $1 in
	kprobe | kretprobe | fprobe_return)
		sed -n 's/.* at: .* number=\(-\?[0-9]*\)$/\1/p' $tracefs/trace ;;
	fprobe) sed -n "s/.* at: (\($2\)+.*/\1/p" $tracefs/trace ;;
	graph)
		sed -nE "s/.*\|  ($2) .*(= |ret=)(0x[0-9a-f]+).*/\1 \3/p; t
			s/.*\|  ($2) \[.*/\1/p" $tracefs/trace ;;
	function) grep -o "$2 <-kt_.*" $tracefs/trace ;;
	kcatch) jq -r 'select(has("ret")) | "\(.caller) \(.ret)"' other.out ;;
	esac
}

# What it has to see. Where the return is hooked by several, ftrace's own words stand for a caller.
# usage: other_expected TRACER FUNCTION NUMBER
other_expected() {
	local caller=kt_b returned=$3
	if [ "$2" = kt_b ]; then
		caller=kt_a
		returned=$(($3 + 1))
	fi
	case $1 in
	kprobe) echo "$3" ;;
	kretprobe | fprobe_return) echo $returned ;;
	fprobe) echo "$2" ;;
	graph)
		echo "$2$([ ! -e $tracefs/options/funcgraph-retval ] || printf ' 0x%x' $returned)" ;;
	function) echo "$2 <-$caller" ;;
	kcatch) echo "$caller $returned" ;;
	esac
}

# What the last call returned, and each frame of its stack.
last_call() {
	jq -sr 'map(select(.function == "kt_c")) | last |
		"\(.ret) \(.stack_complete) " + (.stack | map(select(.inlined | not) |
		"\(.symbol)+\(.offset)") | join(" "))' out
}
calls() { grep -c '"kt_c"' out; }

number=7
# Orders a call with a number of its own, and waits until it is caught. Sets want.
one_call() {
	local before
	before=$(calls)
	number=$((number + 1))
	want="$number true $chain"
	order "process chain $number"
	wait_for eval "[ \$(calls) -gt $before ]"
}

check_other() {	# TEXT TRACER FUNCTION
	local saw expected
	expected=$(other_expected "$2" "$3" $number)
	# kcatch hands records out when it likes.
	[ "$2" != kcatch ] || wait_for eval "[ \"\$(other_saw $2 $3 | tail -n 1)\" = '$expected' ]"
	saw=$(other_saw "$2" "$3" | tail -n "$([ "$2" = kcatch ] && echo 1 || echo 9)")
	check_equal "$1: what $2 saw" "$saw" "$expected"
	[ "$saw" = "$expected" ] || tail -n 5 $tracefs/trace | sed 's/^/# /'
}

cleanup() {
	local each
	for each in $tracers; do other_off "$each"; done
	[ ! -e $tracefs/options/funcgraph-retval ] || echo 0 >$tracefs/options/funcgraph-retval
}

# ---- what it is without ------------------------------------------------------------

catch_begin -n 0 --json kt_c || exit 1
order 'process chain 7'
wait_for grep -q '"kt_c"' out
kill -INT "$kcatch"
catch_end
chain=$(last_call)
chain=${chain#* * }
check_match 'without another: the stack' "$(last_call)" '^7 true kt_b\+[0-9]+ kt_a\+[0-9]+ '

# ---- enabled after us ----------------------------------------------------------------

# usage: after_us NAME KCATCH-ARGUMENTS...
after_us() {
	local name=$1 tracer function
	shift
	catch_begin "$@" || return
	for tracer in $tracers; do
		for function in kt_c kt_b; do
			other_on "$tracer" "$function"
			one_call
			check_equal "$name, then $tracer on $function" "$(last_call)" "$want"
			check_other "$name, then $tracer on $function" "$tracer" "$function"
			other_off "$tracer"
		done
	done
	kill -INT "$kcatch"
	catch_end
	check_equal "$name: nothing is lost" "$status" 0
}

after_us 'a call' -n 0 --json kt_c
after_us 'a condition on the return' -n 0 --json kt_c 'ret >= 0 && latency >= 0'

# ---- enabled before us ---------------------------------------------------------------------

# usage: before_us NAME KCATCH-ARGUMENTS...
before_us() {
	local name=$1 tracer function
	shift
	for tracer in $tracers; do
		for function in kt_c kt_b; do
			other_on "$tracer" "$function"
			if catch_begin "$@"; then
				one_call
				kill -INT "$kcatch"
				catch_end
				check_equal "$tracer on $function, then $name" "$(last_call)" "$want"
				check_other "$tracer on $function, then $name" "$tracer" "$function"
			fi
			other_off "$tracer"
		done
	done
}

before_us 'a call' -n 0 --json kt_c
before_us 'a condition on the return' -n 0 --json kt_c 'ret >= 0'

# ---- a thread that waits inside of calls that others have hooked ---------------------------

# The frames of a waiting thread, as kcatch stuck shows them.
waiting_frames() {
	kcatch stuck -p "$1" --json --no-user | jq -r --argjson tid "$1" \
		'select(.tid == $tid) | .stack[] | select(.inlined | not) | "\(.symbol)+\(.offset)"'
}

# usage: sleeper - starts one, and waits until it sleeps. Sets asleep.
sleeper() {
	sleep 1000 &
	asleep=$!
	wait_for eval "[ \"\$(cat /proc/$asleep/wchan)\" = hrtimer_nanosleep ]"
}
sleeper
alone=$(waiting_frames $asleep)
kill $asleep
check_match 'stuck without another: the frames' "$alone" 'do_nanosleep\+.*hrtimer_nanosleep\+'
for tracer in $tracers bpftrace; do
	[ "$tracer" != bpftrace ] || command -v bpftrace >/dev/null || continue
	for function in do_nanosleep hrtimer_nanosleep; do
		other_on "$tracer" $function
		sleeper
		check_equal "stuck, inside of $function with $tracer" "$(waiting_frames $asleep)" "$alone"
		kill $asleep
		other_off "$tracer"
	done
done

# ---- counts and trees, while each comes and goes ---------------------------------------------

# By bpftrace, which begins after seconds, in all its ways at once. (Not each version reaches a
# module's functions by BPF trampolines.)
beside=$tracers
bpf_saw='kprobe\]: 1 kretprobe\]: 1 $'
if command -v bpftrace >/dev/null; then
	beside+=' bpftrace'
	if timeout 100 bpftrace -e 'kfunc:kt_c { exit(); } BEGIN { exit(); }' >tried 2>&1 &&
		! grep -qi 'error\|cannot' tried; then
		bpf_funcs='kfunc:FUNCTION { @["kfunc"] = count(); }
			kretfunc:FUNCTION { @["kretfunc"] = count(); }'
		bpf_saw='kfunc\]: 1 kprobe\]: 1 kretfunc\]: 1 kretprobe\]: 1 $'
	else
		echo "# bpftrace has no BPF trampolines here: $(tail -n 1 tried)"
	fi
fi

# Makes a call beside each. Sets nr.
beside_each() {
	local tracer function
	nr=0
	for tracer in $beside; do
		for function in kt_c kt_b; do
			other_on "$tracer" "$function"
			order 'process chain 7'
			nr=$((nr + 1))
			other_off "$tracer"
			[ "$tracer" != bpftrace ] || check_match "bpftrace on $function: what it saw" \
				"$(sed 's/.*\[//' other.out | sort | tr '\n' ' ')" \
				"$bpf_saw"
		done
	done
}

kcatch count --json --by caller kt_c >counted 2>err &
counter=$!
wait_for counts_or_ended $counter
beside_each
kill -INT $counter
wait $counter
check_equal 'counts by caller: status' $? 0
check_equal 'counts by caller' "$(jq -c 'select(.key) | [.key.caller, .count]' counted)" \
	"[\"kt_b [kcatch_test]\",$nr]"

catch_begin --tree --json -n 0 -t 300 kt_a kt_b kt_c || exit 1
beside_each
kill -INT "$kcatch"
catch_end
check_equal 'trees: status' "$status" 0
check_equal 'trees: each call has its place' \
	"$(jq -sc 'map(select(.function)) | group_by(.function) |
		map([.[0].function, length, (map(.level) | unique)])' out)" \
	"[[\"kt_a\",$nr,[0]],[\"kt_b\",$nr,[1]],[\"kt_c\",$nr,[2]]]"
check_equal 'trees: and its parent' \
	"$(jq -sc 'map(select(.function)) | (map({key: (.call | tostring), value: .function}) |
		from_entries) as $of | map(select(.level > 0) | $of[.parent | tostring] +
		" " + .function) | unique' out)" '["kt_a kt_b","kt_b kt_c"]'
check_equal 'trees: and what it returned' \
	"$(jq -sc 'map(select(.function)) | group_by(.function) | map(map(.ret) | unique)' out)" \
	'[[9],[8],[7]]'
check_equal 'trees: stacks' \
	"$(jq -sc 'map(select(.function == "kt_a") | .stack_complete) | unique' out)" '[true]'
