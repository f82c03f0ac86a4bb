# SPDX-License-Identifier: GPL-2.0-or-later
# Description: more than 10^7 calls in threads, softirqs and hard interrupts of two CPUs add up, by
# nothing, by stack and at the return, while the tables are read and emptied all the time.
. "$KT_TOP/tests/stress/support.bash"
trap - EXIT	# the plan is the program's
KT_CALLS=$(rounds 4000000) exec "$KT_OUT/guest/counts_exact"
