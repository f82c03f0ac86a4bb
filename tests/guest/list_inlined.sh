# SPDX-License-Identifier: GPL-2.0-or-later
# Description: `kcatch list -v FUNCTION` tells which functions have inlined copies of it, as readelf
# reads them from the module; without debug information it says that they are not known.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

readelf --debug-dump=info "$KT_TEST_MODULE" 2>/dev/null |
	python3 "$KT_TOP/tests/guest/support/inlined.py" >expected
check 'the module has inlined functions' [ "$(wc -l <expected)" -gt 20 ]

inlined() {
	kcatch list -v "kcatch_test:$1" 2>err | sed -n 's/^    inlined in: //p'
}

check_equal 'not known without debug information' "$(inlined kt_hammered)" ''
check_match 'which is said' "$(cat err)" 'not known without debug information of module kcatch_test'
kcatch list -v vfs_read 'tcp_v4_r*' 2>err >out
check_equal 'once, and not of a pattern' "$(grep -c 'without debug information' err)" 1

export KCATCH_DEBUG_PATH=${KT_TEST_MODULE%/*}
wrong=''
while IFS=: read -r name functions; do
	# (Of more it prints a part.)
	[ "$(tr -cd , <<<"$functions" | wc -c)" -lt 16 ] || continue
	[ "$(inlined "$name")" = "${functions# }" ] || wrong="$wrong $name"
done < <(awk 'NR % 256 == 1' expected; grep -E '^(reinit_completion|kt_fault_before):' expected)
check_equal 'as readelf has it' "$wrong" ''
check_equal 'inlined nowhere' "$(inlined kt_hammered)" 'no function'
check_equal 'of no such function nothing' "$(inlined kt_no_such_function)" ''
