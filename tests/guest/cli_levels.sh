# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --levels of a --tree shows that many levels under the call, and no deeper one; a call
# that is both the tree's and under it is shown once.
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

# usage: nested OPTION... ROOT PATTERN - the calls of a tree: three of kt_recurse, and kt_c
nested() {
	catch_begin --tree --json --no-stack -n 0 -t 300 "$@"
	[ -e "$orders" ] || insmod "$KT_TEST_MODULE"
	order 'process recursion 3'
	kill -INT $kcatch
	catch_end
	jq -r 'select(.function) | "\(.level) \(.function)"' out | tr '\n' ' '
}
tree='0 kt_recurse 1 kt_recurse 2 kt_recurse 3 kt_c '
check_equal 'a function that calls itself' "$(nested kt_recurse 'kt_*')" "$tree"
check_equal 'the same without arguments' "$(nested --no-args kt_recurse 'kt_*')" "$tree"
rmmod kcatch_test
cp "$KT_TEST_MODULE" .
check_equal 'of a module that is not loaded yet' \
	"$(nested kcatch_test:kt_recurse 'kcatch_test:kt_*')" "$tree"
rmmod kcatch_test
check_equal 'the same without arguments' \
	"$(nested --no-args kcatch_test:kt_recurse 'kcatch_test:kt_*')" "$tree"
