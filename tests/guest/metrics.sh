# SPDX-License-Identifier: GPL-2.0-or-later
# Description: kcatch metrics serves what rules count, exactly and in both formats; prints all
# errors of all rules with their places and arms nothing then; reads rules again without a gap;
# writes a file by rename, also after a full disk; limits series; serves no address; stands 50 rules
# and a busy scraper; listens on loopback alone, and without TLS, unless it is asked for more.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module

# usage: scrape [ACCEPT] - the answer to GET /metrics, with its headers
scrape() {
	exec 9<>"/dev/tcp/127.0.0.1/$port" || return
	printf 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: %s\r\n\r\n' \
		"${1-*/*}" >&9
	cat <&9
	exec 9<&-
}

# usage: begin ARGUMENT... - kcatch metrics, and its port
begin() {
	rm -f err
	kcatch metrics "$@" >out 2>err &
	metrics=$!
	wait_for grep -q '[0-9] rules$' err || cat err
	port=$(sed -nE 's|.*http://127.0.0.1:([0-9]+)/metrics|\1|p' err)
}

end() {
	kill -TERM $metrics
	wait $metrics
}

# usage: value SAMPLE - its number in the file answer
value() {
	grep -F -- "$1 " answer | sed '/^#/d; s/.* //'
}

# ---- errors ------------------------------------------------------------------------------------

mkdir bad
cat >bad/10-words.conf <<'END'
# all of these are wrong, but for one
9x vfs_read
good vfs_read
  reads_total vfs_read
reads_ms vfs_read --hist latency
reads vfs_read --hist latency
reads vfs_read --by 'comm
reads vfs_read --by comm,stack
reads vfs_read --buy comm
reads vfs_read 'ret > 0' 'ret < 0'
reads
END
printf 'good vfs_write\n' >bad/20-again.conf
printf 'reads vfs_read\1\n' >bad/30-control.conf
printf 'not read' >bad/README
kcatch metrics --rules bad --check >out 2>err
check_equal 'errors: status 1' $? 1
check_equal 'errors: each with its place' \
	"$(sed -nE 's/^kcatch: (bad[^ ]*:[0-9]+:[0-9]+): .*/\1/p' err | tr '\n' ' ')" \
	"bad/10-words.conf:2:1 bad/10-words.conf:4:3 bad/10-words.conf:5:1 bad/10-words.conf:6:1 \
bad/10-words.conf:7:21 bad/10-words.conf:8:21 bad/10-words.conf:9:16 bad/10-words.conf:10:26 \
bad/10-words.conf:11:1 bad/20-again.conf:1:1 bad/30-control.conf:1:15 "
printf '%s\n' 'a vfs_raed' 'b vfs_read "nosuch > 1"' 'c vfs_read --by comm,nosuch' \
	'd vfs_read --hist "ret +"' 'e vfs_read' >armed.conf
kcatch metrics --rules armed.conf --check >out 2>err
check_equal 'rules that cannot be armed: status 1' $? 1
check_equal 'rules that cannot be armed: the word at fault' \
	"$(sed -nE 's/^kcatch: armed.conf:([0-9]+:[0-9]+): .*/\1/p' err | tr '\n' ' ')" \
	'1:3 2:12 3:17 4:19 '
check_match 'rules that cannot be armed: advice' "$(cat err)" 'did you mean vfs_read'
printf '%s\n' '9x vfs_read' 'a vfs_raed' 'b vfs_read --buy comm' 'c vfs_read --by nosuch' >both.conf
kcatch metrics --rules both.conf --check >out 2>err
check_equal 'rules that are written wrong, and others that cannot be armed: status 1' $? 1
check_equal 'rules that are written wrong, and others that cannot be armed: --check tells all' \
	"$(sed -nE 's/^kcatch: both.conf:([0-9]+:[0-9]+): .*/\1/p' err | tr '\n' ' ')" \
	'1:1 3:12 2:3 4:17 '
check_unhooked 'rules that cannot be armed: nothing is hooked'
kcatch metrics --rules missing >out 2>err
check_equal 'no rules: status 1' $? 1
check_match 'no rules: says so' "$(cat err)" 'missing: No such file'
printf 'e vfs_read\n' >rules
kcatch metrics --rules rules --listen localhost:1 >out 2>err
check_match 'an address in letters: says what to give' "$(cat err)" '127.0.0.1:9733'

# ---- exact -------------------------------------------------------------------------------------

mkdir rules.d
cat >rules.d/kcatch.conf <<'END'
hammered kt_hammered --by comm
chain kt_c --by comm,caller
chain_seconds kt_c --by comm --hist latency	# how long
few kt_hammered --by arg0 --series 3
END
begin --rules rules.d --listen 127.0.0.1:0
order 'hammer 1000'
for _ in 1 2 3 4 5; do order 'process chain'; done
total=$(module_value hammer.total)
scrape >answer
check_match 'text: its type' "$(cat answer)" 'Content-Type: text/plain; version=0.0.4'
check_equal 'text: every call of the module' \
	"$(sed -nE 's/^hammered_total\{.*\} //p' answer | awk '{ sum += $1 } END { print sum }')" "$total"
check_equal 'text: a caller is a label' \
	"$(value 'chain_total{comm="bash",caller="kt_b [kcatch_test]"}')" 5
check_equal 'a histogram: all calls' "$(value 'chain_seconds_bucket{comm="bash",le="+Inf"}')" 5
check_equal 'a histogram: its count' "$(value 'chain_seconds_count{comm="bash"}')" 5
sed -nE 's/^chain_seconds_bucket.* //p' answer >buckets
check 'a histogram: never falls' sort -nc buckets
check_equal 'the limit of series' "$(value 'kcatch_series{rule="few"}')" 3
check 'keys beyond it are counted' \
	[ "$(value 'kcatch_overflowed_series_total{rule="few"}')" -gt 0 ]
check_equal 'keys beyond it are counted as such' \
	"$(value 'few_total{arg0="(other)"}')" "$(value 'kcatch_overflowed_series_total{rule="few"}')"
# usage: terms RULE - the sum of what became of its hits
terms() {
	local sum=0 term

	for term in counted overflowed_series overflowed_table filtered over_budget undecided \
		missed; do
		sum=$((sum + $(value "kcatch_${term}_total{rule=\"$1\"}")))
	done
	echo $sum
}
for rule in hammered chain chain_seconds few; do
	[ "$rule" != few ] || [ "$(value 'kcatch_overflowed_table_total{rule="few"}')" -eq 0 ] ||
		echo "# the table overflowed"
	check_equal "$rule: the equation" "$(terms $rule)" \
		"$(value "kcatch_hits_total{rule=\"$rule\"}")"
done
scrape 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' >open
check_match 'OpenMetrics: its type' "$(cat open)" 'Content-Type: application/openmetrics-text; version=1.0.0'
check_equal 'OpenMetrics: ends as it must' "$(tail -n 1 open)" '# EOF'
check_match 'OpenMetrics: a counter, its unit, when it was 0' "$(cat open)" \
	'# TYPE hammered counter.*hammered_total.*hammered_created.*# UNIT chain_seconds seconds'

# ---- reading again -----------------------------------------------------------------------------

(while :; do echo 'process chain'; done >$orders) 2>/dev/null &
noise=$!
created=$(sed -nE 's/^kcatch_hits_created\{rule="chain"\} //p' open)
sed -i 's/^hammered .*/hammered kt_hammered/' rules.d/kcatch.conf
cat >>rules.d/kcatch.conf <<'END'
more kt_c "cpu < 4096 && cpu != '\n'" --series 50
END
kill -HUP $metrics
wait_for grep -q '5 rules' err
kill $noise
wait $noise 2>/dev/null
order 'process chain'
sleep 0.2	# what is read is at most 0.1 s old
scrape 'application/openmetrics-text' >answer
check_equal 'a rule that has not changed goes on' \
	"$(value 'kcatch_hits_created{rule="chain"}')" "$created"
check_equal 'a rule that has changed begins anew' "$(value hammered_total)" 0
check 'a rule that is new counts' [ "$(value more_total)" -gt 0 ]
check 'HELP is the command, as a shell takes it' grep -qxF \
	"# HELP more kcatch count kt_c 'cpu < 4096 && cpu != '\\\\''\\\\n'\\\\'''" answer
order 'process chain'
before=$(value 'chain_total{comm="bash",caller="kt_b [kcatch_test]"}')
sleep 0.2
scrape >answer
check_equal 'no call is missed' \
	"$(value 'chain_total{comm="bash",caller="kt_b [kcatch_test]"}')" $((before + 1))
echo "quoted kt_c --description 'x kt_b'" >>rules.d/kcatch.conf
kill -HUP $metrics
wait_for grep -q '6 rules' err
sed -i "s/'x kt_b'/x kt_b/" rules.d/kcatch.conf
kill -HUP $metrics
wait_for eval '[ "$(grep -c "6 rules" err)" -eq 2 ]'
scrape >answer
check_match 'without its quotes a rule is another' "$(cat answer)" '# HELP quoted_total x
'
sed -i '/^quoted/d' rules.d/kcatch.conf
echo 'wrong' >>rules.d/kcatch.conf
kill -HUP $metrics
wait_for grep -q 'stay as they are' err
scrape >answer
check_equal 'an error: the old rules stay' "$(value 'kcatch_series{rule="more"}')" 1
check_equal 'an error: and it is told' "$(value kcatch_reload_success)" 0
end
check_equal 'ended by a signal: status 0' $? 0
check_unhooked 'ended: nothing is hooked'

echo "patterns 'vfs_*' --by count" >patterns.conf
kcatch metrics --rules patterns.conf --check >out 2>err
check_equal 'a key that does not apply to all: no error' $? 0
check_match 'a key that does not apply to all: said, with its place' "$(cat err)" \
	'patterns.conf:1:10: [1-9][0-9]* that match are left out'

# ---- who scrapes is not root ---------------------------------------------------------------------

echo 'pages free_pages --by addr' >pages	# an unsigned long
begin --rules pages --listen 127.0.0.1:0
page_was_freed() {
	cat /proc/self/cmdline >/dev/null
	scrape >answer
	grep -q '^pages_total' answer
}
wait_for page_was_freed
check_match 'a number that may be an address: hidden' "$(cat answer)" \
	'
pages_total[{]addr="[(]address[)]"[}] [1-9]'
check_equal 'none is served' "$(grep -cE 'addr="[0-9]{10,}"' answer)" 0
check_equal 'and all are one series' "$(grep -c '^pages_total.*(address)' answer)" 1
end

echo 'owners mutex_unlock --by lock->owner.counter' >pages	# a pointer in a signed number
begin --rules pages --listen 127.0.0.1:0
mutex_was_unlocked() {
	echo | cat >/dev/null
	scrape >answer
	grep -q '^owners_total' answer
}
wait_for mutex_was_unlocked
check_match 'a signed number that may be an address: hidden' "$(cat answer)" \
	'
owners_total[{]lock_owner_counter="[(]address[)]"[}] [1-9]'
check_equal 'no negative one is served' "$(grep -cE '="-[0-9]{10,}"' answer)" 0
end

# A key that is a pointer in one function, and in the other signed.
open_file=$(either do_filp_open do_file_open)
echo "mixed $open_file vfs_read --by function,ret" >pages
begin --rules pages --listen 127.0.0.1:0
file_was_opened() {
	cat /proc/self/cmdline nosuch >/dev/null 2>&1
	scrape >answer
	grep -q "^mixed_total.*$open_file" answer
}
wait_for file_was_opened
check_match 'a number or an address: the address is hidden' "$(cat answer)" \
	"mixed_total[{]function=\"$open_file\",ret=\"[(]address[)]\"[}] [1-9]"
check_match 'a number or an address: an error is shown' "$(cat answer)" \
	"function=\"$open_file\",ret=\"-2\"[}] [1-9]"
check_match 'a number or an address: a number is shown' "$(cat answer)" \
	'function="vfs_read",ret="[0-9]+"[}] [1-9]'
check_equal 'a number or an address: no address is a number' \
	"$(grep -cE 'ret="-?[0-9]{12,}"' answer)" 0
end

# ---- a module that goes and comes ----------------------------------------------------------------

printf '%s\n' 'moving kcatch_test:kt_c --by comm' 'staying vfs_read kcatch_test:kt_b' >moving
# usage: has_moved NUMBER
has_moved() {
	scrape >answer
	[ "$(value 'moving_total{comm="bash"}')" = "$1" ]
}
begin --rules moving --listen 127.0.0.1:0
order 'process chain'
wait_for has_moved 1
rmmod kcatch_test
wait_for grep -q 'moving:2:9: 1 of 2 have gone with their module' err
has_moved 1
check_equal 'a module goes: what was counted stays, and what has gone is told' \
	"$(value 'moving_total{comm="bash"}') $(value 'kcatch_gone{rule="moving"}') \
$(value 'kcatch_gone{rule="staying"}')" '1 1 1'
before=$(value staying_total)
insmod "$KT_TEST_MODULE"
wait_for eval '[ "$(grep -c "modules were loaded: [12] are counted now" err)" -eq 2 ]'
order 'process chain'
wait_for has_moved 2
check_equal 'the module comes again: so does what was counted' \
	"$(value 'kcatch_gone{rule="moving"}') $(value 'kcatch_gone{rule="staying"}')" '0 0'
check 'and the series of other functions go on' [ "$(value staying_total)" -gt "$before" ]
for rule in moving staying; do
	check_equal "$rule: the equation over both sessions" "$(terms $rule)" \
		"$(value "kcatch_hits_total{rule=\"$rule\"}")"
done
check_equal 'and there was no error' "$(value kcatch_errors_total)" 0
end

# A rule on a pattern: two modules go, and come again one after the other.
insmod "$KT_MODULES/kcatch_leaver/kcatch_leaver.ko"
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
echo 'pattern set_order*' >pattern
begin --rules pattern --listen 127.0.0.1:0
# usage: gone_are NUMBER
gone_are() {
	scrape >answer
	[ "$(value 'kcatch_gone{rule="pattern"}')" = "$1" ]
}
# usage: pattern_counts NUMBER
pattern_counts() {
	scrape >answer
	[ "$(value pattern_total)" = "$1" ]
}
echo 1 >/sys/module/kcatch_leaver/parameters/order
echo pair >/sys/module/kcatch_trace/parameters/order
wait_for pattern_counts 2
rmmod kcatch_leaver kcatch_trace
wait_for gone_are 2
check_equal 'two modules of a pattern go' "$(value 'kcatch_gone{rule="pattern"}')" 2
insmod "$KT_MODULES/kcatch_leaver/kcatch_leaver.ko"
wait_for grep -q 'modules were loaded: 1 of 2 are counted now' err
wait_for gone_are 1
check_equal 'one of them is back: the other has gone' "$(value 'kcatch_gone{rule="pattern"}')" 1
insmod "$KT_MODULES/kcatch_trace/kcatch_trace.ko"
wait_for gone_are 0
check_equal 'both are back: nothing has gone' "$(value 'kcatch_gone{rule="pattern"}')" 0
echo pair >/sys/module/kcatch_trace/parameters/order
wait_for pattern_counts 3
check_equal 'and what came last is counted' "$(value pattern_total)" 3
end
rmmod kcatch_leaver kcatch_trace

# Rules in use stay where they are while the file is refused.
printf 'where kcatch_test:kt_c\n' >where
begin --rules where --listen 127.0.0.1:0
printf '# a comment\n# another\nwhere kcatch_test:kt_c\nbad nosuch_function_at_all\n' >where
kill -HUP $metrics
wait_for grep -q 'stay as they are' err
rmmod kcatch_test
wait_for grep -q 'have gone with their module' err
check_match 'a refused file moves no rule' "$(grep 'have gone' err)" 'where:1:[0-9]+: 1 of 1 have gone'
insmod "$KT_TEST_MODULE"
end

# ---- a file ------------------------------------------------------------------------------------

mkdir readable
umask 077
begin --rules rules --textfile readable/kcatch.prom -d 0.2
wait_for test -e readable/kcatch.prom
chmod 644 readable/kcatch.prom
# usage: is_replaced INODE
is_replaced() {
	[ "$(stat -c %i readable/kcatch.prom)" != "$1" ]
}
chgrp 12345 readable/kcatch.prom
wait_for is_replaced "$(stat -c %i readable/kcatch.prom)"
check_equal 'a file: who may read it stays who may read it' \
	"$(stat -c '%a %g' readable/kcatch.prom)" '644 12345'
umask 022
end


mkdir disk
mount -t tmpfs -o size=64k none disk
begin --rules rules --textfile disk/kcatch.prom -d 0.2
wait_for test -e disk/kcatch.prom
check_match 'a file: the metrics' "$(cat disk/kcatch.prom)" '# TYPE e_total counter.*e_total [0-9]'
check_equal 'a file: nothing is served' "$port" ''
# Again and again: the room of a file that is just being replaced comes free behind the first.
fills_disk() {
	head -c 64K /dev/zero >>disk/full 2>/dev/null
	grep -q 'No space left' err
}
wait_for fills_disk
check_match 'a full disk: the old file stays whole' "$(tail -n 1 disk/kcatch.prom)" \
	kcatch_build_info
rm disk/full
wait_for grep -q 'written again' err
check_equal 'a full disk: said once' "$(grep -c 'No space left' err)" 1
check_match 'a full disk: and counted' "$(cat disk/kcatch.prom)" 'kcatch_errors_total [1-9]'
end
check_equal 'a file: nothing else is left' "$(ls disk)" kcatch.prom
umount disk

# The file takes the place of what is there.
ln -s none link
for target in /dev/null "$PWD" link; do
	before=$(stat -c '%F %i' "$target")
	kcatch metrics --rules rules --textfile "$target" >out 2>err
	check_equal "no file, $target: status 1" $? 1
	check_match "no file, $target: says so" "$(cat err)" 'no regular file'
	check_equal "no file, $target: stays as it is" "$(stat -c '%F %i' "$target")" "$before"
done

# ---- many --------------------------------------------------------------------------------------

for i in {1..50}; do echo "rule_$i vfs_write 'count > $i' --by comm,ret"; done >fifty
begin --rules fifty --listen 127.0.0.1:0
order 'hammer 1000'
for _ in {1..30}; do scrape | tail -n 1; sleep 0.1; done >answers
check_equal '50 rules, a scraper every 100 ms: each answer is whole' \
	"$(grep -c kcatch_build_info answers)" 30
scrape >answer
check_equal '50 rules: no error' "$(value kcatch_errors_total)" 0
rss=$(awk '/^VmRSS/ { print $2 }' /proc/$metrics/status)
echo "# $rss KB"
# 10 MB with five rules: the kernel's types, some 7 MB, are there once and not once for each.
check '50 rules: the memory of few' test "$rss" -lt 90000
exec 8<>"/dev/tcp/127.0.0.1/$port"	# one that never asks
(printf 'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc' >&8)
check_match 'another method: refused' "$(head -n 1 <&8)" ' 405 '
exec 8<&-
end

# ---- addresses and encryption ------------------------------------------------------------------

# usage: listens_at - local addresses of the sockets on which kcatch listens, as the kernel has them
listens_at() {
	awk -v port="$(printf %04X "$port")" '$4 == "0A" && $2 ~ ":" port "$" { print $2 }' \
		/proc/net/tcp /proc/net/tcp6 | sed 's/:.*//'
}

rm -f err
kcatch metrics --rules rules >out 2>err &
metrics=$!
wait_for grep -q '[0-9] rules$' err
port=9733
check_equal 'nothing asked for: loopback alone' "$(listens_at)" 0100007F
check_equal 'nothing asked for: no advice' "$(grep -c 'whoever' err)" 0
end
begin --rules rules --listen 0.0.0.0:0
check_match 'another address: says who can read it' "$(cat err)" 'whoever reaches .* not encrypted'
end

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
	-subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null ||
	skip 'TLS' 'no openssl'
if [ -s cert.pem ]; then
	tls=(kcatch metrics --rules rules --listen 127.0.0.1:0 --tls-cert cert.pem)
	"${tls[@]}" >out 2>err
	check_match 'a certificate without a key: refused' "$(cat err)" 'give both'
	"${tls[@]}" --tls-key rules >out 2>err
	check_equal 'a key that is none: status 1' $? 1
	check_match 'a key that is none: says so' "$(cat err)" "--tls-key 'rules': .*no PEM"
	"${tls[@]}" --tls-key gone >out 2>err
	check_match 'a key that is not there: says so' "$(cat err)" "--tls-key 'gone': No such file"
	rm -f err
	"${tls[@]}" --tls-key key.pem >out 2>err &
	metrics=$!
	wait_for grep -q '[0-9] rules$' err
	port=$(sed -nE 's|.*https://127.0.0.1:([0-9]+)/metrics|\1|p' err)
	printf 'GET /metrics HTTP/1.0\r\n\r\n' |
		timeout 60 openssl s_client -quiet -verify_return_error -CAfile cert.pem \
			-connect "127.0.0.1:$port" >answer 2>/dev/null
	check_match 'TLS: the metrics' "$(cat answer)" 'kcatch_build_info'
	# Who is hung up on while it still writes is ended by SIGPIPE: not this shell.
	(scrape) >answer 2>/dev/null
	check_equal 'TLS: nothing in plain text' "$(grep -c kcatch_build_info answer)" 0
	end
fi
