# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Waiting without a process: on an emulated machine one takes 50 ms or more, which whoever is
# waited for could have.

# Nobody writes into it.
exec {kt_never}<> <(:)

# usage: pause SECONDS
pause() {
	read -rt "$1" -u "$kt_never" || :
}

# Sets kt_uptime, seconds since the machine began. (bash's SECONDS goes with the time of day, which
# a test may set.)
uptime_is() {
	read -r kt_uptime _ </proc/uptime
	kt_uptime=${kt_uptime%.*}
}
