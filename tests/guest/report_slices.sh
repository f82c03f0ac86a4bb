# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what a report keeps of stacks, names and types changes nothing: a report of each
# single event, by a process that knows nothing yet, says the same as the report of all.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

EVENTS=24	# of which a report of its own is made

mkdir dir
for name in one two three; do echo $name >dir/$name; done
kcatch record -o rec --stack -f vfs_read -f vfs_open -f vfs_statx -e sched:sched_switch -- \
	sh -c 'cat dir/one dir/two dir/three dir/none; ls -l dir' >out 2>err
check_equal 'a recording of calls and events with stacks: status 0' $? 0

kcatch report rec --until +0 --format stats >out 2>err
check_equal 'until the first event: status 1' $? 1
check_match 'until the first event: refused' "$(cat err)" "^kcatch: --until '\+0': "

# usage: whole FORMAT: the report of the last $EVENTS events, in order of time
whole() {
	kcatch report rec --since "${times[0]}" --format "$1"
}

# usage: slices FORMAT: the same, each event by a process of its own
slices() {
	local i
	for ((i = 0; i < ${#times[@]}; i++)); do
		kcatch report rec --since "${times[i]}" ${times[i + 1]:+--until "${times[i + 1]}"} \
			--format "$1"
	done
}

mapfile -t times < <(kcatch report rec --fields time | sort -n | uniq | tail -n $EVENTS)
check_equal 'it has enough of them' ${#times[@]} $EVENTS
whole json | grep -v '"summary"' | sort >whole.json
slices json | grep -v '"summary"' | sort >slices.json
check 'some have stacks' grep -q '"stack":\[{' whole.json
check 'JSON: the same lines' cmp whole.json slices.json
whole text | sort >whole.text
check 'text: there are lines' [ "$(wc -l <whole.text)" -ge $EVENTS ]
slices text | sort >slices.text
check 'text: the same lines' cmp whole.text slices.text
whole folded | sort >whole.folded
slices folded | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
	END { for (stack in sum) print stack, sum[stack] }' | sort >slices.folded
check 'folded: there are stacks' [ -s whole.folded ]
check 'folded: the same stacks, the same sums' cmp whole.folded slices.folded
