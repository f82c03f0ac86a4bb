# SPDX-License-Identifier: GPL-2.0-or-later
"""fuse_server.py MOUNT [stop|self] - a FUSE server by the bare protocol, which never answers
a READ. It serves one file, `file` of 64 KB. Prints "ready" when its mount is there.

stop: it stops itself (SIGSTOP) then. self: it looks at a file of its own mount then.
"""
import os
import signal
import struct
import subprocess
import sys

LOOKUP, GETATTR, OPEN, READ, RELEASE, INIT, FORGET, INTERRUPT = 1, 3, 14, 15, 18, 26, 2, 36
SIZE = 65536


def attributes(inode):
    mode = 0o40755 if inode == 1 else 0o100644
    return struct.pack("<6Q10I", inode, 0 if inode == 1 else SIZE, 0, 0, 0, 0, 0, 0, 0, mode, 1,
                       0, 0, 0, 4096, 0)


def answer(operation, node, data):
    """What to answer; None: nothing, an int: this error."""
    if operation == INIT:
        # Read-ahead on: who reads waits for a page, not for the answer.
        return struct.pack("<4IHHII", 7, 31, 65536, 1, 0, 0, 4096, 0) + bytes(36)
    if operation == GETATTR:
        return struct.pack("<QII", 3600, 0, 0) + attributes(node)
    if operation == LOOKUP:
        if data.rstrip(b"\0") != b"file":
            return -2
        return struct.pack("<4QII", 2, 0, 3600, 3600, 0, 0) + attributes(2)
    if operation == OPEN:
        return struct.pack("<QII", 0, 0, 0)
    if operation in (READ, FORGET, INTERRUPT):
        return None
    return b"" if operation == RELEASE else -38


def serve(device):
    request = os.read(device, 1 << 17)
    length, operation, unique, node = struct.unpack_from("<IIQQ", request)
    reply = answer(operation, node, request[40:length])
    if reply is None:
        return
    error = reply if isinstance(reply, int) else 0
    reply = b"" if error else reply
    os.write(device, struct.pack("<IiQ", 16 + len(reply), error, unique) + reply)


def main():
    mount, what = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with open("/proc/self/comm", "w", encoding="ascii") as comm:
        comm.write("kt_server")
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0"
    subprocess.run(["mount", "-i", "-t", "fuse", "-o", options, "kt", mount], pass_fds=[device],
                   check=True)
    serve(device)
    print("ready", flush=True)
    if what == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    if what == "self":
        os.stat(mount + "/file")
    while True:
        serve(device)


main()
