# SPDX-License-Identifier: GPL-2.0-or-later
# Description: what conditions and keys say of packets is what tcpdump says of them, on a pair of
# devices: addresses, ports and protocols, with options, fragments, a VLAN and IPv6; a port
# behind a pointer that is computed, at the call and at its return. What a packet has not is not
# known, and what is dropped for a reason is what the kernel counts.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
[ "$(command -v tcpdump)" ] || skip_all 'no tcpdump here'
. "$KT_TOP/tests/guest/support/network.bash"
cleanup() {
	kill "${catches[@]}" $capture
	network_gone
}
catches=()
capture=

cat >talk.py <<'END'
import socket, sys
def udp(family, to, port, size, times, options=b''):
    s = socket.socket(family, socket.SOCK_DGRAM)
    if options:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, options)
    for i in range(times):
        try:
            s.sendto(b'x' * size, (to, port))
        except OSError:
            pass    # nobody listens, as was said of the one before
udp(socket.AF_INET, '10.9.0.2', 6666, 10, 3)
udp(socket.AF_INET, '10.9.0.2', 6667, 20, 5)
udp(socket.AF_INET, '10.9.0.2', 6668, 4, 2, b'\x01' * 8)
udp(socket.AF_INET, '10.9.0.2', 6669, 4000, 1)
udp(socket.AF_INET, '10.8.0.2', 7000, 10, 4)
udp(socket.AF_INET6, 'fd09::2', 7001, 10, 6)
s = socket.create_connection(('10.9.0.2', 8000))
s.sendall(b'hello')
s.recv(5)
s.close()
END
# Each packet of a capture: protocol, ends, in the form of kcatch's keys; and of its own account.
cat >frames.py <<'END'
import socket, struct, sys
names = {1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmp6', 0x806: 'arp'}
bits = 'FIN', 'SYN', 'RST', 'PSH', 'ACK'
data = open(sys.argv[1], 'rb').read()
at = 24
while at < len(data):
    size, = struct.unpack('<I', data[at + 8:at + 12])
    frame = data[at + 16:at + 16 + size]
    at += 16 + size
    kind, = struct.unpack('>H', frame[12:14])
    ip = frame[14:]
    vlan = '-'
    if kind == 0x8100:
        vlan = str(struct.unpack('>H', ip[:2])[0] & 0xfff)
        kind, = struct.unpack('>H', ip[2:4])
        ip = ip[4:]
    saddr = daddr = sport = dport = flags = '-'
    proto = kind
    if kind == 0x800:
        proto = ip[9]
        saddr, daddr = socket.inet_ntoa(ip[12:16]), socket.inet_ntoa(ip[16:20])
        behind = ip[(ip[0] & 15) * 4:]
        if struct.unpack('>H', ip[6:8])[0] & 0x1fff:
            behind = b''
    elif kind == 0x86dd:
        proto, behind = ip[6], ip[40:]
        saddr, daddr = (socket.inet_ntop(socket.AF_INET6, end) for end in (ip[8:24], ip[24:40]))
        if proto in (0, 44, 60):
            proto = '-'
    if proto in (6, 17) and kind != 0x806 and len(behind) >= 4:
        sport, dport = map(str, struct.unpack('>HH', behind[:4]))
    if proto == 6 and kind != 0x806:
        flags = '|'.join(name for i, name in enumerate(bits) if behind[13] >> i & 1)
    print(names.get(proto, proto), saddr, sport, daddr, dport, vlan, flags)
END

# usage: begin NUMBER ARG... - runs kcatch until the packets are sent
begin() {
	kcatch "${@:2}" >"out.$1" 2>"err.$1" &
	catches[$1]=$!
}

# usage: keys NUMBER - its rows, each as often as it was counted; what is not known is -
keys() {
	jq -r 'select(.key) | range(.count) as $i | [.key[] | . // "-" | tostring] | join(" ")' "out.$1" |
		sort
}

peer "$python" -IS "$KT_TOP/tests/guest/support/answer_once.py" &
tcpdump -U -i kt_a -w frames --immediate-mode 2>capture.log &
capture=$!
port='*(__be16 *)(skb->head + skb->transport_header + 2)'
sent='skb->dev->name == "kt_a"'
all=skb.proto,skb.saddr,skb.sport,skb.daddr,skb.dport,skb.vlan
begin 0 count --json -e net:net_dev_queue --by "$all" "$sent"
begin 1 count --json -e net:net_dev_queue --by skb.dport \
	"$sent && skb.proto == udp && skb.daddr != \"fd09::2\""
begin 2 --json --no-stack -n 0 ip_output 'skb.dport == 6667 && skb.daddr == "10.9.0.2" && skb.proto == "udp"'
begin 3 --json --no-stack -n 0 ip_output "$port == 6667 && skb.proto == udp && ret == 0"
begin 4 count --json ip_output --by skb.dport --hist latency \
	'skb.proto == tcp && skb.saddr == 10.9.0.1 && latency > 0'
begin 5 --json --no-stack -n 0 ip_output '*(u16 *)(skb->head + ((u64)skb->len << 47)) == 1'
begin 6 count --json -e skb:kfree_skb --by reason "skb.proto == udp && skb.dport != 7001"
begin 7 count --json -e net:net_dev_queue --by skb.saddr,skb.dport 'skb.daddr == "fd09::2" && skb.proto == udp'
begin 8 count --json -e net:net_dev_queue --by skb.flags "$sent && skb.flags & (SYN|FIN|PSH)"
begin 9 count --json ip6_output --by skb.daddr --hist latency 'skb.proto == udp && ret == 0'
wait_for test -e serving
wait_for grep -q listening capture.log
for i in "${!catches[@]}"; do
	wait_for counts_or_ended "${catches[i]}"
done
ports() { { peer cat /proc/net/snmp; } | awk '/^Udp:/ && $2 ~ /[0-9]/ { print $3 }'; }
before=$(ports)
"$python" -IS talk.py
ping -c 2 -i 0.2 10.9.0.2 >ping.log
pause 1
kill -INT "${catches[@]}"
for i in "${!catches[@]}"; do
	wait "${catches[i]}"
	statuses[i]=$?
done
kill -INT $capture
wait $capture
capture=
"$python" -IS frames.py frames | sort >seen
# What comes in goes through no queue here.
grep -v ' 10\.[89]\.0\.2 [^ ]* 10\.[89]\.0\.1 ' seen >sent
check_equal 'packets sent, as tcpdump has them' "$(sed 's/ [^ ]*$//' sent | grep -v '^\(icmp6\|arp\|- \)')" \
	"$(keys 0 | grep -v '^\(icmp6\|arp\|- \)')"
check_equal 'every kind of packet was sent' \
	"$(cut -d ' ' -f 1 sent | uniq | grep -c 'arp\|icmp$\|tcp\|udp')" 4
check_equal 'ports as keys, where both sides are known' "$(keys 1 | uniq -c)" \
	"$(awk '$1 == "udp" && $4 != "fd09::2" { print $5 }' sent | sort | uniq -c)"
check_equal 'a condition that is true of some' "$(grep -c '"function":' out.2)" 5
check_equal 'a port by a computed pointer, at the return' "$(grep -c '"function":' out.3)" 5
check_equal 'a port is kept until the return' "$(keys 4 | uniq)" 8000
check_equal 'an address of IPv6, compared and as a key' \
	"$(keys 7 | uniq -c | awk '{ print $1, $2 }')" '6 fd09::1'
check_equal 'one is kept until the return' "$(keys 9 | uniq -c | awk '{ print $1, $2 }')" '6 fd09::2'
check_equal 'flags of TCP' "$(keys 8)" "$(grep -o '[^ ]*\(SYN\|FIN\|PSH\).*$' sent | sort)"
check_equal 'what cannot be read is not known' "${statuses[5]} $(grep -c '"function":' out.5)" '3 0'
check_match 'and counts as undecided' "$(cat err.5)" 'calls are undecided'
check_equal 'drops for a reason are what the kernel counts' "$(jq -s 'map(select(.key).count) | max' out.6)" \
	$(($(ports) - before))
kcatch -t 1 ip_output 'skb.prt == 9' 2>err
check_match 'a word that there is not' "$(cat err)" 'no .prt; there are .saddr, .daddr, .sport, .dport, .proto, .flags, .vlan,'
kcatch count -t 1 -e net:net_dev_queue --by \
	"$all,skb.flags$(printf ',*(u8 *)(skb->head + skb->network_header + %d)' {1..8})" 2>err
check_match 'too many of them' "$? $(cat err)" '^1 .*it takes [0-9]* operations; the limit is'
