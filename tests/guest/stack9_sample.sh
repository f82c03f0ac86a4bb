# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the sample module calls every function of stack(9) (S1-S9), and what it
# prints is exact: its own stack in each way, a thread that sleeps, a thread that spins.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
cleanup() { rmmod kcatch_stack_sample; }

module=$KT_MODULES/stack/kcatch_stack_sample.ko
# Again where it was not in time: a machine that stood still does not answer within a second, or is
# asked in an interrupt, nor is a thread asleep after 20 ms.
for _ in 1 2 3 4 5; do
	! grep -q '^kcatch_stack_sample ' /proc/modules || rmmod kcatch_stack_sample
	log_mark
	insmod "$module"
	status=$?
	log=$(log_since)
	[[ $log != *$'spins: 0\n#0 sample_spins+'*'sleeps: 0'*' schedule_timeout+'* ]] || break
done
check_equal 'the sample is loaded' $status 0

# usage: part TITLE - the lines of the log from `sample: TITLE` up to the next `sample:`
part() {
	sed -n "/^sample: $1/,\$p" <<<"$log" | sed '1d' | sed '/^sample: /,$d'
}

# Frames without offsets: "symbol symbol ..."
symbols() {
	grep -v '^INFO: NMI handler' |
		sed 's/^#[0-9]* //; s/+0x[0-9a-f]*\/0x[0-9a-f]*//g; s/ \[[a-z_]*\]//g' | tr '\n' ' '
}

lines=$(part 'stack_print$')
check_match 'stack_print: a line a frame, numbered, symbol and offset' "$lines" \
	'^#0 own_stack\+0x[0-9a-f]+/0x[0-9a-f]+ \[kcatch_stack_sample\]'$'\n''#1 sample_init\+0x'
check_match 'stack_print: from the caller of stack_save to the system call' \
	"$(symbols <<<"$lines")" \
	'^own_stack sample_init do_one_initcall do_init_module .*do_syscall_64 entry_SYSCALL_64_after_hwframe $'
check_equal 'stack_print_ddb: the same' "$(part 'stack_print_ddb$')" "$lines"
line=$(part 'stack_print_short$')
check_equal 'stack_print_short: one line' "$(wc -l <<<"$line")" 1
check_equal 'stack_print_short: the same frames' "$(symbols <<<"$line")" "$(symbols <<<"$lines")"
check_equal 'stack_print_short_ddb: the same' "$(part 'stack_print_short_ddb$')" "$line"
check_equal 'stack_copy keeps what stack_zero takes' "$(grep '^sample: stack_copy' <<<"$log")" \
	"sample: stack_copy $(wc -l <<<"$lines") stack_zero 0"
check_match 'stack_sbuf_print, then stack_sbuf_print_ddb behind it' \
	"$(sed -n '/^sample: stack_sbuf_print /,/^sample: stack_put/p' <<<"$log" | symbols)" \
	'^sample: stack_sbuf_print #0 own_stack +#?0? ?own_stack '
check_match 'stack_put: until there is no room' "$log" 'no room: 64'
check_match 'stack_sbuf_print_growing: all 64 frames' "$log" \
	'stack_sbuf_print_growing [0-9]{4} bytes, #0 own_stack\+0x'
check_match 'stack_save_td: a thread that sleeps' "$(part 'thread that sleeps: 0$' | symbols)" \
	'^__schedule schedule schedule_timeout sample_sleeps sleeper kthread ret_from_fork (ret_from_fork_asm )?$'
if [ "$(nproc)" -ge 2 ]; then
	check_match 'stack_save_td_running: a thread that spins' \
		"$(part 'thread that spins: 0$' | symbols)" \
		'^sample_spins spinner kthread ret_from_fork (ret_from_fork_asm )?$'
else
	skip 'stack_save_td_running: a thread that spins' 'needs two CPUs'
fi
check 'and goes again' rmmod kcatch_stack_sample
