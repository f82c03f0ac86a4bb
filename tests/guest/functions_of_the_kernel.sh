# SPDX-License-Identifier: GPL-2.0-or-later
# Description: functions of the real kernel: a file system's path, receive in a
# softirq, process creation, a timer callback, a loadable module's, many at once.
. "$KT_TOP/tests/guest/support/lib.bash"

# usage: caught TEXT FUNCTION TRIGGER STACK_REGEX [CONDITION]
caught() {
	catch_begin --json -t 300 "$2" ${5:+"$5"} || return
	eval "$3" >/dev/null 2>&1
	catch_end
	check_equal "$1: $2 is caught" "$status" 0
	check_match "$1: from where" "$(stack_symbols 0)" "$4"
	check_equal "$1: a complete stack" "$(jq -r 'select(.stack) | .stack_complete' out)" true
}

# ext4 on a loop device
cleanup() { umount mnt; }
dd if=/dev/zero of=disk bs=1M count=16 2>/dev/null
if modprobe loop && modprobe ext4 && mkfs.ext4 -q -F disk && mkdir mnt &&
		mount -o loop disk mnt; then
	caught 'a file is made' ext4_create 'touch mnt/file' \
		'^(lookup_open|path_openat)[a-z_.0-9]* .*do_sys_openat2 .*entry_SYSCALL_64_after_hwframe$'
	caught 'a file is synced' ext4_sync_file 'dd if=/dev/zero of=mnt/file count=1 conv=fsync' \
		'sys_fsync .*entry_SYSCALL_64_after_hwframe$'
	# Cloud kernels have it built in.
	ext4=ext4:
	grep -q '^ext4 ' /proc/modules || ext4=
	caught 'a module by name' "${ext4}ext4_unlink" 'rm mnt/file' '^vfs_unlink (do_unlinkat|filename_unlinkat) '
	caught 'a work queue of a module' "$(either loop_process_work lo_rw_aio)" \
		'dd if=/dev/zero of=mnt/file count=100 conv=fsync' ' ret_from_fork[a-z_]*$'
else
	skip 'ext4' 'no loop device, ext4 or mkfs.ext4 here'
fi

caught 'a packet arrives in the softirq' ip_rcv 'echo hello >/dev/udp/127.0.0.1/9' \
	"^__netif_receive_skb.* $softirqs "
check_equal 'a packet arrives: in softirq context' \
	"$(jq -r 'select(.stack) | .context' out)" softirq
caught 'a packet is queued' "$(either __netif_rx netif_rx)" 'echo hello >/dev/udp/127.0.0.1/9' '^(__netif_rx|loopback_xmit) '
caught 'a socket is connected' inet_dgram_connect 'echo hello >/dev/udp/127.0.0.1/9' \
	'^__sys_connect[a-z_]* .*entry_SYSCALL_64_after_hwframe$'
check_match 'a socket is connected: to an address, whatever struct the kernel has for it' \
	"$(jq -c 'select(.stack) | .args.uaddr' out)" '"127.0.0.1:9"'
# Not by kthreadd, which makes a worker when it likes.
caught 'a process is made' kernel_clone 'sh -c "true | true"' \
	'__do_sys_(clone|vfork|clone3) .*entry_SYSCALL_64_after_hwframe$' 'pid != 2'
check_match 'a process is made: not with a caller invented' "$(stack_symbols 0)" '^__do_sys_'
caught 'a timer fires' "$(either process_timeout)" 'sleep 0.1' 'call_timer_fn '
caught 'the tick' "$(either tick_sched_timer tick_nohz_handler)" 'sleep 0.1' '__hrtimer_run_queues .*asm_sysvec_apic_timer'
caught 'a page fault' handle_mm_fault 'true' '(do_user_addr_fault|__get_user_pages|faultin_page|exc_page_fault)'
caught 'a task is switched away' finish_task_switch.isra.0 'sleep 0.1' '(__schedule|schedule_tail|ret_from_fork)'

# Hundreds by pattern, under load: all is accounted for
catch_begin --json -n 500 -t 300 --size 1M 'vfs_*' 'tcp_*' 'do_sys_*'
for i in 1 2 3 4 5 6 7 8 9 10; do ls -lR /proc/sys >/dev/null 2>&1; done &
catch_end
wait
check_equal 'hundreds by pattern: exactly 500' "$(jq -s 'map(select(.function)) | length' out)" 500
check_equal 'hundreds by pattern: adds up' "$(jq -c 'select(.summary) | .summary |
	.hits > 0 and .hits == .recorded + .filtered + .over_budget + .undecided + .missed + .lost' out)" true
check_equal 'hundreds by pattern: every stack has a caller' \
	"$(jq -r 'select(.function) | .caller | type' out | sort -u)" string

if modprobe veth; then
	caught 'a loadable module' veth:veth_newlink \
		'ip link add kt0 type veth peer name kt1; ip link del kt0' '^(__)?rtnl_newlink'
else
	skip 'a loadable module' 'no veth here'
fi

# Two functions, of which the BTF of 6.1 has one: which of them is not known.
if [[ $(uname -r) == 6.1.* && $(grep -cw elf_load /proc/kallsyms) -gt 1 ]]; then
	catch_begin --no-stack -n 1 -t 300 elf_load
	/bin/true
	catch_end
	check_match 'one of several functions of a name is not shown with the types of another' "$out" \
		'rdi=.* rsi=.*'
	check_match 'why is said' "$(cat err)" "types of 'elf_load' are not known.*several functions"
fi
