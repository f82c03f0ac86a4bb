# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O1: a name written to /proc/driver/otst arms it, with a newline at its
# end and without.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
module_reload
log_mark
check "without a newline: accepted" eval "echo -n kt_a >$otst"
check "with a newline: accepted" eval "echo kt_b >$otst"
check_equal 'both are armed' "$(cut -d' ' -f1 $otst | sort | tr '\n' ' ')" 'kt_a kt_b '
order 'process chain'
wait_for eval '! grep -q . $otst'
check_match 'the first left its trace' "$(log_since)" 'otst: triggered stacktrace for symbol kt_a '
check_match 'the second left its trace' "$(log_since)" 'otst: triggered stacktrace for symbol kt_b '
