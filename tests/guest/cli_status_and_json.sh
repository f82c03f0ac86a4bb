# SPDX-License-Identifier: GPL-2.0-or-later
# Description: exit statuses 0, 2 and 3, and the JSON of a catch: one valid object a
# line with the promised fields, and a summary whose terms add up.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

catch_begin --json -n 2 -t 300 kt_c
order 'process chain'
order 'process chain'
catch_end
check_equal 'caught what was asked: status 0' "$status" 0
check_equal 'one object for each call and one summary' "$(jq -c 'keys | length > 0' out | wc -l)" 3
check_equal 'every line is a whole object' "$(wc -l <out)" 3
check_equal 'the promised fields, of the promised types' "$(jq -r 'select(.function) |
	[(.function, .comm, .caller | type), (.time_ns, .cpu, .pid, .tid | type),
	(.stack | type), (.stack_complete | type)] | join(" ")' out | sort -u)" \
	'string string string number number number number array boolean'
check_equal 'each frame has symbol, offset, address' "$(jq -r 'select(.stack) | .stack[] |
	"\(.symbol | type) \(.offset | type) \(has("address"))"' out | sort -u)" \
	'string number true'
check_equal 'frames of a module name it' \
	"$(jq -r 'select(.stack) | .stack[] | select(.symbol | startswith("kt_")) | .module' out |
		sort -u)" kcatch_test
check_equal 'the caller is the first frame' \
	"$(jq -r 'select(.stack) | .caller == .stack[0].symbol' out | sort -u)" true
check_equal 'time goes forward' "$(jq -s 'map(select(.function).time_ns) | .[0] < .[1]' out)" true
check_equal 'the summary adds up' "$(jq -c 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
check_equal 'and says what was caught' \
	"$(jq -c 'select(.summary) | .summary | [.recorded, .missed, .lost]' out)" '[2,0,0]'

kcatch -t 0.3 kt_c >out 2>err
check_equal 'nothing caught: status 2' $? 2
check_match 'nothing caught: says so' "$(cat err)" 'nothing was caught'
kcatch -t 0.3 --json kt_c >out 2>err
check_equal 'nothing caught, JSON: status 2' $? 2
check_equal 'nothing caught, JSON: a summary all the same' "$(jq -c '.summary.hits' out)" 0

# More than there are calls: with a time limit, what there was is a success
(while sleep 0.05; do echo 'process chain'; done >$orders) 2>/dev/null &
noise=$!
until_found kcatch --json --no-stack -n 1000000 -t 3 kt_c >out 2>err
check_equal 'fewer than asked within the limit: status 0' $? 0
kill $noise

# A ring that holds a few and a reader that stands still
catch_begin --json -n 0 -t 300 --size 8K kt_hammered
stand_still $kcatch
order 'hammer 3000'
kill -CONT $kcatch
kill -INT $kcatch
catch_end
lost=$(jq 'select(.summary) | .summary.lost' out)
check_equal 'something lost: status 3' "$status" 3
check 'something lost: how much' [ "${lost:-0}" -gt 0 ]
check_equal 'lost and shown together are all calls' \
	"$((lost + $(jq -s 'map(select(.function)) | length' out)))" "$(module_value hammer.total)"
check_match 'something lost: says so, and what to do' "$err" 'lost.*--size'
