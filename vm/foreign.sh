# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # of who sources this
#
# vm/foreign.sh - what guests of another architecture than this machine's need: a root with
# programs that they can execute, and a compiler for more of them. Sourced by vm/fetch after
# vm/toolchain.sh, and needs what that needs.
#
# The root is unpacked from Debian's packages, of this machine's own suite. None of their scripts
# runs, as nothing of it can be executed here: what they would have done and is needed is done
# below. The headers and libraries in it are what the cross compiler builds against.

foreign_suites=bookworm,bookworm-security
foreign_compiler=gcc-12

# Tests call the same programs as on this machine: tools/packages, groups test and bench.
foreign_packages='bash coreutils procps util-linux mount findutils grep sed gawk mawk tar gzip
	python3-minimal python3 jq iproute2 strace binutils bpftrace trace-cmd linux-perf kmod
	e2fsprogs dmsetup iputils-ping nftables tcpdump diffutils hostname login passwd
	debianutils dash libc-bin bsdutils bsdextrautils perl-base base-files
	base-passwd ncurses-bin time
	libc6-dev libelf-dev libdw-dev libiberty-dev libjson-c-dev libprotobuf-c-dev zlib1g-dev
	liblzma-dev libzstd-dev libkdumpfile-dev libmicrohttpd-dev libcmocka-dev libdebuginfod1'

# Debian's name of the architecture that a kernel's release ends with; nothing if it is this
# machine's own.
foreign() {
	case $1 in
	arm64) [ "$(dpkg --print-architecture)" = arm64 ] || echo arm64 ;;
	esac
}

# Sets foreign to the directory of the root and compiler for $1.
foreign_directory() {
	local sum
	[ "$(foreign "$1")" ] || die "'$1' is no architecture that a guest here can have; there is: arm64"
	# shellcheck disable=SC2086 # however the list is broken into lines
	sum=$(echo $foreign_packages "$(declare -f foreign_root_unpack packages_unpack)" | cksum)
	foreign=$cache/roots/${foreign_suites%%,*}-$1-${sum%% *}
}

# Makes the root for guests of $1 if it is not in the cache.
foreign_root_get() {
	local architecture=$1 suites=$foreign_suites work root package
	foreign_directory "$1"
	[ ! -e "$foreign/root" ] || return 0
	mkdir -p "$cache/roots"
	exec 7>"$cache/roots/.$1.lock"
	flock -w 1800 7 ||
		die "another vm/fetch has been at work for 30 minutes" "end it, then try again"
	if [ ! -e "$foreign/root" ]; then
		echo "vm/fetch: making a root of $1 ..." >&2
		work=$foreign/.making root=$foreign/.making/root
		rm -rf "$cache/roots/${foreign_suites%%,*}-$1"-*
		mkdir -p "$work/packages/partial"
		apt_lock
		archive_open || die "cannot read the archive's package lists:" "$apt_error"
		# shellcheck disable=SC2086 # a list of words
		apt-get install -y --no-install-recommends --download-only \
			-o "Dir::Cache::archives=$work/packages" $foreign_packages \
			>"$work/log" 2>&1 ||
			die "cannot download the packages of a root of $1" "$(tail -n 3 "$work/log")"
		unset APT_CONFIG
		apt_unlock
		foreign_root_unpack "$work/packages" "$root"
		mv "$root" "$foreign/root"
		rm -rf "$work"
	fi
	exec 7>&-
}

# What the packages' own scripts would do comes after they are unpacked.
foreign_root_unpack() {
	local packages=$1 root=$2
	packages_unpack "$packages" "$root" \
		--exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
		--exclude='./usr/share/locale/*' --exclude='./usr/share/info/*'
	cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
	cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
	cp "$root/usr/share/libc-bin/nsswitch.conf" "$root/etc/nsswitch.conf"
	cp "$root/usr/share/base-files/profile" "$root/etc/profile"
	[ -e "$root/bin/sh" ] || ln -s dash "$root/bin/sh"
	[ -e "$root/usr/bin/awk" ] || ln -s gawk "$root/usr/bin/awk"
	ln -sf /proc/mounts "$root/etc/mtab"
	echo '127.0.0.1 localhost kcatch' >"$root/etc/hosts"
	mkdir -p "$root"/{dev,proc,sys,run,tmp,boot,mnt,usr/lib/modules}
}

# Brings a compiler for $1 beside the root, as the program cc there; ar is beside it.
foreign_compiler_get() {
	local triplet
	triplet=$(triplet_of "$1")
	foreign_root_get "$1"
	root_get "${foreign_suites%%,*}" "$foreign_compiler-$triplet,pahole" "$triplet-ld"
	[ ! -e "$foreign/cc" ] || return 0
	ln -sfn "$toolchain_root/usr/bin/$triplet-ar" "$foreign/ar"
	cat >"$foreign/cc.$$" <<-END
		#!/bin/sh
		exec $toolchain_root/usr/bin/$triplet-$foreign_compiler --sysroot=$foreign/root "\$@"
	END
	chmod +x "$foreign/cc.$$"
	mv "$foreign/cc.$$" "$foreign/cc"
}
