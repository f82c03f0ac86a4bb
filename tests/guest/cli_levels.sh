# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --levels of a --tree shows that many levels under the call, and no deeper one.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# kt_a calls kt_b, which calls kt_c.
for levels in 1 2; do
	catch_begin --tree --levels $levels --json --no-stack -n 1 -t 300 kt_a kt_b kt_c
	order 'process chain'
	catch_end
	check_equal "--levels $levels" "$status $(jq -r 'select(.function) | "\(.level) \(.function)"' out | tr '\n' ' ')" \
		"0 0 kt_a 1 kt_b $([ $levels = 1 ] || echo '2 kt_c ')"
done
