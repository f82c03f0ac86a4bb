# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch why names the block request by whose end a sleep was ended: device, sector,
# size and time under way, of a device that delays and of the one below it.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
cleanup() {
	[ -z "${delays-}" ] || dmsetup remove --noudevsync kt_delays
	[ -z "${loop-}" ] || losetup -d "$loop"
}
if ! modprobe -q dm-delay || ! modprobe -q loop || ! command -v dmsetup losetup >/dev/null; then
	skip_all 'no dm-delay here'
fi
truncate -s 16M image
loop=$(losetup -f --show image)
dmsetup create --noudevsync kt_delays --table "0 16384 delay $loop 1024 80" && delays=1
device=dm-$(dmsetup info -c --noheadings -o minor kt_delays)
major=$(dmsetup info -c --noheadings -o major kt_delays)
[ -b "/dev/$device" ] || mknod "/dev/$device" b "$major" "${device#dm-}"

# usage: request NAME - its members
request() { jq -r ".sleeps[0].woken_by.$1 | [.device, .sector, .bytes] | join(\" \")" out; }
latency() { jq -r ".sleeps[0].woken_by.$1.latency_ns" out; }

kcatch why read 'latency > 50ms' -c dd --json >out 2>err & why=$!
wait_for grep -q waiting err
dd if="/dev/$device" of=/dev/null bs=8k skip=77 count=1 iflag=direct 2>/dev/null
wait $why
check_equal 'the device that was read, sector and size' "$(request bio)" "$device 1232 8192"
check_equal 'the device below it, from its sector 1024 on' "$(request request)" \
	"${loop#/dev/} 2256 8192"
check_match 'a read' "$(jq -r '.sleeps[0].woken_by.bio.operation' out)" '^R'
check "it was delayed by 80 ms: $(latency bio) ns" [ "$(latency bio)" -ge 80000000 ]
check 'it took no longer than the call' [ "$(latency bio)" -le "$(jq .latency_ns out)" ]
check "the request was under way when the delay was over: $(latency request) ns" \
	[ "$(latency request)" -le $(($(latency bio) - 80000000)) ]

kcatch why ksys_write 'latency > 50ms' -c dd >out 2>err.write & why=$!
wait_for grep -q waiting err.write
dd if=/dev/zero of="/dev/$device" bs=4k seek=5 count=1 oflag=direct 2>dd.err
if wait_for eval "! kill -0 $why 2>/dev/null"; then
	pass 'the write is caught'
else
	fail 'the write is caught' "$(cat dd.err err.write)" "$(kcatch sessions --json 2>&1)" \
		"$(cat "${TMPDIR:-/tmp}"/kcatch-why-*/messages)"
	kill -INT $why
fi
wait $why
check_match 'in text' "$(cat out)" \
	"by the end of a write \\([A-Z]+\\) of 4 KiB at sector 40 of $device, queued [0-9.]+ ms before"
check_match 'in text: the device below it' "$(cat out)" \
	"and below it of a write \\([A-Z]+\\) of 4 KiB at sector 1064 of ${loop#/dev/}, issued "
