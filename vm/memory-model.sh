# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154 # of who sources this
#
# vm/memory-model.sh - the kernel's memory model, and herd7, which asks it. Sourced by vm/fetch
# after vm/toolchain.sh.

# Where Debian has herd7; its own C library comes with it.
memory_model_suite=forky

# The model is a few files of the kernel's source. A debugging kernel that was built here has it,
# else it is unpacked from the package of the newest source of the key $1, 140 MB.
memory_model_files() {
	local to=$1 files
	for files in "$cache"/kernels/*/usr/src/linux/tools/memory-model; do
		[ -e "$files/linux-kernel.cfg" ] && cp "$files"/*.{bell,cat,cfg,def} "$to" && return
	done
	kernel_find 6.1-debug
	apt_lock
	archive_open || die "cannot read the archive's package lists:" "$apt_error"
	mkdir "$to/package"
	(cd "$to/package" && apt-get download "$image" >log 2>&1) ||
		die "cannot download $image" "$(tail -n 3 "$to/package/log")"
	unset APT_CONFIG
	apt_unlock
	dpkg-deb --fsys-tarfile "$to"/package/*.deb |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		tar -C "$to" -xJ --strip-components=3 --wildcards \
			'linux-source-*/tools/memory-model/*.'{bell,cat,cfg,def} ||
		die "$image has no memory model"
	rm -r "$to/package"
}

# Prints the directory with the model and a herd7 that asks it.
memory_model_get() {
	local model=$cache/memory-model
	if [ ! -e "$model/herd7" ]; then
		root_get "$memory_model_suite" herdtools7 herd7
		work=$model.$$
		mkdir -p "$work"
		memory_model_files "$work"
		cat >"$work/herd7" <<-END
			#!/bin/sh
			# herd7 looks for the model in the directory that it runs in.
			test=\$(realpath "\$1")
			cd $model && exec $toolchain_root/usr/bin/herd7 \\
				-set-libdir $toolchain_root/usr/share/herdtools7/herd \\
				-conf linux-kernel.cfg "\$test"
		END
		chmod +x "$work/herd7"
		rm -rf "$model"
		mv -T "$work" "$model"
		work=
	fi
	echo "$model"
}
