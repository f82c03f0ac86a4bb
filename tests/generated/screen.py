# SPDX-License-Identifier: GPL-2.0-or-later
"""What kcatch writes of the generated functions as text: on the screen, and in a text report."""
import errno
import re

MASK = 2 ** 64 - 1
NAME = re.compile(r'\*?[\w.]+(?:\[\d+\][\w.]*)*')
WORD = re.compile(r'[^\s,(){}\[\]<"]*')
MORE = re.compile(r'\.\.\. \(\d+ more: -v\)')
TIMES = re.compile(r' x (\d+)')
# Not in the text at all: the value has its place taken by another, or is left out by a rule.
LEFT_OUT = object()


class Value:
    """One value. @word: a number or a name; @text: bytes in quotes; @members, @elements, @changes:
    what is in brackets; @after: what it became; @cut, @more: not all of it is there."""
    def __init__(self):
        self.word, self.text, self.members, self.elements = '', None, None, None
        self.changes, self.after = {}, None
        self.cut = self.more = self.unreadable = self.starred = False

    def inner(self):
        return self.members or {}


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def sees(self, what):
        if self.text.startswith(what, self.at):
            self.at += len(what)
            return True
        return False

    def match(self, pattern):
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def string(self):
        out = bytearray()
        while not self.sees('"'):
            char = self.text[self.at]
            self.at += 1
            if char == '\\':
                char = self.text[self.at]
                self.at += 1
                if char == 'x':
                    out.append(int(self.text[self.at:self.at + 2], 16))
                    self.at += 2
                    continue
                char = {'n': '\n', 't': '\t', 'r': '\r'}.get(char, char)
            out += char.encode('latin-1')
        return bytes(out)

    def one(self):
        value = Value()
        if self.sees('"'):
            value.text = self.string()
            times = self.match(TIMES)
            if times:
                value.text *= int(times[1])
        elif self.sees('['):
            value.elements = []
            while not self.sees(']'):
                if self.sees('...'):
                    value.cut = True
                else:
                    value.elements.append(self.value())
                self.sees(' ')
        else:
            value.word = self.match(WORD)[0]
            if value.word.endswith('...'):
                value.word, value.cut = value.word[:-3], True
        if self.sees('{'):
            value.members = {}
            self.members(value, '}')
        while True:
            if self.sees('...'):
                value.cut = True
            elif self.sees('<unreadable>'):
                value.unreadable = True
            elif not self.sees(' (read at return)'):
                return value

    def value(self):
        value = self.one()
        if self.sees(' => '):
            value.after = self.one()
        return value

    def members(self, value, end):
        """What stands in the brackets of a struct, or on its lines."""
        while not (self.sees(end) if end else self.at == len(self.text)):
            begin = self.at
            name = self.match(NAME)
            if name and self.sees('='):
                member = self.value()
                member.starred = name[0][0] == '*'
                value.members[name[0].lstrip('*')] = member
            elif name and self.sees(': '):
                value.changes[name[0]] = self.value()
            else:
                self.at = begin
                self.nameless(value)
            if not self.sees(' ') and self.at == begin:
                raise ValueError(f'{self.text[begin:begin + 40]!r} is not understood')

    def nameless(self, value):
        if self.match(MORE):
            value.more = True
        elif self.sees('...'):
            value.cut = True
        else:
            inner = self.one()
            value.members.update(inner.inner())
            value.more |= inner.more
            value.cut |= inner.cut

    def arguments(self, between, end):
        args = {}
        while not self.text.startswith(end, self.at):
            name = self.match(NAME)
            if not name or not self.sees('='):
                raise ValueError(f'{self.text[self.at:self.at + 40]!r} is no argument')
            value = self.value()
            value.starred = name[0][0] == '*'
            args[name[0].lstrip('*')] = value
            if not self.sees(between):
                break
        return args


class Call:
    """A call as the text has it. @blocks: the lines of structs; @changed: {path: what it was, with
    what it became}; @ret: None where there is none."""
    def __init__(self, args, ret):
        self.args, self.ret, self.blocks, self.changed = args, ret, {}, {}
        for name, value in args.items():
            if value.after:
                self.changed[name] = value
            for member, change in value.changes.items():
                self.changed[f'{name}.{member}'] = change

    def block(self, line):
        name, _, rest = line.strip().partition(': ')
        value = Value()
        value.members = {}
        Reader(rest).members(value, '')
        self.blocks[name] = value

    def changes(self, text):
        """The line of what the call changed."""
        reader = Reader(text)
        while reader.at < len(text):
            name = reader.match(NAME)
            if not name or not reader.sees(': '):
                raise ValueError(f'{text[reader.at:reader.at + 40]!r} is no change')
            path = name[0].lstrip('*')
            if reader.match(MORE):
                self.args[path].more = True
            else:
                value = reader.value()
                value.starred = name[0][0] == '*'
                self.changed[path] = value
            reader.sees(' ')

    def find(self, path):
        """A value by its path, None where it should be and is not."""
        name, _, rest = path.partition('.')
        if re.search(r'\[\d+\]$', name):
            name, rest = name[:name.index('[')], name[name.index('['):]
        value = self.ret if name == 'ret' else self.args.get(name)
        if value is None:
            return None
        if rest == '@':
            shown = value.word and not value.starred and value.after is None
            return value if shown else LEFT_OUT
        if rest == 'value':
            return value if value.starred or value.unreadable else LEFT_OUT
        if not rest:
            return value
        block = self.blocks.get('it' if name == 'ret' else name)
        if value.members is None and value.elements is None and block is None:
            # A report has no lines of structs; an address stands there.
            return LEFT_OUT if value.word or value.cut else None
        return step_into(value if value.members or not block else block, rest)


def step_into(value, path):
    """A part of a value: "m1.m2[3]"; LEFT_OUT, or None."""
    for step in re.findall(r'[^.\[\]]+', path):
        whole = value
        if step == '@':
            return value if value.word else LEFT_OUT
        if step.isdigit():
            number, elements = int(step), value.elements
            value = elements[number] if elements and number < len(elements) else None
        else:
            value = (value.members or {}).get(step)
        if value is None:
            gone = whole.cut or whole.more or (whole.word and not whole.members) or \
                (whole.changes and not whole.members)
            return LEFT_OUT if gone else None
    return value


def unwrapped(path):
    """The lines of a text, those that were broken whole again."""
    lines = []
    with open(path, encoding='latin-1', newline='\n') as file:
        for line in file.read().split('\n'):
            if line.startswith(' ' * 7) and lines:
                lines[-1] += ' ' + line.strip(' ')
            else:
                lines.append(line)
    return lines


def calls_of_screen(path):
    """{function: [Call]} of what kcatch shows live."""
    calls, last, name = {}, None, None
    for line in unwrapped(path):
        head = re.match(r'(gf\d+_\d+) \[kcatch_generated_\d+\]  .*?  returned (.*)', line)
        if head:
            name, reader = head[1], Reader(head[2])
            last = Call({}, None if reader.sees('after ') else reader.one())
            calls.setdefault(name, []).append(last)
        elif last and line.startswith('  with '):
            reader = Reader(line)
            reader.at = len('  with ')
            last.args = reader.arguments(' ', '\n')
            if reader.at < len(line):
                raise ValueError(f'{name}: {line[reader.at:]!r} behind the arguments')
        elif last and line.startswith('  changed '):
            last.changes(line[len('  changed '):])
        elif last and line.startswith(' ' * 6):
            last.block(line)
        elif line:
            last = None
    return calls


def calls_of_report(path):
    """The same of a text report: "TIME [CPU] COMM PID  FUNCTION [MODULE](ARGS) = RET  LATENCY"."""
    calls = {}
    with open(path, encoding='latin-1', newline='\n') as file:
        for line in file.read().split('\n'):
            head = re.match(r'\S+ \[\d+\] .* \d+  (gf\d+_\d+) \[kcatch_generated_\d+\]\(', line)
            if not head:
                continue
            reader = Reader(line)
            reader.at = head.end()
            args = reader.arguments(', ', ')')
            if not reader.sees(') = '):
                raise ValueError(f'{head[1]}: no end in {line[reader.at:]!r}')
            ret = None if line.startswith(' ', reader.at) else reader.one()
            calls.setdefault(head[1], []).append(Call(args, ret))
    return calls


class Judge:
    """Says whether a value in a text is what C said. @symbols: {name: addresses}."""
    def __init__(self, enums, symbols):
        self.enums, self.symbols = enums, symbols

    def number(self, word):
        if re.fullmatch(r'0x[0-9a-f]+', word):
            return int(word, 16)
        if re.fullmatch(r'-?\d+', word):
            return int(word)
        if word in self.enums:
            return self.enums[word]
        if word.startswith('-E'):
            return -getattr(errno, word[1:], 0)
        return None

    def same(self, value, kind, said):
        if kind == 'i':
            number, hexadecimal = self.number(value.word), value.word.startswith('0x')
            return number is not None and number == (int(said) & MASK if hexadecimal else int(said))
        if kind == 'b':
            return value.word == ('true' if int(said) else 'false')
        if kind == 'p':
            address = int(said) & MASK
            if value.word == 'NULL':
                return address == 0
            if value.word in self.symbols:
                return address in self.symbols[value.word]
            number = self.number(value.word)
            return number is not None and number & MASK == address
        if kind == 'n':
            return value.word == 'NULL'
        if kind == 'u':
            return value.unreadable
        if kind == 'h':
            return value.word == ':'.join(said[i:i + 2] for i in range(0, len(said), 2))
        data = bytes.fromhex(said)
        if value.text is None:
            return False
        return value.text == data or (value.cut and data.startswith(value.text))


def symbols_of(path):
    symbols = {}
    with open(path, encoding='ascii') as file:
        for line in file:
            address, _, name = line.split()[:3]
            symbols.setdefault(name, set()).add(int(address, 16))
    return symbols
