# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # not to expand; of who sources this
#
# vm/archive.sh - packages of any Debian release, without installing them. Sourced by
# vm/fetch and by bench/, which set
#   cache    directory for lists and files
#   suites   comma separated: only these are asked
#   architecture   Debian's name of another architecture than this machine's to get packages
#            of, or empty
# and have a die() of their own.

# An apt of our own: lists and files in the cache, only the suites asked for, so
# nothing on the host changes and no root is needed. The archive's address comes
# from the host's own configuration.
apt_prepare() {
	apt_state=$cache/apt/${suites//,/+}${architecture:++$architecture}
	mkdir -p "$apt_state/lists/partial" "$apt_state/archives/partial"
	: >"$apt_state/status"
	cat >"$apt_state/apt.conf" <<-END
		Dir::State "$apt_state";
		Dir::State::lists "$apt_state/lists";
		Dir::State::status "$apt_state/status";
		Dir::Cache "$apt_state";
		Dir::Etc::sourcelist "$apt_state/sources.list";
		Dir::Etc::sourceparts "-";
		APT::Sandbox::User "root";
		APT::Get::List-Cleanup "true";
		Acquire::Languages "none";
		Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
		quiet "2";
	END
	# Programs that run here belong to what is built for the other one: PACKAGE:amd64 is one.
	[ ! "${architecture-}" ] || cat >>"$apt_state/apt.conf" <<-END
		APT::Architecture "$architecture";
		APT::Architectures { "$architecture"; "$(dpkg --print-architecture)"; };
	END
}

apt_sources() {
	local suite own options keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	# shellcheck disable=SC1091 # of the system
	own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	[ -e "$keyring" ] || keyring=
	options=${keyring:+signed-by=$keyring}
	[ ! "${architecture-}" ] ||
		options+=" arch=$architecture,$(dpkg --print-architecture)"
	for suite in ${suites//,/ }; do
		# Packages come from where this machine gets its own release, security
		# updates from where it gets those.
		# shellcheck disable=SC2016 # for apt to fill in
		apt-get indextargets --format '$(CODENAME) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
			awk -v suite="$suite" -v own="$own" -v options="$options" '
			BEGIN { like = suite ~ /-security$/ ? own "-security" : own }
			($1 == like || $2 == like) && !done {
				print "deb" (options ? " [" options "]" : ""), $3, suite, "main"
				done = 1
			}'
	done
}

package_exists() {
	apt-cache show --no-all-versions "$1" >/dev/null 2>&1
}

# One apt at a time in the cache. Whoever waits here may hold a kernel's lock,
# never the other way round: the two would wait for each other.
apt_lock() {
	exec 8>"$cache/apt.lock"
	flock -w 900 8 || die "another vm/fetch has been at work for 15 minutes" "end it, then try again"
}

apt_unlock() {
	exec 8>&-
}

# Brings the package lists; called with the apt lock held.
archive_open() {
	apt_prepare
	unset APT_CONFIG
	apt_sources >"$apt_state/sources.list.new"
	if [ ! -s "$apt_state/sources.list.new" ]; then
		apt_error="this machine's apt knows no source of its own Debian release"
		return 1
	fi
	mv "$apt_state/sources.list.new" "$apt_state/sources.list"
	export APT_CONFIG=$apt_state/apt.conf
	apt_error=$(apt-get update --error-on=any 2>&1 >/dev/null) || return 1
}
