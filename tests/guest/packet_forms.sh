# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a packet is shown by what tcpdump has of it, live, in a recording and in what
# babeltrace2 reads of it: addresses, ports, protocol, flags of TCP, fragments, a VLAN, IPv6, ARP
# and ICMP. Frames of an unknown type, and headers that are not there, are no packets of others.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
[ "$(command -v tcpdump)" ] || skip_all 'no tcpdump here'
. "$KT_TOP/tests/guest/support/network.bash"
cleanup() {
	kill $capture $live
	network_gone
}
capture=
live=

cat >talk.py <<'END'
import socket
def udp(family, to, port, size, times, options=b''):
    s = socket.socket(family, socket.SOCK_DGRAM)
    if options:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, options)
    for i in range(times):
        try:
            s.sendto(b'x' * size, (to, port))
        except OSError:
            pass    # nobody listens, as was said of the one before
udp(socket.AF_INET, '10.9.0.2', 6666, 10, 2)
udp(socket.AF_INET, '10.9.0.2', 6668, 4, 2, b'\x01' * 8)
udp(socket.AF_INET, '10.9.0.2', 6669, 4000, 1)
udp(socket.AF_INET, '10.8.0.2', 7000, 10, 2)
udp(socket.AF_INET6, 'fd09::2', 7001, 10, 2)
udp(socket.AF_INET6, 'fd09::2', 7002, 4000, 1)
try:
    socket.create_connection(('fd09::2', 8001))
except OSError:
    pass
s = socket.create_connection(('10.9.0.2', 8000))
s.sendall(b'hello')
s.recv(5)
s.close()
# A frame of an unknown type, and two without the header that their types promise.
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(('kt_a', 0))
link = b'\x02\0\0\0\0\1\x02\0\0\0\0\2'
for data in b'\x12\x34' + b'\x45' * 60, b'\x08\0' + b'\x45\0\0\x14', b'\x08\0' + b'\x65' * 60:
    s.send(link + data)
END
# Each packet of a capture that the device sent, in the form of kcatch.
cat >frames.py <<'END'
import socket, struct, sys
names = {1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmp6'}
four = {0: 'echo-reply', 3: 'unreachable', 8: 'echo'}
six = {1: 'unreachable', 128: 'echo', 129: 'echo-reply', 133: 'router-solicitation',
       135: 'neighbor-solicitation', 136: 'neighbor-advertisement'}
flags = 'FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG', 'ECE', 'CWR'
def inside(proto, data, fragment, ends):
    if fragment:
        return '%s > %s %s fragment at %d' % (*ends, names[proto], fragment)
    if proto in (6, 17):
        ports = struct.unpack('>HH', data[:4])
        ends = [('[%s]:%d' if ':' in end else '%s:%d') % (end, port)
                for end, port in zip(ends, ports)]
    text = '%s > %s %s' % (*ends, names[proto])
    if proto == 6:
        text += ' ' + ','.join(flags[i] for i in range(8) if data[13] >> i & 1)
    if proto in (1, 58):
        text += ' ' + (four if proto == 1 else six).get(data[0], 'type=%d' % data[0])
        text += ' code=%d' % data[1] if data[1] else ''
    return text
def packet(kind, ip):
    if kind == 0x806:
        ends = [socket.inet_ntoa(ip[i:i + 4]) for i in (14, 24)]
        return 'arp who-has %s tell %s' % (ends[1], ends[0]) if ip[7] == 1 else \
            'arp %s is-at %s' % (ends[0], ip[8:14].hex(':'))
    if kind == 0x800 and len(ip) >= 20 and ip[0] >> 4 == 4:
        return inside(ip[9], ip[(ip[0] & 15) * 4:], (struct.unpack('>H', ip[6:8])[0] & 0x1fff) * 8,
                      [socket.inet_ntoa(ip[i:i + 4]) for i in (12, 16)])
    if kind == 0x86dd:
        proto, at, fragment = ip[6], 40, 0
        while proto in (0, 44):
            if proto == 44:
                fragment = struct.unpack('>H', ip[at + 2:at + 4])[0] & 0xfff8
            proto, at = ip[at], at + 8 + (8 * ip[at + 1] if proto == 0 else 0)
        return inside(proto, ip[at:], fragment,
                      [socket.inet_ntop(socket.AF_INET6, ip[i:i + 16]) for i in (8, 24)])
    return 'ip' if kind == 0x800 else 'frame=0x%04x' % kind
data = open(sys.argv[1], 'rb').read()
own = bytes.fromhex(open('/sys/class/net/kt_a/address').read().strip().replace(':', ''))
at = 24
while at < len(data):
    size, = struct.unpack('<I', data[at + 8:at + 12])
    frame = data[at + 16:at + 16 + size]
    at += 16 + size
    if frame[6:12] not in (own, b'\x02\0\0\0\0\2'):
        continue
    kind, = struct.unpack('>H', frame[12:14])
    ip, vlan = frame[14:], ''
    if kind == 0x8100:
        tag, kind = struct.unpack('>HH', ip[:4])
        ip, vlan, size = ip[4:], ' vlan=%d' % (tag & 0xfff), size - 4
    print('%s len=%d%s dev=kt_a' % (packet(kind, ip), size, vlan))
END

peer "$python" -IS "$KT_TOP/tests/guest/support/answer_once.py" &
tcpdump -U -i kt_a -w frames --immediate-mode 2>capture.log &
capture=$!
kcatch --json --no-stack -n 0 __dev_queue_xmit 'skb->dev->name == "kt_a"' >live.json 2>err &
live=$!
wait_for test -e serving
wait_for grep -q listening capture.log
wait_for counts_or_ended $live
kcatch record -o rec -f __dev_queue_xmit -f ip_rcv -- bash -c \
	"'$python' -IS talk.py; ping -c 2 -i 0.2 10.9.0.2; ping -c 1 fd09::2" >out 2>>err
check_equal 'it is recorded, too: status 0' $? 0
pause 1
# What the kernel sends by itself meanwhile is what kcatch has more.
kill -INT $capture
wait $capture
capture=
kill -INT $live
wait $live
check_equal 'and live: status 0' $? 0
live=
texts() {
	jq -r 'select(.function == "__dev_queue_xmit") | .args.skb.text' |
		grep -v '^fe80\|^:: ' | sort
}
# What the kernel sends by itself may be sent while kcatch begins.
"$python" -IS frames.py frames | grep -v '^fe80\|^:: ' | sort >expected
texts <live.json >shown
check_equal 'packets, as tcpdump has them' "$(comm -13 shown expected)" ''
check_equal 'and no others' "$(comm -23 shown expected | grep -v '^arp \| icmp6 neighbor-')" ''
for kind in ' tcp SYN len' ' tcp PSH,ACK len' ' udp len' 'udp fragment at' 'icmp echo len' 'icmp6 echo len' \
	'^arp who-has' 'vlan=7' '^\[fd09::1\]:' '^frame=0x1234 len=74' '^ip len=18' '^ip len=74'; do
	check "there is one with \"$kind\"" grep -q -- "$kind" shown
done
kcatch report rec --format json | texts | grep 'dev=kt_a$' >recorded
check_equal 'what a recording has is live, too' "$(comm -23 recorded shown)" ''
check_match 'a recording has most' "$(cat recorded)" '10.9.0.1:[0-9]* > 10.9.0.2:8000 tcp SYN len=74 dev=kt_a'
check_match 'as text' "$(kcatch report rec | cut -c 1-150)" \
	'ip_rcv.skb=10.9.0.1:[0-9]* > 10.9.0.2:8000 tcp SYN len=60 dev=kt_b'
filtered() { kcatch report rec --format json --filter "$1" 2>>err | texts | grep 'dev=kt_a$'; }
check_equal 'flags and ports over a recording' \
	"$(filtered 'skb.flags & SYN && skb.dport == 8000 && skb.daddr == "10.9.0.2"')" \
	"$(grep ' > 10.9.0.2:8000 tcp SYN' recorded)"
check_equal 'addresses of IPv6 over a recording' \
	"$(filtered 'skb.proto == udp && skb.daddr == "fd09::2"')" "$(grep ' > \[*fd09::2.* udp' recorded)"
check_equal 'the number of a VLAN over a recording' "$(filtered 'skb.vlan == 7')" \
	"$(grep vlan=7 recorded)"
check_equal 'words are keys of what was recorded' \
	"$(kcatch count -i rec --json --by skb.proto,skb.saddr,skb.dport 'skb.proto == tcp && skb.saddr == 10.9.0.1' 2>>err |
		jq -r 'select(.key) | "\(.count) \(.key | map(.) | join(" "))"')" \
	"$(kcatch report rec --format json | jq -r .args.skb.text |
		grep -c '^10.9.0.1:.* tcp ') tcp 10.9.0.1 8000"
check_equal 'and addresses of IPv6' \
	"$(kcatch count -i rec --json --by skb.daddr 'skb.proto == udp && skb.saddr == "fd09::1"' 2>>err |
		jq -r 'select(.key) | .key[]')" fd09::2
check_same_in_babeltrace rec
