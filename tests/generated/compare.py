# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what kcatch says of the generated functions with what C said of them.

usage: compare.py SPECS SYMBOLS COMPARISON... where a comparison is "NAME KIND LOG FILE [LEVELS]":
       events    JSON of kcatch or of a report; LEVELS of --deep
       rows      rows of a report
       screen    what kcatch shows; LEVELS of --deep, and -v where there are any
       report    a text report; LEVELS is the one as JSON, which says what is not whole
       counts    of kcatch count --by function,nN --hist nN --json; LEVELS is nN, or a text tN,
                 which has no histogram
       filter    JSON of a report --filter 'nN == VALUE'; LEVELS is "nN VALUE"
       series    what the rules came to: LOG is their file
       compare.py rules SPECS LOG RULES          write rules for kcatch metrics
       compare.py chosen SPECS LOG NUMBER        "FUNCTION TRUE FALSE KEY VALUE" lines of some keys

Each comparison prints its differences and "NAME: N values, M differ"; the status is 1 where any
does. SPECS are those of several seeds, separated by commas. SYMBOLS is of /proc/kallsyms; LOG is
what the module said of the calls.
"""
import json
import os
import re
import sys

import screen

sys.path.append(f'{os.path.dirname(__file__)}/../guest/support')
import json_numbers  # pylint: disable=wrong-import-position

MASK = 2 ** 64 - 1


class Lines:
    """The module's log."""
    read = {}

    def __init__(self, path):
        self.by, self.functions = {}, []
        with open(path, encoding='ascii') as file:
            for line in file:
                function, when, where, kind, value = line.rstrip('\n').split(' ', 4)
                if where == '-':
                    self.functions.append(function)
                else:
                    self.by.setdefault((function, when), {})[where] = (kind, value)

    @classmethod
    def of(cls, path):
        """Each file is read once."""
        if path not in cls.read:
            cls.read[path] = Lines(path)
        return cls.read[path]

    def values(self, function, when):
        return self.by.get((function, when), {})


class Verdict:
    def __init__(self, name):
        self.name, self.values, self.differ, self.left_out = name, 0, 0, 0

    def differs(self, *what):
        self.differ += 1
        if self.differ <= 40:
            print('#', *what)

    def end(self):
        left_out = f', {self.left_out} not in it' if self.left_out else ''
        print(f'{self.name}: {self.values} values{left_out}, {self.differ} differ')
        return bool(self.differ or not self.values)


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


def one_call(seen, function, verdict):
    """The only call of a function, or None."""
    calls = seen.get(function, [])
    if len(calls) != 1:
        verdict.differs(f'{function}: {len(calls)} calls')
        return None
    return calls[0]


def events(spec, _, verdict, log, path, levels='0'):
    seen = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            event = json_numbers.loads(line)
            if str(event.get('function', '')).startswith('gf'):
                seen.setdefault(event['function'], []).append(event)
    for function in log.functions:
        call = one_call(seen, function, verdict)
        if call is None:
            continue
        if not call.get('typed', True):
            verdict.differs(f'{function}: its types are not known')
        compare_event(Event(call, spec['enums']), function, log, int(levels), verdict)


def rows(spec, _, verdict, log, path):
    """The arguments are a text that is JSON; of what is returned there are numbers and texts."""
    seen = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            row = json_numbers.loads(line)
            if row['row'] == 'event':
                row['args'] = json_numbers.loads(row['args'])
                seen.setdefault(row['function'], []).append(row)
    for function in log.functions:
        row = one_call(seen, function, verdict)
        if row is None:
            continue
        event = Event(row, spec['enums'])
        for path, (kind, value) in log.values(function, 'e').items():
            verdict.values += 1
            ours = look_up(row['args'], path)
            if not event.same(ours, kind, value, path) and \
                    not (ours is ABSENT and is_listed(path, event.names('args_cut'))):
                verdict.differs(f'{function} {path}: C {kind} {value}, the row {ours!r}')
        for path, (kind, value) in log.values(function, 'v').items():
            if path != 'ret':
                verdict.left_out += 1
                continue
            verdict.values += 1
            if kind == 't':
                if not event.same(row['ret_text'], kind, value, path):
                    verdict.differs(f'{function} returned: C {value}, the row {row["ret_text"]!r}')
                continue
            ret = row['ret']
            if not isinstance(ret, int) or not -1 << 63 <= ret < 1 << 63 or \
                    ret & MASK != int(value) & MASK:
                verdict.differs(f'{function} returned: C {kind} {value}, the row {ret!r}')


def seen_on(calls, spec, symbols, verdict, log, levels, cut):
    """A text of any kind; @calls: what screen.py made of it; @cut: {function: what is not whole}"""
    judge = screen.Judge(spec['enums'], screen.symbols_of(symbols))
    for function in log.functions:
        call = one_call(calls, function, verdict)
        if call is None:
            continue
        missing = [arg for arg in spec['functions'][function]['args'] if arg not in call.args]
        if missing:
            verdict.differs(f'{function}: {missing} not among its arguments')
        for when in ['e', 'v'] + [f'd{level + 1}' for level in range(levels)]:
            for path, (kind, value) in log.values(function, when).items():
                seen_value(judge, call, (function, path, kind, value), verdict)
        entry = log.values(function, 'e')
        for path, (kind, value) in log.values(function, 'r').items():
            before = entry.get(path, entry.get(f'{path}.value'))
            if not seen_change(judge, call, (function, path, kind, value), before, verdict) and \
                    not is_listed(path, cut.get(function, ())):
                verdict.differs(f'{function} {path}: {before[1]} before, {value} after, kcatch '
                                'has no change')


def seen_value(judge, call, said, verdict):
    function, path, kind, value = said
    ours = call.find(path)
    if ours is screen.LEFT_OUT:
        verdict.left_out += 1
        return
    verdict.values += 1
    if ours is None or not judge.same(ours, kind, value):
        verdict.differs(f'{function} {path}: C {kind} {value}, kcatch '
                        f'{"nothing" if ours is None else ours.text or ours.word}')


def seen_change(judge, call, said, before, verdict):
    """What changed is shown with both values, and what did not is not. Returns whether a change is
    shown, there is none, or the text says that it has not all of it."""
    function, path, kind, value = said
    name, _, member = path.partition('.')
    arg = call.args.get(name)
    if arg is None:
        return True
    shown = call.changed.get(path)
    verdict.values += 1
    if shown is None:
        block = call.blocks.get(name)
        return before == (kind, value) or not before or arg.more or arg.cut or \
            (block is not None and (block.cut or block.more) and
             call.find(path) is screen.LEFT_OUT)
    if not shown.after or not judge.same(shown.after, kind, value) or \
            (before and not judge.same(shown, *before)) or before == (kind, value):
        verdict.differs(f'{function} {path}: {before} before, {value} after, kcatch '
                        f'{shown.text or shown.word} => '
                        f'{shown.after and (shown.after.text or shown.after.word)}')
    elif not member and not shown.starred:
        verdict.differs(f'{function} {path}: the change is shown as one of the pointer')
    return True


def on_screen(spec, symbols, verdict, log, path, levels='0'):
    seen_on(screen.calls_of_screen(path), spec, symbols, verdict, log, int(levels), {})


def in_report(spec, symbols, verdict, log, path, events_path):
    with open(events_path, encoding='utf-8') as file:
        events_of = [json.loads(line) for line in file]
    cut = {event['function']: event.get('args_cut', ()) for event in events_of
           if event.get('function')}
    seen_on(screen.calls_of_report(path), spec, symbols, verdict, log, 0, cut)


def signed(number):
    return (int(number) & MASK ^ 1 << 63) - (1 << 63)


def counts(spec, _, verdict, log, path, argument):
    """A key of all functions that have it, and its only value in a histogram."""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            row = json_numbers.loads(line)
            if 'key' in row:
                found.setdefault(row['key']['function'].split()[0], []).append(row)
    for function in log.functions:
        kind, said = log.values(function, 'e').get(argument, ('', ''))
        if not kind:
            continue
        verdict.values += 1
        of = found.pop(function, [])
        if len(of) != 1 or of[0]['count'] != 1:
            verdict.differs(f'{function} {argument}: {of}')
        elif kind in 'tn':
            key = of[0]['key'][argument]
            data = bytes.fromhex(said)[:64].decode('utf-8', 'replace') if kind == 't' else None
            if key != data and not (data and '\ufffd' in data):
                verdict.differs(f'{function} {argument}: C {data!r}, the key {key!r}')
        else:
            counted_number(spec, verdict, f'{function} {argument}', of[0], int(said), argument)
    for function in found:
        verdict.differs(f'{function} has no {argument}')


def counted_number(spec, verdict, what, row, said, argument):
    value, key = signed(said), row['key'][argument]
    key = spec['enums'].get(key, key)
    # The key of several functions is a number of 64 bits: that of an int may look like an address.
    if isinstance(key, int) and value < 0:
        key = signed(key)
    if key not in (said, value):
        verdict.differs(f'{what}: C {said}, the key {key!r}')
    if row['values'] != 1 or {row['sum'], row['min'], row['max']} != {value}:
        verdict.differs(f'{what}: C {value}, {row}')
    if len(row['hist']) != 1:
        verdict.differs(f'{what}: {row["hist"]}')
        return
    least, most, number = row['hist'][0]
    if number != 1 or not least <= value <= most or most - least > max(1, abs(value) // 8):
        verdict.differs(f'{what}: C {value}, {row["hist"]}')


def filtered(spec, _, verdict, log, path, argument, value):
    """The calls that pass, and no other."""
    with open(path, encoding='utf-8') as file:
        passed = sorted(json.loads(line).get('function', '') for line in file)
    passed = [function for function in passed if function.startswith('gf')]
    ours = []
    for function in log.functions:
        kind, said = log.values(function, 'e').get(argument, ('', ''))
        if kind in ('i', 'b'):
            verdict.values += 1
            if int(said) == int(value):
                ours.append(function)
    if passed != sorted(ours):
        verdict.differs(f'{argument} == {value}: {set(ours) - set(passed)} are missing, '
                        f'{set(passed) - set(ours)} are wrong')


def written(key, kind, value, names):
    """A number as a condition has it."""
    if key.get('char') and kind == 'i' and not -1 < int(value) < 0x80:
        return f"'\\x{int(value) & 0xff:02x}'"
    if kind == 'i' and value in names:
        return names[value]
    return value


def keys_of(spec, log):
    """(function, key, condition that holds, the key's value, is it a hard one?)"""
    names = {}
    for name, value in spec['enums'].items():
        names.setdefault(value, name)
    for function in log.functions:
        values = log.values(function, 'e')
        for key in spec['functions'][function]['keys']:
            kind, value = values.get(key['path'], ('', ''))
            if kind in ('i', 'b'):
                stack = re.match(r'n([6-9]|1\d)$', key['text'])
                hard = not -1 < int(value) < (0x80 if key['char'] else 65536)
                yield function, key['text'], written(key, kind, value, {}), value, \
                    hard and bool(stack or key['char'])
        for key in spec['functions'][function]['texts']:
            kind, value = values.get(key['path'], ('', ''))
            text = bytes.fromhex(value) if kind == 't' else b'\xff'
            if text and max(text) < 0x80 and b'"' not in text:
                yield function, key['text'], f'"{text.decode()}"', text.decode(), \
                    len(text) == key['size']


def spread(found, number):
    """So many of the keys, half of them hard ones if there are, a char above 127, what is wide and
    on the stack, a text without a null byte: each seed has to try some."""
    hard, other = [key for key in found if key[4]], [key for key in found if not key[4]]
    hard = hard[:(number + 1) // 2]
    number -= len(hard)
    step = max(1, len(other) // max(number, 1))
    return [key[:4] for key in hard + other[::step][:number]]


def both_kinds(spec, log, numbers, texts):
    found = list(keys_of(spec, log))
    return spread([key for key in found if key[2][0] != '"'], numbers) + \
        spread([key for key in found if key[2][0] == '"'], texts)


def rules(spec, log, path):
    with open(path, 'w', encoding='utf-8') as file:
        for i, (function, key, value, plain) in enumerate(both_kinds(spec, log, 40, 14)):
            file.write(f'yes_{i} {function} "{quoted(key)} == {quoted(value)}"\n')
            file.write(f'no_{i} {function} "{quoted(key)} != {quoted(value)}"\n')
            file.write(f'key_{i} {function} --by "{quoted(key)}"\n')
            file.write(f'#{json.dumps(plain)}\n')


def quoted(text):
    return text.replace('\\', '\\\\').replace('"', '\\"')


def series(spec, _, verdict, path, got):
    found = {}
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
        elif str(spec['enums'].get(labels[0][0])) == value:
            continue
        elif labels[0][0] not in (value, value.replace('\\', '\\\\'), '(address)') and \
                not (re.fullmatch(r'-?\d+', value) and labels[0][0].startswith('-E')):
            verdict.differs(f'{by}: {labels[0][0]!r}, not {value!r}')


def chosen(spec, log, number):
    half = int(number) // 2
    for function, key, value, plain in both_kinds(spec, log, half, half):
        print('\t'.join((function, f'{key} == {value}', f'{key} != {value}', key, plain)))


COMPARISONS = {'events': events, 'rows': rows, 'screen': on_screen, 'report': in_report,
               'counts': counts, 'filter': filtered, 'series': series}


def spec_of(paths):
    """Of all seeds: each has names of its own."""
    whole = {'enums': {}, 'functions': {}}
    for path in paths.split(','):
        with open(path, encoding='utf-8') as file:
            for part, names in json.load(file).items():
                whole[part].update(names)
    return whole


def main():
    first, args = sys.argv[1], sys.argv[2:]
    if first in ('rules', 'chosen'):
        {'rules': rules, 'chosen': chosen}[first](spec_of(args[0]), Lines(args[1]), *args[2:])
        return
    spec, failed = spec_of(first), False
    for comparison in args[1:]:
        name, kind, log, *rest = comparison.split()
        verdict = Verdict(name)
        COMPARISONS[kind](spec, args[0], verdict, log if kind == 'series' else Lines.of(log), *rest)
        failed |= verdict.end()
    sys.exit(failed)


main()
