# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a directory of recorders' sockets that belongs to another user, or that others
# can write to, is not used, and that is said; nor is the socket of another user. What a recorder
# says of itself cannot change the terminal. A recorder's own directory is for its user alone.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
directory=/run/kcatch
cleanup() {
	[ -z "$listener" ] || kill "$listener"
	rm -rf $directory
}

# A recorder of another user that says what would change a terminal. It notes who connects.
cat >listener.py <<'END'
import json, os, socket, sys
socket_path, user, uses = sys.argv[1], int(sys.argv[2]), open(sys.argv[3], "w")
listener = socket.socket(socket.AF_UNIX)
listener.bind(socket_path)
os.setuid(user)
listener.listen(8)
print("ready", flush=True)
while True:
    peer = listener.accept()[0]
    if peer.recv(4096):
        print("asked", file=uses, flush=True)
    answer = {"name": "fake\33[31m", "state": "flight", "since": 1 << 62, "what": "x\33[0m"}
    try:
        peer.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        pass
END
rm -f /run/kcatch/.ended	# of the recorders of other tests
# usage: listen USER PATH
listen() {
	rm -f ready
	python3 listener.py "$2" "$1" uses >ready &
	listener=$!
	wait_for grep -q ready ready
}
unlisten() {
	kill $listener
	wait $listener 2>/dev/null
	listener=
	rm "$1"
}
# usage: unasked TEXT - no command uses the recorder box that listens
unasked() {
	for command in sessions 'sessions --stop box' 'snapshot box'; do
		# shellcheck disable=SC2086
		kcatch $command >out 2>err
		check_equal "$1: kcatch $command fails" $? 1
	done
	check_equal "$1: and asks nobody" "$(cat uses)" ''
}
listener=

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
	listen 0 $directory/box.sock
	unasked "$1"
	check_match "$1: why is said" "$(kcatch sessions 2>&1)" 'no recorder is looked for'
	check_equal "$1: and none is completed" "$(kcatch complete sessions --stop b)" ''
	unlisten $directory/box.sock
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

mkdir -m 700 $directory
listen 65534 $directory/box.sock
kcatch sessions >out 2>err
check_match 'a recorder of another user is none that answers' "$(cat out)" 'box .*does not answer'
check_equal 'and is not asked' "$(cat uses)" ''
unlisten $directory/box.sock
listen 0 $directory/box.sock
kcatch sessions >out 2>err
check_match "what root's says is shown" "$(cat out)" 'fake.*flight'
check_equal 'without control characters' "$(grep -c "$(printf '\33')" out)" 0
check_match 'and a time that is none is none' "$(cat out)" 'fake[^ ]* +0  \? '
unlisten $directory/box.sock
rmdir $directory

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
