# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls that sleep, compute and wait for a CPU, and what the kernel says of each.

off_cpu.py calls ROUNDS
    Makes reads of known sizes and prints for each a line of JSON: its size, its kind, and how far
    the clock, the thread's CPU time, its time waiting for a CPU (/proc/PID/schedstat) and its
    switches (getrusage) moved around it.
off_cpu.py compare CALLS EVENTS
    Compares these with the events of kcatch, lines of JSON, and prints what differs. What was
    around a call and not in it is known: the clock's time less the call's latency. The scheduler
    takes its clock a little before a switch and the tracepoint comes a little later; a machine that
    is stopped between gives the time to another side: so of fewer than half a part may be off.
"""
import json
import os
import resource
import signal
import sys
import time

FIRST = 1 << 20		# size of the first read; each has one of its own
KINDS = ["blocked", "oncpu", "runnable", "both"]
MS = 1000000


def spin():
    child = os.fork()
    if not child:
        while True:
            pass
    return child


def writer():
    """A process that writes a byte 30 ms after it was asked to."""
    ask, answer = os.pipe(), os.pipe()
    if not os.fork():
        os.close(ask[1])
        while os.read(ask[0], 1):
            time.sleep(0.03)
            os.write(answer[1], b"x")
        os._exit(0)
    os.close(ask[0])
    return ask[1], answer[0]


def now(schedstat):
    usage = resource.getrusage(resource.RUSAGE_THREAD)
    delay = int(os.pread(schedstat, 100, 0).split()[1])
    return (time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW),
            time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID), delay,
            usage.ru_nvcsw + usage.ru_nivcsw)


def make_calls(rounds):
    os.sched_setaffinity(0, {0})
    ask, answer = writer()
    zero = os.open("/dev/zero", os.O_RDONLY)
    schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    size = FIRST
    for kind in KINDS * rounds:
        spinner = spin() if kind in ("runnable", "both") else 0
        sleeps = kind in ("blocked", "both")
        size += 1
        if sleeps:
            os.write(ask, b"x")
        before = now(schedstat)
        os.read(answer if sleeps else zero, size if sleeps else size + 15 * FIRST)
        after = now(schedstat)
        if spinner:
            os.kill(spinner, signal.SIGKILL)
            os.waitpid(spinner, 0)
        wall, cpu, delay, switches = (b - a for a, b in zip(before, after))
        print(json.dumps({"size": size if sleeps else size + 15 * FIRST, "kind": kind, "wall": wall,
                          "cpu": cpu, "delay": delay, "switches": switches}), flush=True)


def parts_of(event):
    return {part: event[part + "_ns"] for part in ("oncpu", "runnable", "blocked")}


def is_off(call, event):
    """Is a part more than 2 % or a millisecond from what was measured around the call?"""
    latency = event["latency_ns"]
    around, room = call["wall"] - latency, max(MS, latency // 50)
    true = {"oncpu": call["cpu"], "runnable": call["delay"],
            "blocked": call["wall"] - call["cpu"] - call["delay"]}
    return any(not true[part] - around - room <= ns <= true[part] + room
               for part, ns in parts_of(event).items())


def differs(call, event):
    """What of an event cannot be, by what was measured around its call."""
    latency = event["latency_ns"]
    around = call["wall"] - latency
    said = parts_of(event)
    if sum(said.values()) != latency:
        yield "the parts do not add up"
    if around < 0:
        yield "longer than the clock says"
    if event["switches"] > call["switches"]:
        yield "switches"
    if call["kind"] in ("oncpu", "runnable") and said["blocked"]:
        yield "it did not sleep"


def compare(calls_file, events_file):
    calls, seen, narrow, waited, slept, off = {}, {}, 0, 0, 0, []
    with open(calls_file, encoding="ascii") as lines:
        for line in lines:
            call = json.loads(line)
            calls[call["size"]] = call
    with open(events_file, encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            name = event.get("function") or event.get("event")
            if not name:
                continue
            call = calls[event["args"]["count"]]
            key = name, call["size"]
            if key in seen:
                print("twice:", key)
            seen[key] = event
            narrow += call["wall"] - event["latency_ns"] < max(2 * MS, event["latency_ns"] // 10)
            waited += call["kind"] == "runnable" and event["runnable_ns"] > MS
            slept += call["kind"] == "blocked" and event["blocked_ns"] > 5 * MS
            line = (f"{name} of {call}: {parts_of(event)} of {event['latency_ns']}, "
                    f"{event['switches']} switches")
            for what in differs(call, event):
                print(f"{line}: {what}")
            if is_off(call, event):
                off.append(line)
    functions = {function for function, _ in seen}
    if len(functions) != 2 or len(seen) != 2 * len(calls):
        print(f"{len(seen)} events of {len(functions)} functions for {len(calls)} calls")
    print(f"# {len(seen)} events, {narrow} of them with little around, {waited} waited for a CPU, "
          f"{slept} slept, {len(off)} are off",
          file=sys.stderr)
    if len(off) > len(seen) // 2:
        print(*off, sep="\n")
    if narrow < len(seen) // 4 or waited < len(seen) // 8 or slept < len(seen) // 8:
        print("too little could be compared")


if sys.argv[1] == "calls":
    make_calls(int(sys.argv[2]))
else:
    compare(sys.argv[2], sys.argv[3])
