# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tap.bash - what the tests of packages share: results as TAP
number=0

# usage: result STATUS NAME [WHAT]: WHAT is shown when it failed
result() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	[ $# -lt 3 ] || tail -n 40 <<<"$3" | sed 's/^/# /'
}

# usage: check NAME COMMAND...: its output is shown when it fails
check() {
	local name=$1 said status
	shift
	said=$("$@" 2>&1)
	status=$?
	result $status "$name" "$said"
}

# usage: says NAME TEXT PATTERN: does the text match the extended regular expression?
says() {
	grep -qE -- "$3" <<<"$2"
	result $? "$1" "wanted: $3
got: $2"
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}
