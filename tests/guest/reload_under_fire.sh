# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch itself is unloaded and loaded in a loop while hot functions
# are armed through otst and hits arrive on all CPUs; nothing is left behind.
. "$KT_TOP/tests/guest/support/lib.bash"

cleanup() {
	kill $noise 2>/dev/null
	module_loaded || insmod "$KCATCH_MODULE"
}

rounds=${KT_ROUNDS:-5}
noise=
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c "$cpu" dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
	noise="$noise $!"
done

failures=0 armed=0
for round in $(seq "$rounds"); do
	echo "# round $round"
	for name in vfs_read vfs_write ksys_read __fdget_pos; do
		if { echo $name >$otst; } 2>/dev/null; then armed=$((armed + 1)); fi
	done
	rmmod kcatch || failures=$((failures + 1))
	insmod "$KCATCH_MODULE" symbol=vfs_write count=3 || failures=$((failures + 1))
	rmmod kcatch || failures=$((failures + 1))
	insmod "$KCATCH_MODULE" || failures=$((failures + 1))
done
check_equal "$((2 * rounds)) unloads and loads under fire" $failures 0
# Newer kernels have no __fdget_pos.
check "functions were armed each time ($armed)" [ $armed -ge $((3 * rounds)) ]
check_unhooked 'no function stays hooked'
kcatch -t 300 --json vfs_read >out 2>err
check_equal 'it catches after that' $? 0

# In use, it cannot go.
catch_begin -n 0 -t 300 --no-stack vfs_statx
rmmod kcatch 2>/dev/null
check_equal 'with a session open it does not unload' $? 1
kill -INT $kcatch
catch_end
