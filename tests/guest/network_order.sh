# SPDX-License-Identifier: GPL-2.0-or-later
# Description: numbers in network byte order are what they mean: in text and JSON, in conditions,
# counts, recordings and what babeltrace2 reads of them.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

ip link set lo up
cat >script <<'END'
import socket, sys
port = int(sys.argv[1])
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", port))
server.listen()
client = socket.socket()
client.connect(("127.0.0.1", port))
server.accept()
END
talk() { python3 script "$1"; }
# The socket's own words; the state is set when both addresses are known.
port='sk->__sk_common.skc_dport'
address='sk->__sk_common.skc_daddr'

# usage: caught CONDITION - how many of the calls for two ports meet it
caught() {
	rm -f err
	kcatch -n 0 --no-stack --json tcp_finish_connect "$1" >out 2>err &
	kcatch=$!
	wait_for holds 'waiting for' err
	talk 4433
	talk 8080
	kill -INT $kcatch
	wait $kcatch
	grep -c '"tcp_finish_connect"' out
}

check_equal 'an equal port' "$(caught "$port == 4433")" 1
swapped=$(((4433 & 255) << 8 | 4433 >> 8))
check_equal 'a port that is the other way round' "$(caught "$port == $swapped")" 0
check_equal 'ports in a range' "$(caught "$port > 4000 && $port < 8081")" 2
check_equal 'computed' "$(caught "$port % 1000 == 80")" 1
check_equal 'an address' "$(caught "$address == 0x7f000001")" 2
check_equal 'a network' "$(caught "$address >> 24 == 127 && $port != 4433")" 1
check_equal 'no address' "$(caught "$address == 0x0100007f")" 0

# usage: counted OPTION... - "KEY COUNT" of each row
counted() {
	kcatch count --json "$@" tcp_finish_connect >out 2>err &
	kcatch=$!
	wait_for counts_or_ended $kcatch
	talk 4433
	talk 8080
	talk 8080
	kill -INT $kcatch
	wait $kcatch
	jq -r 'select(.key) | [.key[], .count] | join(" ")' out | sort | xargs
}
check_equal 'keys' "$(counted --by "$port")" '4433 1 8080 2'
check_equal 'the largest value' \
	"$(counted --stats "$port" >/dev/null; jq -r 'select(.max) | .max' out)" 8080

record_begin -o rec -f __inet_lookup_established
talk 4433
kill -INT $recorder
record_end
to='select(.function == "__inet_lookup_established" and .args.sport == 4433)'
kcatch report rec --format json >all 2>err
check_equal 'of a recording: the address is text, too' \
	"$(jq -r "$to | .args_text.saddr" all | sort -u)" 127.0.0.1
check_equal 'text' "$(kcatch report rec 2>err | grep -c ' saddr=127\.0\.0\.1, sport=4433,')" \
	"$(jq -r "$to | .time_ns" all | wc -l)"
check_equal 'the condition over it' \
	"$(kcatch report rec --format json --filter 'sport == 4433' 2>err | jq -r "$to | .time_ns" |
		xargs)" \
	"$(jq -r "$to | .time_ns" all | xargs)"
check_equal 'counted' \
	"$(kcatch count -i rec --by sport --json 2>err | jq -r 'select(.key.sport == 4433) | .count')" \
	"$(jq -r "$to | .time_ns" all | wc -l)"
if command -v babeltrace2 >/dev/null; then
	check_equal 'babeltrace2 reads the same' \
		"$(babeltrace2 rec 2>/dev/null | grep -o ' sport = 4433[, ]' | wc -l)" \
		"$(jq -r "$to | .time_ns" all | wc -l)"
else
	skip 'babeltrace2 reads the same' 'no babeltrace2'
fi
