# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # what wait_for evaluates
# Description: functions with random signatures, of whose arguments C itself tells
# (tests/generated): what kcatch says of the same calls is the same, in JSON, with --deep, in a
# recording and its reports, in conditions, keys and histograms, live and over the recording.
# KT_SEEDS: more seeds than the one of make check.
. "$KT_TOP/tests/guest/support/lib.bash"
compare=$KT_TOP/tests/generated/compare.py
modules=${KT_MODULES%/*}/generated
python=/usr/bin/python3
said=/proc/kcatch_generated

# usage: compared TEXT WHAT ARG... - one check: compare.py finds no difference
compared() {
	local text=$1 told
	shift
	told=$("$python" "$compare" "$@" 2>&1)
	if [[ $told =~ (^|$'\n')[1-9][0-9]*' values, 0 differ'$ ]]; then
		pass "$text (${told##*$'\n'})"
	else
		fail "$text" "$told"
	fi
}

# usage: live NAME LEVELS OPTION... - all functions armed, and called once
live() {
	catch_begin --json --no-stack -n 0 "${@:3}" 'gf*' || return
	echo 1 >$said
	cat $said >log
	wait_for eval '[ $(grep -c "\"function\":" out) -ge $functions ]'
	kill -INT "$kcatch"
	catch_end
	compared "seed $seed: $1" events "$spec" log out "$2"
}

# Conditions that hold and that do not, keys of numbers and texts, each of a function of its own.
live_rules() {
	"$python" "$compare" rules "$spec" log rules.conf
	kcatch metrics --rules rules.conf --textfile "$PWD/series" -d 1 2>metrics.err &
	local metrics=$!
	wait_for eval "[ -s series ] || ! kill -0 $metrics"
	echo 1 >$said
	wait_for eval "grep -q '^yes_0_total 1' series || ! kill -0 $metrics"
	sleep 2	# each rule has counts of its own, which are taken one after the other
	kill -INT $metrics
	wait $metrics
	compared "seed $seed: conditions and keys, live" series rules.conf series
}

# usage: reported FUNCTION FILTER - how many calls a report has
reported() {
	kcatch report recording --format json -f "$1" --filter "$2" | grep -c '"function":'
}

recorded() {
	local function yes no key value got number=0 wrong=''
	rm -rf recording
	record_begin -o recording -f 'gf*'
	echo 1 >$said
	cat $said >log
	kill -INT "$recorder"
	record_end
	kcatch report recording --format json >report.json
	compared "seed $seed: the same out of a recording" events "$spec" log report.json 0
	while IFS=$'\t' read -r function yes no key value; do
		number=$((number + 1))
		got=$(reported "$function" "$yes")$(reported "$function" "$no")
		got+=" $(kcatch count -i recording "$function" --by "$key" --json |
			"$python" -c 'import json, sys
for line in sys.stdin:
	row = json.loads(line)
	print(row)')"
		[[ $got == 10* ]] || wrong+="$function $yes: $got"$'\n'
		[[ $got == *"$value"* ]] || wrong+="$function --by $key: $got, not $value"$'\n'
	done < <("$python" "$compare" chosen "$spec" log "${KT_CHOSEN:-6}")
	check_equal "seed $seed: filters and counts of the recording ($number)" "$wrong" ''
}

for seed in ${KT_SEEDS:-1}; do
	module=$modules/$seed/kcatch_generated.ko
	spec=$modules/$seed/spec.json
	[ -e "$module" ] || skip_all "no generated module of seed $seed: tests/generated/build"
	insmod "$module" || { fail "seed $seed: the module loads"; continue; }
	functions=$(grep -c '^gf.* e - begin' <(echo 1 >$said; cat $said))
	live 'as JSON' 0
	live 'with --deep' 1 --deep 1
	live_rules
	recorded
	rmmod kcatch_generated
done
