# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the module is loaded and unloaded 1,000 times under traffic, now and then with
# functions armed by its text files or parameters.
. "$KT_TOP/tests/stress/support.bash"
cleanup() { traffic_end; }

nr=$(rounds 1000)
failures=0
traffic_begin
for ((round = 1; round <= nr; round++)); do
	case $((round % 5)) in
	0) echo vfs_read >$otst ;;
	1) echo vfs_write >$otst && echo ksys_read >$otst ;;
	2) echo 1 >/sys/kernel/debug/ktrace/enabled ;;
	esac
	rmmod kcatch || failures=$((failures + 1))
	if [ $((round % 5)) = 3 ]; then
		insmod "$KCATCH_MODULE" symbol=vfs_read count=1000 action=3 ||
			failures=$((failures + 1))
	else
		insmod "$KCATCH_MODULE" || failures=$((failures + 1))
	fi
	progress 'loads and unloads' $round "$nr"
done
module_reload || failures=$((failures + 1))
check_equal "$nr loads and unloads under traffic" $failures 0
traffic_end
check_nothing_left
