# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a module that is not loaded and that modprobe finds is loaded, which is said; it
# stays loaded. What modprobe says when it fails is shown, to the end of its line.
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
catch_begin -n 1 -t 300 --no-stack vfs_open
check 'it is loaded' module_loaded
cat /proc/version >/dev/null
catch_end
check_equal 'and catches' "$status" 0
check_match 'which is said' "$err" 'the kcatch module is not loaded; loading it: modprobe kcatch'
check 'it stays loaded' module_loaded
kcatch -t 0.1 --no-stack vfs_open >out 2>err
check_no_match 'and is not loaded again' "$(cat err)" modprobe

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
umount "$kmod"
