# SPDX-License-Identifier: GPL-2.0-or-later
# Description: of functions that are picked by a seed, those with arguments on the stack among
# them, each argument and each return value of each call is what ftrace's own kprobe events
# recorded of the same call, word for word.
# Gate: newest
#
# KT_SEEDS: which functions; KT_FUNCTIONS: how many. Where this is not make check, 300 of three
# seeds.
. "$KT_TOP/tests/guest/support/lib.bash"
seeds=${KT_SEEDS:-1} functions=${KT_FUNCTIONS:-24}
[ "${KT_ROUNDS-}" ] || { seeds=${KT_SEEDS:-1 2 3} functions=${KT_FUNCTIONS:-300}; }
kcatch=
oracle=$KT_TOP/tests/guest/support/ftrace_oracle.py
[ -e $tracefs/kprobe_events ] || skip_all 'no kprobe events here'

dd if=/dev/zero of=disk bs=1M count=32 2>/dev/null
mkdir mnt
if ! modprobe loop || ! modprobe ext4 || ! mkfs.ext4 -q -F disk || ! mount -o loop disk mnt; then
	skip_all 'no loop device, ext4 or mkfs.ext4 here'
fi

events_off() {
	[ ! -e $tracefs/events/kt_oracle ] || echo 0 >$tracefs/events/kt_oracle/enable
	: >$tracefs/dynamic_events
}

cleanup() {
	echo nop >$tracefs/current_tracer
	: >$tracefs/set_ftrace_filter
	[ ! "$kcatch" ] || kill -INT "$kcatch"
	events_off
	umount mnt
}

kcatch_on() {
	local names
	mapfile -t names <names
	catch_begin -v -n 0 --json --no-stack --size 16M "${names[@]}"
}

events_on() {
	: >$tracefs/trace
	cat events >>$tracefs/dynamic_events || tail -n 4 $tracefs/error_log
	echo 1 >$tracefs/events/kt_oracle/enable
}

# What ftrace lost of the trace.
lost() {
	cat $tracefs/per_cpu/cpu*/stats | awk '/overrun|dropped/ { n += $NF } END { print n }'
}

echo 16384 >$tracefs/buffer_size_kb
for seed in $seeds; do
	rm -rf mnt/*
	python3 "$oracle" pick "$seed" "$functions" mnt/first >names || exit 1

	# Which of the two has its hook, and its return, first.
	if [ $((seed % 2)) = 1 ]; then
		kcatch_on || exit 1
		events_on || exit 1
	else
		events_on || exit 1
		kcatch_on || exit 1
	fi
	check_equal "seed $seed: ftrace has all its events" \
		"$(grep -c '^[pr].*kt_oracle/' $tracefs/dynamic_events)" "$(grep -c . events)"
	python3 "$oracle" work mnt/second || fail "seed $seed: the work is done"
	threads=$(ls "/proc/$kcatch/task")
	echo 0 >$tracefs/tracing_on
	kill -INT "$kcatch"
	catch_end
	cat $tracefs/trace >trace
	cat $tracefs/kprobe_profile >profile
	check_equal "seed $seed: ftrace has lost nothing" "$(lost)" 0
	check_equal "seed $seed: kcatch has lost nothing" "$(tail -n 1 out | jq -c '.summary |
		[.lost, .no_slot, .return_lost, .damaged, .forgotten, .unarmed, .disarmed, .died]')" \
		'[0,0,0,0,0,0,0,0]'
	events_off
	echo 1 >$tracefs/tracing_on
	# shellcheck disable=SC2086 # words
	python3 "$oracle" compare trace profile out $threads >compared || fail "seed $seed: compares"
	while IFS= read -r line; do
		case $line in
		'ok - '*) pass "seed $seed: ${line#ok - }" ;;
		'not ok - '*) fail "seed $seed: ${line#not ok - }" ;;
		*) echo "$line" ;;
		esac
	done <compared
done
check_unhooked 'nothing is hooked any more'
