# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch count makes histograms of negative values, takes keys that cannot be read for
# one key, divides 64-bit numbers, and stays exact with a million different keys.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
head -c 4200 /dev/zero >count_me

# usage: counted WORKLOAD ARGUMENT... - counts while WORKLOAD runs; the output is in out and err
counted() {
	local workload=$1 counter
	shift
	kcatch count "$@" >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	$workload
	kill -INT $counter 2>/dev/null
	wait $counter
}

# 300 reads of 7 bytes, 40 of 100 bytes
reads() {
	dd if=count_me of=/dev/null bs=7 count=300 2>/dev/null
	dd if=count_me of=/dev/null bs=100 count=40 2>/dev/null
}
mine='file->f_path.dentry->d_name.name == "count_me"'

counted reads vfs_read "$mine" --hist '(int)count - 50' --json
check_match 'negative values: sum, minimum and maximum' "$(cat out)" \
	'"sum":-10900,"min":-43,"max":50,'
check_match 'negative values: buckets at most an eighth as wide, lowest first' "$(cat out)" \
	'"hist":\[\[-44,-41,300\],\[48,51,40\]\]'
counted reads vfs_read "$mine" --by 'count > 50' --hist '-(s64)count'
check_match 'negative values: a table' "$(cat out)" ' -8 +\.\. -5 +300 .*-128 +\.\. -65 +40 '
counted reads vfs_read "$mine" --hist '50 - (s64)count * 2'
check_match 'values below and above zero: a table in their order' "$(cat out)" \
	$' -256 +\\.\\. -129 +40 [^\n]*\n +\\.\\.\\.\n +32 \\.\\. 63 +300 '
counted reads vfs_read "$mine" --by 'count / 1000000 * 10 + count % 10' --json
check_match 'keys that divide 64-bit numbers' "$(cat out)" '":7},"count":300}'

counted reads vfs_read "$mine" --by '((struct file *)count)->f_flags,comm' --json
check_equal 'a key that cannot be read: status 0' $? 0
check_match 'a key that cannot be read: null, beside one that can' "$(cat out)" \
	'f_flags":null,"comm":"dd"},"count":340}'
counted reads vfs_read "$mine" --hist '((struct file *)count)->f_flags' --json
check_match 'a value that cannot be read: counted, in no bucket' "$(cat out)" \
	'"count":340,"values":0'

# Each number on each CPU is a key. No table has room for so many in a second, nor kcatch for all.
hammer() {
	order 'hammer 500000'
}
counted hammer kt_hammered --by arg0,cpu --json
check_equal 'a million keys: status 3' $? 3
total=$(module_value hammer.total)
term() {
	tail -n 1 out | sed -E "s/.*\"$1\":([0-9]+)[,}].*/\1/"
}
check_equal 'a million keys: every call' "$(term hits)" "$total"
sum=0
for name in counted filtered over_budget undecided missed overflowed; do
	sum=$((sum + $(term $name)))
done
check_equal 'a million keys: the equation' "$sum" "$total"
check_equal 'a million keys: the rows have all calls but those missed' \
	"$(sed -nE 's/^\{"(key|other)".*"count":([0-9]+)\}$/\2/p' out |
		awk '{ sum += $1 } END { printf "%d", sum }')" $((total - $(term missed)))
check_match 'a million keys: says what to do' "$(cat err)" 'counted as \(other\).*--size'
check_equal 'a million keys: no row twice' \
	"$(grep '^{"key"' out | sed 's/,"count".*//' | sort | uniq -d | wc -l)" 0
echo "# $(term rows) rows of $total calls"
check_unhooked 'nothing is hooked any more'
