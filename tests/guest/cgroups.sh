# SPDX-License-Identifier: GPL-2.0-or-later
# Description: cgroup in conditions, by path and pattern, as a key of counts and as a gate with its
# descendants, also of a cgroup that is made later; the same in a cgroup namespace; clear errors for
# paths that do not exist.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

root=/sys/fs/cgroup
[ -e $root/cgroup.procs ] || skip_all 'no cgroup2 file system'
mkdir -p $root/kt_one/inner $root/kt_two $root/kt..three
cleanup() {
	rmdir $root/kt_one/inner/late $root/kt_one/inner $root/kt_one $root/kt_two $root/kt..three
}
head -c 4200 /dev/zero >cgroup_me
name=file-\>f_path.dentry-\>d_name.name
mine="$name == \"cgroup_me\""

# usage: reads_in CGROUP NUMBER - reads of 10 bytes by a process in that cgroup
reads_in() {
	sh -c 'echo $$ >"$1/cgroup.procs" && exec dd if=cgroup_me of=/dev/null bs=10 count="$2"' \
		sh "$root$1" "$2" 2>/dev/null
}

# Different numbers, so that a sum says whose they are.
reads_everywhere() {
	reads_in / 1
	reads_in /kt_one 2
	reads_in /kt_one/inner 4
	mkdir -p $root/kt_one/inner/late
	reads_in /kt_one/inner/late 8
	reads_in /kt_two 16
	reads_in /kt..three 32
}

# usage: counted ARGUMENT... - counts reads_everywhere, by $with kcatch; the output is in out
with=
counted() {
	local counter
	rmdir $root/kt_one/inner/late 2>/dev/null
	$with kcatch count vfs_read "$@" --json >out 2>err &
	counter=$!
	wait_for counts_or_ended $counter
	reads_everywhere
	kill -INT $counter 2>/dev/null
	wait $counter
}

# usage: counts TEXT NUMBER ARGUMENT...
counts() {
	counted "${@:3}"
	check_equal "$1" "$(sed -nE 's/.*"summary".*"counted":([0-9]+),.*/\1/p' out)$(cat err)" "$2"
}

counts 'a path' 2 "$mine && cgroup == \"/kt_one\""
counts 'a path, negated' 61 "$mine && cgroup != \"/kt_one\""
counts 'those below, later ones too' 12 "$mine && cgroup ~ \"/kt_one/*\""
counts 'a pattern' 18 "$mine && cgroup ~ \"/kt_???\""
counts 'a pattern with the mount point' 18 "$mine && cgroup ~ \"$root//kt_???\""
counts 'a number' 16 "$mine && cgroup == $(stat -c %i $root/kt_two)"
counts 'at the return' 16 "$mine && ret == 10 && cgroup == \"/kt_two\""
counts 'the gate has its descendants' 14 "$mine" --cgroup /kt_one
counts 'the gate at the root has all' 63 "$mine" --cgroup /
counts 'dots within a name' 32 "$mine" --cgroup /kt..three
counts 'the gate, by the whole path' 4 "$mine && cgroup != \"/kt_one\"" -c dd --by comm -n 4 \
	--cgroup $root/kt_one/inner

# What interrupts do is of the thread that they interrupt.
test_module
order_in() { # CGROUP ORDER
	sh -c 'echo $$ >"$1/cgroup.procs" && echo "$2" >"$3"' sh "$root$1" "$2" $orders
}
catch_begin --json -n 0 -t 300 --no-stack --cgroup /kt_one --with-cgroup kt_c
for cgroup in /kt_two /kt_one/inner / /kt_one; do
	order_in $cgroup 'hardirq chain'
	order_in $cgroup 'process chain'
done
kill -INT "$kcatch"
catch_end
check_equal 'the gate: interrupts are of who was interrupted, and no others pass' \
	"$(jq -r 'select(.function) | "\(.context) \(.cgroup)"' out | tr '\n' ' ')" \
	'hardirq /kt_one/inner task /kt_one/inner hardirq /kt_one task /kt_one '
check_equal 'the gate: those are filtered' "$(jq -r 'select(.summary) | .summary.filtered' out)" 4

counted "$mine" --by cgroup
for row in /:1 /kt_one:2 /kt_one/inner:4 /kt_one/inner/late:8 /kt_two:16 /kt..three:32; do
	check_match "a key: $row" "$(cat out)" \
		"\"key\":\{\"cgroup\":\"${row%:*}\"\},\"count\":${row#*:}\}"
done

# As kcatch's services, and users who have two capabilities.
with='setpriv --bounding-set=-dac_read_search'
counted "$mine" --by cgroup
for row in /:1 /kt_one/inner/late:8 /kt..three:32; do
	check_match "a key, without CAP_DAC_READ_SEARCH: $row" "$(cat out)" \
		"\"key\":\{\"cgroup\":\"${row%:*}\"\},\"count\":${row#*:}\}"
done
with=

# In a namespace, paths begin at its root, which is not that of all cgroups.
cat >inside <<'END'
umount -l /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
exec "$@"
END
cat >apart <<'END'
echo $$ >/sys/fs/cgroup/kt_one/cgroup.procs
exec unshare -C -m sh inside "$@"
END
with='sh apart'
counts 'in a namespace, a path' 4 "$mine && cgroup == \"/inner\""
counts 'in a namespace, the gate' 12 "$mine" --cgroup /inner
counts 'in a namespace, the gate at its root' 14 "$mine" --cgroup /
counts 'in a namespace, those below' 12 "$mine && cgroup ~ \"/*\""
counted "$mine" --cgroup / --by cgroup
for row in /:2 /inner:4 /inner/late:8; do
	check_match "in a namespace, a key: $row" "$(cat out)" \
		"\"key\":\{\"cgroup\":\"${row%:*}\"\},\"count\":${row#*:}\}"
done
sh apart setpriv --bounding-set=-dac_read_search kcatch count vfs_read --cgroup /inner >out 2>err
check_equal 'in a namespace, levels cannot be read: status 1' $? 1
check_match 'in a namespace, levels cannot be read: says why' "$(cat err)" 'is not the root of all cgroups'
with=

kcatch -n 3 vfs_read "$mine" --cgroup /kt_two --json >out 2>err &
catcher=$!
wait_for counts_or_ended $catcher
reads_in /kt_one 5
reads_in /kt_two 3
wait $catcher
check_equal 'a catch in a cgroup: status' $? 0
check_equal 'a catch in a cgroup: those calls' "$(grep -c '"function":"vfs_read"' out)" 3

kcatch vfs_read --cgroup /kt_two >out 2>err &
catcher=$!
wait_for counts_or_ended $catcher
reads_in /kt_one 1
kill -INT $catcher
wait $catcher
check_match 'nothing from a cgroup: says so' "$(cat err)" 'no call came from the cgroup of --cgroup'

kcatch vfs_read 'count > 0' --cgroup /kt_two >out 2>err &
catcher=$!
wait_for counts_or_ended $catcher
reads_in /kt_one 1
kill -INT $catcher
wait $catcher
check_match 'nothing, with a condition and a cgroup: none of them is blamed' "$(cat err)" \
	'no call met what was asked for'

# usage: refused TEXT PATTERN ARGUMENT...
refused() {
	kcatch count vfs_read "${@:3}" >out 2>err
	check_equal "$1: status 1" $? 1
	check_match "$1: says why" "$(cat err)" "$2"
}
refused 'a path that does not exist' "there is no cgroup '/nosuch'" 'cgroup == "/nosuch"'
refused 'a path that does not begin at the root' 'begins at the root' 'cgroup == "kt_one"'
refused 'a pattern that matches nothing' 'no cgroup matches' 'cgroup ~ "/nosuch?"'
refused 'a gate that does not exist' "there is no cgroup '/nosuch'" --cgroup /nosuch
refused 'a gate that leaves the mount' 'no path of a cgroup' --cgroup /../..
refused 'a gate that has no level of its own' 'no path of a cgroup' --cgroup /./kt_one
refused 'an order of paths' 'compared by == != and ~' 'cgroup < "/kt_one"'
check_unhooked 'nothing is hooked any more'
