# SPDX-License-Identifier: GPL-2.0-or-later
# Stands in for a system log: datagrams that come to /dev/log, one a line, to standard output.
import os
import socket

if os.path.lexists("/dev/log"):
    os.unlink("/dev/log")
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("/dev/log")
print("ready", flush=True)
while True:
    print(log.recv(8192).rstrip(b"\0\n").decode("utf8", "replace"), flush=True)
