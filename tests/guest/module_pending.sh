# SPDX-License-Identifier: GPL-2.0-or-later
# Description: functions of a module that is not loaded are caught as it comes, its init
# included, with types; the budget holds over all its arrivals; what comes and goes
# while it is caught leaves nothing behind.
. "$KT_TOP/tests/guest/support/lib.bash"

wait_gone() {
	wait_for eval '! grep -q "^dummy " /proc/modules'
}

json() {	# [OPTION] FILTER: of all JSON lines of the last catch
	jq -rs "$@" <out
}

catch_begin --json -t 300 dummy:dummy_init_module
check_match 'it says what it waits for' "$(cat err)" 'waiting for module dummy'
modprobe dummy
catch_end
check_equal 'the init is caught' "$(json '.[0].function')" dummy_init_module
check_equal 'with its return value' "$(json '.[0].ret')" 0
check_equal 'by its types, though the module came later' "$(json '.[0].typed')" null
check_equal 'and its stack' "$(stack_symbols 0 | cut -d' ' -f1-2)" 'do_one_initcall do_init_module'
check_equal 'and the exit status of a catch' "$status" 0

catch_begin --json -t 300 dummy:dummy_init_module
check_no_match 'a loaded module is not called absent' "$(cat err)" 'waiting for module dummy'
rmmod dummy
modprobe dummy
catch_end
check_equal 'the init of a loaded module is caught when it comes back' "$(json '.[0].ret')" 0
rmmod dummy

catch_begin --json -n 3 -t 300 dummy:dummy_setup
modprobe dummy numdummies=2
rmmod dummy
modprobe dummy numdummies=2
rmmod dummy
catch_end
check_equal 'three calls are three over two loads' \
	"$(json 'map(select(.function)) | length')" 3
check_equal 'each load has probes of its own' "$(json '.[-1].summary.probes')" 2
check_equal 'counted exactly' "$(json '.[-1].summary | "\(.recorded) \(.lost) \(.missed)"')" '3 0 0'
check_equal 'with arguments' "$(json '.[0].args.dev | type')" object
check_equal 'frames in the init part have names when it is freed' \
	"$(json '.[0].stack[1].symbol')" dummy_init_module

catch_begin --json -n 0 -t 300 'dummy:*' 'dev->addr_len == 6 || 1'
modprobe dummy numdummies=1
rmmod dummy
wait_gone
kill -INT $kcatch
catch_end
check_match 'a pattern and a condition by types' "$(json 'map(.function) | join(" ")')" 'dummy_setup.*dummy_dev_init'
check_equal 'names are right though the module has gone' \
	"$(json 'map(select(.function and .module != "dummy")) | length')" 0

catch_begin --json -n 0 -t 300 'dummy:*'
loads=0
for round in 1 2 3 4 5 6; do
	modprobe dummy && rmmod dummy && loads=$((loads + 1))
done
kill -INT $kcatch
catch_end
six="$loads $(json 'map(select(.function == "dummy_init_module")) | length')"
# What else there was says what a missing one became.
[ "$six" = '6 6' ] || six+=" $(json -c 'map(.function // .summary)')"
check_equal 'six loads are six inits' "$six" '6 6'
check_match 'the counters add up' "$(json '.[-1].summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost')" true

# Another module is at their address when the reader comes to the calls.
# usage: covers ADDRESS: a loaded module does
covers() {
	local size base
	while read -r _ size _ _ _ base _; do
		((base <= $1 && $1 < base + size)) && return
	done </proc/modules
	return 1
}
# usage: others_come ADDRESS: modules are loaded until one of them is there
others_come() {
	local module name
	others=()
	# A debugging kernel has none of the first.
	for module in "/lib/modules/$(uname -r)"/kernel/fs/nls/*.ko* \
		"$KT_MODULES"/kcatch_{leaver,step,namesake,swap,stack_test}/*.ko; do
		name=$(basename "${module%%.ko*}")
		case $module in
		"$KT_MODULES"/*) insmod "$module" 2>/dev/null ;;
		*) modprobe "$name" 2>/dev/null ;;
		esac && others+=("${name//-/_}")
		! covers "$1" || return 0
	done
	return 1
}
# Of what dummy was: each function, and how many calls are of it with its module's name.
called() {
	json -c '[.[] | select(.stack) | "\(.module):\(.function)"] | group_by(.) |
		map("\(.[0]) \(length)")'
}
for state in absent loaded; do
	for reader in reads stands; do
		[ $state = absent ] || modprobe dummy numdummies=1
		catch_begin --json -n 0 -t 300 'dummy:*'
		[ $reader = reads ] || kill -STOP $kcatch
		[ $state = absent ] || rmmod dummy
		modprobe dummy numdummies=1
		at=$(awk '$1 == "dummy" { print $6 }' /proc/modules)
		rmmod dummy
		if [ $reader = stands ]; then
			check "$state before: another module comes to its place" others_come "$at"
			kill -CONT $kcatch
		fi
		kill -INT $kcatch
		catch_end
		if [ $reader = reads ]; then
			names=$(called)
			check_match "$state before: functions of both its parts are called" \
				"$names" 'dummy_init_module.*dummy_setup'
			continue
		fi
		check_equal "$state before: functions have the names that they had" \
			"$(called)" "$names"
		check_equal "$state before: and frames those of what they were in" \
			"$(json -c --args 'map(select(.stack) | .stack[].module) |
			map(select(. as $m | $ARGS.positional | index($m)))' "${others[@]}")" '[]'
		rmmod "${others[@]}"
	done
done

# A module whose init fails: it is caught, and nothing stays.
catch_begin --json -t 300 nbd:nbd_init
modprobe nbd nbds_max=1000000 2>/dev/null
check_equal 'a module that refuses to load is refused as ever' $? 1
catch_end
check_equal 'its failing init is caught' "$(json '.[0].ret_text')" -EINVAL
check_unhooked 'nothing of it stays hooked'

# The module has gone when the recorder learns of its probe, with the types in its own file.
rm -f err
kcatch record -o rec -f nbd:nbd_init -f vfs_mkdir -t 300 2>err &
kcatch=$!
wait_for grep -q recording err
modprobe nbd nbds_max=1000000 2>/dev/null
for round in 1 2 3; do
	mkdir "made$round"
	sleep 1
done
check 'a recorder goes on after a module that came and went' kill -INT $kcatch
wait $kcatch
check_equal 'and ends in order' $? 0
check_no_match 'without a message of a failure' "$(cat err)" 'cannot|btf'
kcatch report rec --format json >out 2>err
check_equal 'its report: status 0' "$? $(cat err)" '0 '
check_equal 'the failing init is in it, with its type' \
	"$(json '.[] | select(.function == "nbd_init").ret_text')" -EINVAL
check_equal 'as are other calls' \
	"$(json 'map(select(.function == "vfs_mkdir" and .comm == "mkdir")) | length >= 3')" true

# Killed in the middle of loading.
for round in 1 2 3; do
	rm -f err
	kcatch --json -n 0 -t 300 'dummy:*' >/dev/null 2>err &
	kcatch=$!
	wait_for grep -q '^kcatch: waiting for calls' err
	modprobe dummy numdummies=2 &
	loader=$!
	sleep 0.0$((RANDOM % 5))
	kill -9 $kcatch
	wait $loader
	check "round $round: it loads though its tracer was killed" rmmod dummy
	wait $kcatch
done 2>/dev/null
check_unhooked 'killed tracers leave nothing'

# Loads and unloads in a loop, tracers that come and go.
(while [ ! -e stop ]; do modprobe dummy && rmmod dummy; done) 2>/dev/null &
loader=$!
for round in 1 2 3 4 5 6; do
	kcatch --json -n 2 -t 300 'dummy:*' >out 2>err
	check_equal "round $round under fire" \
		"$? $(json 'map(select(.function)) | length')$(grep -v 'waiting for' err)" '0 2'
done
touch stop
wait $loader
rmmod dummy 2>/dev/null
check_unhooked 'nothing stays hooked after that'

# usage: refused TEXT REGEX ARG...
refused() {
	local text=$1 regex=$2
	shift 2
	kcatch "$@" >out 2>err
	check_equal "$text: an error" $? 1
	check_match "$text: says why" "$(cat err)" "$regex"
}

refused 'a function that the module has not' \
	'no such function in module dummy.*did you mean dummy_setup' dummy:dumy_setup
refused 'a pattern that matches nothing' 'no function matches' 'dummy:nonesuch*'
refused 'a module that is nearly one' 'did you mean dummy' dumy:dummy_setup
refused 'what is built in' 'built into this kernel.*kcatch cubictcp_init' tcp_cubic:cubictcp_init
refused 'a condition over what is not there' 'there is no nonesuch here' dummy:dummy_setup 'nonesuch == 1'
catch_begin -t 1 nonesuchmodule:function
catch_end
check_match 'a module nobody knows may be anywhere' "$err" 'waiting for module nonesuchmodule: there is no file of it'
check_equal 'and when it does not come, nothing was caught' "$status" 2

# A file of the module that is here is read, but not what somebody else put here.
cp "$KT_MODULES/kcatch_locks/kcatch_locks.ko" .
refused 'a function that the file here has not' 'no such function in module kcatch_locks' \
	kcatch_locks:nonesuch
chown 65534 kcatch_locks.ko
catch_begin -t 1 kcatch_locks:nonesuch
catch_end
check_match 'a file of another user is none' "$err" 'there is no file of it'
