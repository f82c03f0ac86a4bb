# SPDX-License-Identifier: GPL-2.0-or-later
# Description: memory runs out again and again while sessions begin, catch and end; each either
# works or says that memory is short.
. "$KT_TOP/tests/stress/support.bash"
cleanup() {
	traffic_end
	kill "$hog" 2>/dev/null
}

# Takes memory until little is left, gives it back, and begins anew; dies first of all.
cat >hog.py <<'END'
import mmap, time
while True:
    held = []
    try:
        for _ in range(100000):
            free = next(int(line.split()[1]) for line in open("/proc/meminfo")
                        if line.startswith("MemAvailable"))
            if free < 24 << 10:
                break
            memory = mmap.mmap(-1, 4 << 20)
            for page in range(0, 4 << 20, 4096):
                memory[page] = 1
            held.append(memory)
        time.sleep(0.3)
    except (MemoryError, OSError):
        pass
    held = None
END
hog_begin() {
	python3 hog.py &
	hog=$!
	echo 1000 >/proc/$hog/oom_score_adj
}

nr=$(rounds 200)
worked=0 short=0 odd=
# Not the ones that look on.
echo -500 | tee /proc/$$/oom_score_adj >/proc/$PPID/oom_score_adj
traffic_begin
hog_begin
for ((round = 1; round <= nr; round++)); do
	kill -0 "$hog" 2>/dev/null || hog_begin
	# shellcheck disable=SC2046 # a word or none
	timeout 200 kcatch --json -n 20 -t 60 --size $((1 << round % 6))M vfs_read ksys_write \
		$( ((round % 2)) && echo --entry) >out 2>err
	status=$?
	if ended_well $status && [ ! "$(equation out)" ]; then
		worked=$((worked + 1))
	elif grep -qi 'memory' err; then
		short=$((short + 1))
	else
		odd="$odd $status:$(tail -n 1 err)"
	fi
	progress "sessions ($short short of memory)" $round "$nr"
done
kill "$hog"
wait "$hog" 2>/dev/null
check_equal "$nr sessions: $worked worked, $short were told that memory is short" "$odd" ''
check 'some worked' [ $worked -gt 0 ]
traffic_end
check_nothing_left
