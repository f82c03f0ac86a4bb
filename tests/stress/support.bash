# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What stress tests have in common, on top of what guest tests have. KT_SCALE is the share of the
# full number of rounds, in percent.
. "$KT_TOP/tests/guest/support/lib.bash"

# The number of rounds out of N.
rounds() {
	local nr=$(($1 * ${KT_SCALE:-100} / 100))
	echo $((nr > 0 ? nr : 1))
}

# usage: progress WHAT NOW ALL - a line a tenth
progress() {
	local step=$(($3 / 10 > 0 ? $3 / 10 : 1))
	(($2 % step)) || echo "# $1: $2 of $3"
}

module_memory() {
	grep -c '\[kcatch\]' /proc/vmallocinfo
}

memory_before=$(module_memory)

no_kprobes() {
	! grep -q . /sys/kernel/debug/kprobes/list
}

no_users() {
	[ "$(awk '$1 == "kcatch" { print $3 }' /proc/modules)" = 0 ]
}

memory_is_as_before() {
	[ "$(module_memory)" = "$memory_before" ]
}

# What every stress test ends with.
check_nothing_left() {
	check_unhooked 'afterwards no function is hooked'
	wait_for no_kprobes
	check 'afterwards no kprobe is armed' no_kprobes
	wait_for no_users
	check 'afterwards nothing holds the module' no_users
	wait_for memory_is_as_before
	check_equal 'afterwards the module holds no more memory' "$(module_memory)" "$memory_before"
	kcatch stuck >stuck.out 2>&1
	check 'afterwards kcatch stuck works' [ $? -ne 1 ]	# 2: nothing is stuck
	check_catches 'afterwards a session catches, and its equation holds'
}

# usage: equation FILE - what is wrong with the summary in the JSON output FILE, or nothing
equation() {
	exact 'None if not "summary" in e else (lambda s: None if s["hits"] > 0 and s["hits"] ==
		s["recorded"] + s["filtered"] + s["over_budget"] + s["undecided"] + s["missed"] + s["lost"]
		else s)(e["summary"])' "$1" || echo 'no JSON'
	grep -q '"summary"' "$1" || echo 'no summary'
}

# Of kcatch, its recorder and its reports: 2 nothing was caught, 3 something was lost.
ended_well() {
	[ "$1" = 0 ] || [ "$1" = 2 ] || [ "$1" = 3 ]
}

check_catches() {
	rm -f again
	kcatch --json -n 5 -t 300 vfs_read >again 2>again.err &
	local catcher=$!
	while kill -0 $catcher 2>/dev/null; do
		cat /proc/version >/dev/null
		sleep 0.05
	done
	wait $catcher
	check_equal "$1" "$? $(equation again)" '0 '
}

# Traffic on every CPU until traffic_end: reads, writes, processes. It yields to the test itself,
# which else would take hours.
traffic_begin() {
	local cpu
	traffic=
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		nice -n 10 taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=64 2>/dev/null &
		traffic="$traffic $!"
		nice -n 10 taskset -c "$cpu" \
			bash -c 'while :; do /bin/true; read -r _ </proc/loadavg; done' &
		traffic="$traffic $!"
	done
}

traffic_end() {
	# shellcheck disable=SC2086 # a list
	kill $traffic
	# shellcheck disable=SC2086
	wait $traffic 2>/dev/null
	traffic=
}
