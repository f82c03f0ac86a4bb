# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests/skips says of a skip; for those who count the results of suites. $top is the tree.

# Does tests/skips allow it? usage: may_skip SUITE TEST
may_skip() {
	local where what why
	while IFS='|' read -r where what why; do
		read -r where <<<"$where"	# without the spaces around
		read -r what <<<"$what"
		# shellcheck disable=SC2053 # patterns
		[[ $where != '#'* && $why && $1 == $where && $2 == $what ]] && return
	done <"$top/tests/skips"
	return 1
}
