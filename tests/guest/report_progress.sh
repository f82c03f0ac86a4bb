# SPDX-License-Identifier: GPL-2.0-or-later
# Description: a report that goes elsewhere than to the terminal says there how far it is, in one
# line, which is gone at the end; and says nothing to what is no terminal.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"
test_module
record_begin -o rec --stack --size 16M -f kt_hammered
order 'hammer 5000'
kill -INT "$recorder"
record_end
check_equal 'a recording' "$status" 0

# The report ends when all of it is read, and here that waits until it has said how far it is.
cat >terminal.py <<'END'
import os
import pty
import re
import select
import subprocess
import time

terminal, its = pty.openpty()
report = subprocess.Popen(["kcatch", "report", "rec"], stdout=subprocess.PIPE, stderr=its)
os.close(its)
said, size, end = b"", 0, time.monotonic() + 300
while True:
    files = select.select([terminal, report.stdout], [], [])[0]
    if terminal in files:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
    elif report.stdout in files:
        size += len(os.read(report.stdout.fileno(), 65536))
        if b"events" not in said and time.monotonic() < end:
            time.sleep(0.05)
lines = [line for line in said.decode().split("\r") if line]
size += len(report.stdout.read())	# what is left where the terminal is closed first
print("status", report.wait())
print("size", size)
for line in lines:
    print(re.sub(r"\x1b\[K", "<end>", line))
END
python3 terminal.py >said || exit 1
events=$(kcatch report rec --format json | grep -c '^{"function"')
check_match 'how far it is' "$(cat said)" \
	'kcatch: +[0-9]{1,3} %, [0-9]+ events, [0-9]+ s<end>'
whole='^kcatch: +(100|[0-9]{1,2}) %, [0-9]+ events, [0-9]+ s<end>$'
check_equal 'no other form of it' "$(grep 'events, ' said | grep -vE "$whole")" ''
check_equal 'never more than there are, and never less than before' "$(awk -v all="$events" '
	/ events, / { if ($4 < last || $4 > all) print; last = $4 }' said)" ''
check_match 'the line is gone at the end' "$(grep -A 1 ' events, ' said | tail -n 1)" '^<end>'
check_match 'and the report is whole' "$(cat said)" 'status 0'
kcatch report rec >text 2>err
check_no_match 'to a file nothing is said' "$(cat err)" ' events, '
check_equal 'the same report' "$(sed -n 's/^size //p' said)" "$(stat -c %s text)"
