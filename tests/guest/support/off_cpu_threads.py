# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads that wait, and how long the kernel's own accounts say that they did.

off_cpu_threads.py run
    Runs threads that sleep, compute beside others, or both, and prints for each a line of JSON: its
    TID, what it did, and bounds of its time off the CPU: what moved while it worked, and from
    before it was made until after it was joined.
off_cpu_threads.py compare THREADS LATENCY RUNNABLE BLOCKED
    Compares these with the sums that kcatch counted by TID, lines of JSON, and prints what differs.
    The scheduler takes its clock a little before a switch and kcatch a little later; a machine that
    is stopped between gives the time to another part, or to both sides: so fewer than half of the
    threads may be off.
"""
import json
import os
import signal
import sys
import threading
import time

MS = 1000000


def spin():
    child = os.fork()
    if not child:
        while True:
            pass
    return child


def compute(ms):
    until = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) + ms * MS
    while time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) < until:
        pass


def sleeper():
    for _ in range(20):
        time.sleep(0.01)


def computer():
    compute(80)


def both():
    for _ in range(10):
        time.sleep(0.005)
        compute(4)


def look(schedstat):
    delay = int(os.pread(schedstat, 100, 0).split()[1])
    return (time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW),
            time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID), delay)


def work(function, result):
    schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    begin = look(schedstat)
    function()
    end = look(schedstat)
    result.update(tid=threading.get_native_id(), what=function.__name__,
                  wall=end[0] - begin[0], cpu=end[1] - begin[1], delay=end[2] - begin[2])
    os.close(schedstat)


def run():
    os.sched_setaffinity(0, {0})
    spinners = [spin(), spin()]
    try:
        for function in 3 * (sleeper, computer, both):
            result = {}
            began = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
            thread = threading.Thread(target=work, args=(function, result))
            thread.start()
            thread.join()
            result["outer"] = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - began
            print(json.dumps(result), flush=True)
    finally:
        for child in spinners:
            os.kill(child, signal.SIGKILL)
            os.wait()


def sums_of(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["key"]["tid"]: row["sum"] for row in rows if "key" in row}


def compare(threads, paths):
    sums = [sums_of(path) for path in paths]
    with open(threads, encoding="utf-8") as lines:
        threads = [json.loads(line) for line in lines]
    off = []
    for thread in threads:
        away = thread["wall"] - thread["cpu"]
        around = thread["outer"] - thread["wall"]
        known = {"latency": away, "runnable": thread["delay"], "blocked": away - thread["delay"]}
        wrong = []
        for (name, value), counted in zip(known.items(), sums):
            slack = away // 50 + MS
            seen = counted.get(thread["tid"], 0)
            if not value - slack <= seen <= value + around + slack:
                wrong.append(f"{thread['what']}: {name} {seen}, by other accounts {value} to "
                             f"{value + around}")
        off += ["; ".join(wrong)] if wrong else []
    if len(threads) != 9:
        print("threads are missing")
    if len(off) * 2 >= len(threads):
        print("\n".join(off))


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run()
    else:
        compare(sys.argv[2], sys.argv[3:])
