# SPDX-License-Identifier: GPL-2.0-or-later
"""fuse_server.py MOUNT [stop|self|PROGRAM] - a FUSE server by the bare protocol, which never answers
a READ of `file`, of 64 KB, which has a second name of 200 letters f. Prints "ready" when its mount
is there.

stop: it stops itself (SIGSTOP) then. self: it looks at a file of its own mount then.
PROGRAM: it also serves `program`, a copy of that file, until it gets SIGUSR1; then it never answers
an OPEN or READ of that, either.
"""
import os
import signal
import struct
import subprocess
import sys

LOOKUP, GETATTR, OPEN, READ, RELEASE, INIT, FORGET, INTERRUPT = 1, 3, 14, 15, 18, 26, 2, 36
DIRECTORY, FILE, PROGRAM = 1, 2, 3
KEEP_CACHE = 2  # in the answer to OPEN: else that waits for pages that are being read
SIZE = 65536
inodes = {b"file": FILE, b"f" * 200: FILE}
program = b""
program_is_served = True


def attributes(inode):
    mode = 0o40755 if inode == DIRECTORY else 0o100755
    size = {DIRECTORY: 0, FILE: SIZE, PROGRAM: len(program)}[inode]
    return struct.pack("<6Q10I", inode, size, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(operation, node, data):
    """What to answer; None: nothing, an int: this error."""
    if operation == INIT:
        # Read-ahead on: who reads waits for a page, not for the answer.
        return struct.pack("<4IHHII", 7, 31, 65536, 1, 0, 0, 4096, 0) + bytes(36)
    if operation == GETATTR:
        return struct.pack("<QII", 3600, 0, 0) + attributes(node)
    if operation == LOOKUP:
        inode = inodes.get(data.rstrip(b"\0"))
        if not inode:
            return -2
        return struct.pack("<4QII", inode, 0, 3600, 3600, 0, 0) + attributes(inode)
    if operation in (OPEN, READ) and node == PROGRAM and not program_is_served:
        return None
    if operation == OPEN:
        return struct.pack("<QII", 0, KEEP_CACHE, 0)
    if operation == READ and node == PROGRAM:
        offset, size = struct.unpack_from("<8xQI", data)
        return program[offset:offset + size]
    if operation in (READ, FORGET, INTERRUPT):
        return None
    return b"" if operation == RELEASE else -38


def stop_serving(*_):
    global program_is_served
    program_is_served = False


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
    global program
    mount, what = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    if what.startswith("/"):
        signal.signal(signal.SIGUSR1, stop_serving)
        inodes[b"program"] = PROGRAM
        with open(what, "rb") as content:
            program = content.read()
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
