# SPDX-License-Identifier: GPL-2.0-or-later
# Description: without the rights to trace, kcatch says so clearly, and the doors stay
# shut; with CAP_PERFMON and CAP_SYSLOG alone the device opens.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all --bounding-set -all)
chmod 777 .

"${nobody[@]}" kcatch -t 1 kt_c >out 2>err
check_equal 'nobody: status 1' $? 1
check_match 'nobody: what is missing' "$(cat err)" '^kcatch: .*root: try sudo'
check_equal 'the device is root'"'"'s alone' "$(stat -c %a $device)" 600
check_match 'nobody cannot open it' "$("${nobody[@]}" bash -c "exec 3<>$device" 2>&1)" 'Permission denied'

# Root's name without root's capabilities
setpriv --bounding-set -sys_admin,-perfmon --inh-caps -all bash -c "exec 3<>$device" 2>err
check 'uid 0 without capabilities: refused' [ $? -ne 0 ]
check_match 'uid 0 without capabilities: EPERM' "$(cat err)" 'not permitted'
setpriv --bounding-set -sys_admin,-perfmon --inh-caps -all kcatch -t 1 kt_c >out 2>err
check_equal 'uid 0 without capabilities: status 1' $? 1
check_match 'uid 0 without capabilities: what is missing' "$(cat err)" 'CAP_'
setpriv --bounding-set -all,+perfmon,+syslog,+dac_override bash -c "exec 3<>$device" 2>err
check_equal 'CAP_PERFMON and CAP_SYSLOG are enough for the device' $? 0
setpriv --bounding-set -all,+perfmon,+syslog,+dac_override kcatch watch -t 1 jiffies >out 2>err
check_equal 'CAP_PERFMON and CAP_SYSLOG: memory is not watched' $? 1
check_match 'CAP_PERFMON and CAP_SYSLOG: what is missing' "$(cat err)" 'without CAP_SYS_ADMIN'
setpriv --bounding-set -all,+perfmon,+dac_override bash -c "exec 3<>$device" 2>err
check_match 'CAP_PERFMON alone is not: EPERM' "$? $(cat err)" '^1 .*not permitted'
"${nobody[@]}" kcatch --help >out 2>err
check_equal 'help is for all' "$?" 0

# Files that are root's are not root's without capabilities.
for file in selfcheck ktrace_size; do
	file=/sys/module/kcatch/parameters/$file
	before=$(<$file)
	setpriv --bounding-set -all --inh-caps -all bash -c "echo $before >$file" 2>err
	check_equal "uid 0 without capabilities: ${file##*/} is not written" $? 1
	check_match "uid 0 without capabilities: ${file##*/}: EPERM" "$(cat err)" 'not permitted'
	check "root may write ${file##*/}" eval "echo $before >$file"
done
