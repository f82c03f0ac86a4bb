# SPDX-License-Identifier: GPL-2.0-or-later
# Description: -v gives the counters of each function, in JSON as per_probe of the summary:
# those of all functions together are the summary's.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

catch_begin -v --json --no-stack -n 5 -t 300 kt_a kt_c kt_blank
# The reader is woken by an interrupt: not before the last chain of calls is complete.
for _ in 1 2 3; do order 'irqs-off chain'; done
catch_end
check_equal 'each function: by what, and how often' "$(jq -r 'select(.summary).summary.per_probe[] |
	"\(.function) \(.module) \(.mechanism) \(.hits) \(.recorded) \(.over_budget)"' out | sort)" \
	'kt_a kcatch_test ftrace 3 3 0
kt_blank kcatch_test kprobe 0 0 0
kt_c kcatch_test ftrace 3 2 1'
check_equal 'together they are the summary' "$(jq -c 'select(.summary).summary | . as $s |
	[("hits", "recorded", "filtered", "over_budget", "undecided", "missed", "lost", "no_slot",
	  "return_lost", "in_flight") |
	. as $name | $s[$name] == ([$s.per_probe[][$name]] | add)] | all' out)" true
check_equal 'without -v there is none' \
	"$(kcatch --json -t 0.1 kt_a | jq -c 'select(.summary).summary | has("per_probe")')" false

catch_begin -v --no-stack -n 1 -t 300 kt_a kt_blank
order 'process chain'
catch_end
check_match 'as text: a line each' "$err" ' 1 +1 +0 +0 +0 +0 +0  ftrace  kt_a.* 0 +0 +0 +0 +0 +0 +0  kprobe  kt_blank'
