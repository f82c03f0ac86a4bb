# shellcheck shell=bash disable=SC2154 # top: of who sources this
# SPDX-License-Identifier: GPL-2.0-or-later
# root.bash - a Debian root to install in: an overlay over the one of vm/debian-root
#
# Everything is mounted in a namespace of its own (in_namespace), which ends with its processes:
# nothing here has to be unmounted, and what removes the directory afterwards, from outside, finds
# no mount in it. The devices are made anew: no directory of this machine is in the root.

# Runs a command in a mount namespace of its own, then removes the directory work.
# usage: in_namespace COMMAND...
in_namespace() {
	local status child
	work=$(mktemp -d -p "${TMPDIR:-/var/tmp}") || return 1
	export work
	unshare --mount --pid --mount-proc --propagation private --fork --kill-child -- "$@" &
	child=$!
	trap 'kill -9 $child' HUP INT TERM
	wait $child
	status=$?
	rm -rf --one-file-system "$work"
	return $status
}

# usage: root_mount NAME LOWER: a writable root in $work/NAME over the directory LOWER
root_mount() {
	local root=$work/$1 node major minor
	mkdir -p "$root" "$work/.upper/$1" "$work/.work/$1"
	mount -t overlay overlay -o "lowerdir=$2,upperdir=$work/.upper/$1,workdir=$work/.work/$1" \
		"$root" || return
	mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=755 tmpfs "$root/run" &&
		mount -t tmpfs -o mode=755 tmpfs "$root/dev" || return
	for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
		IFS=: read -r node major minor <<<"$node"
		mknod -m 666 "$root/dev/$node" c "$major" "$minor"
	done
	ln -s /proc/self/fd "$root/dev/fd"
	mkdir "$root/dev/shm"
}

# usage: in_root NAME COMMAND...
in_root() {
	local root=$work/$1
	shift
	# Nothing here boots by an initramfs, whose making takes minutes on a busy machine.
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		INITRD=No chroot "$root" "$@"
}

# usage: apt NAME WORDS...: what is needed lies in the apt cache of the root
apt() {
	local name=$1
	shift
	in_root "$name" apt-get -qq -y --no-install-recommends \
		-o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 "$@"
}

# usage: root_installed PACKAGES: $work/root with kcatch and its module for 6.1, from a directory
# of packages; ends the test when that fails
root_installed() {
	local release other base package
	mkdir -p "$work"
	if ! release=$("$top/vm/fetch" --get release 6.1) ||
		! other=$("$top/vm/fetch" --get release 6.12) ||
		! base=$("$top/vm/debian-root" "$release" "$other") ||
		! root_mount root "$base" || ! mkdir "$work/root/new"; then
		echo 'Bail out! no Debian root'
		exit 1
	fi
	for package in kcatch kcatch-dkms; do
		cp "$1/${package}"_*.deb "$work/root/new/$package.deb"
	done
	if ! apt root install /new/kcatch.deb /new/kcatch-dkms.deb >"$work/log" 2>&1; then
		tail -n 20 "$work/log"
		echo 'Bail out! the packages are not installed'
		exit 1
	fi
}

# Makes a package of another release out of one, with the module's sources under its name.
# usage: repack DEB RELEASE OUT [SED]: SED changes the module's sources
repack() {
	local deb=$1 release=$2 out=$3 change=${4-} tree version
	tree=$(mktemp -d -p "$work")
	dpkg-deb -R "$deb" "$tree"
	version=$(sed -n 's/^Version: //p' "$tree/DEBIAN/control")
	sed -i "s/$version/$release/g" "$tree"/DEBIAN/*
	rm "$tree/DEBIAN/md5sums"
	if [ -d "$tree/usr/src/kcatch-$version" ]; then
		mv "$tree/usr/src/kcatch-$version" "$tree/usr/src/kcatch-$release"
		sed -i "s/$version/$release/" "$tree/usr/src/kcatch-$release"/{dkms.conf,VERSION}
		[ ! "$change" ] ||
			sed -i "$change" "$tree/usr/src/kcatch-$release/include/uapi/kcatch.h"
	fi
	dpkg-deb --root-owner-group -b "$tree" "$out" >/dev/null
	rm -rf "$tree"
}
