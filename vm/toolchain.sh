# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # of who sources this
#
# vm/toolchain.sh - compiler and C library of another Debian suite. Sourced by vm/fetch after
# vm/archive.sh, and needs what that needs.
#
# The kbuild tools of a newer suite (objtool, modpost, fixdep) need its C library, and its
# modules its compiler. Both are unpacked into the cache, and each program is replaced by a
# script that runs it with the suite's own loader and libraries. So no root, no chroot and
# no mount is needed, and who builds a module does not notice.

# Brings compiler and C library of the suite $toolchain with the packages $tools, and sets
# toolchain_root. At the first time only: a toolchain stays until it is deleted.
toolchain_get() {
	local suites=$toolchain package
	local name=$toolchain+${tools//,/+}
	toolchain_root=$cache/toolchains/$name
	[ ! -e "$toolchain_root/ready" ] || return 0
	mkdir -p "$cache/toolchains"
	exec 7>"$cache/toolchains/.$name.lock"
	flock -w 900 7 ||
		die "another vm/fetch has been at work for 15 minutes" "end it, then try again"
	if [ ! -e "$toolchain_root/ready" ]; then
		echo "vm/fetch: getting ${tools//,/, } of $toolchain with their C library ..." >&2
		rm -rf "$toolchain_root"
		mkdir -p "$toolchain_root/packages/partial"
		apt_lock
		archive_open || die "cannot read the archive's package lists:" "$apt_error"
		# shellcheck disable=SC2086 # a list of words
		apt-get install -y --no-install-recommends --download-only \
			-o "Dir::Cache::archives=$toolchain_root/packages" ${tools//,/ } \
			>"$toolchain_root/log" 2>&1 ||
			die "cannot download ${tools//,/, } of $toolchain" \
				"$(tail -n 3 "$toolchain_root/log")"
		unset APT_CONFIG
		apt_unlock
		for package in "$toolchain_root"/packages/*.deb; do
			dpkg-deb -x "$package" "$toolchain_root"
		done
		rm -rf "$toolchain_root/packages"
		programs_wrap "$toolchain_root/usr/bin" "$toolchain_root/usr/libexec"
		"$toolchain_root/usr/bin/x86_64-linux-gnu-ld" --version >/dev/null ||
			die "the programs of $toolchain do not run here" "they are in $toolchain_root"
		touch "$toolchain_root/ready"
	fi
	exec 7>&-
}

# Replaces the programs below the directories by scripts that run them with the toolchain's
# loader and libraries. The programs themselves move into .programs beside the scripts.
programs_wrap() {
	local libraries=$toolchain_root/usr/lib/x86_64-linux-gnu file real
	while IFS= read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
		real=${file%/*}/.programs/${file##*/}
		mkdir -p "${real%/*}"
		mv "$file" "$real"
		# A program finds its own parts by argv[0], and what it runs by PATH.
		cat >"$file" <<-END
			#!/bin/sh
			PATH=$toolchain_root/usr/bin:\$PATH
			exec $libraries/ld-linux-x86-64.so.2 --library-path $libraries \\
				--argv0 "\$0" "\${0%/*}/.programs/${file##*/}" "\$@"
		END
		chmod +x "$file"
	done < <(find "$@" -type f -perm -100 ! -name '*.so*' ! -path '*/.programs/*')
}

# Makes the headers below the directory $1 use the toolchain.
headers_use_toolchain() {
	programs_wrap "$1"/usr/lib/linux-kbuild-*
	cat >>"$1/usr/src/linux-headers-$release/.kernelvariables" <<-END
		override CROSS_COMPILE = $toolchain_root/usr/bin/x86_64-linux-gnu-
		override PAHOLE = $toolchain_root/usr/bin/pahole
	END
}
