# SPDX-License-Identifier: GPL-2.0-or-later
"""event_fields.py INSTANCE LISTED RECORDED THREADS - has kcatch the values that the kernel's events have?

INSTANCE is a directory of tracefs with recorded events, LISTED what `kcatch list -v --json` prints
of events, RECORDED their records in JSON, which began earlier and ended later. Each event of the
instance must be among the records with the values of all fields, but for those of the recorder's
THREADS, whose work is no hit. An event without a table of fields is compared by its arguments.
Prints the events that differ, then a line: events compared, those that did not occur, and the names
of the latter.
"""
import bisect
import collections
import functools
import glob
import os
import re
import socket
import struct
import sys


import json_numbers

SOFTIRQS = 'HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU'.split()
TCP = ('? ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT LAST_ACK '
       'LISTEN CLOSING NEW_SYN_RECV').split()
FAMILIES = {int(number): name for name, number in vars(socket).items()
            if name.startswith('AF_') and name != 'AF_ROUTE'}


class Symbols:
    def __init__(self):
        named = collections.defaultdict(list)
        with open('/proc/kallsyms', encoding='utf-8') as lines:
            for line in lines:
                address, kind, name = line.split()[:3]
                if kind in 'tTwW':
                    named[int(address, 16)].append(name)
        self.starts = sorted(named)
        self.named = named
        self.same = {name: min(names) for names in named.values() for name in names}

    def name(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or not address:
            return address
        return min(self.named[self.starts[at]]), address - self.starts[at]

    def parse(self, text):
        if not isinstance(text, str):
            return text or 0
        name, _, offset = text.split()[0].partition('+')
        return self.same.get(name, name), int(offset or '0', 16)


symbols = Symbols()
SYMBOLS = {'function', 'func', 'location', 'call_site', 'ip'}


def state(number):
    if number & 0x30:
        return 'X or Z'     # which one records do not tell
    letters = [letter for bit, letter in enumerate('SDTtXZPI') if number >> bit & 1]
    return '|'.join(letters or 'R') + ('+' if number & 256 else '')


def one_of(names, number):
    return names[number] if 0 < number < len(names) or (number == 0 and names[0] != '?') else number


# How the kernel prints them, by their names.
SHOWN = {
    'dev': lambda number: '%d:%d' % (number >> 20, number & 0xfffff),
    'prev_state': state,
    'vec': lambda number: one_of(SOFTIRQS, number),
    'family': lambda number: FAMILIES.get(number, number),
    'oldstate': lambda number: one_of(['?'] + ['TCP_' + name for name in TCP[1:]], number),
}
SHOWN['newstate'] = SHOWN['oldstate']
SHOWN['old_dev'] = SHOWN['sb_dev'] = SHOWN['s_dev'] = SHOWN['dev']


@functools.cache
def names_of(text, number):
    """A number's flags, by the list in the format of an event that shows them."""
    names = []
    for value, name in re.findall(r'\{([^"{]*), "(\w+)"\}', text.partition('__print_flags')[2]):
        value = eval(re.sub(r'\( (gfp_t|unsigned long)\)|(?<=[0-9a-f])[uUL]+', '', value))
        if value and number & value == value:
            names.append(name)
            number &= ~value
    return '|'.join(names + [hex(number)] * (number != 0)) or 'none'


def address(raw):
    return socket.inet_ntop(socket.AF_INET6 if len(raw) == 16 else socket.AF_INET, raw)


def of_socket(raw):
    """The address in a struct sockaddr_in or _in6; of IPv4 in both the same."""
    six = int.from_bytes(raw[:2], 'little') == socket.AF_INET6
    return address(raw[8:24] if six else raw[4:8]).removeprefix('::ffff:')


class Event:
    """What tracefs says of an event: its number, and where its fields are."""
    def __init__(self, instance, name):
        with open(f'{instance}/events/{name.replace(":", "/")}/format', encoding='utf-8') as text:
            self.text = text.read()
        self.number = int(re.search(r'ID: (\d+)', self.text)[1])
        self.fields = {}
        for declared, offset, size, signed in re.findall(
                r'field:([^;]*);\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d)', self.text):
            name = re.search(r'(\w+)(\[\d*\])?$', declared)
            self.fields[name[1]] = (declared, int(offset), int(size), signed == '1')

    def value(self, name, data):
        declared, offset, size, signed = self.fields[name]
        raw = data[offset:offset + size]
        if declared.startswith('__data_loc'):
            place, = struct.unpack('<I', raw)
            return data[place & 0xffff:][:place >> 16].split(b'\0')[0].decode(errors='replace')
        if '[28]' in declared:
            return of_socket(raw)
        if '[' in declared:
            if 'char' in declared and 'unsigned' not in declared:
                return raw.split(b'\0')[0].decode(errors='replace')
            return address(raw) if size in (4, 16) else raw.hex()
        number = int.from_bytes(raw, 'little', signed=signed)
        if name in SYMBOLS:
            return symbols.name(number)
        if declared == '__u16 mode':
            return f'0{number:o}'
        if name == 'gfp_flags':
            return names_of(self.text, number)
        return SHOWN[name](number) if name in SHOWN else number & (1 << 64) - 1


def events_of(page):
    """The events of a page of the ring: header and data (Documentation/trace/ring-buffer)."""
    commit, = struct.unpack_from('<Q', page, 8)
    at, end = 16, 16 + (commit & 0xfffff)
    while at + 4 <= end:
        head, = struct.unpack_from('<I', page, at)
        kind, at = head & 31, at + 4
        if kind == 29:
            if not head >> 5:
                return
            at += struct.unpack_from('<I', page, at)[0]
        elif kind in (30, 31):
            at += 4
        elif kind:
            yield page[at:at + 4 * kind]
            at += 4 * kind
        else:
            length, = struct.unpack_from('<I', page, at)
            yield page[at + 4:at + length]
            at += (length + 3) // 4 * 4


def pages(instance):
    size = os.sysconf('SC_PAGESIZE')
    for path in glob.glob(f'{instance}/per_cpu/cpu*/trace_pipe_raw'):
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        while True:
            try:
                page = os.read(file, size)
            except BlockingIOError:
                break
            if not page:
                break
            yield page
        os.close(file)


def ours(name, value):
    if name in SYMBOLS:
        return symbols.parse(value.get('text') if isinstance(value, dict) else value)
    if isinstance(value, dict):
        value = value['address']
    if isinstance(value, bool):
        return int(value)
    return value & (1 << 64) - 1 if isinstance(value, int) else value


def main():
    instance, listed, recorded, threads = sys.argv[1:]
    threads = {int(thread) for thread in threads.split()}
    wanted, kernels = {}, {}
    with open(listed, encoding='utf-8') as lines:
        for line in map(json_numbers.loads, lines):
            name = f'{line.get("system")}:{line.get("event")}'
            if 'event' not in line or not os.path.exists(f'{instance}/events/{name.replace(":", "/")}'):
                continue
            event = Event(instance, name)
            arguments = {argument['name'] for argument in line['args']}
            own = {field for field in event.fields if not field.startswith('common_')}
            if line.get('fields') or (own and own <= arguments):
                wanted[name] = event
    records = collections.defaultdict(list)
    with open(recorded, encoding='utf-8', errors='replace') as lines:
        for line in map(json_numbers.loads, lines):
            values = line['args'] if 'args' in line else {}
            if 'gfp_flags' in line.get('args_text', {}):
                values['gfp_flags'] = line['args_text']['gfp_flags']
            records[line.get('event')].append(values)
    shown = {}
    for name, event in wanted.items():
        kernels[event.number] = name
        shown[name] = None
    theirs = collections.defaultdict(list)
    for page in pages(instance):
        for data in events_of(page):
            name = kernels.get(int.from_bytes(data[:2], 'little'))
            if name and int.from_bytes(data[4:8], 'little') not in threads:
                theirs[name].append(data)
    compared, values, wrong, lacking = 0, 0, 0, set()
    for name, found in sorted(theirs.items()):
        event = wanted[name]
        if not records[name]:
            print(f'{name}: {len(found)} events, and no record')
            wrong += 1
            continue
        # (An enumerator is shown by its name, which tracefs has a list of its own for.)
        names = [field for field, value in records[name][0].items() if field in event.fields and
                 (not isinstance(value, str) or field in SYMBOLS or field in SHOWN or
                  isinstance(event.value(field, found[0]), str) or value[:2] == '0x')]
        lacking |= {f'{name}.{field}' for field in event.fields
                    if not field.startswith('common_') and field not in records[name][0]}
        have = collections.Counter(tuple(ours(field, record.get(field)) for field in names)
                                   for record in records[name])
        other = []
        for data in found:
            key = tuple(event.value(field, data) for field in names)
            if have[key]:
                have[key] -= 1
            else:
                other.append(key)
        compared += 1
        values += len(found) * len(names)
        if other:
            wrong += 1
            print(f'{name}: {len(other)} of {len(found)} are not recorded so: {names}')
            for key in other[:3]:
                print('    tracefs', key)
            for key in list(+have)[:3]:
                print('    kcatch ', key)
    missing = sorted(name for name in wanted if name not in theirs)
    print(f'compared {compared} values {values} wrong {wrong} absent {len(missing)}: '
          + ' '.join(missing))
    print('lacking:', *sorted(lacking))
    return wrong != 0


sys.exit(main())
