# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a module that is not loaded and that modprobe finds is loaded, which is said; it
# stays loaded, also where SIGCHLD is ignored. What modprobe says when it fails is shown, to the end
# of its line.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
place=/lib/modules/$(uname -r)
kmod=$(realpath /sbin/modprobe)
cleanup() {
	umount "$kmod"
	umount "$place"
	module_loaded || insmod "$KCATCH_MODULE"
}

rmmod kcatch
# As `make install` does, in a place of the test's own: all of a kernel's modules take depmod
# minutes.
mkdir -p "root$place/updates"
cp "$KCATCH_MODULE" "root$place/updates/"
cp "$place"/modules.{order,builtin} "root$place/"
depmod -b "$PWD/root" "$(uname -r)" || exit 1
mount --bind "root$place" "$place" || exit 1
check 'it is not loaded' eval '! module_loaded'
check_match 'check: the first catch loads it' "$(kcatch check)" 'ok +module +not loaded yet'
# As root of a container, and as no root with the capabilities.
setpriv --bounding-set -sys_module kcatch check >out
check_match 'check: who may not load it is told so' "$? $(cat out)" \
	'^1 .*missing +module +not loaded, and root of this container may not load it'
setpriv --bounding-set -sys_module kcatch -t 1 vfs_open 2>err
check_match 'and a catch says what helps' "$? $(cat err)" '^1 .*outside of it, modprobe kcatch'
check 'it is not loaded even so' eval '! module_loaded'
setpriv --reuid 1000 --inh-caps +perfmon,+syslog --ambient-caps +perfmon,+syslog kcatch check >out
check_match 'check: nor may another user with the rights' "$? $(cat out)" \
	'^1 .*missing +module +not loaded, and this user may not load it'
catch_begin -n 1 -t 300 --no-stack vfs_open
check 'it is loaded' module_loaded
cat /proc/version >/dev/null
catch_end
check_equal 'and catches' "$status" 0
check_match 'which is said' "$err" 'the kcatch module is not loaded; loading it: modprobe kcatch'
check 'it stays loaded' module_loaded
kcatch -t 0.1 --no-stack vfs_open >out 2>err
check_no_match 'and is not loaded again' "$(cat err)" modprobe

# Another one begins while the first loads it: the module is there, and its device is not yet.
rmmod kcatch
kcatch -t 0.1 --no-stack vfs_open >out 2>err &
first=$!
until [ -e /sys/module/kcatch/initstate ]; do :; done
kcatch -t 0.1 --no-stack vfs_open >out.second 2>err.second
second=$?
wait $first
status=$?
for file in err err.second; do
	check_match "one that begins while another loads it: both catch ($file)" "$(cat $file)" \
		'waiting for the next call of vfs_open.*kcatch: .*hits [0-9]+ = recorded [01]\b'
done
check_match 'one that begins while another loads it: neither fails' "$status $second" '^[02] [02]$'

# Ignored signals are inherited; a child of who ignores SIGCHLD leaves no status.
# usage: childless COMMAND... - with SIGCHLD ignored
childless() {
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}
rmmod kcatch
childless kcatch -t 0.1 --no-stack vfs_open >out 2>err
check_no_match 'SIGCHLD is ignored: no error' "$(cat err)" 'run modprobe'
check 'SIGCHLD is ignored: it is loaded' module_loaded
check_match 'SIGCHLD is ignored: and catches' "$(cat err)" \
	'waiting for the next call of vfs_open.*kcatch: .*hits [0-9]+ = recorded [01]\b'
rmmod kcatch
check_match 'a program that ignores SIGCHLD: no error' \
	"$("$KT_OUT/library_loads" 2>&1)" '^0 '
check 'a program that ignores SIGCHLD: it is loaded' module_loaded

# modprobe is one of the names of kmod, which rmmod is, too.
rmmod kcatch
cp "$kmod" kmod
cat >fails <<END
#!/bin/bash
if [ "\${0##*/}" = modprobe ]; then
	printf 'first words '
	sleep 0.3
	echo and more
	exit 1
fi
exec -a "\$0" $PWD/kmod "\$@"
END
chmod +x fails
mount --bind fails "$kmod" || exit 1
kcatch -t 0.1 --no-stack vfs_open >out 2>err
check_equal 'modprobe fails: status 1' $? 1
check_match 'what it said, in two pieces' "$(cat err)" 'modprobe said: first words.*and more'
check_match 'a program that ignores SIGCHLD: the same' \
	"$("$KT_OUT/library_loads" 2>&1)" '^-5 .*modprobe said: first words.*and more'
umount "$kmod"
