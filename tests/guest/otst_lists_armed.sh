# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O3: reading /proc/driver/otst lists the armed functions, one a line,
# the symbol first; one that has triggered is gone from the list.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
module_reload
check_equal 'empty at first' "$(cat $otst)" ''
echo kt_c >$otst
echo kt_hammered >$otst
echo kt_c >$otst
check_equal 'one line for each symbol, armed twice or not' "$(wc -l <$otst)" 2
check_equal 'the symbol comes first' "$(awk '{ print $1 }' $otst | sort | tr '\n' ' ')" 'kt_c kt_hammered '
order 'process chain'
wait_for eval '! grep -q kt_c $otst'
check_equal 'what triggered is gone' "$(awk '{ print $1 }' $otst)" kt_hammered
check_equal 'for root only' "$(stat -c %a $otst)" 600
module_reload
