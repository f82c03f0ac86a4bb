# SPDX-License-Identifier: GPL-2.0-or-later
# Description: arguments of more than 30 functions, and what some return, are what bpftrace
# prints of the same calls: integers, enumerators, booleans, strings of the kernel and of
# the process, members of structs, arrays, function pointers, arguments on the stack.
# Gate: none
. "$KT_TOP/tests/guest/support/lib.bash"
trap - EXIT	# the plan is the comparison's
command -v bpftrace >/dev/null || skip_all 'no bpftrace here'
oracle=$KT_TOP/tests/guest/support/oracle.py
mkdir calls

# shellcheck disable=SC2094 # the first is a word
python3 "$oracle" script >script || exit 1
mapfile -t functions < <(python3 "$oracle" functions)
probes=$(python3 "$oracle" probes)
BPFTRACE_STRLEN=128 BPFTRACE_PERF_RB_PAGES=1024 bpftrace script >peer 2>peer.err &
peer=$!
# It compiles for long on an emulated machine, and then attaches one by one.
attached() {
	[ "$(grep -c . /sys/kernel/debug/kprobes/list)" -ge "$probes" ] ||
		! kill -0 $peer 2>/dev/null
}
peer_gets_to $peer attached || peer_stands_still $peer 'does not attach'
if ! kill -0 $peer 2>/dev/null; then
	skip_all "bpftrace does not attach: $(grep -v ^Attaching peer.err | head -n 1)"
fi
catch_begin --json --no-stack -n 0 --size 4M -c kt_oracle "${functions[@]}" || exit 1
(cd calls && python3 "$oracle" calls) || exit 1
for ((cpu = 0; cpu < $(nproc); cpu++)); do
	peer_gets_to $peer grep -q "end_of_$cpu" peer || peer_stands_still $peer 'does not see all calls'
done
kill -INT "$kcatch"
wait "$kcatch"
peer_ends $peer
python3 "$oracle" compare peer out || exit 1
if grep -qi '^lost ' peer peer.err; then
	echo "# $(grep -i '^lost ' peer peer.err | head -n 1)"
fi
