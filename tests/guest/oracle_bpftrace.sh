# SPDX-License-Identifier: GPL-2.0-or-later
# Description: arguments of more than 30 functions, and what some return, are what bpftrace
# prints of the same calls: integers, enumerators, booleans, strings of the kernel and of
# the process, members of structs, arrays, function pointers, arguments on the stack.
# Limit: 300
. "$KT_TOP/tests/guest/support/lib.bash"
trap - EXIT	# the plan is the comparison's
command -v bpftrace >/dev/null || skip_all 'no bpftrace here'
oracle=$KT_TOP/tests/guest/support/oracle.py
mkdir calls

python3 "$oracle" script >script || exit 1
mapfile -t functions < <(python3 "$oracle" functions)
BPFTRACE_STRLEN=128 bpftrace script >peer 2>peer.err &
peer=$!
seen() {
	(printf kt_oracle >/proc/self/comm; : </dev/null)
	grep -q '^E ' peer
}
# It compiles for long on an emulated machine, and attaches one by one when it has begun:
# what comes first in the script comes last.
for ((i = 0; i < ${KT_PATIENCE:-150}; i++)); do
	seen && break
	kill -0 $peer 2>/dev/null || break
	sleep 1
done
if ! seen; then
	kill $peer 2>/dev/null
	skip_all "bpftrace does not attach in time: $(grep -v ^Attaching peer.err | head -n 1)"
fi
sleep 3
catch_begin --json --no-stack -n 0 --size 4M -c kt_oracle "${functions[@]}" || exit 1
before=$(wc -l <peer)
(cd calls && python3 "$oracle" calls) || exit 1
sleep 1
kill -INT "$kcatch" $peer
wait "$kcatch" $peer
tail -n +$((before + 1)) peer >peer.calls
python3 "$oracle" compare peer.calls out
