# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O2: the next call leaves one trace in the kernel's log and no call
# after it another, however many CPUs call at once, until it is armed again.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
module_reload

traces() {
	log_since | grep -c 'otst: triggered stacktrace for symbol kt_hammered '
}

is_silent() {
	! grep -q kt_hammered $otst
}

for round in 1 2 3; do
	log_mark
	echo kt_hammered >$otst
	order 'hammer 5000'
	wait_for is_silent
	order 'hammer 5000'
	module_reload	# what is to be logged is in the log then, and no sooner
	check_equal "round $round: one trace of $(module_value hammer.total) calls and as many before" \
		"$(traces)" 1
done
log_mark
order 'hammer 5000'
module_reload
check_equal 'none while it is not armed' "$(traces)" 0
