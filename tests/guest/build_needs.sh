# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a kernel that is configured without what the module needs, or with what it cannot
# bear, is refused before anything is compiled, in a sentence that says what and why.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

detect=$KT_TOP/kernel/compat/detect
all='DYNAMIC_FTRACE_WITH_ARGS KPROBES KRETPROBES TRACEPOINTS HAVE_HW_BREAKPOINT
	JUMP_LABEL UNWINDER_ORC NET SCHED_INFO'

# usage: configure OPTION...: headers of a kernel with these
configure() {
	local option
	rm -rf headers && mkdir -p headers/include/config
	: >headers/Makefile
	for option; do
		echo "CONFIG_$option=y"
	done >headers/include/config/auto.conf
}

# shellcheck disable=SC2086 # words
configure $all
check 'a kernel with all of it is taken' "$detect" headers
# shellcheck disable=SC2086
configure DYNAMIC_FTRACE_WITH_REGS ${all#* }
check 'one of two ways to hook entries is enough' "$detect" headers
for option in $all; do
	# shellcheck disable=SC2046
	configure $(tr -s '[:space:]' '\n' <<<"$all" | grep -vx "$option")
	if "$detect" headers >out 2>error; then
		fail "without $option it is refused" "$(cat out)"
	elif [ "$(grep -c . error)" = 1 ] && grep -q "without CONFIG_${option}[ ,]" error; then
		pass "without $option it is refused"
	else
		fail "without $option it is refused" "$(cat error)"
	fi
done
for option in CFI CFI_CLANG; do
	# shellcheck disable=SC2086
	configure $all $option
	"$detect" headers >out 2>error
	check_equal "with $option it is refused" $? 1
	check_match "with $option: why" "$(cat error)" '^kcatch cannot be built .* with CONFIG_CFI: .*tracepoints'
done
