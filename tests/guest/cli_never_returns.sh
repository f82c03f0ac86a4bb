# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a call that never returns is shown when its thread has ended, though its
# parent does not ask for it; what a call changed is folded, and -v shows all of it.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cleanup() { kill "$parent"; }

catch_begin --json --no-stack -t 300 -c kt_zombie do_exit
# Whoever becomes another program never waits for its child.
(bash -c 'printf kt_zombie >/proc/self/comm' & exec sleep 1000) &
parent=$!
catch_end
check_equal 'caught' "$status" 0
check_equal 'it has not returned' "$(jq -r 'select(.function) | .returned' out)" pending
check_match 'not because the time was up' "$(jq -r 'select(.summary).summary.end' out)" '^(count|gone)$'

# Whoever looks after the tests calls stat, too.
cp "$(command -v stat)" kt_stat
catch_begin --no-stack -t 300 -c kt_stat vfs_statx 'ret == 0'
./kt_stat . >/dev/null
catch_end
check_match 'many changes are folded, and it says so' "$out" 'changed .*stat\.[a-z_.]*: .* => .*stat: \.\.\. \([0-9]+ more: -v\)'
catch_begin --no-stack -v -t 300 -c kt_stat vfs_statx 'ret == 0'
./kt_stat . >/dev/null
catch_end
check_match '-v has all of them' "$out" 'stat\.mtime\.tv_sec: '
check_no_match '-v leaves out none' "$out" 'stat: [^=]*more: -v'
