# SPDX-License-Identifier: GPL-2.0-or-later
# Description: no option does nothing without a word: each that takes one value is refused when it
# is given twice, in each command, and so is what has no meaning beside another option.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

# usage: refused TEXT REGEX ARG...
refused() {
	local text=$1 regex=$2
	shift 2
	timeout 300 kcatch "$@" >out 2>err </dev/null
	check_match "$text" "$? $(head -c 2000 err)" "^1 kcatch: .*$regex"
}

# A value that each option takes.
value() {
	case $1 in
	--errors) echo '=false' ;;
	--user) echo '=8K' ;;
	--format) [ "$2" = count ] && echo folded || echo text ;;
	--time) [ "$2" = report ] && echo wall || echo 5 ;;
	--fields) echo time ;;
	--sort) echo calls ;;
	--size) echo 64K ;;
	--rotate) echo 1M ;;
	--after | --slower) echo 1ms ;;
	--cpu) echo 0 ;;
	--at) echo 12:00 ;;
	--cgroup) echo / ;;
	--listen) echo 127.0.0.1:1 ;;
	*) echo 3 ;;
	esac
}

# Those that may be given again say so: of the same kind there may be more.
again=' catch:--event catch:--time catch:--with record:--with record:--event record:--function record:--freeze-on count:--event count:--by top:--event report:--event report:--function report:--filter record:--filter '
commands='catch list check record report count top snapshot sessions stuck signals watch metrics'
seen=0
for command in $commands; do
	# "  -n, --count N     text", "      --depth N", "      --user[=SIZE]"
	while read -r option shape; do
		case $again in *" $command:$option "*) continue ;; esac
		value=$(value "$option" "$command")
		[ "$shape" = '[' ] || value="=$value"
		seen=$((seen + 1))
		refused "$command: $option twice" 'is given twice' \
			"$command" "$option$value" "$option$value" vfs_read
	done < <(kcatch help "$command" | sed -nE 's/^  (-.,|   ) (--[a-z-]+)(\[| [A-Z][^ ]*( {2}|$)).*/\2 \3/p')
done
check "options were found in the help ($seen)" [ $seen -gt 60 ]
refused '-t twice' '-t is given twice' -t 1 -t 2 vfs_read
refused '--time wall twice' 'given twice' --time wall --time wall vfs_read
refused '--filter twice' 'there is one already' \
	record --filter 'pid > 1' --filter 'pid > 2' -f vfs_read
refused 'a condition and --filter' 'there is one already' \
	record vfs_read 'pid > 1' --filter 'pid > 2'
refused 'two conditions' 'there is one already' record 'pid > 1' vfs_read 'pid > 2'
timeout 300 kcatch -t 0.2 --time wall vfs_read >out 2>err
check_no_match 'a limit and wall go together' "$(cat err)" 'twice'

# What says nothing beside another option: WORDS | what is said
while IFS='|' read -r words said; do
	# shellcheck disable=SC2086 # words
	eval "set -- $words"
	refused "$words" "${said# }" "$@"
done <<'END'
--levels 2 vfs_read | --levels is for --tree
--stack vfs_read | --stack is for the events
--no-stack -e sched:sched_switch | --no-stack is for functions
--user -e sched:sched_switch | --user is for functions
--no-args -e sched:sched_switch | --no-args is for functions
--entry -e sched:sched_switch | --entry is for functions
--deep 2 -e sched:sched_switch | --deep is for functions
--string 9 --no-args vfs_read | --deep and --string are about arguments
--no-stack --depth 3 vfs_read | --no-stack does not go
--json --format rows vfs_read | choose one
--format rows -v vfs_read | -v is for text and JSON
--format rows --user vfs_read | no user stacks
--format rows --tree vfs_read | no trees
--time wall --json vfs_read | --time wall is for text
--tree --entry vfs_read | --tree and --entry
record --children --no-children -f vfs_read -- true | choose one
record --no-children --children -p 1 -f vfs_read | choose one
record --children -f vfs_read | --children of which process
record --no-children -f vfs_read | --no-children is for a command
record --in-call -f vfs_read | --in-call: inside which calls
record --again -f vfs_read | --again is for --freeze-on
record --freeze-log -f vfs_read | --freeze-log is for
record --standby d -f vfs_read | --standby is for a flight recorder
record --detach -f vfs_read -- true | --detach and a command
record -p 1 -f vfs_read -- true | give one of the two
record --user -e sched:sched_switch | --user is for functions
record --entry -e sched:sched_switch | --entry is for functions
report rec --fields comm --time wall | --time is about the field time
report rec --fields comm -v | changes nothing with --fields
report rec --format tree --callees --callers | one direction
report rec --callees | --callees is for --format tree
report rec --format json --no-stack | --no-stack is for --format text
report rec --format stats --rows 5 | --rows is for --format html
report rec --format stats --by-time | --by-time is for
report rec --format text --no-comm | --no-comm is for
report rec --format text --min 3 | --min is for
count vfs_read --depth 3 | --depth is of stacks
count vfs_read --by comm --format folded | needs stacks
count vfs_read --by stack --format folded --hist ret | not with --hist
count vfs_read --by stack --json --format folded | choose one
count vfs_read --json --top 3 | --top is for the table
count vfs_read --by stack --format folded --top 3 | --top is for the table
count -i rec -n 3 | a recording is read to its end
count -i rec -t 3 | a recording is read to its end
count -i rec -d 3 | a recording is read to its end
count -i rec --size 64K | a recording is read to its end
sessions --stop x --json | --json is for the list
stuck -p 1 --limit 9 | --limit is for the whole machine
metrics -d 5 | -d is for --textfile
metrics --check --listen 127.0.0.1:1 | --check serves and writes nothing
metrics --check --textfile x | --check serves and writes nothing
metrics --check --tls-cert x --tls-key y | --check serves and writes nothing
END

# The status of a command is that of its recording.
test_module
status_of() {
	timeout 300 kcatch record -o of -f kt_c "$@" >out 2>err
	status=$?
	rm -rf of
}
status_of -- sh -c "echo process chain >$orders; exit 7"
check_match 'record: the status of the command' "$status $(cat err)" '^7 .*the command ended with status 7'
status_of -- sh -c "echo process chain >$orders"
check_equal 'one that succeeds' "$status" 0
status_of -- sh -c "echo process chain >$orders; kill -TERM \$\$"
check_match 'one that a signal ended' "$status $(cat err)" '^143 .*ended by signal 15'
# Functions and a condition are words, as everywhere; a command to run comes after --.
timeout 300 kcatch record -o words kt_c 'pid > 0' kt_b -f kt_a -- \
	sh -c "echo process chain >$orders" >out 2>err
check_equal 'record: functions as words: status' $? 0
check_equal 'record: those of words and of -f' \
	"$(kcatch report words --format json | jq -r '.function // empty' | sort -u | xargs)" 'kt_a kt_b kt_c'
timeout 300 kcatch record -o refusing kt_c 'pid == 0' -- \
	sh -c "echo process chain >$orders" >out 2>err
check_match 'record: the condition is a word' "$? $(cat err)" '^2 .*no call met'
refused 'a command without --' 'a command to run comes after --' record -f kt_c -t 1 no_such_command
refused 'a command without --, with options' "unknown option '-l'.*-- comes before a command to run" \
	record -f kt_c ls -l
check 'record: its words leave no directory' eval '! ls -d kcatch-* 2>/dev/null'
status_of -- true
check_match 'nothing recorded' "$status $(cat err)" '^2 '
status_of -- ./none
check_equal 'no such command' "$status" 1
status_of -t 1 -- sleep 1000
check_match 'one that goes on' "$status $(cat err)" 'the command goes on without being recorded: process [0-9]+'
child=$(sed -n 's/.*recorded: process //p' err)
check 'is there' kill "$child"
check_unhooked 'nothing stays hooked'
