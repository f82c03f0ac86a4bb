# SPDX-License-Identifier: GPL-2.0-or-later
# Description: the rules of example.conf, which the package installs, count what they say.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"

kcatch metrics --rules "$KT_TOP/system/metrics.d/example.conf" --textfile metrics.prom -d 0.2 \
	2>err &
metrics=$!
wait_for grep -q '[0-9] rules$' err || cat err

for _ in 1 2 3; do cat missing_file 2>/dev/null; done
# Of cat, so that other programs do not matter.
sample='^open_errors_total\{comm="cat",ret="-2"\} [0-9]+'
check 'opens that fail, by program and error' wait_for grep -qE "$sample" metrics.prom
dd if=/dev/zero of=file count=1 conv=fsync 2>/dev/null
check 'fsync, by program' wait_for grep -q '^fsync_seconds_count{comm="dd"} [1-9]' metrics.prom
check 'programs that began' wait_for grep -q '^process_execs_total [1-9]' metrics.prom
check 'processes that ended' wait_for grep -q '^process_exits_total [1-9]' metrics.prom
kill -TERM $metrics
wait $metrics
check_equal 'a signal: status 0' $? 0
