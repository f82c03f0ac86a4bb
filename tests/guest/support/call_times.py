# SPDX-License-Identifier: GPL-2.0-or-later
"""call_times.py FILE NUMBER - calls getppid() NUMBER times, ten times a second

Appends a line for each to FILE: CLOCK_MONOTONIC in ns before the call and after it.
"""
import os
import sys
import time

with open(sys.argv[1], 'a', buffering=1, encoding='ascii') as out:
    for _ in range(int(sys.argv[2])):
        before = time.monotonic_ns()
        os.getppid()
        after = time.monotonic_ns()
        out.write(f'{before} {after}\n')
        time.sleep(0.1)
