# SPDX-License-Identifier: GPL-2.0-or-later
# Description: --errors=false takes the false of a bool for a failure, too, and the failure it
# leads to for the same chain; what is true is not shown.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
chmod 777 .

# capable() says true to root, and false to nobody.
catch_begin --errors=false --json -n 1 -t 300 -c mknod capable vfs_mknod
mknod mine c 1 3
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all --bounding-set -all \
	mknod theirs c 1 3 2>/dev/null
catch_end
check_equal 'false leads to an error: one chain' \
	"$status $(jq -r 'select(.summary).summary.caught' out)" '0 1'
check_equal 'false below, the error above' \
	"$(jq -r 'select(.function) | "\(.level) \(.function) \(.ret_text)"' out | sort)" \
	'0 vfs_mknod -EPERM
1 capable false'
