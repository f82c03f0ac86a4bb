# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a gfp_t has the names that the kernel's own event shows, in events and functions,
# text and JSON, conditions and keys; in a recording, too.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
instance=$tracefs/instances/kt_gfp
cleanup() {
	echo 0 >"$instance/events/enable"
	rmdir "$instance"
}
mkdir "$instance"
echo 4096 >"$instance/buffer_size_kb"

# The distinct values, one a line.
values() {
	grep -o 'gfp_flags=[^ ,)]*' | sort -u
}
function=$(grep -oExm 1 '__alloc_(frozen_)?pages(_noprof)?' "$tracefs/available_filter_functions")
kcatch record -o all -e kmem:kmalloc -e kmem:mm_page_alloc -f "$function" >out 2>err &
recorder=$!
wait_for grep -q recording err
echo 1 >"$instance/events/kmem/mm_page_alloc/enable"
dd if=/dev/zero of=written bs=64k count=20 conv=fsync 2>/dev/null
sh -c true
echo 0 >"$instance/events/kmem/mm_page_alloc/enable"
kill -INT $recorder
wait $recorder
# (What the recorder does is no hit.)
grep -v '^ *kcatch' "$instance/trace" | values >theirs
kcatch report all >text 2>/dev/null
values <text >ours
check 'several values occurred' [ "$(wc -l <theirs)" -gt 2 ]
check_equal 'the kernel shows none that is not shown here' "$(comm -23 theirs ours)" ''
check_match 'flags beside a set of them' "$(cat ours)" 'gfp_flags=GFP_[A-Z_]+[|]__GFP_ZERO'
check_match 'an argument of a function' "$(grep -F "$function" text)" 'gfp=GFP_[A-Z_]+'
check_equal 'a flag in a filter' \
	"$(kcatch report all --filter 'gfp_flags & __GFP_ZERO' 2>/dev/null | grep -c 'kmem:.*gfp_flags=')" \
	"$(grep -c 'kmem:.*gfp_flags=[^ ,)]*__GFP_ZERO' text)"
check_match 'in JSON' "$(kcatch report all --format json)" '"gfp_flags":"GFP_KERNEL"'
while sh -c true; do :; done &
work=$!
kcatch count -t 1 -e kmem:mm_page_alloc --by gfp_flags 'gfp_flags & __GFP_ZERO' >out 2>err
check_match 'as a key, and in a condition' "$(cat out)" 'GFP_[A-Z_]+[|]__GFP_ZERO'
kill $work
kcatch -n 1 -e kmem:kmalloc 'gfp_flags & GFP_NONSENSE' >out 2>err
check_match 'another name' "$? $(cat err)" '^1 .*there is no GFP_NONSENSE here'
