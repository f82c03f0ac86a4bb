# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # of who sources this
#
# vm/emulator.sh - the QEMU that runs the machines. Sourced by vm/fetch and vm/run, which set
#   cache    directory for files

# QEMU 10 runs the guest tests in 0.7 of the time that 7.2, of Debian 12, takes: 7.2 translates
# a program and its libraries anew at each start, as they lie at other addresses each time.
emulator_suite=trixie emulator_major=10

# Sets emulator_name and emulator_package for guests of $1; empty: of this machine's architecture.
emulator_of() {
	case $1 in
	arm64) emulator_name=qemu-system-aarch64 emulator_package=qemu-system-arm ;;
	*) emulator_name=qemu-system-x86_64 emulator_package=qemu-system-x86 ;;
	esac
}

# Is this machine's own of that release?
emulator_is_new() {
	local version
	version=$("$emulator_name" --version 2>/dev/null | sed -n '1s/.* version \([0-9]*\)[.].*/\1/p')
	[ "${version:-0}" -ge "$emulator_major" ]
}

# Prints the program for guests of $1: $KCATCH_EMULATOR, else this machine's own if it is new, else
# the one in the cache, else this machine's own.
emulator_find() {
	local cached
	emulator_of "${1-}"
	cached=$cache/toolchains/$emulator_suite+$emulator_package
	if [ -n "${KCATCH_EMULATOR-}" ]; then
		echo "$KCATCH_EMULATOR"
	elif [ ! -e "$cached/ready" ] || emulator_is_new; then
		echo "$emulator_name"
	else
		echo "$cached/$emulator_name"
	fi
}

# Brings one into the cache if this machine's own is older.
emulator_get() {
	local program
	emulator_of "${1-}"
	emulator_is_new && return
	root_get "$emulator_suite" "$emulator_package" "$emulator_name"
	program=$toolchain_root/$emulator_name
	cat >"$program.$$" <<-END
		#!/bin/sh
		exec $toolchain_root/usr/bin/$emulator_name -L $toolchain_root/usr/share/qemu \\
			-L $toolchain_root/usr/share/seabios "\$@"
	END
	chmod +x "$program.$$"
	mv "$program.$$" "$program"
}
