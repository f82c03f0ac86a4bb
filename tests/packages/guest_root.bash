# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# guest_root.bash - in a virtual machine: the root in which packages are installed

# shellcheck disable=SC2154 # work: of who sources this
root=/run/root

# Makes $work/root the directory $root, writable for as long as the machine runs.
enter_root() {
	local each
	mkdir -p $root /run/upper
	mount -t tmpfs tmpfs /run/upper
	mkdir /run/upper/{files,work}
	local options=lowerdir=$work/root,upperdir=/run/upper/files,workdir=/run/upper/work
	mount -t overlay overlay -o "$options" $root || exit 1
	for each in proc sys dev; do
		mount --rbind /$each $root/$each
	done
	mount -t tmpfs tmpfs $root/run
}

# usage: in_root COMMAND...
in_root() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot $root "$@"
}
