# SPDX-License-Identifier: GPL-2.0-or-later
# Description: fields that --with adds have the values that /proc and stat say, live and recorded,
# of functions, system calls and tracepoints; a recording is filtered and counted by them; what
# applies to nothing is refused, and what cannot be read says so.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

parent=current-\>real_parent-\>comm
inode=file-\>f_inode-\>i_ino
# A shell of another name starts cat.
cp "$(command -v bash)" kt_parent
run() { ./kt_parent -c 'cat "$0"; true' "$PWD/text" >/dev/null; }
echo text >text
number=$(stat -c %i text)

catch_begin vfs_read 'count > 1000' -c cat --json --no-stack -n 1 --with "parent=$parent" \
	--with "ino=$inode" --with "$parent" --with 'half=count / 2'
run
catch_end
check_equal 'a function: its parent, an inode, and what is computed' \
	"$(jq -c 'select(.args) | [.args.parent, .args.ino, .args["current->real_parent->comm"],
		.args.half * 2 == .args.count]' out)" "[\"kt_parent\",$number,\"kt_parent\",true]"
check_equal 'the arguments are there as ever' "$(jq -c 'select(.args) | .args | keys_unsorted[:4]' \
	out)" '["file","buf","count","pos"]'

catch_begin read -c cat -n 1 --no-stack --with "parent=$parent"
run
catch_end
check_match 'a system call' "$(cat out)" 'with fd=3 buf=[^ ]* count=[0-9]* parent="kt_parent"'

catch_begin -e sched:sched_process_exec -n 1 --with "parent=$parent" \
	'current->real_parent->comm == "kt_parent"'
run
catch_end
check_match 'a tracepoint' "$(cat out)" 'filename=".*/cat" pid=[0-9]+ .*parent="kt_parent"'

catch_begin -e syscalls:sys_enter_execve -n 1 --with "parent=$parent" -c kt_parent
run
catch_end
check_match 'an event of a system call' "$(cat out)" 'filename=.* parent="kt_parent"'

kcatch record -o r --stack -f vfs_read -f read -e sched:sched_process_exec \
	--with "parent=$parent" --with "ino=$inode" -- ./kt_parent -c 'cat text; true' \
	>/dev/null 2>err
check_equal 'recorded' $? 0
check_equal 'in a recording' "$(kcatch report r --format json -c cat -f vfs_read \
	--filter "ino == $number" | jq -r 'select(.args).args.parent' | sort -u)" kt_parent
check_equal 'a filter by its name' "$(kcatch report r --format json -c cat \
	--filter 'parent != "kt_parent"' | jq -c 'select(.args)' | wc -l)" 0
check 'babeltrace2 has it' eval "babeltrace2 r | grep -q 'parent = \"kt_parent\"'"
check_equal 'counts of a recording by it are those of its records' \
	"$(kcatch count -i r --by parent --json | jq -s '[.[] | select(.key.parent == "kt_parent" or
		.keys.parent == "kt_parent" or .parent == "kt_parent") | .count] | add')" \
	"$(kcatch report r --format json | jq -s '[.[] | select(.args.parent == "kt_parent")] | length')"
check_equal 'one that does not apply to a function is left out there' \
	"$(kcatch report r --format json -f ${kt_sys}read | jq -c 'select(.args) | .args | has("ino")' |
	sort -u)" false

catch_begin vfs_open -c cat -n 1 --json --no-stack --with "ino=$inode"
run
catch_end
check_equal 'what cannot be read is no number' "$(jq -c 'select(.args) | .args.ino' out)" null

refused() {
	kcatch "${@:2}" >out 2>err
	check_match "refused: ${*:2}" "$? $(tr '\n' ' ' <err)" "^1 .*$1"
}
refused 'there is no nope here' vfs_read --with 'nope->x'
refused 'known when the call returns' vfs_read --with latency
refused 'does not go with' vfs_read --no-args --with current-\>pid
refused 'does not go with' --tree vfs_read 'vfs_*' --with current-\>pid
refused 'does not go with --no-args' record vfs_read --no-args --with current-\>pid
refused 'give an expression' vfs_read --with x=
many=()
for ((i = 0; i < 17; i++)); do many+=(--with "x$i=current->pid"); done
refused 'at most 16' vfs_read "${many[@]}"
