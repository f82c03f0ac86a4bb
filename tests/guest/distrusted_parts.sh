# SPDX-License-Identifier: GPL-2.0-or-later
# Description: without what the kernel keeps privately the module does the same in the public way,
# or says what it cannot do: in the kernel's log, in `kcatch check`, in the command's refusal.
. "$KT_TOP/tests/guest/support/lib.bash"

parts='names table stacks returns paths nmi fetch'
check_equal 'on this kernel each trial passes' \
	"$(kcatch check | grep -cE '^note +(names|table|stacks|returns|paths|running threads) ')" 0

log_mark
check 'it loads without any of them' module_reload "distrust=${parts// /,}"
check_equal 'the log has a line for each' "$(log_since | grep -c '^kcatch: ')" 7
kcatch check >out
check_equal 'check: a machine that can trace all the same' $? 0
check_equal 'check: a note for each' \
	"$(sed -nE 's/^note +(names|table|stacks|returns|paths|running threads) .*/\1/p' out | paste -sd ,)" \
	'names,table,stacks,returns,paths,running threads'

test_module
catch_begin -n 1 -t 300 --json kt_c
order 'process chain'
wait $kcatch
check_equal 'a return, caught by a kretprobe' $? 0
check_equal 'its call, with its caller' \
	"$(head -n 1 out | jq -r '.stack[0].symbol + " " + (has("ret") | tostring)')" 'kt_b true'
catch_begin -n 1 --json --entry 'kt_[c]'
order 'process chain'
wait $kcatch
check_equal 'a pattern, matched by user space' "$(head -n 1 out | jq -r .function)" kt_c
check_equal 'a stack, walked by the kernel' \
	"$(head -n 1 out | jq -r '.stack[0].symbol + " " + (.stack_complete | tostring)')" 'kt_b true'
rmmod kcatch_test

# usage: path_of_status: how a file of another mount is shown
path_of_status() {
	catch_begin -n 1 --entry vfs_read 'comm == "kt_paths"'
	(printf kt_paths >/proc/self/comm; read -r _ </proc/self/status)
	wait $kcatch
	grep -o ' file=[^ ]*' out
}

log_mark
module_reload distrust=stack 2>err
check 'a part that there is not: the module is not loaded' [ ! -e /sys/module/kcatch ]
check_match 'and the log says why' "$(log_since)" \
	"distrust: no private part of the kernel is called 'stack'"
log_mark
check 'one alone' module_reload distrust=paths
check_equal 'the log has its line' "$(log_since | grep '^kcatch: ')" \
	'kcatch: mounts cannot be read in this kernel: paths of files end at their mount'
check_match 'a path ends at its mount' "$(path_of_status)" '^ file=[^/]*/?[0-9]+/status'
check 'and back' module_reload
check_match 'a path goes on above its mount' "$(path_of_status)" '^ file=/proc/[0-9]+/status'
# It has tried them with /dev/null, among others.
check 'what was tried at load is not held' unshare -m bash -c 'mount -t tmpfs none /dev &&
	: >/dev/null && rmmod kcatch && insmod "$KCATCH_MODULE" && umount /dev'
