# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the command of an event without a stack is that of the thread at the event: of one
# that ends, and of one that becomes another program.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

# What begins as kt_first executes kt_second, which ends.
cp /bin/true kt_second
cat >kt_first <<'END'
#!/bin/bash
echo $$ >>pids
exec ./kt_second
END
chmod +x kt_first

catch_begin --json -n 0 -t 300 -e syscalls:sys_enter_execve -e sched:sched_process_exit \
	-e signal:signal_generate
for _ in {1..20}; do
	./kt_first
done
kill -INT $kcatch
catch_end
expected=$(while read -r pid; do
	echo "$pid kt_first sys_enter_execve"
	echo "$pid kt_second sched_process_exit"
	echo "$pid kt_second signal_generate"
done <pids | sort)
check_equal 'who executes, ends and signals' "$(jq -r 'select(.comm // "" | startswith("kt_")) |
	"\(.pid) \(.comm) \(.function)"' out | sort)" "$expected"
check_equal 'no event is without a command' "$(jq -r 'select(.comm == "") | .event' out | sort -u)" ''
check_equal 'and none has a stack' "$(jq -c 'select(.stack) | .event' out | sort -u)" ''
