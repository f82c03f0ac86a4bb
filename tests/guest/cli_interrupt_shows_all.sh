# SPDX-License-Identifier: GPL-2.0-or-later
# Description: after Ctrl-C in the middle of many calls, all that was recorded is
# shown: what the summary counts as recorded is on standard output.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { kill $noise; }

# In bursts: a machine that is slow would have millions of lines to show.
(while sleep 0.05; do for _ in {1..200}; do echo 'process chain'; done; done >$orders) 2>/dev/null &
noise=$!
for signal in INT TERM; do
	catch_begin --json -n 0 -t 300 --size 16M kt_c
	wait_for test -s out
	kill -$signal $kcatch
	catch_end
	check_equal "SIG$signal: status" "$status" 0
	check "SIG$signal: each line is whole" bash -c 'jq . out >/dev/null'
	check_equal "SIG$signal: all that was recorded is shown" \
		"$(jq -s 'map(select(.function)) | length' out)" "$(jq 'select(.summary) | .summary.recorded' out)"
done
