# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch record of a command, or with --children of a process, records what that
# starts, however deep, and nothing else; --no-children the process itself alone.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

# A tree: each line of it a process that runs /bin/true; and others all the while.
cat >tree.sh <<'END'
i=0
while [ $i -lt 10 ]; do
	(/bin/true; (/bin/true; sh -c '/bin/true; :'))
	i=$((i + 1))
done
END
(while :; do /bin/true; done) &
others=$!

# How often /bin/true ran in recording $1.
runs() {
	kcatch report "$1" --format json >report.json
	jq -r 'select(.function == "do_exit") | .comm' report.json | grep -c '^true$'
}

kcatch record -o command -e sched:sched_process_exec -f do_exit --entry --no-args \
	-- sh tree.sh 2>err
check_equal 'a command: status 0' $? 0
check_match 'it is said that its children are recorded' "$(cat err)" 'of process [0-9]* and its children'
check_equal 'each program that it and its children ran, and no other' "$(runs command)" 30
check_equal 'and events: each began by a program' "$(jq -r 'select(.function != "do_exit") | .pid // empty' \
	report.json | sort -u | wc -l)" "$(jq -r 'select(.function == "do_exit") | .pid' report.json | sort -u | wc -l)"

kcatch record -o alone --no-children -e sched:sched_process_exec -f do_exit --entry --no-args \
	-- sh tree.sh 2>err
check_equal '--no-children: only the command' "$(jq -s 'map(.pid // empty) | unique | length' \
	<(kcatch report alone --format json))" 1

# One that has children, and those have, before it is looked at.
sh -c '(while [ ! -e end ]; do /bin/true; sleep 0.1; done) & wait' &
root=$!
wait_for eval "grep -q . /proc/$root/task/$root/children 2>/dev/null"
record_begin -o there -p $root --children -f do_exit --no-args
wait_for eval '[ "$(kcatch sessions --json | jq -s .[0].events)" -gt 20 ]'
touch end
wait $root
record_end
check_equal 'a process that ends: status 0' "$status" 0
check 'its children of before are recorded' [ "$(runs there)" -ge 5 ]
kill $others
wait $others 2>/dev/null

kcatch record -o none --children -e sched:sched_process_exec 2>err
check_equal '--children of nobody: status 1' $? 1
check_match 'and says what is missing' "$(cat err)" 'Give -p PID or a command'

# What can be executed by its rights, and not in fact.
printf '#!/no/such/interpreter\n' >script
chmod +x script
kcatch record -o none -e sched:sched_process_exec -- ./script 2>err
check_equal 'a command that cannot run: status 1' $? 1
check_match 'and says why' "$(cat err)" 'cannot run the command: No such file'
check 'nothing is left behind' [ ! -e none ]

printf '#!/bin/sh\n' >script
PATH=":$PATH" kcatch record -o found -e sched:sched_process_exec -- script 2>err
check_equal 'an empty part of PATH is the current directory' "$?" 0
