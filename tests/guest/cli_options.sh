# SPDX-License-Identifier: GPL-2.0-or-later
# Description: -n, -t with decimals, -p, -c, Ctrl-C: each does what the help says, and
# nothing counts as caught that was filtered.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

summary() { jq -r "select(.summary) | .summary.$1" out; }

catch_begin --json -n 5 -t 300 kt_c
for i in 1 2 3 4 5 6 7 8; do order 'process chain'; done
catch_end
check_equal '-n 5: five' "$(jq -s 'map(select(.function)) | length' out)" 5
check_equal '-n 5: recorded' "$(summary recorded)" 5
check '-n 5: the time that it took is there' [ "$(summary elapsed_ns)" -gt 1000 ]
check_equal 'kcatch help COMMAND is the help of the command' "$(kcatch help watch)" "$(kcatch watch --help)"

# No ring holds so many, and with values two records of a call fit into no packet.
catch_begin --json -n 9223372036854775807 --depth 256 -t 300 -p $$ kt_c
order 'process chain'
kill -INT $kcatch
catch_end
check_equal '-n, the largest number: recorded' "$(summary recorded)" 1

catch_begin --json -n 0 -t 300 -p $$ kt_c
order 'process chain'
bash -c "echo process chain >$orders"
order 'process chain'
kill -INT $kcatch
catch_end
check_equal '-p: status' "$status" 0
check_equal '-p: only its calls' \
	"$(jq -r 'select(.function) | .pid' out | sort | uniq -c | tr -s ' ')" " 2 $$"
check_equal '-p: the other is counted as filtered' "$(summary filtered)" 1

# usage: ring_of OPTION... - bytes that are mapped of the device, and how often
ring_of() {
	catch_begin -t 300 "$@" kt_c || return
	awk '/kcatch/ && / rw-s | r--s / { print $1 }' /proc/$kcatch/maps |
		while IFS=- read -r from to; do
			echo $((0x$to - 0x$from))
		done | sort -n | uniq -c | tr -s ' '
	kill -INT $kcatch
	wait $kcatch
}
# Rings are a power of two; there is a page in front of each.
check_match '--size: as asked' "$(ring_of -n 0 --size 64K)" " $(nproc) $((65536 + 4096))"
check_match '--size: rounded up to a power of two' "$(ring_of -n 0 --size 33K)" \
	" $(nproc) $((65536 + 4096))"
check_match '--size: the next byte is the next power' "$(ring_of -n 0 --size 65537)" \
	" $(nproc) $((131072 + 4096))"
check_match '--size: the default is 1M without a limit of calls' "$(ring_of -n 0)" \
	" $(nproc) $((1048576 + 4096))"
check_no_match '--size: by default what one call needs' "$(ring_of -n 1)" '[0-9]{6}'

# Threads of the process belong to it
catch_begin --json -n 1 -t 300 -p $$ -c bash kt_c
order 'process chain'
catch_end
check_equal '-p and -c together' "$(jq -r 'select(.function) | "\(.pid) \(.comm)"' out)" "$$ bash"

cp "$(command -v cp)" ./fifteen_letters_and_more
catch_begin --json -n 0 -t 300 -c fifteen_letters_and_more kt_c
order 'process chain'
echo 'process chain' >order
./fifteen_letters_and_more order $orders
kill -INT $kcatch
catch_end
check_equal '-c: only that command, cut to 15 bytes as the kernel does' \
	"$(jq -r 'select(.function) | .comm' out)" fifteen_letters
check_equal '-c: the other is counted as filtered' "$(summary filtered)" 1

# A pattern of the name is not the name
catch_begin --json -n 0 -t 300 -c bas kt_c
order 'process chain'
kill -INT $kcatch
catch_end
check_equal '-c: the whole name, not its start' "$status $(summary filtered)" '2 1'

# usage: ends_with_its_process TEXT WHAT...
ends_with_its_process() {
	local sleeper
	sleep 1000 &
	sleeper=$!
	catch_begin "${@:2}" $sleeper --json -n 0 -t 300
	kill $sleeper
	catch_end
	check_equal "$1: ends when the process has ended" "$(summary end)" exit
}
ends_with_its_process '-p' kt_c -p
ends_with_its_process 'signals -p' signals CONT -p
ends_with_its_process 'signals --to' signals CONT --to
ends_with_its_process 'watch -p' watch kcatch_test:kt_watched+4:4 -p
kcatch signals --to 4194303 2>err
check_equal 'signals --to: nobody' "$? $(cat err)" '1 kcatch: there is no process 4194303'

catch_begin -n 0 -t 300 kt_c
order 'process chain'
kill -INT $kcatch
catch_end
check_equal 'Ctrl-C: status 0 when something was caught' "$status" 0
check_match 'Ctrl-C: the summary' "$err" 'hits 1 = recorded 1$'
check_match 'text: the function and its caller' "$out" 'kt_c.*kt_b\+0x'
check_match 'text: module in brackets' "$out" '\[kcatch_test\]'
# timeout(1) sends its signal twice: to the command and to its group. Two of one number that come
# before the command runs are one already, so here are two numbers.
catch_begin -n 0 -t 300 kt_c
kill -INT $kcatch
kill -TERM $kcatch
catch_end
check_match 'two signals at once are one request' "$status $err" '^2 .*hits 0 = '
catch_begin -n 0 -t 300 kt_c
kill -TERM $kcatch
catch_end
check_equal 'SIGTERM with nothing caught: status 2' "$status" 2

# Both have a limit of their own in the kernel.
sleep 1000 &
sleeper=$!
catch_begin --json -n 2 -t 300 -c kt_both -e signal:signal_generate kt_c
stand_still $kcatch
(
	printf kt_both >/proc/self/comm
	for _ in 1 2; do
		order 'process chain'
		kill -CONT $sleeper
	done
)
kill -CONT $kcatch
catch_end
kill $sleeper
check_match '-n with -e and a function: the first ones, and how many are not shown' \
	"$(jq -r 'select(.function or .event) | .cpu' out | wc -l) $err" \
	'^2 .*kcatch: 2 of those recorded are not shown'

# usage: takes SECONDS MILLISECONDS
takes() {
	kcatch --json -t "$1" kt_c >out 2>err
	check_equal "-t $1: status 2, by the time" "$? $(summary end)" '2 time'
	check "-t $1: not before" [ "$(summary elapsed_ns)" -ge "${2}000000" ]
	# No machine is so slow: that is another unit.
	check "-t $1: nor long behind" [ "$(summary elapsed_ns)" -lt "${2}00000000" ]
}
takes 0.2 200
takes .2 200
takes 1 1000
catch_begin --json -n 1 -t 300 --entry kt_c
order 'process chain'
catch_end
check_equal '--entry: caught' "$status" 0
check_equal '--entry: no return' \
	"$(jq -r 'select(.function) | has("ret") or has("latency_ns") or has("returned")' out)" \
	false
check_match 'while it waits, it says for what' "$err" 'waiting for the next call of kt_c'
