# SPDX-License-Identifier: GPL-2.0-or-later
# usage: ask_recorder.py SOCKET <LINES - each line is a question of its own; prints the answers
import socket
import sys

for line in sys.stdin.buffer:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(60)
        peer.connect(sys.argv[1])
        peer.sendall(line)
        answer = b""
        while not answer.endswith(b"\n"):
            part = peer.recv(65536)
            if not part:
                break
            answer += part
    print(answer.decode("utf8", "replace").rstrip("\n") or "no answer", flush=True)
