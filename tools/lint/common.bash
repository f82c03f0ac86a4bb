# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/lint/common.bash - what all rules of `make lint` share
#
# A rule is one script here. It sources this file, which makes the tree's top the current
# directory, and prints one line a finding: FILE:LINE: what is wrong and what to do. A rule that
# finds nothing prints nothing. A rule that cannot look (a program is missing, the files that it
# is about are not where it expects them) says that as a finding: silence would be a false pass.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

# The tree's files, new ones included, ignored ones not: those that match one of the shell
# patterns (* takes slashes, too), or all. Inputs of fuzzers are any bytes, and follow no rule.
# usage: files [PATTERN...]
files() {
	local file pattern
	if [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard
	else
		find . -path ./build -prune -o -path ./.git -prune -o -type f -print | sed 's,^\./,,'
	fi | sort | while IFS= read -r file; do
		[[ -f $file && $file != tests/fuzz/corpus/* ]] || continue
		[ $# -gt 0 ] || echo "$file"
		for pattern; do
			# shellcheck disable=SC2053 # a pattern
			if [[ $file == $pattern ]]; then
				echo "$file"
				break
			fi
		done
	done
}

# Scripts by their first line, and what they source.
# usage: scripts [PATTERN...]
scripts() {
	local file first
	files "$@" | while IFS= read -r file; do
		case $file in
		*.sh | *.bash) echo "$file" ;;
		*.[ch] | *.md | *.png | *.svg) ;;
		*)
			IFS= read -r first <"$file" 2>/dev/null || continue
			[[ $first =~ ^'#!'.*[/\ ](ba)?sh( |$) ]] && echo "$file"
			;;
		esac
	done
}

# A program that a rule needs; without it the rule has nothing to say but that.
# usage: need PROGRAM
need() {
	command -v "$1" >/dev/null && return
	echo "tools/packages:1: $1 is not installed: run tools/packages lint"
	exit 1
}
