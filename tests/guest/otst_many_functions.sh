# SPDX-License-Identifier: GPL-2.0-or-later
# Description: O4: many functions at a time, each with a one-time trace of its own.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
module_reload
armed=0
log_mark
for name in kt_a kt_b kt_c kt_many kt_alloca kt_realigned kt_recurse kt_pointed kt_blank; do
	echo $name >$otst && armed=$((armed + 1))
done
check_equal 'nine are armed' "$armed $(wc -l <$otst)" '9 9'
for shape in chain many 'alloca 5' 'realigned 5' 'recursion 5' pointer blank chain many; do
	order "process $shape"
done
wait_for eval '! grep -q . $otst'
check_equal 'each has left one trace' "$(log_since |
	sed -n 's/.*otst: triggered stacktrace for symbol \([^ ]*\) at .*/\1/p' | sort | tr '\n' ' ')" \
	'kt_a kt_alloca kt_b kt_blank kt_c kt_many kt_pointed kt_realigned kt_recurse '

# Hundreds of the kernel's own
awk '$2 ~ /^[tT]$/ && $3 ~ /^vfs_[a-z]*$/ && NF == 3 { print $3 }' /proc/kallsyms | sort -u >names
accepted=0
while read -r name; do
	if { echo "$name" >$otst; } 2>/dev/null; then accepted=$((accepted + 1)); fi
done <names
check "most of $(wc -l <names) kernel functions are armed at once" \
	[ $accepted -ge $(($(wc -l <names) * 3 / 4)) ]
module_reload
check_unhooked 'unloading withdraws them all'
