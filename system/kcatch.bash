# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of kcatch for bash. `kcatch complete` knows the words; bash adds file names where an
# option or a command takes one.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of bash-completion

_kcatch()
{
	local cur prev words cword
	_get_comp_words_by_ref -n := cur prev words cword || return
	case $prev in
	-o | --output | -i | --input | --standby | --vmcore | --rules | --textfile | --tls-cert | \
		--tls-key) compopt -o default ;;
	esac
	case ${words[1]-} in
	report | record) compopt -o default ;;
	esac
	mapfile -t COMPREPLY < <(
		"${words[0]}" complete "${words[@]:1:cword}" 2>/dev/null | cut -f 1)
	__ltrim_colon_completions "$cur"
}
complete -F _kcatch kcatch
