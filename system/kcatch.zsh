#compdef kcatch
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of kcatch for zsh. `kcatch complete` knows the words; zsh adds file names where an
# option or a command takes one.

local -a lines candidates descriptions
local line
lines=("${(@f)$($words[1] complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
for line in $lines; do
	candidates+=("${line%%$'\t'*}")
	if [[ $line == *$'\t'?* ]]; then
		descriptions+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
	else
		descriptions+=("${line%%$'\t'*}")
	fi
done
(( $#candidates )) && compadd -l -d descriptions -a candidates
case $words[CURRENT-1] in
(-o|--output|-i|--input|--standby|--vmcore|--rules|--textfile|--tls-cert|--tls-key)
	_files
	return
	;;
esac
case $words[2] in
(report|record) [[ $PREFIX == -* ]] || _files ;;
esac
