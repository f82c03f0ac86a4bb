# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # of who sources this
#
# vm/toolchain.sh - programs of another Debian suite: compiler and C library, the emulator.
# Sourced by vm/fetch after vm/archive.sh, and needs what that needs.
#
# The kbuild tools of a newer suite (objtool, modpost, fixdep) need its C library, and its
# modules its compiler. Both are unpacked into the cache, and each program is replaced by a
# script that runs it with the suite's own loader and libraries. So no root, no chroot and
# no mount is needed, and who builds a module or boots a machine does not notice.

# Unpacks the packages $2 of the suites $1 with what they depend on, both comma separated, and
# sets toolchain_root. At the first time only: it stays until it is deleted. Each program is one
# of this suite then; $3 is tried with --version, or -version, as programs of OCaml have it.
root_get() {
	local suites=$1 packages=$2 tried=$3 package architecture=''
	toolchain_root=$(root_of "$suites" "$packages")
	[ ! -e "$toolchain_root/ready" ] || return 0
	mkdir -p "$cache/toolchains"
	exec 7>"$cache/toolchains/.${toolchain_root##*/}.lock"
	flock -w 900 7 ||
		die "another vm/fetch has been at work for 15 minutes" "end it, then try again"
	if [ ! -e "$toolchain_root/ready" ]; then
		echo "vm/fetch: getting ${packages//,/, } of $suites with their C library ..." >&2
		rm -rf "$toolchain_root"
		mkdir -p "$toolchain_root/packages/partial"
		apt_lock
		archive_open || die "cannot read the archive's package lists:" "$apt_error"
		# shellcheck disable=SC2086 # a list of words
		apt-get install -y --no-install-recommends --download-only \
			-o "Dir::Cache::archives=$toolchain_root/packages" ${packages//,/ } \
			>"$toolchain_root/log" 2>&1 ||
			die "cannot download ${packages//,/, } of $suites" \
				"$(tail -n 3 "$toolchain_root/log")"
		unset APT_CONFIG
		apt_unlock
		packages_unpack "$toolchain_root/packages" "$toolchain_root"
		rm -rf "$toolchain_root/packages"
		# Not every suite has both of them.
		mkdir -p "$toolchain_root/usr/libexec" "$toolchain_root/usr/lib/gcc-cross"
		programs_wrap "$toolchain_root/usr/bin" "$toolchain_root/usr/libexec" \
			"$toolchain_root/usr/lib/gcc-cross"
		"$toolchain_root/usr/bin/$tried" --version >/dev/null 2>&1 ||
			"$toolchain_root/usr/bin/$tried" -version >/dev/null ||
			die "the programs of $suites do not run here" "they are in $toolchain_root"
		touch "$toolchain_root/ready"
	fi
	exec 7>&-
}

# Unpacks the packages in the directory $1 into the directory $2, all below its usr/, as newer
# suites have it; what follows are more options of tar.
packages_unpack() {
	local packages=$1 root=$2 name package
	shift 2
	for name in bin sbin lib lib64; do
		mkdir -p "$root/usr/$name"
		ln -s "usr/$name" "$root/$name"
	done
	for package in "$packages"/*.deb; do
		dpkg-deb --fsys-tarfile "$package" |
			tar -C "$root" -x --keep-directory-symlink --no-same-owner "$@" ||
			die "cannot unpack $package"
	done
}

root_of() {
	echo "$cache/toolchains/$1+${2//,/+}"
}

# How GNU tools name Debian's architecture $1; empty: this machine's.
triplet_of() {
	case $1 in
	arm64) echo aarch64-linux-gnu ;;
	*) echo x86_64-linux-gnu ;;
	esac
}

# Brings compiler and C library of the suite $toolchain with the packages $tools, and sets
# toolchain_root.
toolchain_get() {
	root_get "$toolchain" "$tools" "$(triplet_of "$architecture")-ld"
}

# Brings the program $1 of the suite that the newer QEMU is of (vm/emulator.sh), from the package of
# its name, and prints where it is.
program_get() {
	[[ $1 =~ ^[a-z0-9][a-z0-9.+-]*$ ]] || die "'$1' is no program's name"
	root_get "$emulator_suite" "$1" "$1"
	echo "$toolchain_root/usr/bin/$1"
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
			at=\${0%/*}
			# A link in another directory, as a cross compiler has to its assembler.
			[ -e "\$at/.programs/${file##*/}" ] || at=\$(readlink -f "\$0") at=\${at%/*}
			exec $libraries/ld-linux-x86-64.so.2 --library-path $libraries \\
				--argv0 "\$0" "\$at/.programs/${file##*/}" "\$@"
		END
		chmod +x "$file"
	done < <(find "$@" -type f -perm -100 ! -name '*.so*' ! -path '*/.programs/*')
}

# Makes the headers below the directory $1 use the toolchain.
headers_use_toolchain() {
	programs_wrap "$1"/usr/lib/linux-kbuild-*
	cat >>"$1/usr/src/linux-headers-$release/.kernelvariables" <<-END
		override CROSS_COMPILE = $toolchain_root/usr/bin/$(triplet_of "$architecture")-
		override PAHOLE = $toolchain_root/usr/bin/pahole
	END
}
