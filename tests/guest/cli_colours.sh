# SPDX-License-Identifier: GPL-2.0-or-later
# Description: colours on a terminal; none with NO_COLOR set, none in a file.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
escape=$'\x1b\\['

# usage: on_terminal [NAME=VALUE] - one call is caught with the output on a terminal
on_terminal() {
	env TERM=xterm "$@" script -qefc 'kcatch -n 1 -t 300 --no-stack --no-args vfs_read' screen \
		>/dev/null </dev/null
}
on_terminal
check_match 'a terminal: the function in colour' "$(cat screen)" "${escape}[0-9;]+mvfs_read${escape}0m"
on_terminal NO_COLOR=1
check_match 'NO_COLOR: the function' "$(cat screen)" 'vfs_read  '
check_no_match 'NO_COLOR: no colour' "$(cat screen)" "$escape"
on_terminal NO_COLOR=
check_match 'NO_COLOR empty is not set' "$(cat screen)" "$escape"
TERM=xterm kcatch -n 1 -t 300 --no-stack vfs_read >out 2>err &
kcatch=$!
while kill -0 $kcatch 2>/dev/null; do cat /proc/version >/dev/null; done
wait $kcatch
check_match 'a file: a call is caught' "$? $(cat out)" '^0 vfs_read  '
check_no_match 'a file: no colour' "$(cat out err)" "$escape"
