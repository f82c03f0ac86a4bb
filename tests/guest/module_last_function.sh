# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the last function of each module, mostly its exit function, is caught or refused.
# The kernel decodes a function when a kprobe is put into it, and some kernels then read beyond
# the module's text: kcatch asks only where that cannot happen.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

insmod "$KT_TEST_MODULE" 2>/dev/null
# A debugging kernel has nearly all of its drivers built in.
loaded=
for module in dummy veth loop; do
	[ ! -e /sys/module/$module ] && modprobe $module 2>/dev/null && loaded+=" $module"
done
tried=0 odd=''
grep -F '[' /proc/kallsyms >symbols	# once: it takes seconds
while read -r module _; do
	[ "$module" != kcatch ] || continue
	last=$(grep -F "[$module]" symbols | awk '$2 ~ /[tT]/ && $3 !~ /^__pfx/' |
		sort | tail -n 1 | awk '{ print $3 }')
	[ "$last" ] || continue
	for place in "$module:$last" "$module:$last+4"; do
		timeout 300 kcatch -n 1 -t 0.1 "$place" >out 2>&1
		status=$?
		cp out "said.$tried"
		tried=$((tried + 1))
		# Not called; or refused with a reason.
		[ $status -eq 2 ] || { [ $status -eq 1 ] && grep -q "^kcatch: '" out; } ||
			odd+="$place: $status $(head -n 1 out); "
	done
done </proc/modules
check_equal 'each is waited for or refused' "$odd" ''
check 'there were some' test "$tried" -ge 8
# Since Linux 6.4 there may be nothing behind a module's code.
refused=$(grep -l 'decode instructions beyond' said.* | wc -l)
echo "# refused for what is behind the module: $refused of $tried"
check_equal 'no refusal is without its reason' \
	"$(grep -l 'the kernel refused a kprobe on it' said.*)" ''
check_unhooked 'nothing stays hooked'
# Other tests wait for them to come.
# shellcheck disable=SC2086 # words
rmmod kcatch_test $loaded
