# SPDX-License-Identifier: GPL-2.0-or-later
# Description: debugfs ktrace/: events are switched by echo, listed in info, read by the
# sample reader; they come and go with modules; what was overwritten is counted exactly.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

ktrace=/sys/kernel/debug/ktrace
size=/sys/module/kcatch/parameters/ktrace_size
reader=$KT_TOP/build/tests/samples/ktrace_reader

cleanup() {
	exec 5<&-
	[ ! -e $ktrace/enabled ] || echo 0 >$ktrace/enabled
	rmmod kcatch_trace
	rmmod ktrace_sample
}

order_trace() {
	echo "$1" >/sys/module/kcatch_trace/parameters/order
}

state() {	# EVENT
	sed -n "s/^name '$1' .* //p" $ktrace/info
}

[ -d $ktrace ] || skip_all 'there is no debugfs'
check_match 'info begins with the version' "$(head -n 1 $ktrace/info)" '^version [0-9]'
check_equal 'nothing is enabled' "$(cat $ktrace/enabled)" 0
insmod "$KT_MODULES/ktrace/ktrace_sample.ko"
check 'the events of a module have files' [ -e $ktrace/events/sample_said ]
check_match 'and lines in info' "$(grep sample_said $ktrace/info)" \
	"^name 'sample_said' format 'count=%d length=%zu text=%s' id [0-9]+ disabled$"
check_equal 'only root may use them' "$(stat -c %a $ktrace/events/sample_said $ktrace/info \
	$ktrace/buffers/cpu0 $ktrace/enabled $ktrace/reset | tr '\n' ' ')" '600 400 600 600 200 '

echo 1 >$ktrace/events/sample_said
check_equal 'one is switched on' \
	"$(state sample_said) $(state sample_tick) $(cat $ktrace/events/sample_said)" \
	'enabled disabled 1'
check_equal 'enabled says: some' "$(cat $ktrace/enabled)" X
printf 'hello' >/sys/module/ktrace_sample/parameters/say
check_match 'the reader decodes it by info' "$($reader)" 'sample_said count=1 length=5 text=hello$'
printf '\033[31mb' >/sys/module/ktrace_sample/parameters/say
check_match 'what a terminal obeys is escaped' "$($reader)" 'text=\\x1b\[31mb$'
check_equal 'what was read is read' "$($reader)" ''
echo 0 >$ktrace/events/sample_said
printf 'hello' >/sys/module/ktrace_sample/parameters/say
check_equal 'switched off it is silent' "$($reader)" ''

# All are switched on, or none: one of them needs ftrace.
if sysctl -q kernel.ftrace_enabled=0 2>/dev/null; then
	(echo 1 >$ktrace/enabled) 2>/dev/null
	check_equal 'where one cannot be switched on, none is' "$? $(cat $ktrace/enabled)" '1 0'
	insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
	check_equal 'nor one that comes' "$(state kt_kinds)" disabled
	rmmod kcatch_trace
	sysctl -q kernel.ftrace_enabled=1
fi

echo 1 >$ktrace/enabled
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
check_equal 'an event that comes while all are enabled is enabled' "$(state kt_kinds)" enabled
check_match 'from its init function on' "$($reader)" 'kt_loaded by=kcatch_trace'
order_trace kinds
out=$($reader)
check_match 'integers of all sizes' "$out" \
	'kt_kinds i8=-8 u8=200 i16=-1600 u16=61600 i32=-320000 u32=4000000000 i64=-64000000000 u64=18446744073709551000'
check_match 'texts between integers' "$out" 'kt_mixed a=an array b=7 c=const d=-1'

# Numbers of events stay theirs.
number=$(sed -n "s/^name 'kt_pair' .* id \([0-9]*\) .*/\1/p" $ktrace/info)
echo 0 >$ktrace/events/kt_pair
echo 1 >$ktrace/events/kt_pair
order_trace pair
check_match 'switched off and on, it is still itself' "$($reader)" 'kt_pair a=[0-9]+ b=[0-9]+'
rmmod kcatch_trace
check 'its files go with the module' [ ! -e $ktrace/events/kt_kinds ]
check_equal 'and its lines' "$(state kt_kinds)" ''
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
check_equal 'it has its number again' \
	"$(sed -n "s/^name 'kt_pair' .* id \([0-9]*\) .*/\1/p" $ktrace/info)" "$number"
check_equal 'and is on again' "$(state kt_pair)" enabled

# Overflow.
echo 65536 2>/dev/null >$size
check_equal 'no new size while events are enabled' "$(cat $size)" 1048576
echo 0 >$ktrace/enabled
echo 1000 2>/dev/null >$size
check_equal 'no size that is too small' "$(cat $size)" 1048576
echo 60000 >$size
check_equal 'a new size, rounded up' "$(cat $size)" 65536
echo 1 >$ktrace/events/kt_count
check_equal 'nothing is lost yet' "$(cat $ktrace/overflow)" 0
before=$(cat /sys/module/kcatch_trace/parameters/emitted)
order_trace 'count 20000'
emitted=$(($(cat /sys/module/kcatch_trace/parameters/emitted) - before))
overflow=$(cat $ktrace/overflow)
check 'a small buffer overflows' [ "$overflow" -gt 0 ]
check_equal 'read and lost are all there were' $(($($reader | wc -l) + overflow)) $emitted
check_equal 'reading loses nothing' "$(cat $ktrace/overflow)" "$overflow"
order_trace 'count 100'
echo 1 >$ktrace/reset
check_equal 'reset: nothing is lost' "$(cat $ktrace/overflow)" 0
check_equal 'reset: nothing is there' "$($reader)" ''
cat $ktrace/buffers/cpu0 >buffer
check_equal 'cat ends at the end' "$?" 0

# Resets while events arrive, of which a buffer has room for all.
echo 0 >$ktrace/enabled
echo 8388608 >$size
echo 1 >$ktrace/events/kt_count
lost=0
for i in {1..100}; do order_trace 'count 1000'; done &
load=$!
while kill -0 $load 2>/dev/null; do
	echo 1 >$ktrace/reset
	lost=$((lost + $(<$ktrace/overflow)))
done
wait $load
check_equal 'resets while events arrive: none is lost' "$lost" 0
echo 0 >$ktrace/enabled
echo 65536 >$size

exec 5<$ktrace/buffers/cpu0
echo 131072 2>/dev/null >$size
check_equal 'no new size while a buffer is open' "$(cat $size)" 65536
rmmod kcatch_trace
rmmod ktrace_sample
rmmod kcatch 2>/dev/null
check_equal 'no unloading while a buffer is open' $? 1
exec 5<&-
echo 1048576 >$size
check_equal 'closed, it has a new size' "$(cat $size)" 1048576
echo nonsense 2>/dev/null >$ktrace/enabled
# shellcheck disable=SC2320 # what echo could not write
check_equal 'what is no switch is refused' $? 1
