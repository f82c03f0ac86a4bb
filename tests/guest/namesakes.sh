# SPDX-License-Identifier: GPL-2.0-or-later
# Description: of several functions with one name it is told which was called, live, in counts and
# out of a recording; who may not see addresses gets a number instead.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

mapfile -t addresses < <(
	awk '$3 == "s_next" && $2 ~ /[tT]/ && !$4 { print "0x" $1 }' /proc/kallsyms)
[ ${#addresses[@]} -gt 1 ] || skip_all 's_next is no name of several functions here'
calls() { head -n 500 /proc/kallsyms; cat $tracefs/trace; }
is_one() { [[ " ${addresses[*]} " = *" $1 "* ]]; }

catch_begin -n 0 -t 300 --json --no-stack s_next
calls >/dev/null
kill -INT $kcatch
catch_end
mapfile -t which < <(jq -r 'select(.function) | .which' out | sort -u)
check_equal 'two of them were called' "${#which[@]}" 2
[ ${#which[@]} -eq 2 ] || exit
check 'the first is one of that name' is_one "${which[0]}"
check 'and so is the other' is_one "${which[1]}"
catch_begin -n 0 -t 300 --no-stack -v s_next
calls >/dev/null
kill -INT $kcatch
catch_end
for each in "${which[@]}"; do
	check_match "text: $each" "$(cat out err)" "s_next@$each  (head|cat)  pid"
done
catch_begin -n 0 -t 300 --format rows s_next
calls >/dev/null
kill -INT $kcatch
catch_end
check_equal 'rows' "$(jq -r 'select(.function) | .function' out | sort -u)" \
	"$(printf 's_next@%s\n' "${which[@]}")"

kcatch record -f s_next -o rec -- \
	bash -c "head -n 500 /proc/kallsyms; cat $tracefs/trace" >/dev/null 2>err
check_equal 'a recording' $? 0
check_equal 'report: JSON' "$(kcatch report rec --format json 2>/dev/null | jq -r 'select(.function) | .which' | sort -u)" \
	"$(printf '%s\n' "${which[@]}")"
for each in "${which[@]}"; do
	check_match "report: $each" "$(kcatch report rec 2>/dev/null)" "s_next@$each"
	check_match "stats: $each" "$(kcatch report rec --format stats 2>/dev/null)" "s_next@$each"
	check_match "count -i: $each" "$(kcatch count -i rec --by function 2>/dev/null)" "s_next@$each"
done
check_equal 'report -e takes the name' \
	"$(kcatch report rec -e s_next --format json 2>/dev/null | grep -c '"function"')" \
	"$(kcatch report rec --format json 2>/dev/null | grep -c '"function"')"

kcatch count -t 300 s_next --by function >counted 2>err &
count=$!
wait_for counts_or_ended $count
calls >/dev/null
kill -INT $count
wait $count
for each in "${which[@]}"; do
	check_match "count: $each" "$(cat counted)" "s_next@$each"
done
catch_begin -n 1 -t 300 --json --no-stack vfs_read s_show
cat /etc/hostname >/dev/null
catch_end
check_equal 'a name of one function is enough' \
	"$(jq -r 'select(.function == "vfs_read") | .which' out)" null

before=$(cat /proc/sys/kernel/kptr_restrict)
cleanup() { echo "$before" >/proc/sys/kernel/kptr_restrict; }
echo 2 >/proc/sys/kernel/kptr_restrict
catch_begin -n 0 -t 300 --no-stack s_next
calls >/dev/null
kill -INT $kcatch
catch_end
check_match 'hidden: numbers' "$(cat out)" 's_next#[0-9]+  head'
check_no_match 'hidden: no address' "$(cat out err)" 's_next@'
check_unhooked 'nothing stays hooked'
