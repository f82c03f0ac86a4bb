# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of kcatch for fish. `kcatch complete` knows the words; fish adds file names where an
# option or a command takes one.

function __kcatch_complete
    set -l words (commandline -opc)
    $words[1] complete $words[2..-1] (commandline -ct) 2>/dev/null
end

complete -c kcatch -f -a '(__kcatch_complete)'
complete -c kcatch -s o -l output -r -F
complete -c kcatch -s i -l input -r -F
complete -c kcatch -l standby -r -F
complete -c kcatch -l vmcore -r -F
complete -c kcatch -l rules -r -F
complete -c kcatch -l textfile -r -F
complete -c kcatch -l tls-cert -r -F
complete -c kcatch -l tls-key -r -F
complete -c kcatch -n '__fish_seen_subcommand_from report record' -F
