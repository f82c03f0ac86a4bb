# SPDX-License-Identifier: GPL-2.0-or-later
# Description: each command of docs/coming-from.md is one: it is understood, it arms, and it ends
# without an error.
# Gate: none
. "$KT_TOP/tests/guest/support/lib.bash"

# The commands of the right columns, a line each.
sed -n 's/^|.*[^\\]|\(.*\)|$/\1/p' "$KT_TOP/docs/coming-from.md" | grep -o '`kcatch [^`]*`' | tr -d '`' |
	awk '!seen[$0]++' >commands
check_equal 'the page has commands' "$([ "$(wc -l <commands)" -ge 30 ] && echo yes)" yes

# Something for each of them to see.
(while :; do cat /etc/hostname none; echo >/dev/udp/127.0.0.1/9; pause 0.2; done) >work 2>&1 &
worker=$!
cleanup() { kill $worker; }

while IFS= read -r command; do
	# What goes on until Ctrl-C, or waits for what does not come, is told to end.
	timeout --preserve-status -s INT 6 env --default-signal=INT sh -c "exec $command" \
		>out 2>err </dev/null
	status=$?
	[ $status != 2 ] || status=0	# nothing was caught
	[ $status != 3 ] || status=0	# something was lost
	check_equal "$command" "$status" 0
	[ $status = 0 ] || sed 's/^/# /' err | head -n 5
done <commands
