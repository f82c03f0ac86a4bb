# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what kcatch says of the generated functions with what C said of them.

usage: compare.py events SPEC LOG JSON LEVELS    kcatch's events, or a report's; LEVELS of --deep
       compare.py rules SPEC LOG RULES           write rules for kcatch metrics, and for a shell
       compare.py series RULES FILE              what the rules came to
       compare.py chosen SPEC LOG NUMBER         "FUNCTION TRUE FALSE KEY VALUE" lines of some keys

Each prints its differences, and at the end "N values, M differ"; the status is 1 where any does.
"""
import json
import re
import sys

MASK = 2 ** 64 - 1


class Lines:
    """The module's log."""
    def __init__(self, path):
        self.lines, self.functions = [], []
        with open(path, encoding='ascii') as file:
            for line in file:
                function, when, where, kind, value = line.rstrip('\n').split(' ', 4)
                if where == '-':
                    self.functions.append(function)
                else:
                    self.lines.append((function, when, where, kind, value))

    def values(self, function, when):
        return {where: (kind, value) for f, w, where, kind, value in self.lines
                if f == function and w == when}


class Verdict:
    def __init__(self):
        self.values, self.differ = 0, 0

    def differs(self, *what):
        self.differ += 1
        if self.differ <= 40:
            print('#', *what)

    def end(self):
        print(f'{self.values} values, {self.differ} differ')
        sys.exit(1 if self.differ or not self.values else 0)


ABSENT = object()


def look_up(value, path):
    """A member by its path: "m1.m2[3]", or "@": the address."""
    for step in re.findall(r'[^.\[\]]+', path):
        if step == '@':
            if isinstance(value, dict):
                value = value.get('@address', value.get('address', ABSENT))
        elif step.isdigit() and isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else ABSENT
        elif isinstance(value, dict):
            value = value.get(step, ABSENT)
        else:
            return ABSENT
        if value is ABSENT:
            return ABSENT
    return value


def is_listed(path, names):
    """Is a value, or what it is a part of, among the names that kcatch lists?"""
    plain = re.sub(r'\.(@|value)$', '', path)
    return any(plain == name or plain.startswith((name + '.', name + '[')) or
               re.sub(r'\[\d+\]', '', plain) == name for name in names)


class Event:
    def __init__(self, event, enums):
        self.event, self.enums = event, enums

    def names(self, what):
        return self.event.get(what) or []

    def same_bytes(self, ours, data, path):
        """A string, or one that JSON cannot have: then its bytes are listed."""
        try:
            text = data.decode('utf-8')
        except UnicodeDecodeError:
            if is_listed(path, self.names('args_cut')):
                return isinstance(ours, str) and \
                    data.decode('utf-8', 'replace').startswith(ours.rstrip('\ufffd'))
            return f'{path}={data.hex()}' in self.names('args_bytes')
        if ours == text:
            return True
        cut = is_listed(path, self.names('args_cut'))
        return cut and isinstance(ours, str) and text.startswith(ours)

    def same(self, ours, kind, value, path):
        if kind in 'ibp':
            if isinstance(ours, str):
                ours = self.enums.get(ours, ours)
            if kind == 'p' and isinstance(ours, dict):
                ours = look_up(ours, '@')
            return isinstance(ours, int) and ours & MASK == int(value) & MASK and \
                (kind != 'i' or ours == int(value))
        if kind == 'n':
            return ours in (None, 0)
        if kind == 'u':
            return is_listed(path, self.names('args_unreadable'))
        if kind == 'h':
            data = ':'.join(value[i:i + 2] for i in range(0, len(value), 2))
            return data == (ours.get('text') if isinstance(ours, dict) else ours)
        return self.same_bytes(ours, bytes.fromhex(value), path)


def compare_return(event, path, kind, value):
    """What was returned: a number in ret, members in ret_value, a text in ret_text."""
    ret, cut = event.event.get('ret'), event.names('args_cut')
    if path != 'ret':
        ours = look_up(event.event.get('ret_value'), path[4:])
        return (ours is ABSENT and is_listed(path, cut)) or event.same(ours, kind, value, path)
    if kind == 't':
        return event.same(event.event.get('ret_text'), kind, value, path)
    if kind in 'ib' and isinstance(ret, int):
        return ret & MASK == int(value) & MASK
    return event.same(ret, kind, value, path)


def compare_event(event, function, lines, levels, verdict):
    wanted = ['e'] + [f'd{level + 1}' for level in range(levels)]
    entry = lines.values(function, 'e')
    after = event.event.get('args_at_return') or {}
    for when in wanted:
        for path, (kind, value) in lines.values(function, when).items():
            verdict.values += 1
            ours = look_up(event.event.get('args'), path)
            if ours is ABSENT and is_listed(path, event.names('args_cut')):
                continue
            if not event.same(ours, kind, value, path):
                verdict.differs(f'{function} {path}: C {kind} {value}, kcatch '
                                f'{"nothing" if ours is ABSENT else repr(ours)}')
    for path, (kind, value) in lines.values(function, 'r').items():
        verdict.values += 1
        ours = look_up(after, path)
        if ours is ABSENT and (entry.get(path, entry.get(f'{path}.value')) == (kind, value) or
                               is_listed(path, event.names('args_cut'))):
            continue
        if not event.same(ours, kind, value, path):
            verdict.differs(f'{function} {path} at the return: C {kind} {value}, kcatch '
                            f'{"nothing" if ours is ABSENT else repr(ours)}')
    for path, (kind, value) in lines.values(function, 'v').items():
        verdict.values += 1
        if not compare_return(event, path, kind, value):
            verdict.differs(f'{function} {path} returned: C {kind} {value}, kcatch ret '
                            f'{event.event.get("ret")!r} {event.event.get("ret_text")!r} '
                            f'{event.event.get("ret_value")!r}')


def events(spec, log, path, levels):
    verdict, seen = Verdict(), {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            event = json.loads(line)
            if str(event.get('function', '')).startswith('gf'):
                seen.setdefault(event['function'], []).append(event)
    for function in log.functions:
        calls = seen.get(function, [])
        if len(calls) != 1:
            verdict.differs(f'{function}: {len(calls)} calls')
            continue
        event = Event(calls[0], spec['enums'])
        if not calls[0].get('typed', True):
            verdict.differs(f'{function}: its types are not known')
        compare_event(event, function, log, int(levels), verdict)
    verdict.end()


def written(key, kind, value, names):
    """A number as a condition has it."""
    if key.get('char') and kind == 'i' and not -1 < int(value) < 0x80:
        return f"'\\x{int(value) & 0xff:02x}'"
    if kind == 'i' and value in names:
        return names[value]
    return value


def keys_of(spec, log):
    """(function, key, condition that holds, the key's value)"""
    names = {}
    for name, value in spec['enums'].items():
        names.setdefault(value, name)
    for function in log.functions:
        values = log.values(function, 'e')
        for key in spec['functions'][function]['keys']:
            kind, value = values.get(key['path'], ('', ''))
            if kind in ('i', 'b'):
                yield function, key['text'], written(key, kind, value, {}), value
        for key in spec['functions'][function]['texts']:
            kind, value = values.get(key['path'], ('', ''))
            text = bytes.fromhex(value) if kind == 't' else b'\xff'
            if text and max(text) < 0x80 and b'"' not in text:
                yield function, key['text'], f'"{text.decode()}"', text.decode()


def spread(found, number):
    found = list(found)
    step = max(1, len(found) // number)
    return found[::step][:number]


def rules(spec, log, path):
    texts = [key for key in keys_of(spec, log) if key[2][0] == '"']
    numbers = [key for key in keys_of(spec, log) if key[2][0] != '"']
    with open(path, 'w', encoding='utf-8') as file:
        chosen = spread(numbers, 45) + spread(texts, 15)
        for i, (function, key, value, plain) in enumerate(chosen):
            file.write(f'yes_{i} {function} "{quoted(key)} == {quoted(value)}"\n')
            file.write(f'no_{i} {function} "{quoted(key)} != {quoted(value)}"\n')
            file.write(f'key_{i} {function} --by "{quoted(key)}"\n')
            file.write(f'#{json.dumps(plain)}\n')


def quoted(text):
    return text.replace('\\', '\\\\').replace('"', '\\"')


def series(path, got):
    verdict, found = Verdict(), {}
    with open(got, encoding='utf-8') as file:
        for line in file:
            match = re.match(r'(\w+?)_total(?:\{\w+="(.*)"\})? (\S+)$', line)
            if match:
                found.setdefault(match[1], []).append((match[2], float(match[3])))
    with open(path, encoding='utf-8') as file:
        lines = file.read().splitlines()
    for yes, no, by, value in zip(*[iter(lines)] * 4):
        verdict.values += 3
        value = json.loads(value[1:])
        for rule, count in (yes, 1), (no, 0):
            calls = sum(count for _, count in found.get(rule.split()[0], [(None, -1)]))
            if calls != count:
                verdict.differs(f'{rule}: {calls} calls, not {count}')
        labels = [(label, count) for label, count in found.get(by.split()[0], []) if count]
        if len(labels) != 1 or labels[0][1] != 1:
            verdict.differs(f'{by}: {labels}, not {value}')
        elif labels[0][0] not in (value, value.replace('\\', '\\\\'), '(address)') and \
                not (re.fullmatch(r'-?\d+', value) and labels[0][0].startswith('-E')):
            verdict.differs(f'{by}: {labels[0][0]!r}, not {value!r}')
    verdict.end()


def chosen(spec, log, number):
    texts = [key for key in keys_of(spec, log) if key[2][0] == '"']
    numbers = [key for key in keys_of(spec, log) if key[2][0] != '"']
    half = int(number) // 2
    for function, key, value, plain in spread(numbers, half) + spread(texts, half):
        print('\t'.join((function, f'{key} == {value}', f'{key} != {value}', key, plain)))


def main():
    what, args = sys.argv[1], sys.argv[2:]
    if what == 'series':
        series(*args)
        return
    with open(args[0], encoding='utf-8') as file:
        spec = json.load(file)
    {'events': events, 'rules': rules, 'chosen': chosen}[what](spec, Lines(args[1]), *args[2:])


main()
