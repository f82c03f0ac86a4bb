# SPDX-License-Identifier: GPL-2.0-or-later
# Description: while a CPU spins with interrupts off, what is told to stop says why it cannot and
# ends, with all that it has: what was caught, recorded, frozen or counted, and no call under way
# is taken for a fault; what kcatch top shows is marked; kcatch stuck starts beside it, ends, and
# names the CPU; nothing can be armed. When the CPU is back, what was left is taken out.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
if [ "$(nproc)" -lt 2 ]; then
	skip 'all' 'needs two CPUs'
	exit
fi

interrupts_to_first_cpu
stalls_are_expected

cleanup() { umount memory; }
mkdir memory
mount -t tmpfs none memory	# not over another file system: a call is one call
cat >beside <<'END'
rm -rf rec flight counted* caught* decided* top* recorded frozen served* page
kcatch stuck --no-user >out	# all files are in memory then
kcatch --no-args -n 0 -t 600 --size 64K vfs_fallocate >caught 2>caught_err &
catcher=$!
kcatch --format rows -n 0 -t 600 hrtimer_nanosleep 'ret < 0' >decided 2>decided_err &
decider=$!
kcatch record -t 600 -f vfs_fallocate -o rec 2>recorded &
recorder=$!
kcatch record --flight -t 600 -f vfs_fallocate --freeze-on 'vfs_fallocate len == 8192' \
	-o flight 2>frozen &
flight=$!
kcatch count -t 600 -d 0.1 vfs_fallocate --by comm --json >counted 2>counted_err &
counter=$!
kcatch top -d 0.1 -n 0 vfs_fallocate >top 2>top_err &
top=$!
printf '%s\n' 'allocated vfs_fallocate' 'opened vfs_open' 'closed filp_close' >rules
kcatch metrics --rules rules >served 2>served_err &
metrics=$!
for begun in caught_err decided_err recorded frozen served_err; do
	until grep -qE 'waiting|recording|[0-9] rules' $begun; do
		:
	done
done
until [[ $(<"/proc/$counter/wchan") == *poll* ]]; do
	:
done
until grep -q 'in all' top; do
	:
done
sleep 3000 &
sleeper=$!
until [[ $(<"/proc/$sleeper/wchan") == *nanosleep* ]]; do
	:
done
for ((i = 0; i < 5; i++)); do
	fallocate -l 4096 memory/allocated
done
until [ "$(grep -c ^vfs_fallocate caught)" = 5 ]; do
	:
done
until grep -q ' 5 in all' top; do
	:
done
# Until what was counted has been taken out of the kernel: it waits twice or more each time.
waits() { awk '/^voluntary/ { print $2 }' "/proc/$counter/status"; }
for ((enough = $(waits) + 20; $(waits) < enough; )); do
	:
done
insmod "$KT_MODULES/lockup/lockup.ko" cpus=1 irqs_off=1 step_ms=200 hold=1 stop_after=120
echo 0 >/sys/module/lockup/parameters/hold
while read -r begun </sys/module/lockup/parameters/begun && [ "$begun" = 0 ]; do
	:
done
fallocate -l 8192 memory/allocated
kill -INT $catcher $decider $recorder $counter
# Until it waits in the module, as far as that can be seen without waiting for it.
for ((i = 0; i < 20000; i++)); do
	:
done
first= spinning=1
until [[ $first == CPU* || $spinning = 0 ]]; do
	kcatch stuck --no-user >out 2>err
	echo $? >status
	read -r first <out
	read -r spinning </sys/module/lockup/parameters/spinning
done
echo "$spinning" >still
kcatch --no-args -t 1 vfs_fallocate >armed 2>&1
echo $? >armed_status
port=$(sed -nE 's|.*http://127.0.0.1:([0-9]+)/metrics|\1|p' served_err)
exec 9<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >&9
cat <&9 >page
kill -TERM $metrics
# By now it has drawn a picture beside the spinning CPU, or does so as its last.
kill -INT $top
for one in $catcher $decider $recorder $flight $counter $top $metrics; do
	wait $one
	echo $?
done >ended
read -r spinning </sys/module/lockup/parameters/spinning
echo "$spinning" >still_at_end
grep -c vfs_fallocate /sys/kernel/tracing/enabled_functions >left
echo 1 >/sys/module/lockup/parameters/stop
kill $sleeper
END
# Whatever waits for that CPU waits until it gives up: then once more.
for try in 1 2 3 4 5; do
	echo "# try $try"
	taskset -c 0 bash beside
	wait_for grep -qx 0 /sys/module/lockup/parameters/spinning
	wait_for rmmod lockup
	[ "$(cat still_at_end)" = 0 ] || break
done
check_equal 'kcatch stuck ends while the CPU still spins' "$(cat still)" 1
check_equal 'and has found it' "$(cat status)" 0
check_match 'by name' "$(head -n 1 out)" '^CPU [0-9]+ does not schedule: lockup/[0-9]+'
check_equal 'two catches, two recorders, a count and top end while the CPU still spins, as with losses' \
	"$(tr '\n' ' ' <ended)$(cat still_at_end)" '3 3 3 3 3 3 0 1'
check_match 'metrics are served meanwhile' "$(cat page)" '^HTTP/1.1 200.*allocated'
for told in caught_err decided_err recorded frozen counted_err; do
	check_match "and say why: $told" "$(cat $told)" \
		'a CPU takes no interrupts, so the (session|counts) cannot be (stopped|taken out)'
done
check_equal 'what was caught is shown' "$(grep -c ^vfs_fallocate caught)" 6
check_match 'and summed up' "$(cat caught_err)" 'caught 6 .*hits 6 = recorded 6'
check_match 'a call under way is no fault of the counters' "$(cat decided_err)" \
	'[0-9]+ calls? had not returned yet: whether (it|they) would have been caught'
check_equal 'and is not asked to be reported' "$(grep 'do not add up' decided_err)" ''
check_equal 'such counters are not final' \
	"$(jq -c 'select(.scope == "session") | [.final, .in_flight > 0,
		.hits == .recorded + .filtered + .undecided + .missed + .lost + .in_flight]' decided | tail -n 1)" \
	'[false,true,true]'
events() { kcatch report "$1" --format json 2>"$1.err" | jq -s 'map(select(.function)) | length'; }
check_equal 'what was recorded is in the recording' "$(events rec)" 6
check_match 'which says that it did not end cleanly' "$(cat rec.err)" 'did not end cleanly'
check_equal 'what froze is written, with what was before' "$(events flight)" 6
check_equal 'what was counted before is in the table' "$(jq -s 'map(.count? // 0) | add' counted)" 5
check_match 'what top shows is marked' "$(grep 'in all' top | tail -n 1)" \
	' 5 in all, .*; a CPU takes no interrupts: not up to date$'
check_match 'and how much is not' "$(cat counted_err)" '1 calls are not in the table'
check_equal 'the function stays hooked until then' "$(cat left)" 1
check_match 'nothing is armed meanwhile' "$(cat armed_status) $(cat armed)" \
	'^1 kcatch: a CPU takes no interrupts or does not schedule, so nothing can be armed'
check_unhooked 'and when the CPU is back, nothing stays hooked'
check 'nor does the module stay' wait_for module_reload
