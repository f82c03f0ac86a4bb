# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_ktrace.py TRACEFS KTRACE - do ktrace's built-in events say what tracefs says?

TRACEFS is the kernel's own trace file, KTRACE what samples/ktrace/reader.c printed, of a part
of the same time. Prints a line for each event: its name, how many there are, and `same` when
each sequence, with its values, is a part of what tracefs has, without gaps. Interrupts and
switches are sequences of a CPU. All others are of a thread: its probes may be preempted, so
it may get to another CPU between tracefs's probe and ktrace's.
"""
import re
import sys

TRACEFS = re.compile(r'\s*.*-(\d+)\s+\[(\d+)\] \S+\s+[\d.]+: (\w+): ?(.*)')
KTRACE = re.compile(r'\d+ cpu (\d+) tid (\d+) (\w+) (.*)')


def numbers(text, *names):
    """The values of name=value in the order of names, as numbers where they are."""
    found = dict(re.findall(r'(\w+)=(\S+)', text))
    return tuple(int(found[name].rstrip('%'), 0) for name in names)


def state(bits, preempt):
    """As tracefs shows a thread's state, but X for all that have ended."""
    if preempt:
        return 'R+'
    if bits & 0x402 == 0x402:
        return 'I'
    if bits & 0x80:
        return 'X'
    if bits & 0x1000:       # TASK_RTLOCK_WAIT, of kernels for real time
        return 'D'
    return 'RSDTtXZP'[(bits & 0x7f).bit_length()]


def of_tracefs(name, text, tid):
    """The ktrace event of the same, and its values; None: there is none."""
    if name == 'sys_enter':
        nr, args = re.match(r'NR (-?\d+) \((.*)\)', text).groups()
        return 'syscall_entry', (tid, int(nr)) + tuple(int(x, 16) for x in args.split(', '))
    if name == 'sys_exit':
        return 'syscall_exit', (tid,) + tuple(int(x) for x in text[3:].split(' = '))
    if name == 'irq_handler_entry':
        return 'irq_entry', (tid, numbers(text, 'irq')[0], -1)
    if name == 'irq_handler_exit':
        return 'irq_exit', (tid, numbers(text, 'irq')[0], -1, int('ret=handled' in text))
    if re.match(r'vector=\d+$', text) and name.endswith('_entry'):
        return 'irq_entry', (tid, -1) + numbers(text, 'vector')
    if re.match(r'vector=\d+$', text) and name.endswith('_exit'):
        return 'irq_exit', (tid, -1) + numbers(text, 'vector') + (0,)
    if name.startswith('page_fault_'):
        return 'trap_entry', (tid, 14) + numbers(text, 'error_code', 'address')
    if name == 'sched_switch':
        found = re.search(r'prev_state=(\S+)', text).group(1)
        return 'sched_switch', numbers(text, 'prev_pid', 'prev_prio', 'next_pid', 'next_prio'
                                       ) + (found.replace('Z', 'X'),)
    if name == 'sched_process_fork':
        return 'process_fork', numbers(text, 'pid', 'child_pid')
    if name in ('sched_process_wait', 'sched_process_exit', 'sched_process_free'):
        return name[6:], numbers(text, 'pid')
    return None


NAMES = {
    'syscall_entry': ('nr', 'a0', 'a1', 'a2', 'a3', 'a4', 'a5'), 'syscall_exit': ('nr', 'ret'),
    'irq_entry': ('irq', 'vector'), 'irq_exit': ('irq', 'vector', 'ret'),
    'trap_entry': ('trap', 'code', 'address'), 'trap_exit': ('trap', 'address'),
    'process_fork': ('parent_pid', 'child_pid'), 'process_wait': ('pid',),
    'process_free': ('pid',), 'process_exit': ('pid',),
}


def of_ktrace(name, text, tid):
    """Its values, as of_tracefs() gives them."""
    if name == 'sched_switch':
        values = numbers(text, 'prev_pid', 'prev_prio', 'next_pid', 'next_prio')
        return values + (state(*numbers(text, 'prev_state', 'preempt')),)
    values = numbers(text, *NAMES[name])
    if name == 'irq_exit':      # IRQ_WAKE_THREAD, 2, is `handled` as well
        values = values[:2] + (int(values[2] != 0),)
    return values if name.startswith('process_') else (tid,) + values


def is_part(part, whole):
    """Is the first list in the second, without gaps?"""
    return any(whole[at] == part[0] and whole[at:at + len(part)] == part
               for at in range(len(whole) - len(part) + 1))


def sequence(name, cpu, tid):
    """The sequence that an event belongs to."""
    return name, cpu if name in ('irq_entry', 'irq_exit', 'sched_switch') else tid


def main():
    """Reads both, and compares what each CPU or thread had."""
    there, here = {}, {}
    for line in open(sys.argv[1], encoding='utf-8', errors='replace'):
        match = TRACEFS.match(line)
        tid = match and int(match.group(1))
        event = match and of_tracefs(match.group(3), match.group(4), tid)
        if event:
            key = sequence(event[0], int(match.group(2)), tid)
            there.setdefault(key, []).append(event[1])
    lines = list(open(sys.argv[2], encoding='utf-8', errors='replace'))
    lines.sort(key=lambda line: int(line.split()[0]))     # the reader goes CPU by CPU
    for line in lines:
        match = KTRACE.match(line)
        if match:
            cpu, tid, name, text = match.groups()
            here.setdefault(sequence(name, int(cpu), int(tid)), []).append(
                of_ktrace(name, text, int(tid)))
    for name in sorted(list(NAMES) + ['sched_switch']):
        mine = {key: events for key, events in here.items() if key[0] == name}
        same = all(is_part(events, there.get(key, [])) for key, events in mine.items())
        print(name, sum(map(len, mine.values())), 'same' if same else 'differs')
        if not same and '-v' in sys.argv:
            for key, events in mine.items():
                print(key, events[:20], there.get(key, [])[:30], sep='\n')


main()
