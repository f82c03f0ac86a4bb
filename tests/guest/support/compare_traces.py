# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_traces.py DIR BABELTRACE REPORT - are both the same events with the same values?

DIR is a recording, BABELTRACE what `babeltrace2 --clock-cycles --no-delta DIR` printed,
REPORT what `kcatch report DIR --format json` did. Prints what differs, then one line:
events and values compared. Exit status 1 when anything differs.
"""
import json
import re
import sys

import json_numbers

NUMBER = r'-?\d+|0x[0-9A-Fa-f]+'
TEXT = r'"((?:[^"\\]|\\.)*)"'
# A name with a plain value is one token: most are such, and a machine that is emulated is slow.
TOKEN = re.compile(rf'''\s*(?:
    (?: \[(\d+)\] | ([^\s{{}}\[\](),=:"]+) ) \s=\s (?: ({NUMBER})(?=[\s,]) | {TEXT} )?
    | {TEXT} | ([{{}}\[\](),:]) | ([^\s{{}}\[\](),=:"]+)
)''', re.S | re.X)
INDEX, NAME, MEMBER_NUMBER, MEMBER_TEXT, PLAIN_TEXT, MARK, WORD = range(1, 8)


def number(word):
    try:
        return int(word, 0)
    except ValueError:
        return None


class Fields:
    """Babeltrace's { name = value, ... } as dictionaries and lists."""

    def __init__(self, text, at):
        self.tokens = TOKEN.scanner(text, at)
        self.at = at

    def token(self):
        match = self.tokens.match()
        self.at = match.end()
        return match

    def value(self):
        token = self.token()
        kind = token.lastindex
        if kind == PLAIN_TEXT:
            return token[PLAIN_TEXT]
        if kind == WORD:
            value = number(token[WORD])
            return token[WORD] if value is None else value
        if token[MARK] == '{':
            return self.members('}')
        if token[MARK] == '[':
            return list(self.members(']').values())
        if token[MARK] == '(':      # ( "NAME" : container = 3 )
            last = None
            while True:
                token = self.token()
                kind = token.lastindex
                if kind == MARK and token[MARK] == ')':
                    return last
                if kind == MEMBER_NUMBER:
                    last = int(token[MEMBER_NUMBER], 0)
                elif kind == WORD and number(token[WORD]) is not None:
                    last = number(token[WORD])
        raise ValueError(f'{token[0]!r} at {self.at}')

    def members(self, end):
        result = {}
        while True:
            token = self.token()
            kind = token.lastindex
            if kind == MARK:
                if token[MARK] == end:
                    return result
                if token[MARK] != ',':
                    raise ValueError(f'{token[0]!r} at {self.at}')
                continue
            name = token[INDEX] or token[NAME]
            if kind == MEMBER_NUMBER:
                result[name] = int(token[MEMBER_NUMBER], 0)
            elif kind == MEMBER_TEXT:
                result[name] = token[MEMBER_TEXT]
            else:
                result[name] = self.value()


def read_babeltrace(path):
    text = open(path, errors='surrogateescape').read()
    head = re.compile(r'\[(\d{20})\] (?:\S+ )?(\S+): (?=\{ cpu_id)')
    at, events = 0, []
    while True:
        match = head.match(text, at)
        if not match:
            if at < len(text.rstrip()):
                sys.exit(f'not understood: {text[at:at + 200]!r}')
            return events
        fields = Fields(text, match.end())
        context = fields.value()
        fields.token()          # ,
        payload = fields.value()
        name = match.group(2)
        if name.startswith('kcatch '):
            name = name[7:]
        events.append((int(match.group(1)), name, context['cpu_id'], payload))
        at = text.index('\n', fields.at) + 1


def bare(name, names):
    """Babeltrace's name: without underscores at its beginning, which kcatch puts to the end if
    another one is called so."""
    short = name.lstrip('_')
    if name != short and sum(other.lstrip('_') == short for other in names) > 1:
        return short + '_' * (len(name) - len(short))
    return short


# Fields of the records themselves. A DO_TRACE event's field that is called so has its number.
OWN = set('pid tid comm context stack_flags nr_frames interrupted frames call entered latency ret '
          'faults cut size user_size user user_stack end_of_record'.split())


def own_names(ours, theirs):
    """The fields of a DO_TRACE event by their own names: a name that is taken has its number."""
    taken, result = set(OWN), {}
    for i, name in enumerate(ours):
        written, more = name, i
        while written.lstrip('_') in taken:
            written, more = f'{name.lstrip("_")}_{more}', more + 10
        taken.add(written.lstrip('_'))
        if written in theirs:
            result[name] = theirs[written]
    return result


class Comparison:
    def __init__(self):
        self.values = 0
        self.bad = []

    def same(self, ours, theirs, *what):
        self.values += 1
        if ours != theirs:
            self.bad.append(f'{" ".join(map(str, what))}: report {ours!r}, babeltrace {theirs!r}')

    def number(self, ours, theirs, *what):
        mask = 2 ** 64 - 1
        self.same(ours & mask, theirs & mask, *what)

    def parts(self, ours, theirs, *what):
        """Members that both have; unions and what lies deeper are bytes in CTF."""
        for name, value in ours.items():
            their = theirs.get(bare(name, ours))
            if isinstance(value, dict) and isinstance(their, dict):
                self.parts(value, their, *what, name)
            elif isinstance(value, int) and isinstance(their, int):
                self.number(int(value), their, *what, name)

    def arg(self, name, ours, theirs, *what):
        if name not in theirs:
            name = name.lstrip('_')
        if name not in theirs:
            if isinstance(ours, int):
                self.bad.append(f'{" ".join(map(str, what))}: babeltrace has no {name}')
            return
        pointee = theirs.get(name + '_to')
        if isinstance(ours, bool):
            self.same(int(ours), theirs[name], *what, name)
        elif isinstance(ours, int):
            self.number(ours, pointee if isinstance(pointee, int) else theirs[name], *what, name)
        elif isinstance(ours, str):
            texts = [v for k, v in theirs.items()
                     if k.startswith(name + '_') and isinstance(v, str)]
            # Of an empty text babeltrace 2.0.4 shows what it read before.
            if ours and texts and '\\' not in texts[0]:
                self.same(ours, texts[0], *what, name)
        elif isinstance(ours, dict) and isinstance(pointee, dict):
            self.parts(ours, pointee, *what, name)


def arguments_of(directory):
    """The arguments of each function: the fields of an event are only made of what was recorded."""
    names = {}
    with open(f'{directory}/kcatch/plans.json') as plans, \
            open(f'{directory}/kcatch/probes.json') as probes:
        plans = [json.loads(line)['args'] for line in plans]
        for probe in map(json.loads, probes):
            if 'plan' in probe:
                names.setdefault(probe.get('function'), set()).update(
                    argument['name'] for argument in plans[probe['plan']])
    return names


def clock_of(directory, session):
    """The clock of the records becomes CLOCK_MONOTONIC; see kcatch-recording(5)."""
    khz = session['clock_khz']
    anchors = [tuple(map(int, line.split()[:2])) for line in open(f'{directory}/kcatch/clock')]

    def jumps(a, b):
        expected = (b[0] - a[0]) * 1000000 // khz
        off = abs(b[1] - a[1] - expected)
        return off > 100000000 and off > expected // 8

    def nanoseconds(ticks):
        if session['clock'] == 0:
            return ticks
        after = next((i for i, a in enumerate(anchors) if a[0] > ticks), len(anchors))
        a, b = anchors[max(after - 1, 0)], anchors[min(after, len(anchors) - 1)]
        if 0 < after < len(anchors):
            if jumps(a, b):
                sys.exit('a clock has jumped')
            return a[1] + (ticks - a[0]) * (b[1] - a[1]) // (b[0] - a[0])
        # Before the first or behind the last: at the rate of the nearest segment.
        first = min(max(after - 2, 0), max(len(anchors) - 2, 0))
        if len(anchors) > 1:
            a, c = anchors[first], anchors[first + 1]
            if c[1] - a[1] >= 1000000000 and not jumps(a, c):
                return b[1] + toward_zero((ticks - b[0]) * (c[1] - a[1]), c[0] - a[0])
        return b[1] + toward_zero((ticks - b[0]) * 1000000, khz)

    return nanoseconds


def toward_zero(value, divisor):
    return value // divisor if value >= 0 else -(-value // divisor)


def main():
    directory, babeltrace, report = sys.argv[1:]
    session = json.load(open(f'{directory}/kcatch/session.json'))
    nanoseconds = clock_of(directory, session)
    arguments = arguments_of(directory)
    theirs, returns = {}, {}
    for ticks, name, cpu, fields in read_babeltrace(babeltrace):
        if name.endswith(':return'):
            returns[fields['call']] = fields
            continue
        key = (nanoseconds(ticks), cpu, fields['tid'])
        theirs.setdefault(key, []).append((name, fields))
    c = Comparison()
    events = 0
    for line in open(report):
        ours = json_numbers.loads(line)
        if 'summary' in ours:
            continue
        events += 1
        found = theirs.get((ours['time_ns'], ours['cpu'], ours['tid']))
        if not found:
            c.bad.append(f'babeltrace has no {ours["function"]} at {ours["time_ns"]}')
            continue
        name, fields = found.pop(0)
        what = ours['time_ns'], ours['function']
        c.same(ours['function'], name.split(':entry')[0].split(':')[-1], *what, 'name')
        c.same(ours['pid'], fields['pid'], *what, 'pid')
        if 'comm' in fields:
            c.same(ours['comm'], fields['comm'], *what, 'comm')
        if 'frames' in fields:
            # 1: a frame of kcatch; 0 at the end: no frame (kcatch-recording(5))
            c.same([f['address'] for f in ours.get('stack', [])
                    if 'address' in f and not f.get('inlined')],
                   [f for f in fields['frames'] if f > 1], *what, 'stack')
        args = fields.get('args')
        if not isinstance(args, dict):      # a DO_TRACE event, which may have a field args
            args = own_names(ours.get('args') or {}, fields)
        for name, value in (ours.get('args') or {}).items():
            if name in arguments.get(ours['function'], {name}):
                c.arg(name, value, args, *what)
        end = returns.pop(fields.get('call') or None, None)
        returned = ours.get('ret') is not None or 'latency_ns' in ours
        c.same(returned, end is not None, *what, 'returned')
        if end and isinstance(ours.get('ret'), int):
            # Of a function without types: an int's error number, see kcatch(1).
            errno = -4096 < ours['ret'] < 0 and ours['ret'] & 0xffffffff == end['ret']
            c.number(end['ret'] if errno else ours['ret'], end['ret'], *what, 'ret')
        if end and 'latency_ns' in ours:
            c.same(ours['latency_ns'], end['latency'], *what, 'latency')
    # Of a snapshot, and when the recorder was killed, entries may be missing.
    if session.get('snapshot') or 'final' not in open(f'{directory}/kcatch/counters').readline():
        returns = {}
    left = sum(len(v) for v in theirs.values()) + len(returns)
    if left:
        c.bad.append(f'{left} records of babeltrace are not in the report')
    for text in c.bad[:20]:
        print(text)
    print(f'{events} events, {c.values} values, {len(c.bad)} differ')
    sys.exit(bool(c.bad))


main()
