# SPDX-License-Identifier: GPL-2.0-or-later
# Description: an event without a stack has the command that its thread had at the event: of a
# thread that ends, of one that executes another program or gives itself another name; on the
# screen, in a recording, and for babeltrace2.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
events=(-e syscalls:sys_enter_execve -e sched:sched_process_exit -e task:task_rename)

# Threads whose name at each event is known: before_N executes /bin/true, which ends; ends_N ends.
cat >names.sh <<'END'
for i in {1..30}; do
	(printf before_$i >/proc/$BASHPID/comm; exec /bin/true)
	(printf ends_$i >/proc/$BASHPID/comm)
done
END
# usage: names FILE - of the JSON, what each event was called by, where it is known
names() {
	jq -r 'select(.event == "syscalls:sys_enter_execve" and (.comm | startswith("before_"))) |
		"execve " + .comm' "$1"
	jq -r 'select(.event == "sched:sched_process_exit" and (.comm | startswith("ends_"))) |
		"exit " + .comm' "$1"
	# The name before the change is a field of the event.
	jq -r 'select(.event == "task:task_rename" and .comm == .args.oldcomm) |
		.args | .newcomm // .comm | select(startswith("before_") or startswith("ends_")) |
		"rename to " + .' "$1"
}
for i in {1..30}; do
	printf '%s\n' "execve before_$i" "exit ends_$i" "rename to before_$i" "rename to ends_$i"
done | sort >expected

catch_begin --json -n 0 "${events[@]}"
bash names.sh
kill -INT "$kcatch"
catch_end
names out | sort >live
check_equal 'on the screen' "$(diff expected live)" ''
check_equal 'no event is without a command' \
	"$(jq -c 'select(.event and .comm == "")' out)" ''
check_equal 'a thread that ends has the name that the event says' \
	"$(jq -c 'select(.event == "sched:sched_process_exit" and .comm != .args.comm)' out)" ''

kcatch record -o recording "${events[@]}" -- bash names.sh 2>err
kcatch report recording --format json >reported
names reported | sort >recorded
check_equal 'in a recording' "$(diff expected recorded)" ''
if command -v babeltrace2 >/dev/null; then
	check_same_in_babeltrace recording
	check_equal 'babeltrace2 has the command' "$(grep -c 'sys_enter_execve.*comm = "before_' bt)" 30
else
	skip 'babeltrace2 has the command' 'no babeltrace2'
fi
