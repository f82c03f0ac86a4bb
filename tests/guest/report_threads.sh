# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a report by two threads is the one by one thread, of a recording that is large
# enough for two, also when the output is closed.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

if [ "$(nproc)" -lt 2 ]; then
	skip_all 'needs two processors'
fi
kcatch record -o rec --size 32M --stack -f vfs_read -- \
	dd if=/dev/zero of=/dev/null bs=1 count=40000 status=none 2>err
check_equal 'a recording of calls with stacks: status 0' $? 0
check 'it is large enough' [ "$(cat rec/cpu* | wc -c)" -gt 8388608 ]
strace -f -o calls -e trace=clone,clone3 kcatch report rec >two.text
check 'a second thread is made' grep -q clone calls
# Each report takes many seconds: make check, which sets the rounds of other tests, makes fewer.
formats='text json rows' counts='1 2'
[ ! "${KT_ROUNDS-}" ] || formats='text json' counts=1
for format in $formats; do
	taskset -c 0 kcatch report rec --format $format >one
	one=$?
	kcatch report rec --format $format >two
	check_equal "$format: status 0 of both" "$? $one" '0 0'
	check "$format: the same bytes" cmp one two
done
for count in $counts; do
	taskset -c 0 kcatch report rec --filter "count == $count" --fields args \
		>one.$count 2>one.err
	kcatch report rec --filter "count == $count" --fields args >two.$count 2>two.err
	check "a filter, count == $count: the same bytes" cmp one.$count two.$count
	check "a filter, count == $count: the same messages" cmp one.err two.err
done
check 'a filter: of all reads' [ "$(wc -l <one.1)" -eq 40000 ]
kcatch report rec 2>err | head -n 1 >/dev/null
check_equal 'a reader that has gone ends it as by SIGPIPE' "${PIPESTATUS[0]}" 141
