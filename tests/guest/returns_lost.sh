# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a call whose return found no room in the ring is shown as such while kcatch runs on,
# also when its thread has ended: it is not waited for, and -n ends when that many calls are shown.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cleanup() { kill "$reader" "$kcatch" 2>/dev/null; pkill -x kt_reader; }

# A reader of its own writes what many of its children wait for. Returns are smaller than entries,
# so some of theirs may still find room: not all.
mkfifo held pause
cat >reads <<'EOR'
printf kt_reader >/proc/self/comm
exec 7<>held 8<>pause
told() { until [ -e "$1" ]; do read -rt 0.05 -u 8; done; }
many() { for ((i = 0; i < $1; i++)); do read -r _ </proc/version; done; }
told hold
for ((n = 0; n < 16; n++)); do
	(read -rn 1 _ <&7; : >returned.$n; until $END; do read -rt 0.05 <>pause; done) &
done
told fill
many 400
printf 0123456789abcdef >&7
for ((n = 0; n < 16; n++)); do told returned.$n; done
: >filled
told rest
while :; do many 10; read -rt 0.02 -u 8; done
EOR

nr_held() { pgrep -P "$reader" -x kt_reader | wc -l; }
all_held() {
	local pid
	[ "$(nr_held)" -eq 16 ] || return 1
	for pid in $(pgrep -P "$reader"); do asleep_in "$pid" pipe_read || return 1; done
}
# Of the children: how many were shown with what.
of_held() {
	jq -r --argjson reader "$reader" 'select(.tid and .tid != $reader) | .returned // "seen"' \
		out | sort | uniq -c
}
all_shown() { [ "$(of_held 2>/dev/null | awk '{ n += $1 } END { print n }')" = 16 ]; }

for end in false true; do
	case $end in false) what='threads live on: ' ;; *) what='threads end: ' ;; esac
	rm -f hold fill filled rest returned.*
	export END=$end
	taskset -c 0 bash reads &
	reader=$!
	catch_begin --json -n 1000 -t 3000 --no-stack --size 16K -c kt_reader vfs_read
	: >hold
	check "${what}calls are under way" wait_for all_held
	stand_still "$kcatch"
	: >fill
	check "${what}the ring is full when they return" wait_for test -e filled
	kill -CONT "$kcatch"
	check "${what}they are shown" wait_for all_shown
	check_match "${what}returns were lost" "$(of_held)" ' lost'
	check_no_match "${what}none is said to be under way" "$(of_held)" 'pending'
	check "${what}kcatch runs on" kill -0 "$kcatch"
	: >rest
	catch_end
	kill "$reader"
	pkill -x kt_reader
	wait "$reader"
	check_equal "${what}something was lost: status 3" "$status" 3
	check_equal "${what}kcatch ends when it has shown as many as asked" \
		"$(jq -c 'select(.summary).summary | [.caught, .end]' out)" '[1000,"count"]'
	check_equal "${what}each return was seen, or lost" "$(jq -c 'select(.function) |
		.returned // (.latency_ns | type)' out | sort -u | paste -sd ' ')" '"lost" "number"'
	check_equal "${what}as many are shown as lost as the kernel counted" \
		"$(jq -c 'select(.function and .returned == "lost")' out | wc -l)" \
		"$(jq 'select(.summary).summary.return_lost' out)"
	check_equal "${what}every call is accounted for" "$(jq 'select(.summary).summary |
		.hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
done
