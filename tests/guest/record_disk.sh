# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a disk that does not answer for a while, that dies, and a machine that loses its
# power: kcatch sessions tells of the first; what had reached the disk can be read after the
# others, and it is said that it is not all.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
command -v babeltrace2 >/dev/null || skip_all 'no babeltrace2'
test_module
cleanup() { fsfreeze -u disk; umount disk; }

# The file system takes no more writes, and what is not on the disk yet is lost: EXT4_IOC_SHUTDOWN
# without a last flush of the journal.
die() {
	python3 -c 'import fcntl, os, struct
fcntl.ioctl(os.open("disk", os.O_RDONLY), 0x8004587d, struct.pack("I", 2))'
}

# What a machine finds that starts again.
start_again() {
	umount disk && mount -o loop image disk
}

state() {
	kcatch sessions --json 2>/dev/null | jq -r .state
}

# usage: count DIRECTORY - events that kcatch report reads; its exit status is in $status
count() {
	kcatch report "$1" --format json >report.json 2>report.err
	status=$?
	events=$(grep -c '"function"' report.json)
}

modprobe loop
modprobe ext4
truncate -s 300M image
mkfs.ext4 -q image
mkdir disk
mount -o loop image disk || exit 1

kcatch record --detach --name box -f kt_hammered -o disk/waits 2>err
order 'hammer 50'
fsfreeze -f disk
order 'hammer 50'
wait_for eval '[[ "$(state)" == "writing for "* ]]'
check_match 'the disk does not answer: that is said' "$(kcatch sessions)" \
	'box .*writing for [0-9]+ s .*record --detach'
check_equal 'with the events that it had before' \
	"$(kcatch sessions --json | jq -c '[.events >= 50, .lost]')" '[true,0]'
kcatch snapshot box -o elsewhere 2>err
check_match 'a question that needs the recorder is refused' "$? $(cat err)" \
	'^1 .*has been writing for [0-9]* s and waits for the disk'
order 'hammer 50'
fsfreeze -u disk
wait_for eval '[ "$(state)" = recording ]'
pass 'the disk answers again: it goes on'
fsfreeze -f disk
wait_for eval '[[ "$(state)" == "writing for "* ]]'
kcatch sessions --stop box 2>err
check_match 'it is to end while it waits: status 0' "$? $(cat err)" \
	'^0 .*ends when its disk answers: see .*disk/waits'
fsfreeze -u disk
wait_for eval '! kcatch sessions >/dev/null 2>&1'
check_same_in_babeltrace disk/waits
check_equal 'it has ended, and nothing is lost' \
	"$(head -n 1 disk/waits/kcatch/counters | cut -d ' ' -f 2) $(jq '.summary.lost // empty' report.json)" \
	'final 0'

# A freeze is to be written meanwhile, and the recorder to end.
record_begin --name box --again --freeze-on 'kt_hammered arg0 == 200' -f kt_hammered --size 64K \
	-o disk/once
fsfreeze -f disk
order 'hammer 400'
wait_for eval '[[ "$(state)" == "writing for "* ]]'
kill -TERM $recorder
fsfreeze -u disk
record_end
check_match 'ended while it writes a freeze: it is written' "$status $err" '^[03] .*in .disk/once.'
check_equal 'and once' "$(echo disk/once*) $(grep -c 'frozen by' err)" 'disk/once 1'
check_same_in_babeltrace disk/once

# The power fails a moment after the beginning.
record_begin -o disk/young -f kt_hammered
cp -r disk/young/kcatch described
die
order 'hammer 50'
record_end
check_match 'the disk dies: status 3, and it is said' "$status $err" '^3 .*Input/output error'
start_again
count disk/young
check_match 'a recording that has just begun can be opened' "$status $(cat report.err)" \
	'did not end cleanly'
for file in session.json plans.json probes.json symbols modules; do
	check "and has its $file" cmp described/$file disk/young/kcatch/$file
done

# After some time, when the kernel has written what is old.
record_begin -o disk/old -f kt_hammered --size 256K
order 'hammer 3000'
wait_for eval '[ "$(cat disk/old/cpu* | wc -c)" -gt 100000 ]' 2>/dev/null
# Read first: the recorder may go on writing after the sync.
count disk/old
synced=$events
sync -f disk
order 'hammer 3000'
die
record_end
check_equal 'the disk dies: status 3' "$status" 3
start_again
count disk/old
check "what had reached the disk is read ($events events, $synced before)" \
	[ "$events" -ge "$synced" ]
check "and it is some ($synced)" [ "$synced" -gt 100 ]
check_match 'and it is said that it is not all' "$status $(cat report.err)" 'did not end cleanly'

# A flight recorder keeps what it has.
kcatch record --detach --name box --freeze-on 'kt_hammered arg0 == 200' -f kt_hammered \
	-o disk/flight --size 64K 2>err
die
order 'hammer 400'
wait_for eval 'kcatch sessions --json | jq -e .reason >/dev/null'
check_match 'frozen, and the disk is dead: it stays and says why' \
	"$(kcatch sessions --json | jq -r '.state + ": " + .reason')" \
	'^frozen by .*(Input/output error|Read-only)'
kcatch snapshot box -o elsewhere 2>err
check_equal 'another disk gets it: status 0' $? 0
wait_for eval '! kcatch sessions >/dev/null 2>&1'
check_same_in_babeltrace elsewhere
check_equal 'all of it' "$(jq -s 'map(select(.function) | .args | to_entries[0].value) |
	any(. == 200)' report.json)" true
start_again
