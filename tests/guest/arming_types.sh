# SPDX-License-Identifier: GPL-2.0-or-later
# Description: where all functions are armed, the arguments of a call have the names and contents
# that they have where its function alone is armed, live and in a recording, although the names are
# looked up for those functions only that are called.
# Gate: none
. "$KT_TOP/tests/guest/support/lib.bash"
stalls_are_expected
cleanup() { kill "$reader"; }

# Opens, reads and waits that often.
cat >reads <<'EOF'
printf kt_reader >/proc/self/comm
. "$KT_TOP/tests/pause.bash"
for ((i = 0; i < $1; i++)); do
	read -r _ </proc/version
	pause 0.02
done
EOF
bash reads 1000000 &
reader=$!

# usage: shapes FILE: each function in it with the names of its arguments, and which of them have
# more than a number; once
shapes() {
	jq -r 'select(.function) | .function + ": " + ([.args // {} | to_entries[] |
		.key + "=" + (.value | type)] | join(" "))' "$1" | sort -u
}

# A debugging kernel calls many more of its own in between.
calls=1500
[[ $(uname -r) != *-kcatch-* ]] || calls=20000
# Of all functions some are called in interrupts: on a busy machine there are many of these.
timeout --foreground 300 kcatch '*' -n 500 -t 250 -c kt_reader --no-stack --json >every 2>err
timeout --foreground 300 kcatch 'vfs_*' '*open*' 'get*name*' 'filp*' 'seq_*' 'poll_*' '*sys_*' \
	'link_path*' 'rw_*' '*area' 'security_*' -n $calls -t 250 -c kt_reader --no-stack \
	--json >all 2>err
shapes every >every.shapes
shapes all >all.shapes
check_match 'functions are caught' "$(wc -l <every.shapes)" '^[1-9][0-9]'
check_match 'with arguments' "$(grep -c '=' every.shapes)" '^[1-9][0-9]'
check_match 'a system call has its own' "$(cat all.shapes)" ''"$kt_sys"'(openat: dfd=number filename=[a-z]* flags=|read: fd=number buf=number count=)'
kcatch record -o recording -f 'vfs_*' -f '*open*' -f '*f*l*' -f 's*e*' -f '*walk*' -f '*area' \
	-- bash reads 20 >/dev/null 2>err
kcatch report recording --format json >recorded 2>err
shapes recorded >recorded.shapes

# usage: names FUNCTION FILE: the same with the names alone
names() { grep "^$1:" "$2" | sed 's/=[a-z]*//g' | sort -u; }

# usage: one FUNCTION: its shapes where it alone is armed
one() {
	timeout --foreground 60 kcatch "$1" -n 4 -t 50 -c kt_reader --no-stack --json >one.json \
		2>err
	shapes one.json
}

tried=0 recorded=0
for function in vfs_read vfs_open do_filp_open path_openat security_file_open getname_flags \
	filp_close do_dentry_open seq_read_iter poll_select_set_timeout ${kt_sys}pselect6 \
	core_sys_select seq_printf link_path_walk.part.0.constprop.0 rw_verify_area; do
	grep -q "^$function: .*=" all.shapes || continue
	one "$function" >own.shapes
	tried=$((tried + 1))
	# A pointer may be null in one call: all calls have the names in common, and one the
	# contents.
	names=$(names "$function" own.shapes)
	check_equal "$function: live" "$(names "$function" all.shapes)" "$names"
	check "$function: the same contents" grep -qxFf own.shapes all.shapes
	grep -q "^$function:" recorded.shapes || continue
	recorded=$((recorded + 1))
	check_equal "$function: in a recording" "$(names "$function" recorded.shapes)" "$names"
	check "$function: the same contents there" grep -qxFf own.shapes recorded.shapes
done
check_match 'many were compared' "$tried" '^([89]|1[0-9])$'
check_match 'most of them in a recording, too' "$recorded" '^([6-9]|1[0-9])$'
