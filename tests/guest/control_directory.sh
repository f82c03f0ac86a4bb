# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a directory of recorders' sockets that belongs to another user, or that others
# can write to, is not used, and that is said; a recorder's own is for its user alone.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
directory=/run/kcatch
cleanup() { rm -rf $directory; }

# usage: avoided TEXT
avoided() {
	rm -rf rec
	kcatch record -o rec --name box -f kt_c -t 0.5 >out 2>err
	check_equal "$1: one that is to be found does not begin" "$?" 1
	check_match "$1: and says why" "$(cat err)" "cannot be found in $directory"
	rm -rf rec
	kcatch record -o rec -f kt_c -t 0.5 >out 2>err
	check_match "$1: another records all the same" "$(cat err)" '0 recorded'
	check_equal "$1: nothing is put there" "$(ls -A $directory)" ''
}

rm -rf $directory
mkdir $directory
chown 1234 $directory
avoided 'of another user'
chown 0 $directory
chmod 777 $directory
avoided 'all can write'
rmdir $directory
mkdir elsewhere
ln -s "$PWD/elsewhere" $directory
avoided 'a link'
rm $directory
rm -f err
kcatch record -o rec2 -f kt_c -t 300 >out 2>err &
recorder=$!
wait_for grep -q recording err
check_equal 'its own is for its user alone' "$(stat -c '%a %u' $directory)" '700 0'
check_match 'and so are its sockets' "$(setpriv --reuid 65534 --regid 65534 --clear-groups \
	ls $directory 2>&1)" 'Permission denied'
kill -INT $recorder
wait $recorder
check_equal 'and it ends, with nothing recorded' $? 2
