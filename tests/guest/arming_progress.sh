# SPDX-License-Identifier: GPL-2.0-or-later
# Description: on a terminal, arming that takes more than a second says so and how far it is, in one
# line, which is gone when all is armed. Elsewhere nothing is said.
# Gate: newest
. "$KT_TOP/tests/guest/support/lib.bash"
stalls_are_expected

timeout 300 kcatch '*' -n 0 -t 0.01 -p 1 --entry --no-stack >out 2>err
check_match 'no terminal: the first that is said is the usual' "$(cat err)" '^kcatch: waiting for '
check_no_match 'no terminal: nothing is said of arming' "$(cat err)" arming

cat >terminal.py <<'END'
import os, pty, re, subprocess
terminal, its = pty.openpty()
kcatch = subprocess.Popen(["kcatch", "*", "-n", "0", "-t", "0.01", "-p", "1", "--entry",
                           "--no-stack", "--no-args"], stdout=subprocess.DEVNULL, stderr=its)
os.close(its)
said = b""
try:
    while part := os.read(terminal, 4096):
        said += part
except OSError:
    pass
kcatch.wait()
for line in said.decode().split("\r"):
    print(re.sub(r"\d+", "N", line.strip("\n").replace("\x1b[K", "<clear>")))
END
timeout 300 python3 terminal.py >lines 2>err
check_match 'a terminal: a line that says how long' "$(head -n 2 lines)" \
	$'^\n?<clear>kcatch: arming, N s: '
check_match 'a terminal: it is gone before what follows' "$(grep -m 1 'waiting for' lines)" \
	'^<clear>kcatch: waiting for '

kcatch vfs_read -n 0 -t 0.01 >out 2>err
check_no_match 'a function that is named: nothing is said' "$(cat err)" arming
