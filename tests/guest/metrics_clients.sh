# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch metrics answers although as many clients as it serves send a byte a second
# and never end their request, also if they speak TLS; a connection is closed behind its answer;
# counters that cannot be read stay as they were.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
cleanup() { kill $metrics $trickle $tracer; }
metrics='' trickle='' tracer=''

# usage: begin ARGUMENT... - kcatch metrics on a port of its own
begin() {
	rm -f err
	kcatch metrics --rules rules --listen 127.0.0.1:0 "$@" >out 2>err &
	metrics=$!
	wait_for grep -q '[0-9] rules$' err
	port=$(sed -nE 's|.*://127.0.0.1:([0-9]+)/metrics|\1|p' err)
}

# usage: value SAMPLE - its number in the file answer
value() {
	grep -F -- "$1 " answer | sed '/^#/d; s/.* //'
}

# The answer to GET /metrics, with its headers; it waits for it for as long as a test may.
scrape() {
	exec 9<>"/dev/tcp/127.0.0.1/$port" || return
	printf 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n' >&9
	timeout 250 cat <&9
	exec 9<&-
}

scrape_tls() {
	printf 'GET /metrics HTTP/1.0\r\n\r\n' |
		timeout 250 openssl s_client -quiet -verify_return_error -CAfile cert.pem \
			-connect "127.0.0.1:$port" 2>/dev/null
}

# Holds 32 connections for as long as they are let; says how many were ended.
cat >trickle.py <<'END'
import socket, sys, time
clients = []
for i in range(32):
    client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    client.send(sys.argv[2].encode().decode("unicode_escape").encode("latin-1"))
    clients.append(client)
print("all are connected", flush=True)
ended = 0
while clients:
    time.sleep(1)
    for client in list(clients):
        try:
            client.send(b"x")
        except OSError:
            clients.remove(client)
            ended += 1
            print("ended", ended, flush=True)
END

# usage: trickles BEGIN SCRAPE - the answer beside clients that begin so
trickles() {
	rm -f held
	python3 trickle.py "$port" "$1" >held &
	trickle=$!
	wait_for grep -q 'all are connected' held
	$2 >answer
	wait_for grep -q '^ended' held
	kill $trickle
	wait $trickle 2>/dev/null
}

printf 'calls kt_hammered\n' >rules
begin
order 'hammer 100'
trickles 'GET /metrics HTTP/1.1\r\nX: ' scrape
check_equal 'beside 32 slow clients: the metrics' "$(value calls_total)" \
	"$(module_value hammer.total)"
check 'slow clients are ended' grep -q '^ended' held
scrape >answer
check_match 'a connection is closed behind its answer' "$(cat answer)" 'Connection: close'

# ---- counters ----------------------------------------------------------------------------------

hits=$(value 'kcatch_hits_total{rule="calls"}')
check_equal 'hits: as many as there were calls' "$hits" "$(module_value hammer.total)"
strace -o calls -e trace=ioctl -e inject=ioctl:error=EIO -p $metrics 2>attached &
tracer=$!
wait_for grep -q attached attached
wait_for grep -q INJECTED calls
scrape >answer
check_equal 'they cannot be read: they stay' "$(value 'kcatch_hits_total{rule="calls"}')" "$hits"
check 'they cannot be read: it is counted' [ "$(value kcatch_errors_total)" -gt 0 ]
kill $tracer
wait $tracer 2>/dev/null
order 'hammer 100'
sleep 0.2	# what is read is at most 0.1 s old
scrape >answer
check_equal 'they can be read again: they go on' "$(value 'kcatch_hits_total{rule="calls"}')" \
	$((hits + $(module_value hammer.total)))
kill $metrics
wait $metrics

# ---- TLS ---------------------------------------------------------------------------------------

if openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
	-subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null; then
	begin --tls-cert cert.pem --tls-key key.pem
	# The head of a handshake of 16 KB.
	trickles '\x16\x03\x01\x3f\x00\x01\x00\x3e\xfc\x03\x03' scrape_tls
	check_match 'beside 32 slow handshakes: the metrics' "$(cat answer)" 'calls_total 0'
	kill $metrics
	wait $metrics
else
	skip 'TLS' 'no openssl'
fi
