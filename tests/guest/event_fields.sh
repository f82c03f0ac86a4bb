# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the fields of an event have the values that the kernel's own event has, all at once
# for each of its occurrences; they are names in conditions, keys, reports and recordings.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
python=$(command -v python3) || skip_all 'no python3 here'
instance=$tracefs/instances/kt_fields
cleanup() {
	[ -z "${loop-}" ] || losetup -d "$loop"
	echo 0 >"$instance/events/enable"
	rmdir "$instance"
}
mkdir "$instance"
echo 32768 >"$instance/buffer_size_kb"

groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
truncate -s 8M image
loop=$(losetup -f --show image)

# What makes most of the events.
work() {
	dd if=/dev/zero of="$loop" bs=32k count=2 oflag=direct,sync
	dd if="$loop" of=/dev/null bs=16k count=2
	dd if=/dev/zero of="$loop" bs=4k count=2
	(exit 3)
	sh -c 'echo 5 >/proc/$$/oom_score_adj; kill -USR1 $$'
	modprobe dummy && rmmod dummy
	mkdir "$groups/kt_fields" && sh -c "echo \$\$ >'$groups/kt_fields/cgroup.procs'"
	echo 1 >"$groups/kt_fields/cgroup.freeze"
	echo 0 >"$groups/kt_fields/cgroup.freeze"
	rmdir "$groups/kt_fields"
	sync
	"$python" -IS - <<'END'
import ctypes, fcntl, os, socket, threading
for own, address in ('127.0.0.1', '127.0.0.1'), ('::1', '::1'), ('', '127.0.0.1'):
    family = socket.AF_INET if '.' in own else socket.AF_INET6
    server = socket.create_server((own, 0), family=family, dualstack_ipv6=not own)
    client = socket.create_connection((address, server.getsockname()[1]))
    other, _ = server.accept()
    client.sendall(b'x' * 3000)
    other.recv(4000)
    client.close()
    other.close()
pair = socket.socketpair()
pair[0].send(b'x')
pair[1].recv(2)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.sendto(b'x', ('127.0.0.1', 9))
ctypes.CDLL(None).prctl(15, b'renamed')
with open('written', 'wb') as file:
    file.write(b'x' * 70000)
    os.fsync(file.fileno())
    fcntl.flock(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_EX, 10, 5)
os.unlink('written')
thread = threading.Thread(target=lambda: None)
thread.start()
thread.join()
END
	sleep 0.2
} >/dev/null 2>&1

work_less() {
	sleep 0.1
	cat /proc/self/stat
} >/dev/null 2>&1

# Fields of tracefs that kcatch does not have: cookies and times that the kernel makes while it
# records; what is in the packet's own form; and what nobody has asked for yet.
lacks='(.*\.(net_cookie|sock_cookie)|kmem:kmem_cache_alloc.accounted|timer:timer_.*\.now'
lacks+='|filemap:mm_filemap_.*\.(pfn|order)|block:.*\.(ioprio|cmd)|writeback:.*\.name'
lacks+='|net:net_dev_start_xmit\..*|net:net.*_entry\..*|sched:sched_switch\.(prev|next)_prio'
lacks+='|fib:.*\.(gw4|gw6|name)|sock:sk_data_ready\.ip|tcp:tcp_probe\..*)'

# usage: compare SYSTEMS ABSENT WORK... - while WORK runs; at most ABSENT events do not occur
compare() {
	local most=$2 system event events arguments=() patterns=() recorder threads
	for system in $1; do
		[ ! -e "$tracefs/events/$system" ] || patterns+=("$system:*")
	done
	kcatch list -v --json "${patterns[@]}" 2>/dev/null >listed
	events=$(jq -r 'select(.event) | "\(.system):\(.event)"' listed)
	for event in $events; do
		arguments+=(-e "$event")
	done
	rm -rf all err
	kcatch record -o all --size 64M "${arguments[@]}" >out 2>err &
	recorder=$!
	wait_for grep -q recording err
	for event in $events; do
		echo 1 >"$instance/events/${event/:/\/}/enable"
	done
	"${@:3}"
	echo 0 >"$instance/events/enable"
	threads=$(echo /proc/$recorder/task/*)
	kill -INT $recorder
	wait $recorder
	check_equal "$1: recorded, and nothing is lost" "$? $(cat "$instance"/per_cpu/cpu*/stats |
		awk '/^(overrun|dropped)/ { lost += $NF } END { print lost + 0 }')" '0 0'
	kcatch report all --format json >recorded 2>/dev/null
	"$python" "$KT_TOP/tests/guest/support/event_fields.py" "$instance" listed recorded \
		"${threads//\/proc\/$recorder\/task\//}" >compared 2>&1
	check_equal "$1: each event has a record with its values" \
		"$? $(grep -v -e ^compared -e ^lacking: compared)" '0 '
	check_equal "$1: no other field of an event is lacking" \
		"$(sed -n 's/^lacking: //p' compared | tr ' ' '\n' | grep -vxE "$lacks")" ''
	sed -n '/^compared/s/^/# /p' compared | cut -c 1-900
	check "$1: few events did not occur" \
		[ "$(sed -n 's/^compared .* absent \([0-9]*\):.*/\1/p' compared)" -le "$most" ]
}
# (Of a module's name the functions would be listed, too.)
compare 'kmem filemap timer irq power' 30 work_less
more='oom writeback cgroup module filelock mmap fib'
compare "sched block workqueue signal task net skb sock tcp $more" 85 work

# ---- names everywhere
kcatch report all --filter 'bytes == 32768 && rwbs == "WS"' >filtered 2>err
check_match 'a field in a filter' "$(cat filtered)" \
	'block_rq_issue\(dev=7:[0-9]+, sector=[0-9]+, nr_sector=64, bytes=32768, rwbs=WS'
kcatch -n 1 -t 300 -e sched:sched_switch 'prev_state == "S" && next_comm != "swapper/0"' >out 2>err
check_match 'a field in a condition, and shown' "$(cat out)" \
	' sched:sched_switch  prev_comm="[^"]+" prev_pid=[0-9]+ prev_state=S next_comm='
kcatch report all --filter 'newcomm == "renamed"' >filtered 2>err
check_match 'a text that an argument points to: it alone is shown' "$(cat filtered)" \
	'task_rename\(pid=[0-9]+, oldcomm="[^"]*", newcomm="renamed", oom_score_adj=[0-9-]+\)'
kcatch -n 1 -t 300 -e cgroup:cgroup_mkdir >out 2>err &
wait_for grep -q waiting err
mkdir "$groups/kt_fields" && rmdir "$groups/kt_fields"
wait
check_match 'and live, where it is all of the argument' "$(cat out)" \
	' cgroup:cgroup_mkdir  root=0 level=[0-9]+ id=[0-9]+ path="/kt_fields"$'
kcatch count -t 1 -e irq:softirq_entry --by vec >out 2>err
check_match 'a field as a key' "$(cat out)" '(TIMER|SCHED|RCU)'
kcatch count -e sock:inet_sock_set_state --by saddr_v6 \
	'newstate == "TCP_LISTEN" && saddr_v6 != "::1"' >out 2>err &
counts=$!
wait_for counts_or_ended $counts
"$python" -IS -c 'import socket
socket.create_server(("::1", 0), family=socket.AF_INET6)
socket.create_server(("127.0.0.1", 0))'
kill -INT $counts
wait
check_equal 'an address of IPv6 as a key, and compared' "$(awk '/::/ { print $1, $NF }' out)" \
	'1 ::ffff:127.0.0.1'
kcatch -n 1 -e sock:inet_sock_set_state 'saddr_v6 > 5' >out 2>err
check_match 'what it cannot be asked' "$? $(cat err)" \
	'^1 .*addresses of IPv6 are compared by == and !='
kcatch -n 1 -e sched:sched_switch 'prev_state == "Q"' >out 2>err
check_match 'what no number is shown as' "$? $(cat err)" '^1 .*no number of it is shown as .*Q'
kcatch -n 1 -e block:block_rq_issue 'nonsense == 1' >out 2>err
check_match 'another name: the fields are told' "$? $(cat err)" \
	'^1 .*no nonsense here.*fields are dev, sector, nr_sector, bytes, rwbs, comm; its arguments are rq'
check_match 'list -v tells them' "$(kcatch list -v irq:irq_handler_entry 2>/dev/null)" \
	'    name = action->name'
