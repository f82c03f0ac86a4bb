# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a recording of all functions describes those that were hit, each before its first
# record: babeltrace2 and kcatch read the same out of it, also when the recorder was killed.
# Gate: none
. "$KT_TOP/tests/guest/support/lib.bash"
stalls_are_expected
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'

cat >reads <<'EOR'
printf kt_reader >/proc/self/comm
. "$KT_TOP/tests/pause.bash"
while :; do read -r _ </proc/version; pause 0.5; done
EOR
bash reads &
reader=$!
cleanup() { kill "$reader"; }

# usage: check_described RECORDING: few of the probes, each once, and all that have records
check_described() {
	local lines=$1/kcatch/probes.json
	local described
	described=$(jq 'select(.function).probe' "$lines")
	check_equal "$1: how many there are comes first" \
		"$(head -n 1 "$lines" | jq '.probes > 10000')" true
	check_match "$1: few of them are described" "$(wc -l <<<"$described")" '^[0-9]{2,4}$'
	check_equal "$1: each once" "$(sort <<<"$described" | uniq -d)" ''
	check_equal "$1: no record is of another" "$(grep 'does not\|damaged' report.err)" ''
	check_equal "$1: nor shown without its name" \
		"$(jq -c 'select(.stack and (.function | not))' report.json | wc -l)" 0
}

# usage: writes RECORDING: starts its recorder, until some of it is written
has_some() { [ "$(du -sb --total "$1"/cpu* 2>/dev/null | tail -n 1 | cut -f 1)" -gt 200000 ]; }
writes() {
	record_begin -o "$1" -f '*' --stack --size 32M -p "$reader"
	check "$1: it writes" wait_for has_some "$1"
}

writes whole
kill -INT "$recorder"
record_end
check_same_in_babeltrace whole
check_described whole
check_match 'arguments have their names' "$(jq -c 'select(.function == "vfs_read").args | keys' \
	report.json | sort -u)" '"buf","count","file","pos"'
kcatch report whole --format rows >every 2>err
jq -c 'select(.row == "losses")' every >rows
check_equal 'functions that others alone called have counters and a name' \
	"$(jq -c 'select(.scope == "probe" and .recorded == 0 and .filtered > 0).function' rows |
		head -n 3 | wc -l)" 3
check_equal 'counters of the probes are those of the session' \
	"$(jq 'select(.scope == "probe").hits' rows | jq -s add)" \
	"$(jq 'select(.scope == "session").hits' rows)"

check_match 'a misspelt name in a filter is told as such, not as missing arguments' \
	"$(kcatch report whole --filter 'cuont > 4096' 2>&1)" 'cuont.*count'
check_match 'and in a key of counts' "$(kcatch count -i whole vfs_read --by cuont 2>&1)" 'cuont.*count'
check_match 'a function that was not hit is not said to be missing' \
	"$(kcatch report whole -e vfs_raed 2>&1)" \
	"no function or event that was hit is called 'vfs_raed'; is it vfs_read"

# What is in the files is described.
writes killed
kill -KILL "$recorder"
wait "$recorder"
check_same_in_babeltrace killed
check_described killed

kcatch record --flight --detach --name box --size 1M -f '*' --stack -p "$reader" 2>err
check_equal 'a flight recorder of all' $? 0
filled() { kcatch sessions --json | jq -e '.events > 1000' >/dev/null; }
wait_for filled
kcatch snapshot box -o copied 2>err
check_equal 'is copied' $? 0
kcatch sessions --stop box 2>err
check_same_in_babeltrace copied
check_described copied
