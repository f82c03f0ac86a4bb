# SPDX-License-Identifier: GPL-2.0-or-later
# Description: Debian's Prometheus scrapes kcatch metrics: promtool has nothing against the text
# format, OpenMetrics is read, a query answers what the test module counted, and the alert of
# share/fleet/ fires when keys find no room.
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

cat >rules.conf <<'END'
hammered kt_hammered
keys kt_hammered --by arg0 --series 2
chain_seconds kt_c --by comm --hist latency
END
kcatch metrics --rules rules.conf --listen 127.0.0.1:0 >out 2>err &
metrics=$!
wait_for grep -q '3 rules' err
port=$(sed -nE 's|.*http://127.0.0.1:([0-9]+)/metrics|\1|p' err)
cp "$KT_TOP/share/fleet/alerts.yml" .
sed "s/127.0.0.1:9733/127.0.0.1:$port/; s/: 15s/: 1s/" \
	"$KT_TOP/share/fleet/prometheus.yml" >prometheus.yml
prometheus --config.file=prometheus.yml --storage.tsdb.path="$PWD/tsdb" \
	--web.listen-address=127.0.0.1:9790 >prometheus.log 2>&1 &
server=$!
cleanup() { kill $metrics $server; }

# usage: ask QUERY - the value of the first answer
ask() {
	promtool query instant http://127.0.0.1:9790 "$1" 2>/dev/null |
		sed -nE '1s/.*=> ([^ ]+) @.*/\1/p'
}
is() { [ "$(ask "$1")" = "$2" ]; }
nothing_fires() { promtool query instant http://127.0.0.1:9790 ALERTS 2>/dev/null | grep -c firing; }

wait_for is 'up{job="kcatch"}' 1
check_equal 'Prometheus scrapes it' "$(ask 'up{job="kcatch"}')" 1
check_equal 'no alert at first' "$(nothing_fires)" 0
for _ in 1 2 3 4; do order 'process chain'; done
wait_for is 'chain_seconds_count{comm="bash"}' 4
check_equal 'a histogram: all calls' "$(ask 'chain_seconds_count{comm="bash"}')" 4
quantile='histogram_quantile(1, sum by (le) (chain_seconds_bucket)) > 0'
check 'a histogram: a quantile' [ -n "$(ask "$quantile")" ]
check 'the times when it was 0 are there' [ -n "$(ask 'chain_seconds_created{comm="bash"}')" ]
order 'hammer 1000'
total=$(module_value hammer.total)
wait_for is hammered_total "$total"
check_equal 'a query answers what the module counted' "$(ask hammered_total)" "$total"
check_equal 'the equation, by a query' "$(ask 'sum by (rule) (kcatch_hits_total{rule="keys"})
	- sum by (rule) (kcatch_counted_total + kcatch_overflowed_series_total
	+ kcatch_overflowed_table_total + kcatch_filtered_total + kcatch_over_budget_total
	+ kcatch_missed_total)')" 0
for _ in 1 2 3; do order 'hammer 100'; sleep 2; done
fires='ALERTS{alertname="KcatchIncomplete",rule="keys",alertstate="firing"}'
wait_for is "$fires" 1
check_equal 'the alert fires' "$(ask "$fires")" 1
exec 9<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /metrics HTTP/1.0\r\n\r\n' >&9
sed '1,/^\r$/d' <&9 >text
exec 9<&-
promtool check metrics <text >checked 2>&1
check_equal 'promtool check metrics: status 0' $? 0
check_equal 'promtool check metrics: silent' "$(cat checked)" ''
