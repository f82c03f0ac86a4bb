# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # what wait_for evaluates
# Description: functions with random signatures, of whose arguments C itself tells
# (tests/generated): what kcatch says of the same calls is the same, on the screen and in JSON, with
# --deep, before and after the call, in conditions, keys and histograms; and out of a recording, in
# its reports, rows, filters and counts.
# KT_SEEDS: more seeds than the one of make check; KT_TOGETHER of them are loaded at a time.
. "$KT_TOP/tests/guest/support/lib.bash"
compare=$KT_TOP/tests/generated/compare.py
modules=${KT_MODULES%/*}/generated
python=/usr/bin/python3
said=/proc/kcatch_generated_
all='gf[0-9]*'

# usage: called LOG - calls all functions once; what C said of them
called() {
	local one
	for one in $seeds; do
		echo 1 >"$said$one"
	done
	for one in $seeds; do
		cat "$said$one"
	done >"$1"
}

# usage: caught FILE OPTION... - all functions armed, and called once
caught() {
	catch_begin --no-stack -n 0 "${@:2}" "$all" || return
	called "$1.log"
	kill -INT "$kcatch"
	catch_end
	mv out "$1"
}

# usage: counted FILE OPTION... - the same, counted
counted() {
	kcatch count "$all" --json "${@:2}" >"$1" 2>err &
	local counter=$!
	wait_for counts_or_ended $counter
	called "$1.log"
	kill -INT $counter
	wait $counter
}

# Conditions that hold and that do not, keys of numbers and texts, each of a function of its own.
live_rules() {
	local last metrics i
	rm -f series
	"$python" "$compare" rules "$specs" json.log rules
	last=$(sed -n 's/^\(key_[0-9]*\) .*/\1/p' rules | tail -n 1)
	kcatch metrics --rules rules --textfile "$PWD/series" -d 1 2>metrics.err &
	metrics=$!
	wait_for eval "[ -s series ] || ! kill -0 $metrics"
	called rules.log
	# The counts of the rules are taken one after the other, those of the last one last.
	for ((i = 0; i < 100; i++)); do
		grep -q "^${last}_total.* 1$" series && break
		pause 0.1
	done
	kill -INT $metrics
	wait $metrics
}

# usage: reported FUNCTION FILTER - how many calls a report has
reported() {
	kcatch report recording --format json -f "$1" --filter "$2" | grep -c '"function":'
}

# Filters and keys of members, each of a function of its own.
chosen_of_recording() {
	local function yes no key value got number=0 wrong=''
	while IFS=$'\t' read -r function yes no key value; do
		number=$((number + 1))
		got=$(reported "$function" "$yes")$(reported "$function" "$no")
		got+=" $(kcatch count -i recording "$function" --by "$key" --json)"
		[[ $got == 10* ]] || wrong+="$function $yes: $got"$'\n'
		value=${value//\\/\\\\}
		[[ $got == *":$value"[,\}]* || $got == *":\"$value\""[,\}]* ]] ||
			wrong+="$function --by $key: $got, not $value"$'\n'
	done < <("$python" "$compare" chosen "$specs" recording.log "${KT_CHOSEN:-2}")
	check_equal "$title: filters and keys of members of the recording ($number)" "$wrong" ''
}

recorded() {
	rm -rf recording
	record_begin -o recording -f "$all"
	called recording.log
	kill -INT "$recorder"
	record_end
	kcatch report recording >report.text
	kcatch report recording --format json >report.json
	kcatch report recording --format rows >report.rows
	kcatch report recording --format json --filter "$number == $value" >filtered.json
	kcatch count -i recording "$all" --json --by "function,$number" --hist "$number" \
		>report.counts
	kcatch count -i recording "$all" --json --by "function,$text_key" >report.texts
}

# One check for each: what compare.py said of it.
judged() {
	local line name values text told='' checks=0
	declare -A titles=(
		[screen]='on the screen' [deep]='on the screen with -v --deep 1'
		[json]='as JSON with --deep 1' [counts]='keys and histograms, live'
		[texts]='texts as keys, live' [rules]='conditions and keys, live'
		[recording]='JSON of a recording' [report]='text report of a recording'
		[rows]='rows of a recording' [filter]='a filter of a recording'
		[recorded-counts]='keys and histograms of a recording'
		[recorded-texts]='texts as keys of a recording')
	while IFS= read -r line; do
		name=${line%%: *} values=${line#*: }
		if [[ $line != *' differ' || ! ${titles[$name]-} ]]; then
			told+=$line$'\n'
			continue
		fi
		text="$title: ${titles[$name]} ($values)"
		checks=$((checks + 1))
		if [[ $values =~ ^[1-9].*' 0 differ'$ ]]; then
			pass "$text"
		else
			fail "$text" "$told"
		fi
		told=''
	done < <("$python" "$compare" "$specs" symbols \
		'screen screen screen.log screen' 'deep screen deep.log deep 1' \
		'json events json.log json 1' "counts counts counts.log counts $number" \
		"texts counts texts.log texts $text_key" \
		'rules series rules series' 'recording events recording.log report.json' \
		'report report recording.log report.text report.json' 'rows rows recording.log report.rows' \
		"filter filter recording.log filtered.json $number $value" \
		"recorded-counts counts recording.log report.counts $number" \
		"recorded-texts counts recording.log report.texts $text_key" 2>&1)
	check_equal "$title: all was compared" "$checks $told" "${#titles[@]} "
}

# usage: load SEED... - their modules; sets specs
load() {
	local seed
	specs=''
	for seed; do
		[ -e "$modules/$seed/kcatch_generated_$seed.ko" ] ||
			skip_all "no generated module of seed $seed: tests/generated/build"
		insmod "$modules/$seed/kcatch_generated_$seed.ko" || fail "the module of seed $seed loads"
		specs+=,$modules/$seed/spec.json
	done
	specs=${specs#,}
	grep -F '[kcatch_generated_' /proc/kallsyms >symbols
}

read -ra all_seeds <<<"${KT_SEEDS:-1}"
values=(0 1 7 65535 65536 19088743)
while [ ${#all_seeds[@]} -gt 0 ]; do
	seeds=${all_seeds[*]:0:${KT_TOGETHER:-1}} first=${all_seeds[0]} title="seed ${all_seeds[0]}"
	all_seeds=("${all_seeds[@]:${KT_TOGETHER:-1}}")
	[[ $seeds != *' '* ]] || title="seeds $first to ${seeds##* }"
	# Each time functions are counted and chosen by another number, text and value: at first by
	# the seventh argument, which is on the stack.
	number=n$(((first + 5) % 8)) text_key=t$((first % 5)) value=${values[first % 6]}
	# shellcheck disable=SC2086 # one word a seed
	load $seeds
	caught screen
	caught deep -v --deep 1
	caught json --json --deep 1
	counted counts --by "function,$number" --hist "$number"
	counted texts --by "function,$text_key"
	live_rules
	recorded
	judged
	chosen_of_recording
	for seed in $seeds; do
		rmmod "kcatch_generated_$seed"
	done
done
